// From a job's seed hash to its epoch: the one thing about a job that a pool cannot get wrong unnoticed.
import { toHex } from '../../../base/hex'
import { XHASH_FULL } from '../../../xhash/params'
import { nextSeedHash } from '../../../xhash/seed'

/** Blocks of an epoch. */
export const EPOCH_BLOCKS = XHASH_FULL.epochLength
/** Last epoch that a seed is looked for in: the end of the size tables. */
export const LAST_EPOCH = 32_639
/** Seeds made before others get their turn: some 5 ms. */
const SLICE = 400

/** The table of seeds grows as far as it was needed, and is shared by all pools. */
export class SeedEpochs {
  readonly #epochs = new Map<string, number>()
  #newest: Uint8Array = new Uint8Array(32)

  /** @param yieldTurn resolves after other work had its turn, for example on the next loop of the event loop */
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
