// What a shell must know of the waiting approvals: that there are some, and how to refuse one when its window closes.
import type { Disposable } from '../base/disposable'

export interface ApprovalQueue {
  /** Ids of waiting requests, oldest first. */
  waiting(): readonly string[]
  onChanged(listener: () => void): Disposable
  /** Refuses one; nothing happens when it no longer waits. */
  reject(id: string): Promise<void>
}
