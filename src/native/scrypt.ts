// scrypt's mixing by the addon: two to three times as fast as OpenSSL's where several blocks can run in parallel.
import type { NativeAddon } from './addon'
import { AddonPart } from './loader'

/** See NativeAddon. */
export interface ScryptMixing {
  /** On the calling thread. */
  readonly mix: NonNullable<NativeAddon['mixScrypt']>
  readonly mixApart: NonNullable<NativeAddon['mixScryptApart']>
}

const part = new AddonPart<ScryptMixing>(({ mixScrypt: mix, mixScryptApart: mixApart }) =>
  mix === undefined || mixApart === undefined ? undefined : { mix, mixApart },
)

/** Null without an addon that supports it. */
export function nativeScrypt(): ScryptMixing | null {
  return part.get()
}
