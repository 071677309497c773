// Limits how long transactions are added, so that whoever waits for the chain waits only briefly.
import type { Clock, ThreadTime } from '../../base/time'
import type { CandidateQueue } from '../execution/engine'
import type { SignedTransaction } from '../model/sender'

interface BuildTimes {
  /** Build time while someone waits for the chain, ms. */
  readonly sharedMs: number
  /** Build time while nobody does, ms. */
  readonly aloneMs: number
  /** Time for a single transaction, ms: of the clock and of the processor, where that is known. */
  readonly oneMs: number
  /** Called with a transaction that exceeded its time; it shouldn't be offered again. */
  readonly onSlow: (slow: SignedTransaction) => void
}

/** A transaction that begins sooner than this after the last reading of the CPU time, ms, takes that reading as its start. */
const CPU_READING_MS = 5

/**
 * `queue`, but empty once its time, counted from now, is over. A transaction that exceeds its own limit is left out and
 * reported: it would delay every block and never be paid for. A computer that was busy or suspended meanwhile is not the
 * transaction's fault, so its limit also asks for that much CPU time.
 * @param awaited whether someone waits for the chain
 */
export function timedQueue(
  queue: CandidateQueue,
  { clock, cpuMs = () => null }: { readonly clock: Clock; readonly cpuMs?: ThreadTime },
  awaited: () => boolean,
  { onSlow, ...times }: BuildTimes,
): CandidateQueue {
  const began = clock.monotonic()
  const current = { began, entry: null as SignedTransaction | null }
  const cpu = { read: cpuMs(), at: began }
  const isSlow = (): boolean => {
    if (clock.monotonic() - current.began < times.oneMs) return false
    const now = cpuMs()
    return now === null || cpu.read === null || now - cpu.read >= times.oneMs
  }
  const isOver = (): boolean => {
    const spent = clock.monotonic() - began
    return spent >= times.aloneMs || (spent >= times.sharedMs && awaited())
  }
  return {
    peek: () => {
      current.began = clock.monotonic()
      if (current.began - cpu.at >= CPU_READING_MS) {
        cpu.read = cpuMs()
        cpu.at = current.began
      }
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
