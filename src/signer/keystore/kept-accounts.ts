// Accounts that the user keeps unlocked for some minutes after a signature: the key worker keeps their keys and counts the
// time; here is what is known of it, for display, the log, and locking earlier. Each signature still needs its own
// approval.

import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import type { LowerAddress } from '../../base/hex'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { MINUTE_MS } from '../../base/time'
import type { AuditEntry } from '../audit/audit-entry'
import type { KeyClient } from './key-client'

interface KeptAccountsDeps {
  readonly keys: Pick<KeyClient, 'lock'>
  readonly clock: Clock
  readonly log: Logger
  readonly record: (entry: AuditEntry) => Promise<void>
  readonly onChanged: () => void
}

interface KeptAccount {
  readonly address: LowerAddress
  /** UTC ms */
  readonly until: number
  /** Public key of the page whose approvals it signs, hex. */
  readonly page: string
}

/** Locked by time, by the user, or when the feature is switched off; whichever comes first. */
export class KeptAccounts {
  readonly #kept = new Map<LowerAddress, Omit<KeptAccount, 'address'> & { readonly timer: Disposable }>()
  #isAllowed = false
  /** Counts lock-all events, so that an unlock in progress is discarded. */
  #lockings = 0

  constructor(private readonly deps: KeptAccountsDeps) {}

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
    return [...this.#kept].map(([address, { until, page }]) => ({ address, until, page }))
  }

  /**
   * Runs a signature after which the key worker keeps the account unlocked for a page, and remembers it. If that isn't
   * allowed by then, the account is locked again.
   * @throws what `sign` throws, and the audit log's
   */
  async keeping<T>(
    { address, page, minutes }: Pick<KeptAccount, 'address' | 'page'> & { readonly minutes: number },
    sign: () => Promise<T>,
  ): Promise<T> {
    const { keys, clock, record, onChanged } = this.deps
    const lockings = this.#lockings
    if (this.#isAllowed) await record({ type: 'unlocked', address })
    const until = clock.now() + minutes * MINUTE_MS
    const result = await sign()
    if (!this.#isAllowed || lockings !== this.#lockings) {
      await keys.lock(address)
      return result
    }
    const before = this.#kept.get(address)
    if (before?.page === page && before.until >= until) return result
    before?.timer.dispose()
    const timer = clock.setTimeout(() => this.#lock(address), minutes * MINUTE_MS)
    this.#kept.set(address, { until, page, timer })
    onChanged()
    return result
  }

  lost(address: LowerAddress): void {
    this.#lock(address)
  }

  lockAll(): void {
    this.#lockings += 1
    for (const address of [...this.#kept.keys()]) this.#lock(address)
  }

  /** Timers stop while the computer sleeps; the granted time doesn't. */
  #lockOverdue(): void {
    const now = this.deps.clock.now()
    for (const [address, { until }] of [...this.#kept]) if (until <= now) this.#lock(address)
  }

  #lock(address: LowerAddress): void {
    const { keys, log, record, onChanged } = this.deps
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
