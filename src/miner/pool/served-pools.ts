// Which pool was used before, and why it was replaced.

import { hostPort } from '../../config/values/pool-url'
import type { PoolEntry, SwitchCause } from './pool-entry'

/** Tracks changes of the active pool. */
export class ServedPools {
  #last: PoolEntry | null = null
  #cause: SwitchCause = 'failed'
  #switches = 0

  /** Changes since startup; the first connection isn't one. */
  get switches(): number {
    return this.#switches
  }

  /** Sets the cause of the next change. */
  expect(cause: SwitchCause): void {
    this.#cause = cause
  }

  /** A session with this pool is active from now on. @param now UTC ms */
  began(entry: PoolEntry, now: number): void {
    const last = this.#last
    const cause = this.#cause
    this.#last = entry
    this.#cause = 'failed'
    if (last === null || last === entry) return
    this.#switches += 1
    entry.lastSwitch = { at: now, cause, from: hostPort(last.url), reason: cause === 'failed' ? last.lastFault : '' }
  }

  /** A pool's address was changed: reconnecting to it isn't a switch. */
  replaced(before: PoolEntry, after: PoolEntry): void {
    if (this.#last === before) this.#last = after
  }
}
