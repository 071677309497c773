// Which destinations were signed for before, told by the record: an unknown one is worth a warning, and one that only
// looks like a known one a louder one.
import { z } from 'zod'
import { auditLinesIfAny } from '../audit/audit-check'
import type { SignerRequest } from '../requests/request'

/** Destinations that are remembered; the one that was paid longest ago is forgotten first. */
const MOST_RECIPIENTS = 50_000

const entry = z.object({
  type: z.string(),
  time: z.number(),
  id: z.string(),
  state: z.string().optional(),
  content: z.object({ transaction: z.object({ to: z.string().nullable() }).nullish() }).optional(),
})

export interface RecipientRecord {
  readonly count: number
  /** UTC ms of the last one; null when there was none. */
  readonly lastAt: number | null
}

const NEVER: RecipientRecord = { count: 0, lastAt: null }

/** Addresses are lower case. */
export class RecipientHistory {
  /** In the order of the last payment. */
  readonly #known = new Map<string, RecipientRecord>()

  /** What the record holds. A missing file is an empty history. @throws when the file cannot be read */
  static async of(auditLog: string): Promise<RecipientHistory> {
    const history = new RecipientHistory()
    const open = new Map<string, string>()
    for await (const { text } of auditLinesIfAny(auditLog)) {
      // Most lines are of other kinds, and reading all of them as JSON takes its time.
      if (!text.includes('"type":"request"') && !text.includes('"type":"result"')) continue
      const found = parse(text)
      if (found === null) continue
      const to = found.content?.transaction?.to ?? null
      if (found.type === 'request' && to !== null) open.set(found.id, to)
      if (found.type !== 'result') continue
      const paid = open.get(found.id)
      open.delete(found.id)
      if (paid !== undefined && found.state === 'signed') history.add(paid, found.time)
    }
    return history
  }

  /** A request came to its end. */
  settled({ state, transaction }: Pick<SignerRequest, 'state' | 'transaction'>, at: number): void {
    const to = transaction?.to ?? null
    if (state === 'signed' && to !== null) this.add(to, at)
  }

  add(address: string, at: number): void {
    const key = address.toLowerCase()
    const count = this.recordOf(key).count + 1
    this.#known.delete(key)
    this.#known.set(key, { count, lastAt: at })
    const oldest = this.#known.keys().next()
    if (this.#known.size > MOST_RECIPIENTS && oldest.done !== true) this.#known.delete(oldest.value)
  }

  recordOf(address: string): RecipientRecord {
    return this.#known.get(address.toLowerCase()) ?? NEVER
  }

  /** A known address with the same first and last four digits that is another one; null when there is none. */
  lookalikeOf(address: string): string | null {
    const wanted = address.toLowerCase()
    if (this.#known.has(wanted)) return null
    for (const known of this.#known.keys()) if (looksAlike(known, wanted)) return known
    return null
  }
}

function looksAlike(known: string, wanted: string): boolean {
  return known !== wanted && known.slice(2, 6) === wanted.slice(2, 6) && known.slice(-4) === wanted.slice(-4)
}

function parse(text: string): z.infer<typeof entry> | null {
  try {
    return entry.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null // a half-written last line
  }
}
