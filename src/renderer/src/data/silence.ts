// Distinguishes a program that is gone from one that has nothing to say: a silent program is probed first.
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'

/** After this much silence the program is probed. */
const WATCH_MS = 5_000
/** Who then still says nothing is gone. */
const ANSWER_MS = 10_000

export interface Silence {
  readonly clock: Clock
  /** UTC ms of the last message from the other side. */
  readonly heardAt: () => number
  /** Asks it something that it answers when it can. */
  readonly ask: () => void
  /** It did not answer; called again and again while it stays silent. */
  readonly onGone: () => void
}

/** A program that is stopped, or behind a network that swallows everything, closes nothing: it only says nothing. */
export function watchSilence({ clock, heardAt, ask, onGone }: Silence): Disposable {
  let askedAt: number | null = null
  return clock.setInterval(() => {
    const now = clock.now()
    if (now - heardAt() < WATCH_MS) return
    if (askedAt === null || askedAt <= heardAt()) {
      askedAt = now
      ask()
      return
    }
    if (now - askedAt >= ANSWER_MS) onGone()
  }, WATCH_MS)
}
