// Maps a job's seed hash to its epoch: the one part of a job that a pool can't get wrong unnoticed.
import { toHex } from '../../../base/hex'
import { XHASH_FULL } from '../../../xhash/params'
import { nextSeedHash } from '../../../xhash/seed'

/** Blocks per epoch. */
export const EPOCH_BLOCKS = XHASH_FULL.epochLength
/** Last epoch searched for a seed: the end of the size tables. */
export const LAST_EPOCH = 32_639
/** Seeds computed before yielding: some 5 ms. */
const SLICE = 400

/** The table of seeds, extended on demand and shared by all pools. */
export class SeedEpochs {
  readonly #epochs = new Map<string, number>()
  #newest: Uint8Array = new Uint8Array(32)

  /** @param yieldTurn resolves after other work ran, for example in the next turn of the event loop */
  constructor(private readonly yieldTurn: () => Promise<void>) {
    this.#epochs.set(toHex(this.#newest), 0)
  }

  /** Null when no epoch has this seed. @param seed 32 bytes */
  async find(seed: Uint8Array): Promise<number | null> {
    const name = toHex(seed)
    for (;;) {
      const known = this.#epochs.get(name)
      if (known !== undefined) return known
      if (this.#epochs.size > LAST_EPOCH) return null
      this.#grow()
      await this.yieldTurn()
    }
  }

  #grow(): void {
    for (let made = 0; made < SLICE && this.#epochs.size <= LAST_EPOCH; made++) {
      this.#newest = nextSeedHash(this.#newest)
      this.#epochs.set(toHex(this.#newest), this.#epochs.size)
    }
  }
}
