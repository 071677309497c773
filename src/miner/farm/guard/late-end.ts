// Work of a device may never end, for drivers hang: whoever waits for it gives it a time, then goes on without.
import { Disposables } from '../../../base/lifecycle'
import { onAbort } from '../../../base/on-abort'
import type { Clock } from '../../../base/time'

export interface LateEndOptions {
  readonly clock: Clock
  /** asked when the time begins */
  readonly limitMs: number | (() => number)
  /** the time runs from its abort; null: from now */
  readonly from: AbortSignal | null
}

/** `late` when `work` has not ended in time. @throws what `work` throws in time */
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
