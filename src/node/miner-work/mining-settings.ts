// What templates and the pending block are made with; may change while the node runs.
import { Emitter } from '../../base/events'

export interface MiningValues {
  /** Whether work is given. */
  readonly mining: boolean
  /** 20 bytes; null = none chosen yet: no work is given */
  readonly coinbase: Uint8Array | null
  /** at most 32 bytes */
  readonly extraData: Uint8Array
  /** Gas limit that blocks of ours move towards. */
  readonly gasLimitGoal: bigint
  /** wei per gas that transactions of others must offer while we mine */
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

  /** Takes what is named, leaves the rest; undefined names nothing. */
  change(values: { readonly [K in keyof MiningValues]?: MiningValues[K] | undefined }): void {
    const old = this.#values
    this.#values = {
      mining: values.mining ?? old.mining,
      coinbase: values.coinbase === undefined ? old.coinbase : values.coinbase,
      extraData: values.extraData ?? old.extraData,
      gasLimitGoal: values.gasLimitGoal ?? old.gasLimitGoal,
      gasPrice: values.gasPrice ?? old.gasPrice,
      recommitMs: values.recommitMs ?? old.recommitMs,
    }
    this.events.emit('changed', this.#values)
  }
}
