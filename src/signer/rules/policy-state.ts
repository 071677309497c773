// What the journal's records of policies mean: the policies, what they approved, and each account's highest nonce.
import { z } from 'zod'
import { type AttestedScript, scriptCapSchema } from '../../base/approvals'
import type { JournalPart } from '../vault/journal-book'
import { type Policy, parsePolicies } from './policy'
import { type Moment, momentShape } from './policy-clock'
import type { Use } from './policy-match'
import { UseTotals } from './use-totals'

const LONGEST_PERIOD_MS = 8_760 * 3_600_000
const decimal = z.string().regex(/^\d{1,78}$/)

const useShape = z.object({
  policy: z.string(),
  account: z.string(),
  at: z.number(),
  wei: decimal,
  request: z.string(),
  token: z.object({ contract: z.string(), amount: decimal }).nullable(),
})

const scriptShape = scriptCapSchema.extend({ sha256: z.string().regex(/^[0-9a-f]{64}$/) })

const recordShape = z.union([
  z.strictObject({ policies: z.unknown() }),
  z.strictObject({ use: useShape, moment: momentShape }),
  z.strictObject({ match: z.string(), moment: momentShape }),
  z.strictObject({ back: z.string() }),
  /** An account and the nonce of what it signed. */
  z.strictObject({ signed: z.string(), nonce: decimal }),
  z.strictObject({ script: scriptShape }),
])

const entries = z.array(z.tuple([z.number(), z.number(), decimal]))
const snapshotShape = z.strictObject({
  policies: z.unknown(),
  uses: z.record(z.string(), entries),
  matches: z.array(z.tuple([z.string(), z.object({ count: z.number().int(), lastAt: z.number() })])),
  nonces: z.array(z.tuple([z.string(), decimal])),
  moment: momentShape.nullable(),
  script: scriptShape.nullable().default(null),
})

/** With the id of its request. */
type KeptUse = Use & { readonly request: string }

export class PolicyState implements JournalPart {
  policies: readonly Policy[] = []
  uses = new UseTotals()
  matches = new Map<string, { readonly count: number; readonly lastAt: number }>()
  /** Highest one signed, by account. */
  nonces = new Map<string, bigint>()
  /** Of the last use. */
  moment: Moment | null = null
  /** The last one attested; null = the journal names none. */
  script: AttestedScript | null = null
  #byRequest = new Map<string, KeptUse[]>()

  reset(): void {
    this.policies = []
    this.uses = new UseTotals()
    this.matches = new Map()
    this.nonces = new Map()
    this.moment = null
    this.script = null
    this.#byRequest = new Map()
  }

  apply(record: unknown): void {
    const read = recordShape.parse(record)
    if ('policies' in read) this.#setPolicies(read.policies)
    else if ('back' in read) this.#giveBack(read.back)
    else if ('signed' in read) this.#sawNonce(read.signed, BigInt(read.nonce))
    else if ('script' in read) this.script = read.script
    else if ('match' in read) this.#matched(read.match, read.moment)
    else {
      const { use, moment } = read
      this.uses.add(use)
      this.#byRequest.set(use.request, [...(this.#byRequest.get(use.request) ?? []), use])
      this.#matched(use.policy, moment)
    }
  }

  snapshot(): z.input<typeof snapshotShape> {
    const { moment } = this
    const now = moment?.at ?? 0
    return {
      policies: this.policies,
      uses: this.uses.snapshot(now - LONGEST_PERIOD_MS, now),
      matches: [...this.matches],
      nonces: [...this.nonces].map(([account, nonce]) => [account, nonce.toString()]),
      moment,
      script: this.script,
    }
  }

  restore(snapshot: unknown): void {
    const read = snapshotShape.parse(snapshot)
    this.policies = parsePolicies(read.policies)
    this.uses.restore(read.uses)
    this.matches = new Map(read.matches)
    this.nonces = new Map(read.nonces.map(([account, nonce]) => [account, BigInt(nonce)]))
    this.moment = read.moment
    this.script = read.script
  }

  /** Whether something approved for this request could still be returned. */
  isOpen(request: string): boolean {
    return this.#byRequest.has(request)
  }

  /** It was signed: nothing of it is returned any more. */
  close(request: string): void {
    this.#byRequest.delete(request)
  }

  #setPolicies(value: unknown): void {
    this.policies = parsePolicies(value)
    const present = new Set(this.policies.map(({ id }) => id))
    for (const id of this.matches.keys()) if (!present.has(id)) this.matches.delete(id)
  }

  #matched(policy: string, moment: Moment): void {
    this.moment = moment
    const { count } = this.matches.get(policy) ?? { count: 0 }
    this.matches.set(policy, { count: count + 1, lastAt: moment.wall })
  }

  #giveBack(request: string): void {
    for (const use of this.#byRequest.get(request) ?? []) this.uses.remove(use)
    this.#byRequest.delete(request)
  }

  #sawNonce(account: string, nonce: bigint): void {
    if (nonce > (this.nonces.get(account) ?? -1n)) this.nonces.set(account, nonce)
  }
}
