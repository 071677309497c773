// Limits of key derivations: guessing is slowed down by account, memory and threads are shared in two lanes.
import type { Clock } from '../../base/time'
import { KeystoreError } from '../errors'

/** Consecutive wrong passwords without a penalty: typing errors. */
const FREE_TRIES = 5
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000
const MAX_ACCOUNTS = 1_000

interface Failures {
  readonly count: number
  /** Monotonic ms; no attempts before. */
  readonly closedUntil: number
}

/** After several wrong passwords in a row an account is locked out for a while, across requests; in memory only. */
export class AttemptLimit {
  readonly #failures = new Map<string, Failures>()

  constructor(private readonly clock: Clock) {}

  /** @throws KeystoreError KEYSTORE_TOO_MANY_TRIES while the account is locked out */
  check(address: string): void {
    const waitMs = (this.#failures.get(address)?.closedUntil ?? 0) - this.clock.monotonic()
    if (waitMs <= 0) return
    throw new KeystoreError('KEYSTORE_TOO_MANY_TRIES', { address, waitSeconds: Math.ceil(waitMs / 1_000) })
  }

  failed(address: string): void {
    const count = (this.#failures.get(address)?.count ?? 0) + 1
    const over = count - FREE_TRIES
    const waitMs = over < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** over, LONGEST_WAIT_MS)
    this.#failures.delete(address)
    this.#failures.set(address, { count, closedUntil: waitMs === 0 ? 0 : this.clock.monotonic() + waitMs })
    const oldest = this.#failures.keys().next()
    if (this.#failures.size > MAX_ACCOUNTS && oldest.done !== true) this.#failures.delete(oldest.value)
  }

  succeeded(address: string): void {
    this.#failures.delete(address)
  }
}

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

/** Two lanes: a slow key never delays a fast one, and both leave threads of the pool for the rest of the program. */
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
  #running = 0
  #runningBytes = 0
  #waiting: Waiting[] = []

  constructor(private readonly maxBytes: number) {}

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
    const isRoom = this.#running < MAX_AT_ONCE && this.#runningBytes + memoryBytes <= this.maxBytes
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
