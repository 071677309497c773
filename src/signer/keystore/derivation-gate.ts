// Lets one memory-hungry derivation run at a time: two standard ones together would need 512 MiB.
// Light ones pass at once, so that a slow key never holds up a quick one.
import { KeystoreError } from '../errors'

/** Derivations under this many bytes are not queued. */
const HEAVY_BYTES = 32 * 1024 * 1024

export class DerivationGate {
  #tail: Promise<void> = Promise.resolve()
  #epoch = 0

  /**
   * Runs `derive` in its turn.
   * @param memoryBytes what the derivation takes
   * @throws KeystoreError KEYSTORE_LOCKED when `dropWaiting` was called before its turn came
   */
  async run<T>(memoryBytes: number, derive: () => Promise<T>): Promise<T> {
    if (memoryBytes < HEAVY_BYTES) return derive()
    const epoch = this.#epoch
    const before = this.#tail
    let release: () => void = () => undefined
    this.#tail = new Promise((resolve) => {
      release = resolve
    })
    try {
      await before
      if (epoch !== this.#epoch) throw new KeystoreError('KEYSTORE_LOCKED', undefined)
      return await derive()
    } finally {
      release()
    }
  }

  /** Fails what waits for its turn; what runs goes on. */
  dropWaiting(): void {
    this.#epoch += 1
  }
}
