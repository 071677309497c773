// Where this program reports more than clef did when the cases were recorded, with the reason. The recordings
// stay unchanged: each entry names the case and the exact findings that follow the recorded ones.
import { isRecord } from './compare'
import type { Op } from './play'

interface DecidedDifference {
  readonly reason: string
  /** After those that `call_info` of the approval has in the recording. */
  readonly added: readonly { readonly type: string; readonly message: string }[]
}

const OPAQUE: DecidedDifference = {
  reason:
    'A document of bytes alone can hold the hash of anything, a transaction too: a finding of our own always shows.',
  added: [
    {
      type: 'WARNING',
      message: 'The document holds nothing but bytes, such as the hash of something that is not shown',
    },
  ],
}

const NEW_CODE = "what the code of the new contract does. What it does isn't known"
const PART = 'The other facts shown are only part of what it does'
const B = '0x4592D8f8D7B001e72Cb26A73e4Fa1806a51aC79d'

function notUnderstood(what: string): DecidedDifference {
  const reason = 'What is not wholly understood has a WARNING, whatever its method is called.'
  return { reason, added: [{ type: 'WARNING', message: `Not understood: ${what}` }] }
}

const decided: Readonly<Record<string, DecidedDifference>> = {
  'typed-data/ok-bytes': OPAQUE,
  'typed-data/ok-bytes-empty': OPAQUE,
  'typed-data/ok-bytes1': OPAQUE,
  'typed-data/ok-bytes4': OPAQUE,
  'typed-data/ok-bytes32': OPAQUE,
  'typed-data/bytes32-array': OPAQUE,
  'tx-advanced/empty-code': notUnderstood(NEW_CODE),
  'tx-advanced/small-code': notUnderstood(`what the code of the new contract does. ${PART}`),
  'tx-advanced/create-with-selector': notUnderstood(`what the code of the new contract does. ${PART}`),
  'tx-advanced/stuffed': notUnderstood(`the method 0x4401a6e4 of ${B}. ${PART}`),
  'tx-advanced/unknown-selector': notUnderstood(`the method 0x9f3b7c01 of ${B}. ${PART}`),
  'tx-advanced/order': notUnderstood(`the method 0x9f3b7c01 of ${B}. ${PART}`),
  'tx-advanced/decode-types': notUnderstood(`the method 0x10343997 of ${B}. ${PART}`),
  'tx-advanced/decode-tuples': notUnderstood(`the method 0xf16f47e6 of ${B}. ${PART}`),
}

/** As `file/id`: the same id may be recorded in other files, too. */
export const decidedCases: readonly string[] = Object.keys(decided)

/**
 * The case's steps with the intended findings in them, and the recorded ones elsewhere.
 * @throws Error if the recording has no approval, which means the entry is out of date
 */
export function withDecidedDifference(id: string, ops: readonly Op[]): readonly Op[] {
  const difference = decided[id]
  if (difference === undefined) return ops
  let changes = 0
  const changed = ops.map((op) => {
    const [question] = isRecord(op.message) && Array.isArray(op.message.params) ? op.message.params : []
    const found = isRecord(question) && (question.call_info === null || Array.isArray(question.call_info))
    if (!isRecord(op.message) || !found || op.message.method === 'ui_onInputRequired') return op
    changes += 1
    const recorded: readonly unknown[] = Array.isArray(question.call_info) ? question.call_info : []
    return {
      ...op,
      message: { ...op.message, params: [{ ...question, call_info: [...recorded, ...difference.added] }] },
    }
  })
  if (changes === 0) throw new Error(`the recording of ${id} has no approval: ${difference.reason}`)
  return changed
}
