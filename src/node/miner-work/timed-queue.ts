// Ends the taking in of transactions in time: whoever waits for the chain, an import above all, waits only a moment.
import type { Clock } from '../../base/time'
import type { CandidateQueue } from '../execution/engine'

export interface BuildTimes {
  /** A build goes on for so long even while someone waits for the chain, ms. */
  readonly sharedMs: number
  /** And for so long while nobody does, ms. */
  readonly aloneMs: number
}

/** `queue` that looks empty once its time, from now on, is over. @param awaited whether someone waits for the chain */
export function timedQueue(
  queue: CandidateQueue,
  clock: Clock,
  awaited: () => boolean,
  times: BuildTimes,
): CandidateQueue {
  const began = clock.monotonic()
  const isOver = (): boolean => {
    const spent = clock.monotonic() - began
    return spent >= times.aloneMs || (spent >= times.sharedMs && awaited())
  }
  return {
    peek: () => (isOver() ? null : queue.peek()),
    shift: () => queue.shift(),
    pop: () => queue.pop(),
    stopped: isOver,
  }
}
