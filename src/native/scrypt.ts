// scrypt's mixing by the addon: two to three times as fast as OpenSSL's where several blocks can run in parallel.
import type { NativeAddon } from './addon'
import { loadAddon } from './loader'

/** See NativeAddon. */
export interface ScryptMixing {
  /** On the calling thread. */
  readonly mix: NonNullable<NativeAddon['mixScrypt']>
  readonly mixApart: NonNullable<NativeAddon['mixScryptApart']>
}

/** Looked up once, on first use. */
class Choice {
  #chosen: ScryptMixing | null | undefined = undefined

  get(): ScryptMixing | null {
    if (this.#chosen === undefined) this.#chosen = found()
    return this.#chosen
  }
}

function found(): ScryptMixing | null {
  const loaded = loadAddon({ searchFrom: import.meta.dirname })
  if (!('addon' in loaded)) return null
  const { mixScrypt: mix, mixScryptApart: mixApart } = loaded.addon
  return mix === undefined || mixApart === undefined ? null : { mix, mixApart }
}

const choice = new Choice()

/** Null without an addon that supports it. */
export function nativeScrypt(): ScryptMixing | null {
  return choice.get()
}
