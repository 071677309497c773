// Limits how long transactions are added, so that an import, or anything else that waits for the chain, waits only
// briefly.
import type { Clock } from '../../base/time'
import type { CandidateQueue } from '../execution/engine'
import type { SignedTransaction } from '../model/sender'

/** The limits of a build. */
export interface BuildTimes {
  /** Build time while someone waits for the chain, ms. */
  readonly sharedMs: number
  /** Build time while nobody does, ms. */
  readonly aloneMs: number
  /** Time for a single transaction, ms. */
  readonly oneMs: number
}

/** Called with a transaction that exceeded its time; it shouldn't be offered again. */
export type OnSlow = (slow: SignedTransaction) => void

/**
 * `queue`, but empty once its time, counted from now, is over. A transaction that exceeds its own limit is left out and
 * reported: it would delay every block and never be paid for.
 * @param awaited whether someone waits for the chain
 */
export function timedQueue(
  queue: CandidateQueue,
  clock: Clock,
  awaited: () => boolean,
  { onSlow, ...times }: BuildTimes & { readonly onSlow: OnSlow },
): CandidateQueue {
  const began = clock.monotonic()
  const current = { began, entry: null as SignedTransaction | null }
  const isSlow = (): boolean => clock.monotonic() - current.began >= times.oneMs
  const isOver = (): boolean => {
    const spent = clock.monotonic() - began
    return spent >= times.aloneMs || (spent >= times.sharedMs && awaited())
  }
  return {
    peek: () => {
      current.began = clock.monotonic()
      current.entry = isOver() ? null : queue.peek()
      return current.entry
    },
    shift: () => queue.shift(),
    pop: () => queue.pop(),
    stopped: () => isOver() || isSlow(),
    outran: () => {
      if (!isSlow() || current.entry === null) return false
      onSlow(current.entry)
      return true
    },
  }
}
