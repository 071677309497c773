// Rounds of BLAKE2b by the addon's vector code, which takes about half the time of WebAssembly.
import type { NativeAddon } from '../addon'
import { AddonPart } from '../loader'

/** See NativeAddon. */
type RoundsFunction = NonNullable<NativeAddon['blake2Rounds']>

const part = new AddonPart(({ blake2Rounds }) => blake2Rounds)

/** The addon's; null where it has none. */
export function nativeBlake2Rounds(): RoundsFunction | null {
  return part.get()
}
