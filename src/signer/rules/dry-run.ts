// What policies would have done with past requests, from the audit log. Nothing is asked or changed.

import { z } from 'zod'
import { auditRecords } from '../audit/audit-check'
import type { Question } from '../ports'
import type { Policy } from './policy'
import { asUse, type Circumstances, matchPolicies } from './policy-match'
import { UseTotals } from './use-totals'

const MAX_ROWS = 10_000

const decimal = z
  .string()
  .regex(/^[0-9]{1,78}$/)
  .transform(BigInt)

const pastRequest = z.object({
  type: z.literal('request'),
  id: z.string(),
  time: z.number(),
  caller: z.object({ transport: z.string(), origin: z.string() }),
  content: z.object({
    kind: z.string(),
    transaction: z
      .object({
        from: z.string(),
        to: z.string().nullable(),
        value: decimal,
        // Older entries have it as a number.
        gas: z.union([decimal, z.number().int().nonnegative().transform(BigInt)]),
        gasPrice: decimal.nullable(),
        maxFeePerGas: decimal.nullable(),
        data: z.string(),
      })
      .nullish(),
    accounts: z.array(z.object({ address: z.string() })).nullish(),
    findings: z.array(z.object({ severity: z.string(), message: z.string().nullish() })).nullish(),
  }),
})

export interface DryRunRow {
  readonly id: string
  /** UTC ms */
  readonly time: number
  readonly kind: string
  /** Name of the policy that would have approved; null = the user would have been asked. */
  readonly policy: string | null
  /** Why not, when none would have. */
  readonly reason: string
}

/** The past state of the chain isn't asked for. */
const UNKNOWN: Pick<Circumstances, 'nonces' | 'standardOf'> = { nonces: () => 'unchecked', standardOf: () => null }

/** The latest 10,000 requests that policies can apply to, oldest first. A missing file is an empty past. */
export async function dryRun(policies: readonly Policy[], auditFile: string): Promise<readonly DryRunRow[]> {
  const rows: DryRunRow[] = []
  const uses = new UseTotals()
  for await (const past of auditRecords(auditFile, pastRequest)) {
    const question = questionOf(past)
    if (question === null) continue
    const { id, time } = past
    const { kind } = past.content
    const match = matchPolicies(policies, question, { ...UNKNOWN, now: time, today: time, uses })
    if (match.covered && match.cost.account !== '') uses.add(asUse(match, time))
    rows.push({
      id,
      time,
      kind,
      policy: match.covered ? match.policy.name : null,
      reason: match.covered ? '' : match.reason,
    })
    if (rows.length > MAX_ROWS) rows.shift()
  }
  return rows
}

/** Null for one that no policy can be about. */
function questionOf({ caller, content }: z.infer<typeof pastRequest>): Question | null {
  const meta = { scheme: caller.transport, Origin: caller.origin }
  const { kind, transaction, accounts, findings } = content
  if (kind === 'listing') {
    return { method: 'ui_approveListing', body: { accounts: accounts ?? [], meta } }
  }
  if (kind !== 'signTransaction' || transaction === null || transaction === undefined) return null
  const hex = (value: bigint | null): string | null => (value === null ? null : `0x${value.toString(16)}`)
  const body = {
    transaction: {
      from: transaction.from,
      to: transaction.to,
      gas: hex(transaction.gas),
      gasPrice: hex(transaction.gasPrice),
      maxFeePerGas: hex(transaction.maxFeePerGas),
      value: hex(transaction.value),
      data: transaction.data,
    },
    call_info: (findings ?? []).map(({ severity, message }) => ({ type: severity, message })),
    meta,
  }
  return { method: 'ui_approveTx', body }
}
