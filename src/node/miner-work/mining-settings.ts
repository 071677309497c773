// The parameters of templates and the pending block; they may change while the node runs.
import { Emitter } from '../../base/events'

export interface MiningValues {
  /** Whether work is given out. */
  readonly mining: boolean
  /** 20 bytes; null = not chosen yet: no work is given out */
  readonly coinbase: Uint8Array | null
  /** at most 32 bytes */
  readonly extraData: Uint8Array
  /** Gas limit that our blocks move towards. */
  readonly gasLimitGoal: bigint
  /** minimum wei per gas for others' transactions while we mine */
  readonly gasPrice: bigint
  /** A template is renewed after this long, ms. */
  readonly recommitMs: number
}

export class MiningSettings {
  readonly events = new Emitter<{ changed: MiningValues }>()
  #values: MiningValues

  constructor(values: MiningValues) {
    this.#values = values
  }

  get values(): MiningValues {
    return this.#values
  }

  /** Changes the given values; undefined leaves one unchanged. */
  change(values: { readonly [K in keyof MiningValues]?: MiningValues[K] | undefined }): void {
    const given = Object.entries(values).filter(([, value]) => value !== undefined)
    this.#values = { ...this.#values, ...Object.fromEntries(given) }
    this.events.emit('changed', this.#values)
  }
}
