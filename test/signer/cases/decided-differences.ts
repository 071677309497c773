// Where this program reports more than the reference did when the cases were recorded, with the reason. The recordings
// stay unchanged: each entry names the case and the exact findings that replace an empty list.
import { isRecord } from './compare'
import type { Op } from './play'

interface DecidedDifference {
  readonly reason: string
  /** `call_info` of the approval, where the recording has null. */
  readonly callInfo: readonly { readonly type: string; readonly message: string }[]
}

const OPAQUE: DecidedDifference = {
  reason:
    'A document of bytes alone can hold the hash of anything, a transaction too: a finding of our own always shows.',
  callInfo: [
    {
      type: 'WARNING',
      message: 'The document holds nothing but bytes, such as the hash of something that is not shown',
    },
  ],
}

const decided: Readonly<Record<string, DecidedDifference>> = {
  'ok-bytes': OPAQUE,
  'ok-bytes-empty': OPAQUE,
  'ok-bytes1': OPAQUE,
  'ok-bytes4': OPAQUE,
  'ok-bytes32': OPAQUE,
  'bytes32-array': OPAQUE,
}

export const decidedCases: readonly string[] = Object.keys(decided)

/**
 * The case's steps with the intended findings in them, and the recorded ones elsewhere.
 * @throws Error if the recording has no approval without findings, which means the entry is out of date
 */
export function withDecidedDifference(id: string, ops: readonly Op[]): readonly Op[] {
  const difference = decided[id]
  if (difference === undefined) return ops
  let changes = 0
  const changed = ops.map((op) => {
    const [question] = isRecord(op.message) && Array.isArray(op.message.params) ? op.message.params : []
    if (!isRecord(op.message) || !isRecord(question) || question.call_info !== null) return op
    changes += 1
    return { ...op, message: { ...op.message, params: [{ ...question, call_info: difference.callInfo }] } }
  })
  if (changes === 0) throw new Error(`the recording of ${id} has findings by now: ${difference.reason}`)
  return changed
}
