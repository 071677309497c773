// Slows down guessing: after several wrong passwords in a row an account is locked out for a while, across all
// requests.
import type { Clock } from '../../base/time'
import { KeystoreError } from '../errors'

/** Consecutive wrong passwords without a penalty: typing errors. */
const FREE_TRIES = 5
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000
/** Accounts remembered; the oldest is evicted. */
const MAX_ACCOUNTS = 1_000

interface Failures {
  readonly count: number
  /** Monotonic ms; no attempts before. */
  readonly closedUntil: number
}

/** By account, in memory only. */
export class AttemptLimit {
  readonly #clock: Clock
  readonly #failures = new Map<string, Failures>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws KeystoreError KEYSTORE_TOO_MANY_TRIES while the account is locked out */
  check(address: string): void {
    const waitMs = (this.#failures.get(address)?.closedUntil ?? 0) - this.#clock.monotonic()
    if (waitMs <= 0) return
    throw new KeystoreError('KEYSTORE_TOO_MANY_TRIES', { address, waitSeconds: Math.ceil(waitMs / 1_000) })
  }

  failed(address: string): void {
    const count = (this.#failures.get(address)?.count ?? 0) + 1
    const over = count - FREE_TRIES
    const waitMs = over < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** over, LONGEST_WAIT_MS)
    this.#failures.delete(address)
    this.#failures.set(address, { count, closedUntil: waitMs === 0 ? 0 : this.#clock.monotonic() + waitMs })
    const oldest = this.#failures.keys().next()
    if (this.#failures.size > MAX_ACCOUNTS && oldest.done !== true) this.#failures.delete(oldest.value)
  }

  succeeded(address: string): void {
    this.#failures.delete(address)
  }
}
