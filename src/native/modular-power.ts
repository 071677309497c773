// Modular exponentiation by the addon: two to four times as fast as with bigint, for moduli of up to some kilobytes.
import type { NativeAddon } from './addon'
import { loadAddon } from './loader'

/** See NativeAddon. */
export type PowerFunction = NonNullable<NativeAddon['modularPower']>

/** Looked up once, on first use. */
class Choice {
  #chosen: PowerFunction | null | undefined = undefined

  get(): PowerFunction | null {
    if (this.#chosen === undefined) {
      const loaded = loadAddon({ searchFrom: import.meta.dirname })
      this.#chosen = 'addon' in loaded ? (loaded.addon.modularPower ?? null) : null
    }
    return this.#chosen
  }
}

const choice = new Choice()

/** The addon's; null where there is none. */
export function nativePower(): PowerFunction | null {
  return choice.get()
}
