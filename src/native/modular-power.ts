// Modular exponentiation by the addon: two to four times as fast as with bigint, for moduli of up to some kilobytes.
import type { NativeAddon } from './addon'
import { AddonPart } from './loader'

/** See NativeAddon. */
export type PowerFunction = NonNullable<NativeAddon['modularPower']>

const part = new AddonPart(({ modularPower }) => modularPower)

/** The addon's; null where there is none. */
export function nativePower(): PowerFunction | null {
  return part.get()
}
