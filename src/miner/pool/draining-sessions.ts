// Sessions that were switched away from: they stay a little for shares that are on their way.
import type { Disposable } from '../../base/disposable'
import type { Clock } from '../../base/time'
import type { PoolSession } from './session/session'

const DRAIN_MS = 5_000

export class DrainingSessions {
  readonly #timers = new Map<PoolSession, Disposable>()

  constructor(private readonly clock: Clock) {}

  add(session: PoolSession): void {
    const end = (): void => {
      this.#timers.delete(session)
      session.close('switched to another pool')
    }
    this.#timers.set(session, this.clock.setTimeout(end, DRAIN_MS))
  }

  /** At once. */
  closeAll(reason: string): void {
    for (const [session, timer] of this.#timers) {
      timer.dispose()
      session.close(reason)
    }
    this.#timers.clear()
  }
}
