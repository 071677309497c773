// Ends the taking in of transactions in time: so that an import, or anything else that waits for the chain, waits only a moment.
import type { Clock } from '../../base/time'
import type { CandidateQueue } from '../execution/engine'
import type { SignedTransaction } from '../model/sender'

export interface BuildTimes {
  /** A build goes on for so long even while someone waits for the chain, ms. */
  readonly sharedMs: number
  /** And for so long while nobody does, ms. */
  readonly aloneMs: number
  /** A single transaction may run for so long, ms. */
  readonly oneMs: number
}

/** Who is told of a transaction that outran its time; it should not come again. */
export type OnSlow = (slow: SignedTransaction) => void

/**
 * `queue` that looks empty once its time, from now on, is over. A transaction that takes too long for itself is left out and told of:
 * it would be in the way of every block, and never be paid for.
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
