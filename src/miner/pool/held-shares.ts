// Shares found while no session could send them: kept for a while for the same pool's next session.
import type { Disposable } from '../../base/disposable'
import type { Clock } from '../../base/time'
import type { Share, ShareVerdict } from '../work-source'
import type { PoolEntry } from './pool-entry'
import type { PoolSession } from './session/session'

const KEPT_MS = 60_000
const MAX_HELD = 256
/** Sending it would submit a different nonce. */
export const MISFIT = lost('the pool gave another extranonce after the reconnect')
const LATE = lost(`the pool did not come back within ${KEPT_MS / 1_000} s`)

interface Held {
  readonly share: Share
  readonly entry: PoolEntry
  readonly settle: (verdict: ShareVerdict) => void
  readonly timer: Disposable
  /** being sent: a new session must not send it again */
  isSent: boolean
  /** it expired while being sent */
  isLate: boolean
}

/** The shares waiting for a session. */
export class HeldShares {
  readonly #held = new Set<Held>()

  constructor(private readonly clock: Clock) {}

  /** Resolves when a later session of `entry` has handled it, or with `lost`. */
  hold(share: Share, entry: PoolEntry): Promise<ShareVerdict> {
    if (this.#held.size >= MAX_HELD) return Promise.resolve(lost('too many shares wait for the pool to come back'))
    return new Promise((resolve) => {
      const settle = (verdict: ShareVerdict): void => {
        this.#held.delete(held)
        held.timer.dispose()
        resolve(verdict)
      }
      const expire = (): void => {
        if (held.isSent) held.isLate = true
        else settle(LATE)
      }
      const timer = this.clock.setTimeout(expire, KEPT_MS)
      const held: Held = { share, entry, settle, timer, isSent: false, isLate: false }
      this.#held.add(held)
    })
  }

  /** A session of `entry` has work: shares it may accept are sent once each, the pool's other shares are lost. */
  async send(session: PoolSession, entry: PoolEntry): Promise<void> {
    for (const held of [...this.#held].filter((each) => each.entry === entry)) {
      if (held.isSent || !this.#held.has(held)) continue
      if (!fits(held.share, session)) {
        held.settle(MISFIT)
        continue
      }
      held.isSent = true
      const outcome = await session.submit(held.share)
      held.isSent = false
      if (outcome.kind !== 'unsent') {
        held.settle(outcome)
        continue
      }
      if (held.isLate) held.settle(LATE)
      return
    }
  }

  /** All of them are lost. */
  clear(reason: string): void {
    for (const held of [...this.#held]) held.settle(lost(reason))
  }
}

/** A share fits when its nonce has the same fixed prefix. */
export function fits({ job }: Share, session: PoolSession): boolean {
  const now = session.job?.extranonce ?? null
  return job.extranonce?.bits === now?.bits && job.extranonce?.prefix === now?.prefix
}

function lost(reason: string): ShareVerdict {
  return { kind: 'lost', reason }
}
