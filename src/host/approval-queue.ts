// What a shell must know of the waiting approvals: that there are some, and how to refuse one when its window closes.
import type { Disposable } from '../base/disposable'

/**
 * The request that closing the approval window refuses; null when none.
 * @param waiting ids, oldest first
 * @param shown what the window told last; null while it has told nothing. A request that came to its end meanwhile takes
 * no other with it that the user has not seen.
 */
export function refusedOnClose(waiting: readonly string[], shown: string | null): string | null {
  if (shown === null) return waiting[0] ?? null
  return waiting.includes(shown) ? shown : null
}

export interface ApprovalQueue {
  /** Ids of waiting requests, oldest first. */
  waiting(): readonly string[]
  onChanged(listener: () => void): Disposable
  /** Refuses one; nothing happens when it no longer waits. */
  reject(id: string): Promise<void>
  /** True while the screen is locked or the computer sleeps: requests do not run out of time meanwhile. */
  setAway(isAway: boolean): void
}
