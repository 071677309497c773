// Finds the block in which an account property first appeared, using the available states.
import { hasCode } from '../../../base/errors'
import type { StateReader } from '../../execution/state-reader'
import type { QuerySession } from '../session'

/** The lowest available height that has it. */
interface FirstBlock {
  readonly height: number
  /** The state below is available and lacks it; otherwise it may have appeared earlier. */
  readonly isExact: boolean
}

/**
 * For properties that never disappear.
 * @param has evaluated on O(log n) states
 * @returns null when the head's state lacks it
 */
export function firstBlockWith(session: QuerySession, has: (state: StateReader) => boolean): FirstBlock | null {
  const head = Number(session.view().head.header.number)
  if (hasAt(session, head, has) !== true) return null
  let low = 0
  let high = head
  let isExact = true
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = hasAt(session, middle, has)
    if (found === true) high = middle
    else {
      low = middle + 1
      isExact = found !== null
    }
  }
  return { height: high, isExact }
}

/** Null when that state isn't available. */
function hasAt(session: QuerySession, height: number, has: (state: StateReader) => boolean): boolean | null {
  const blocks = session.blocks()
  const block = blocks.header(height)
  if (block === null) return null
  try {
    return has(blocks.at(block).state)
  } catch (error: unknown) {
    if (isNotKept(error)) return null
    throw error
  }
}

/** Whether the error means that this node pruned the state. */
export function isNotKept(error: unknown): boolean {
  return hasCode(error, 'STORE_MISSING_NODE') || hasCode(error, 'STORE_MISSING_CODE')
}
