// Messages between the signer and its rules worker: one script, one question, one answer.
import { z } from 'zod'
import { call } from '../../base/wire/define'

export const MAX_STORAGE_LENGTH = 1024 * 1024

const pairs = z.array(z.tuple([z.string(), z.string()]))

const ruleTask = z.object({
  source: z.string(),
  run: z.enum(['ApproveTx', 'ApproveListing', 'ApproveSignData', 'OnApprovedTx', 'OnSignerStartup']),
  argument: z.string(),
  storage: pairs,
  /** The time in `Date`, UTC ms; constant while the script runs. */
  now: z.number(),
})

const ruleOutcome = z.object({
  /** The function's return value if it is a string; null otherwise. */
  answer: z.string().nullable(),
  /** Why there is no answer: the script threw, ran too long, or lacks the function. Empty when it completed. */
  failure: z.string(),
  /** Calls of `storage.put`, in order. */
  writes: pairs,
  /** Lines of `console.log` and `console.error`. */
  lines: z.array(z.string()),
})

export type RuleTask = z.infer<typeof ruleTask>
export type RuleOutcome = z.infer<typeof ruleOutcome>

export const rulesWire = {
  calls: {
    /** Answers when the interpreter is loaded. */
    ready: call(z.object({}), z.object({})),
    evaluate: call(ruleTask, ruleOutcome),
  },
  events: {},
} as const

export type RulesWire = typeof rulesWire
