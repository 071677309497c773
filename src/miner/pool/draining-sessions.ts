// Sessions that were switched away from: kept briefly for shares in flight.
import type { Disposable } from '../../base/disposable'
import type { Clock } from '../../base/time'
import type { PoolSession } from './session/session'

const DRAIN_MS = 5_000

/** Closes former sessions after a delay. */
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

  /** Closes all immediately. */
  closeAll(reason: string): void {
    for (const [session, timer] of this.#timers) {
      timer.dispose()
      session.close(reason)
    }
    this.#timers.clear()
  }
}
