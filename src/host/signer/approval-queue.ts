// What a shell must know of the waiting approvals: that there are some, and how to refuse one when its window closes.
import type { Disposable } from '../../base/disposable'

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

/**
 * Whether the approval window may come up with the focus: only where the user just asked for the one thing that waits, in
 * a form of this application's that has the focus itself. Everybody else's request finds the user at other work.
 * @param waiting ids, oldest first
 */
export function maySeizeFocus(waiting: readonly string[], own: readonly string[], isFormFocused: boolean): boolean {
  const [only, ...others] = waiting
  return isFormFocused && only !== undefined && others.length === 0 && own.includes(only)
}

export interface ApprovalQueue {
  /** Ids of waiting requests, oldest first. */
  waiting(): readonly string[]
  /** Those of them that this application's own forms asked for. */
  own(): readonly string[]
  onChanged(listener: () => void): Disposable
  /** Refuses one; nothing happens when it no longer waits. */
  reject(id: string): Promise<void>
  /** True while the screen is locked or the computer sleeps: requests do not run out of time meanwhile. */
  setAway(isAway: boolean): void
}
