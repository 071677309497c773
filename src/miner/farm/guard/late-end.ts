// Bounds device calls that may never return because a driver hangs: the caller waits for a limited time, then continues
// without.
import { Disposables } from '../../../base/lifecycle'
import { onAbort } from '../../../base/on-abort'
import type { Clock } from '../../../base/time'

/** The limit. */
interface LateEndOptions {
  readonly clock: Clock
  /** called when the time begins */
  readonly limitMs: number | (() => number)
  /** time starts when it aborts; null: now */
  readonly from: AbortSignal | null
}

/** `late` when `work` hasn't settled in time. @throws what `work` throws in time */
export async function endedOrLate(
  work: Promise<void>,
  { clock, limitMs, from }: LateEndOptions,
): Promise<'ended' | 'late'> {
  const held = new Disposables()
  const late = new Promise<'late'>((resolve) => {
    const begin = (): void =>
      void held.add(clock.setTimeout(() => resolve('late'), typeof limitMs === 'number' ? limitMs : limitMs()))
    if (from === null) begin()
    else held.add(onAbort(from, begin))
  })
  try {
    return await Promise.race([work.then(() => 'ended' as const), late])
  } finally {
    held.dispose()
  }
}
