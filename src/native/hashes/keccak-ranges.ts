// Keccak-256 of many messages at once by the addon's vector code.
import type { NativeAddon } from '../addon'
import { AddonPart } from '../loader'

/** See NativeAddon. */
export type KeccakRanges = NonNullable<NativeAddon['keccakRanges']>

const part = new AddonPart(({ keccakRanges }) => keccakRanges)

/** The addon's; null where it has none. */
export function nativeKeccakRanges(): KeccakRanges | null {
  return part.get()
}
