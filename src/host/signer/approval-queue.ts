// What a shell needs to know about pending approvals: that there are some, and how to reject one when its window
// closes.
import type { Disposable } from '../../base/disposable'

/**
 * The request rejected by closing the approval window; null when none.
 * @param waiting ids, oldest first
 * @param shown last reported by the window; null if nothing yet. If it ended meanwhile, no other request that the user
 * hasn't seen is rejected.
 */
export function refusedOnClose(waiting: readonly string[], shown: string | null): string | null {
  if (shown === null) return waiting[0] ?? null
  return waiting.includes(shown) ? shown : null
}

/**
 * Whether the approval window may take the focus: only when the user just requested the single pending request in a
 * focused form of this application. Any other request finds the user doing something else.
 * @param waiting ids, oldest first
 */
export function maySeizeFocus(waiting: readonly string[], own: readonly string[], isFormFocused: boolean): boolean {
  const [only, ...others] = waiting
  return isFormFocused && only !== undefined && others.length === 0 && own.includes(only)
}

/** Whether the approval window has nothing left to show: no request waits, and the outcome of the last one is there. */
export function isOver({ waiting, isWorking }: Pick<ApprovalQueue, 'waiting' | 'isWorking'>): boolean {
  return waiting().length === 0 && !isWorking()
}

export interface ApprovalQueue {
  /** Ids of waiting requests, oldest first. */
  waiting(): readonly string[]
  /** Whether an approved request is being worked on: a key takes seconds on a slow computer, a device its own time. */
  isWorking(): boolean
  /** Those requested by this application's own forms. */
  own(): readonly string[]
  onChanged(listener: () => void): Disposable
  reject(id: string): Promise<void>
  /** True while the screen is locked or the computer sleeps: timeouts stop meanwhile. */
  setAway(isAway: boolean): void
}
