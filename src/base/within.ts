// Waiting for something that may never finish.
import type { Disposable } from './disposable'
import type { Clock } from './time'

/**
 * Waits for `work`, but at most `limitMs`. Late work continues; its outcome is ignored.
 * @returns false on timeout
 * @throws what `work` rejects with in time
 */
export async function within(work: Promise<unknown>, limitMs: number, clock: Clock): Promise<boolean> {
  let timer: Disposable | undefined
  const late = new Promise<false>((resolve) => {
    timer = clock.setTimeout(() => resolve(false), limitMs)
  })
  try {
    return await Promise.race([work.then(() => true as const), late])
  } finally {
    timer?.dispose()
  }
}
