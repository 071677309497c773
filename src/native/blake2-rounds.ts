// Rounds of BLAKE2b by the addon's vector code, which takes about half the time of WebAssembly.
import type { NativeAddon } from './addon'
import { loadAddon } from './loader'

/** See NativeAddon. */
export type RoundsFunction = NonNullable<NativeAddon['blake2Rounds']>

/** Loads the addon on the first call. */
class Choice {
  #chosen: RoundsFunction | null | undefined = undefined

  get(): RoundsFunction | null {
    if (this.#chosen === undefined) {
      const loaded = loadAddon({ searchFrom: import.meta.dirname })
      this.#chosen = 'addon' in loaded ? (loaded.addon.blake2Rounds ?? null) : null
    }
    return this.#chosen
  }
}

const choice = new Choice()

/** The addon's; null where it has none. */
export function nativeBlake2Rounds(): RoundsFunction | null {
  return choice.get()
}
