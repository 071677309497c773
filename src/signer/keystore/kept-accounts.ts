// Accounts that the user keeps unlocked for some minutes after a signature: their keys stay in the key worker, and
// later approvals need no password. Each signature still needs its own approval.

import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { MINUTE_MS } from '../../base/time'
import type { LowerAddress } from '../address'
import type { AuditEntry } from '../audit/audit-entry'
import type { KeyAndPassword, KeyClient } from './key-client'

/** The key worker, and the audit log that is written first. */
interface KeptAccountsDeps {
  readonly keys: Pick<KeyClient, 'unlock' | 'lock'>
  readonly clock: Clock
  readonly log: Logger
  /** Resolves when the entry is on disk; a rejection aborts the step. */
  readonly record: (entry: AuditEntry) => Promise<void>
  /** Called after each unlock and lock. */
  readonly onChanged: () => void
}

/** An unlocked account, and until when. */
interface KeptAccount {
  readonly address: LowerAddress
  /** UTC ms */
  readonly until: number
}

interface Kept {
  readonly until: number
  readonly timer: Disposable
}

/** Locked by time, by the user, or when the feature is switched off; whichever comes first. */
export class KeptAccounts {
  readonly #deps: KeptAccountsDeps
  readonly #kept = new Map<LowerAddress, Kept>()
  #isAllowed = false
  /** Counts lock-all events, so that an unlock in progress is discarded. */
  #lockings = 0

  constructor(deps: KeptAccountsDeps) {
    this.#deps = deps
  }

  /** Initially off. Switching it off locks everything. */
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

  /** For this many minutes from now; a longer running time is kept. @throws as KeyClient.unlock, and the audit log's */
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

  /** Like `keep`; failures are logged. Never rejects. */
  async keepIfPossible(key: KeyAndPassword, minutes: number): Promise<void> {
    try {
      await this.keep(key, minutes)
    } catch (error) {
      this.#deps.log.warn('account could not be kept unlocked', { address: key.address, error: messageOf(error) })
    }
  }

  /** The key worker has lost its key. */
  lost(address: LowerAddress): void {
    this.#lock(address)
  }

  lockAll(): void {
    this.#lockings += 1
    for (const address of [...this.#kept.keys()]) this.#lock(address)
  }

  /** Timers stop while the computer sleeps; the granted time doesn't. */
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
