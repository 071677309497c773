// Limits the memory and threads of key derivations. Light ones have their own lane, so that a slow key never delays a
// fast one; together they leave threads of the pool for the rest of the program.
import { KeystoreError } from '../errors'

const MIB = 1024 * 1024
/** Derivations under this many bytes are light. */
const HEAVY_BYTES = 32 * MIB
const MAX_AT_ONCE = 2
/** Memory of all running heavy ones: a standard one takes 256 MiB, so two of them run one after the other. */
const MAX_HEAVY_BYTES = 320 * MIB

interface Waiting {
  readonly memoryBytes: number
  readonly go: () => void
  readonly drop: () => void
}

/** Queues derivations in two lanes. */
export class ScryptLimiter {
  readonly #light = new Lane(Number.POSITIVE_INFINITY)
  readonly #heavy = new Lane(MAX_HEAVY_BYTES)

  /**
   * Runs `derive` in its turn; first come, first served within a lane.
   * @param memoryBytes required memory
   * @throws KeystoreError KEYSTORE_LOCKED when `dropWaiting` was called before its turn
   */
  run<T>(memoryBytes: number, derive: () => Promise<T>): Promise<T> {
    return (memoryBytes < HEAVY_BYTES ? this.#light : this.#heavy).run(memoryBytes, derive)
  }

  /** Fails all waiting derivations; running ones continue. */
  dropWaiting(): void {
    this.#light.dropWaiting()
    this.#heavy.dropWaiting()
  }
}

class Lane {
  readonly #maxBytes: number
  #running = 0
  #runningBytes = 0
  #waiting: Waiting[] = []

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  async run<T>(memoryBytes: number, derive: () => Promise<T>): Promise<T> {
    if (this.#waiting.length > 0 || !this.#fits(memoryBytes)) await this.#turn(memoryBytes)
    else this.#enter(memoryBytes)
    try {
      return await derive()
    } finally {
      this.#running -= 1
      this.#runningBytes -= memoryBytes
      this.#admit()
    }
  }

  dropWaiting(): void {
    const dropped = this.#waiting
    this.#waiting = []
    for (const waiting of dropped) waiting.drop()
  }

  /** A single one always fits, however much it takes. */
  #fits(memoryBytes: number): boolean {
    const isRoom = this.#running < MAX_AT_ONCE && this.#runningBytes + memoryBytes <= this.#maxBytes
    return isRoom || this.#running === 0
  }

  #turn(memoryBytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const drop = (): void => reject(new KeystoreError('KEYSTORE_LOCKED', undefined))
      this.#waiting.push({ memoryBytes, go: resolve, drop })
    })
  }

  #enter(memoryBytes: number): void {
    this.#running += 1
    this.#runningBytes += memoryBytes
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#fits(next.memoryBytes); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#enter(next.memoryBytes)
      next.go()
    }
  }
}
