// Parses the program's answer to a question into a decision. Anything that isn't clearly an approval isn't one.
import { z } from 'zod'
import { schemaFault } from '../../base/errors'
import { SignerError } from '../errors'
import type { Question } from '../ports'
import type { Approval } from '../requests/approval'

type UiDecision =
  | { readonly kind: 'reject' }
  | {
      readonly kind: 'approve'
      readonly accounts: readonly string[] | null
      readonly answered: Approval['answered']
    }

const REJECT: UiDecision = { kind: 'reject' }

const approved = z.object({ approved: z.boolean().nullish() }).nullable()
const transaction = z
  .object({ approved: z.boolean().nullish(), transaction: z.record(z.string(), z.unknown()).nullish() })
  .nullable()
const account = z.object({ address: z.string().regex(/^0[xX][0-9a-fA-F]{40}$/) })
const listing = z.object({ accounts: z.array(account).nullish() }).nullable()
const input = z.object({ text: z.string() })

/** @throws SignerError SIGNER_UI_MALFORMED */
export function readDecision(method: Question['method'], result: unknown): UiDecision {
  if (method === 'ui_approveListing') {
    const accounts = read(listing, result)?.accounts?.map(({ address }) => address) ?? null
    return accounts === null ? REJECT : { kind: 'approve', accounts, answered: null }
  }
  if (method === 'ui_approveTx') {
    const answer = read(transaction, result)
    if (answer?.approved !== true) return REJECT
    return { kind: 'approve', accounts: null, answered: { transaction: answer.transaction ?? {} } }
  }
  return read(approved, result)?.approved === true ? { kind: 'approve', accounts: null, answered: null } : REJECT
}

/** The typed text. @throws SignerError SIGNER_UI_MALFORMED */
export function readInput(result: unknown): string {
  return read(input, result).text
}

function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const outcome = schema.safeParse(value)
  if (outcome.success) return outcome.data
  throw new SignerError('SIGNER_UI_MALFORMED', { reason: schemaFault(outcome.error) })
}
