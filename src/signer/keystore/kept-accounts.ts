// Accounts that a person keeps open for some minutes after a signature: their keys stay in the key worker, and what that
// person approves meanwhile needs no password. Each signature is still an approval of its own.
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { LowerAddress } from '../address'
import type { AuditEntry } from '../audit/audit-entry'
import type { KeyAndPassword, KeyClient } from './key-client'

const MINUTE_MS = 60_000

/** The key worker, and the record that is written first. */
export interface KeptAccountsDeps {
  readonly keys: Pick<KeyClient, 'unlock' | 'lock'>
  readonly clock: Clock
  readonly log: Logger
  /** Resolves when the entry is on disk; a rejection refuses the step. */
  readonly record: (entry: AuditEntry) => Promise<void>
  /** Told after each opening and locking. */
  readonly onChanged: () => void
}

/** An account that is open, and until when. */
export interface KeptAccount {
  readonly address: LowerAddress
  /** UTC ms */
  readonly until: number
}

interface Kept {
  readonly until: number
  readonly timer: Disposable
}

/** Closed by time, by the user, or when keeping is no longer allowed; whichever comes first. */
export class KeptAccounts {
  readonly #deps: KeptAccountsDeps
  readonly #kept = new Map<LowerAddress, Kept>()
  #isAllowed = false
  /** Counts the times that all were locked, so that an opening which was under way then comes to nothing. */
  #lockings = 0

  constructor(deps: KeptAccountsDeps) {
    this.#deps = deps
  }

  /** Off from the start. Switching it off locks everything. */
  allow(isAllowed: boolean): void {
    this.#isAllowed = isAllowed
    if (!isAllowed) this.lockAll()
  }

  get isAllowed(): boolean {
    return this.#isAllowed
  }

  list(): readonly KeptAccount[] {
    this.#lockOverdue()
    return [...this.#kept].map(([address, { until }]) => ({ address, until }))
  }

  has(address: LowerAddress): boolean {
    this.#lockOverdue()
    return this.#kept.has(address)
  }

  /** Until so many minutes from now; a longer time that runs already stays. @throws as KeyClient.unlock, and the record's */
  async keep(key: KeyAndPassword, minutes: number): Promise<void> {
    const { keys, clock, record, onChanged } = this.#deps
    if (!this.#isAllowed) return
    const { address } = key
    const lockings = this.#lockings
    const until = clock.now() + minutes * MINUTE_MS
    if ((this.#kept.get(address)?.until ?? 0) >= until) return
    await record({ type: 'unlocked', address })
    await keys.unlock(key)
    if (!this.#isAllowed || lockings !== this.#lockings) {
      await keys.lock(address)
      return
    }
    this.#kept.get(address)?.timer.dispose()
    const timer = clock.setTimeout(() => this.#lock(address), minutes * MINUTE_MS)
    this.#kept.set(address, { until, timer })
    onChanged()
  }

  /** As `keep`; a failure goes to the log. Never rejects. */
  async keepIfPossible(key: KeyAndPassword, minutes: number): Promise<void> {
    try {
      await this.keep(key, minutes)
    } catch (error) {
      this.#deps.log.warn('account could not be kept open', { address: key.address, error: messageOf(error) })
    }
  }

  /** The key worker does not have its key any more. */
  lost(address: LowerAddress): void {
    this.#lock(address)
  }

  lockAll(): void {
    this.#lockings += 1
    for (const address of [...this.#kept.keys()]) this.#lock(address)
  }

  /** A timer stands still while the computer sleeps; the time that was given does not. */
  #lockOverdue(): void {
    const now = this.#deps.clock.now()
    for (const [address, { until }] of [...this.#kept]) if (until <= now) this.#lock(address)
  }

  #lock(address: LowerAddress): void {
    const { keys, log, record, onChanged } = this.#deps
    const kept = this.#kept.get(address)
    if (kept === undefined) return
    kept.timer.dispose()
    this.#kept.delete(address)
    keys
      .lock(address)
      .then(() => record({ type: 'locked', address }))
      .catch((error: unknown) => log.warn('locking could not be completed', { address, error: messageOf(error) }))
    onChanged()
  }
}
