// Tells a program that is gone from one that has nothing to say, by probing a silent program first.
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'

/** After this much silence the program is probed. */
const WATCH_MS = 5_000
/** A program that stays silent this long after that is gone. */
const ANSWER_MS = 10_000

interface Silence {
  readonly clock: Clock
  /** Monotonic ms of the last message from the other side: the computer's clock may be set back. */
  readonly heardAt: () => number
  /** Sends a request that the backend answers when it can. */
  readonly ask: () => void
  /** No answer came; called repeatedly while the silence lasts. */
  readonly onGone: () => void
}

/** UTC ms of a moment of the monotonic clock. */
export function utcOf(monotonicMs: number, clock: Clock): number {
  return clock.now() - (clock.monotonic() - monotonicMs)
}

/** A stopped program, or one behind a network that drops everything, closes no connection: it just goes silent. */
export function watchSilence({ clock, heardAt, ask, onGone }: Silence): Disposable {
  let askedAt: number | null = null
  return clock.setInterval(() => {
    const now = clock.monotonic()
    if (now - heardAt() < WATCH_MS) return
    if (askedAt === null || askedAt <= heardAt()) {
      askedAt = now
      ask()
      return
    }
    if (now - askedAt >= ANSWER_MS) onGone()
  }, WATCH_MS)
}
