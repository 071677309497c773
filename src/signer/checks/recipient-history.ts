// Previously paid addresses, from the audit log: an unknown recipient gets a warning, and one that only resembles a
// known one a stronger one. Token recipients count like LAX recipients.

import { z } from 'zod'
import { fromHex } from '../../base/hex'
import { END_DIGITS, looksLike } from '../../base/language/lookalike'
import { auditRecords } from '../audit/audit-check'
import type { SignerRequest } from '../model/request'
import { tokenPayees } from './payees'

/** Maximum addresses remembered; the one paid longest ago is evicted. */
const MAX_RECIPIENTS = 50_000

const paid = z.object({
  to: z.string().nullable(),
  value: z
    .string()
    .regex(/^[0-9]{1,78}$/)
    .default('0'),
  data: z.string().default('0x'),
})

const entry = z.object({
  type: z.string(),
  time: z.number(),
  id: z.string(),
  state: z.string().optional(),
  content: z.object({ transaction: paid.nullish() }).optional(),
})

interface RecipientRecord {
  readonly count: number
  /** UTC ms of the last payment; null when there was none. */
  readonly lastAt: number | null
}

const NEVER: RecipientRecord = { count: 0, lastAt: null }

export class RecipientHistory {
  readonly #known = new Map<string, RecipientRecord>()
  /** Known addresses by their first four digits, and by their last four: a request may name many to compare. */
  readonly #byEnds = new Map<string, Set<string>>()

  /** Loads the audit log. A missing file is an empty history. @throws when the file can't be read */
  static async of(auditLog: string): Promise<RecipientHistory> {
    const history = new RecipientHistory()
    const open = new Map<string, readonly string[]>()
    const isWanted = (text: string): boolean => /"type":"(?:request|decision|result)"/.test(text)
    for await (const found of auditRecords(auditLog, entry, isWanted)) {
      const transaction = found.content?.transaction ?? null
      // A long content is recorded with its approval.
      if (found.type !== 'result' && transaction !== null) open.set(found.id, paidBy(transaction))
      if (found.type !== 'result') continue
      const paid = open.get(found.id) ?? []
      open.delete(found.id)
      if (found.state === 'signed') for (const address of paid) history.add(address, found.time)
    }
    return history
  }

  settled({ state, transaction }: Pick<SignerRequest, 'state' | 'transaction'>, at: number): void {
    if (state === 'signed' && transaction !== null) for (const paid of paidBy(transaction)) this.add(paid, at)
  }

  add(address: string, at: number): void {
    const key = address.toLowerCase()
    const count = this.recordOf(key).count + 1
    this.#known.delete(key)
    this.#known.set(key, { count, lastAt: at })
    for (const end of endsOf(key)) this.#byEnds.set(end, (this.#byEnds.get(end) ?? new Set()).add(key))
    const oldest = this.#known.keys().next()
    if (this.#known.size > MAX_RECIPIENTS && oldest.done !== true) this.#forget(oldest.value)
  }

  #forget(address: string): void {
    this.#known.delete(address)
    for (const end of endsOf(address)) {
      const same = this.#byEnds.get(end)
      same?.delete(address)
      if (same?.size === 0) this.#byEnds.delete(end)
    }
  }

  recordOf(address: string): RecipientRecord {
    return this.#known.get(address.toLowerCase()) ?? NEVER
  }

  /** A different known address that it could be taken for; null when there is none. */
  lookalikeOf(address: string): string | null {
    const wanted = address.toLowerCase()
    if (this.#known.has(wanted)) return null
    for (const end of endsOf(wanted)) {
      for (const known of this.#byEnds.get(end) ?? []) if (looksLike(wanted, known)) return known
    }
    return null
  }
}

function paidBy(transaction: z.infer<typeof paid>): readonly string[] {
  const { to, data } = transaction
  if (to === null) return []
  const payees = fromHex(data) === null ? [] : tokenPayees(transaction)
  return [...new Set([to.toLowerCase(), ...payees])]
}

/** Two similar addresses share one of these. */
function endsOf(address: string): readonly string[] {
  return [`front ${address.slice(2, 2 + END_DIGITS)}`, `end ${address.slice(-END_DIGITS)}`]
}
