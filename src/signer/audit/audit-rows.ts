// The audit log for display: newest first, one line per entry, optionally for one account.

import { z } from 'zod'
import { auditRecords } from './audit-check'

/** Entries in clef's log format repeat other entries, so they are omitted. */
const HIDDEN = 'call'

const caller = z.object({ transport: z.string(), userAgent: z.string(), origin: z.string() })

const entry = z.object({
  seq: z.number(),
  time: z.number(),
  hash: z.string(),
  type: z.string(),
  id: z.string().optional(),
  kind: z.string().optional(),
  caller: caller.optional(),
  content: z
    .object({
      transaction: z.object({ from: z.string(), to: z.string().nullable(), value: z.string() }).nullish(),
      data: z.object({ address: z.string(), contentType: z.string() }).nullish(),
    })
    .optional(),
  decision: z.string().optional(),
  state: z.string().optional(),
  error: z.string().optional(),
  detail: z.record(z.string(), z.string()).optional(),
  method: z.string().optional(),
  judgement: z.string().optional(),
  by: z.string().optional(),
  reason: z.string().optional(),
  address: z.string().optional(),
  what: z.string().optional(),
  summary: z.string().optional(),
})

type Entry = z.infer<typeof entry>

interface AuditRow {
  readonly seq: number
  /** UTC ms */
  readonly time: number
  readonly type: string
  readonly kind: string
  readonly who: string
  readonly summary: string
  readonly transactionHash: string | null
  readonly hash: string
}

/** The last ones, newest first. A missing file is an empty log. @param address any case; null = all accounts */
export async function auditRows(
  file: string,
  { count, address }: { readonly count: number; readonly address: string | null },
): Promise<readonly AuditRow[]> {
  const rows: AuditRow[] = []
  const wanted = address?.toLowerCase() ?? null
  /** Requests about the account, so that their outcomes are included. */
  const ids = new Set<string>()
  for await (const found of auditRecords(file, entry)) {
    if (found.type === HIDDEN) continue
    if (wanted !== null && !isAbout(found, wanted, ids)) continue
    rows.push(rowOf(found))
    if (rows.length > count) rows.shift()
  }
  return rows.reverse()
}

function isAbout(found: Entry, address: string, ids: Set<string>): boolean {
  const { transaction, data } = found.content ?? {}
  const parties = [transaction?.from, transaction?.to, data?.address, found.address, found.detail?.address]
  const isNamed = parties.some((party) => party?.toLowerCase() === address)
  if (isNamed && found.id !== undefined) ids.add(found.id)
  return isNamed || (found.id !== undefined && ids.has(found.id))
}

function rowOf(found: Entry): AuditRow {
  const { seq, time, hash, type, kind = '', detail = {} } = found
  const transactionHash = type === 'result' ? (detail.hash ?? null) : null
  return { seq, time, hash, type, kind, who: whoOf(found), summary: summaryOf(found), transactionHash }
}

function whoOf({ caller: asker, by, address, detail }: Entry): string {
  if (asker !== undefined) return [asker.origin, asker.userAgent, asker.transport].find((text) => text !== '') ?? ''
  return by ?? address ?? detail?.address ?? ''
}

function summaryOf(found: Entry): string {
  const { content, decision, state, error, judgement, reason, what, method } = found
  const { transaction, data } = content ?? {}
  if (transaction) return `${transaction.value} wei to ${transaction.to ?? 'a new contract'} from ${transaction.from}`
  if (data) return `${data.contentType} by ${data.address}`
  const parts = [decision, state, method, judgement, what, reason, error, found.summary]
  return parts.filter((part) => part !== undefined && part !== '').join(' ')
}
