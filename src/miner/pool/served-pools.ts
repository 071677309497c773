// Which pool was worked for before, and why another one took its place.

import { hostPort } from '../../config/values/pool-url'
import type { PoolEntry, SwitchCause } from './pool-entry'

export class ServedPools {
  #last: PoolEntry | null = null
  #cause: SwitchCause = 'failed'
  #switches = 0

  /** Changes of the active pool since start; the first connection is not one. */
  get switches(): number {
    return this.#switches
  }

  /** Why the next change will have happened. */
  expect(cause: SwitchCause): void {
    this.#cause = cause
  }

  /** A session with this pool is the active one from now on. @param now UTC ms */
  began(entry: PoolEntry, now: number): void {
    const last = this.#last
    const cause = this.#cause
    this.#last = entry
    this.#cause = 'failed'
    if (last === null || last === entry) return
    this.#switches += 1
    entry.lastSwitch = { at: now, cause, from: hostPort(last.url), reason: cause === 'failed' ? last.lastFault : '' }
  }

  /** The address of a pool was changed: to come back to it isn't a switch. */
  replaced(before: PoolEntry, after: PoolEntry): void {
    if (this.#last === before) this.#last = after
  }
}
