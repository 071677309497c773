// Live options: changes in the config file are passed to the parts that use them.
import { Mutex } from '../../base/mutex'
import type { ResolvedConfig } from '../../config/resolved-config'
import type { ConfigSettings } from './config-settings'

export interface LivePart {
  /** Keys of its options, such as `miner.tstop`. */
  readonly keys: readonly string[]
  /** @param config with the new values @throws why they can't be applied; the part then continues as before */
  readonly apply: (config: ResolvedConfig) => Promise<void>
}

export class LiveSettings {
  readonly #turns = new Mutex()
  #inEffect: ReadonlyMap<string, string>

  constructor(
    private readonly settings: Pick<ConfigSettings, 'current'>,
    private readonly parts: readonly LivePart[],
  ) {
    this.#inEffect = valuesOf(settings.current(), this.#keys())
  }

  /** Applies what changed in the file since the last time. @throws the error of a part that refused */
  take(): Promise<void> {
    return this.#turns.run(async () => {
      const config = this.settings.current()
      const next = valuesOf(config, this.#keys())
      for (const { keys, apply } of this.parts) {
        if (keys.every((key) => next.get(key) === this.#inEffect.get(key))) continue
        await apply(config)
        this.#inEffect = new Map([...this.#inEffect, ...keys.map((key) => [key, next.get(key) ?? ''] as const)])
      }
    })
  }

  #keys(): readonly string[] {
    return this.parts.flatMap(({ keys }) => keys)
  }
}

/** As text, for comparison. */
function valuesOf(config: ResolvedConfig, keys: readonly string[]): ReadonlyMap<string, string> {
  return new Map(keys.map((key) => [key, JSON.stringify(valueAt(config, key), plainBigint) ?? '']))
}

function valueAt(config: ResolvedConfig, key: string): unknown {
  return key.split('.').reduce<unknown>((place, name) => (place as Record<string, unknown>)[name], config)
}

function plainBigint(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
