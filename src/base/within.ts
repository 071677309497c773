// Waiting for something that may never end.
import type { Disposable } from './disposable'
import type { Clock } from './time'

/**
 * Waits for `work`, but no longer than `limitMs`. Work that is late goes on; how it ends then is ignored.
 * @returns false when the time ran out first
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
