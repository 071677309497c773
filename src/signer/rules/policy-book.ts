// A vault's policies and what they have approved, where they are judged: in the key process. It decodes what is to be
// signed itself, counts, and lets a stored password sign exactly what a policy covered, once. What the caller says of the
// chain, of findings and of who asks can only be believed.
import { z } from 'zod'
import { type AttestedScript, SCRIPT_CAP, scriptCapSchema } from '../../base/approvals'
import { toHex } from '../../base/hex'
import { type Clock, HOUR_MS, MINUTE_MS } from '../../base/time'
import { KeystoreError, VaultError } from '../errors'
import { readContent } from '../keystore/content-digest'
import { signedContentSchema } from '../model/signed-content'
import { maximumFee, type TransactionRequest } from '../model/transaction'
import type { Question } from '../ports'
import { parseSignTransaction } from '../transactions/parse'
import { JournalBook, type JournalPart, type RecordPlace } from '../vault/journal-book'
import { openValue, readSealedValues } from '../vault/sealed-values'
import type { JournalReading, MadeRecord, ToldFacts } from '../vault-wire'
import { type Moment, momentAfter, momentShape, type Uptime } from './policy-clock'
import { asUse, matchPolicies, type NonceRange, type Policy, parsePolicies, type Use, versionOf } from './policy-match'
import { UseTotals } from './use-totals'

const useList = z.array(
  z.object({
    policy: z.string(),
    at: z.number(),
    wei: z.string(),
    // Missing in the earliest versions.
    token: z.object({ contract: z.string(), amount: z.string() }).nullable().default(null),
  }),
)
const matchMap = z.record(z.string(), z.object({ count: z.number().int(), lastAt: z.number().int() }))

/**
 * What a journal begins with; null when there is nothing to take over.
 * @param text of the file @param key 32 bytes @throws Error for a value that was changed, VaultError SIGNER_POLICY_INVALID
 */
function readEarlier(text: string, key: Uint8Array): ReturnType<PolicyState['snapshot']> | null {
  const stored = new Map(
    [...readSealedValues(text)].map(([name, value]) => {
      const opened = openValue(key, name, value)
      if (opened === null) throw new Error(`the value of ${name} was changed or belongs to another vault`)
      return [name, opened]
    }),
  )
  const bytes = stored.get('policies')
  if (bytes === undefined) return null
  const policies = parsePolicies(jsonOf(bytes))
  const accounts = new Map(policies.flatMap((policy) => accountOf(policy)))
  const uses = new UseTotals()
  // A removed policy's uses had no account any more, and counted for nothing.
  for (const use of useList.parse(jsonOf(stored.get('uses'))).sort((a, b) => a.at - b.at)) {
    const account = accounts.get(use.policy)
    if (account !== undefined) uses.add({ ...use, account })
  }
  const matches = matchMap.parse(jsonOf(stored.get('matches'), {}))
  return {
    policies,
    uses: uses.snapshot(-Infinity, 0),
    matches: Object.entries(matches),
    nonces: [],
    moment: null,
  }
}

function accountOf(policy: Policy): readonly (readonly [string, string])[] {
  return policy.kind === 'transaction' ? [[policy.id, policy.account]] : []
}

/** Authenticated text from the vault; the caller validates its shape. */
function jsonOf(bytes: Uint8Array | undefined, otherwise: unknown = []): unknown {
  return bytes === undefined ? otherwise : JSON.parse(new TextDecoder().decode(bytes))
}

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

type KeptUse = Use & { readonly request: string }

export class PolicyState implements JournalPart {
  policies: readonly Policy[] = []
  uses = new UseTotals()
  matches = new Map<string, { readonly count: number; readonly lastAt: number }>()
  /** Highest one signed, by account. */
  nonces = new Map<string, bigint>()
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

const PART = 'policies'
const NEAR_NONCES = 64n
/** What a policy covered is signed within this, or asked again. */
const COVERED_MS = 60 * MINUTE_MS
/** Covered and not yet signed; the oldest is forgotten, and stays counted. */
const MOST_COVERED = 2_000
/** Characters of the content as one record. */
const MOST_SNAPSHOT = 4 * 1024 * 1024

const questionShape = z.object({
  method: z.enum(['ui_approveTx', 'ui_approveSignData', 'ui_approveListing', 'ui_approveNewAccount']),
  body: z.record(z.string(), z.unknown()),
})

const policyId = z.string().max(64)
/** What a page or a command wants changed: JSON, whose exact text is what the master password was given for. */
const policyChange = z.discriminatedUnion('change', [
  z.strictObject({ change: z.literal('policies'), policies: z.unknown() }),
  z.strictObject({ change: z.literal('put'), policy: z.unknown(), was: z.string().max(64).nullable() }),
  z.strictObject({ change: z.literal('remove'), id: policyId, was: z.string().max(64) }),
])

/** As what a script's uses count: apart from the policies' limits. */
const SCRIPT = 'script'
const DAY_MS = 24 * HOUR_MS

/** What is to be signed, as this process reads it. */
export interface SignedThing {
  /** 32 bytes */
  readonly digest: Uint8Array
  readonly isTransaction: boolean
}

/** What a policy or the script has covered: the right to one signature. */
interface Covered {
  /** Of the use in the journal: chosen here, since the caller's could be chosen to return another's. */
  readonly own: string
  readonly address: string
  /** Hex; null = a script's text or document, whatever it says. */
  readonly digest: string | null
  readonly place: RecordPlace
  /** Monotonic ms. */
  readonly until: number
}

interface TakenRight {
  readonly undo: () => void
  readonly done: () => void
}

interface PolicyBookDeps {
  /** 32 bytes each; kept. `earlier`: of the file of earlier programs. */
  readonly keys: { readonly journal: Uint8Array; readonly earlier: Uint8Array }
  readonly clock: Clock
  readonly uptime: Uptime
  readonly randomBytes: (length: number) => Uint8Array
  /** What `ends` said of this vault's journal before. */
  readonly ends?: readonly RecordPlace[]
}

export class PolicyBook {
  readonly #state = new PolicyState()
  readonly #journal: JournalBook
  readonly #covered = new Map<string, Covered>()

  constructor(private readonly deps: PolicyBookDeps) {
    const { keys, randomBytes, ends = [] } = deps
    this.#journal = new JournalBook({ key: keys.journal, randomBytes, name: PART, part: this.#state, ends })
  }

  get ends(): readonly RecordPlace[] {
    return this.#journal.ends
  }

  /** @param earlier text of the file of earlier programs; null = none */
  read(text: string, earlier: string | null, vouched: number | null): JournalReading {
    // Only what a journal can still begin with.
    const found = text === '' && earlier !== null ? this.#earlier(earlier) : null
    if (found === UNREADABLE) return { fault: 'meaning', record: 0, version: 0, wanted: 0 }
    const reading = this.#journal.read(text, vouched)
    if ('fault' in reading) return reading
    for (const [request, { place }] of this.#covered) if (!this.#journal.has(place)) this.#covered.delete(request)
    if (found !== null) this.#state.restore(found)
    return reading
  }

  #earlier(text: string) {
    try {
      return readEarlier(text, this.deps.keys.earlier)
    } catch {
      return UNREADABLE
    }
  }

  restore(text: string, vouched: number | null): JournalReading {
    this.#covered.clear()
    return this.#journal.restore(text, vouched)
  }

  compact(): MadeRecord | null {
    this.#require()
    // One answer holds it.
    const isFit = this.#journal.isLong && JSON.stringify(this.#state.snapshot()).length < MOST_SNAPSHOT
    return isFit ? this.#journal.compacted() : null
  }

  list() {
    this.#require()
    const { policies, matches } = this.#state
    return {
      policies,
      matches: policies.flatMap(({ id }) => {
        const counted = matches.get(id)
        return counted === undefined ? [] : [{ id, ...counted }]
      }),
    }
  }

  /**
   * @param change JSON text @param isProven whether the master password was given for exactly this text
   * @throws VaultError SIGNER_MASTER_NEEDED, SIGNER_POLICY_CHANGED, SIGNER_POLICY_INVALID
   */
  change(change: string, { isProven, isTrial }: { readonly isProven: () => boolean; readonly isTrial: boolean }) {
    this.#require()
    const policies = this.#changed(policyChange.parse(JSON.parse(change)))
    if (isTrial) return { ...this.list(), policies, made: null }
    if (!isNarrower(this.#state.policies, policies) && !isProven()) {
      throw new VaultError('SIGNER_MASTER_NEEDED', undefined)
    }
    const made = this.#journal.add({ policies })
    // Also one that was only removed: the file without this change is never read again.
    this.#journal.hold(this.#journal.place)
    return { ...this.list(), made }
  }

  #changed(change: z.infer<typeof policyChange>): readonly Policy[] {
    if (change.change === 'policies') return parsePolicies(change.policies)
    const { policies } = this.#state
    const id = change.change === 'remove' ? change.id : z.object({ id: policyId }).parse(change.policy).id
    const found = policies.find((policy) => policy.id === id)
    if ((found === undefined ? null : versionOf(found)) !== change.was) {
      throw new VaultError('SIGNER_POLICY_CHANGED', { id })
    }
    if (change.change === 'remove') return policies.filter((policy) => policy.id !== id)
    const [policy] = parsePolicies([change.policy])
    if (policy === undefined) return policies
    // Validated again as a whole: there may be too many.
    return parsePolicies(
      found === undefined ? [...policies, policy] : policies.map((each) => (each.id === id ? policy : each)),
    )
  }

  /**
   * Deducts from the limits at once, until it is returned. @param content null for a listing
   * @throws KeystoreError KEYSTORE_CONTENT_INVALID
   */
  judge(input: {
    readonly request: string
    readonly question: string
    readonly address: string | null
    readonly content: string | null
    readonly facts: ToldFacts
  }) {
    this.#require()
    const { clock, uptime } = this.deps
    const told = questionShape.parse(JSON.parse(input.question))
    const asked = input.content === null ? null : readTransaction(input.address ?? '', input.content)
    const question: Question = asked === null ? told : { ...told, body: { ...told.body, transaction: asked.members } }
    if ((question.method === 'ui_approveTx') !== (asked !== null)) return NOT_COVERED
    const moment = momentAfter(this.#state.moment, clock, uptime)
    const match = matchPolicies(this.#state.policies, question, {
      now: moment.at,
      today: Math.max(moment.at, moment.wall),
      uses: this.#state.uses,
      nonces: (account) => this.#noncesOf(account, input.facts.nonce),
      standardOf: () => input.facts.standard,
    })
    if (!match.covered) return NOT_COVERED
    const { id, name } = match.policy
    if (match.policy.kind === 'listing' || asked === null) {
      return { policy: { id, name }, made: this.#journal.add({ match: id, moment }) }
    }
    const made = this.#count(input.request, asUse(match, moment.at), {
      moment,
      address: match.cost.account,
      digest: asked.digest,
    })
    return { policy: { id, name }, made }
  }

  /** Deducts from the account's limits, and gives the right to one signature. @returns the record */
  #count(
    request: string,
    use: Use,
    right: Pick<Covered, 'address' | 'digest'> & { readonly moment: Moment },
  ): MadeRecord {
    const { address, digest, moment } = right
    const own = toHex(this.deps.randomBytes(16))
    const made = this.#journal.add({ use: { ...use, request: own }, moment })
    const until = this.deps.clock.monotonic() + COVERED_MS
    this.#cover(request, { own, address, digest, place: this.#journal.place, until })
    return made
  }

  /**
   * What of the caller's attestation is in force. A vault whose journal names none, as clef's, adopts it.
   * @param found the SHA-256 it attests
   * @returns `script` null: the journal names another one as the last
   */
  attested(found: string): { readonly script: AttestedScript | null; readonly made: MadeRecord | null } {
    this.#require()
    const { script } = this.#state
    if (script !== null) return { script: script.sha256 === found ? script : null, made: null }
    const adopted = { sha256: found, ...SCRIPT_CAP }
    return { script: adopted, made: this.#journal.add({ script: adopted }) }
  }

  attest(script: AttestedScript): MadeRecord {
    this.#require()
    const made = this.#journal.add({ script })
    this.#journal.hold(this.#journal.place)
    return made
  }

  /**
   * Counts what the attested script is said to have approved, and lets the stored password sign it once, unless its cap is
   * reached. @param content null for a text or document, whose effect nobody here can tell: it counts as one signature
   * @throws KeystoreError KEYSTORE_CONTENT_INVALID
   */
  judgeScript({ request, address, content }: { request: string; address: string; content: string | null }) {
    this.#require()
    const { script, moment: last, uses } = this.#state
    const { clock, uptime } = this.deps
    if (script === null) return { isCovered: false, made: null }
    const asked = content === null ? null : readTransaction(address, content)
    const wei = asked?.wei ?? 0n
    const moment = momentAfter(last, clock, uptime)
    const account = `${SCRIPT} ${address}`
    const past = uses.since({ account, contract: null }, moment.at - DAY_MS)
    if (past.count >= script.signatures || past.sum + wei > BigInt(script.wei)) return { isCovered: false, made: null }
    const use = { policy: SCRIPT, account, at: moment.at, wei: wei.toString(), token: null }
    return { isCovered: true, made: this.#count(request, use, { moment, address, digest: asked?.digest ?? null }) }
  }

  /**
   * Takes the right to sign what a policy or the script covered for this request; null when neither did.
   * @throws KeystoreError KEYSTORE_APPROVAL_OTHER for another content or account
   * @returns `undo` gives the right back: nothing was signed; `done`: it was
   */
  take(request: string, address: string, { digest, isTransaction }: SignedThing): TakenRight | null {
    const covered = this.#covered.get(request)
    if (covered === undefined || this.deps.clock.monotonic() >= covered.until) return null
    const isIt = covered.digest === null ? !isTransaction : covered.digest === toHex(digest)
    if (covered.address !== address || !isIt) {
      throw new KeystoreError('KEYSTORE_APPROVAL_OTHER', undefined)
    }
    this.#covered.delete(request)
    // From now on no journal without this use is read.
    this.#journal.hold(covered.place)
    return { undo: () => this.#cover(request, covered), done: () => this.#state.close(covered.own) }
  }

  /** Nothing was signed. @returns null when there is nothing to return */
  giveBack(request: string): MadeRecord | null {
    this.#require()
    const covered = this.#covered.get(request)
    if (covered === undefined) return null
    this.#covered.delete(request)
    return this.#state.isOpen(covered.own) ? this.#journal.add({ back: covered.own }) : null
  }

  /** @param nonce decimal @returns null when it isn't worth a record */
  sawNonce({ request, address, nonce }: { request: string; address: string; nonce: string }): MadeRecord | null {
    this.#require()
    this.#covered.delete(request)
    const isHigher = BigInt(nonce) > (this.#state.nonces.get(address) ?? -1n)
    const isWanted = this.#state.policies.some((policy) => policy.kind === 'transaction' && policy.account === address)
    return isHigher && isWanted ? this.#journal.add({ signed: address, nonce: BigInt(nonce).toString() }) : null
  }

  #noncesOf(account: string, told: string | null): NonceRange | 'unknown' {
    if (told === null || !/^(?:absent|\d{1,30})$/.test(told)) return 'unknown'
    const own = this.#state.nonces.get(account)
    if (told !== 'absent') return { lowest: BigInt(told), highest: BigInt(told) + NEAR_NONCES - 1n }
    const from = own === undefined ? 0n : own + 1n
    // Without a node an own replacement of the last ones is near too; the node knows which nonces are used up.
    return { lowest: from > NEAR_NONCES ? from - NEAR_NONCES : 0n, highest: from + NEAR_NONCES - 1n }
  }

  #cover(request: string, covered: Covered): void {
    const [oldest] = this.#covered.keys()
    if (this.#covered.size >= MOST_COVERED && oldest !== undefined) this.#covered.delete(oldest)
    this.#covered.set(request, covered)
  }

  /** @throws VaultError SIGNER_VAULT_CLOSED before the journal was read */
  #require(): void {
    if (!this.#journal.isRead) throw new VaultError('SIGNER_VAULT_CLOSED', undefined)
  }
}

const UNREADABLE = 'unreadable'
const NOT_COVERED = { policy: null, made: null }

/** @returns the members that policies judge, and what would be signed @throws KeystoreError KEYSTORE_CONTENT_INVALID */
function readTransaction(address: string, content: string) {
  try {
    const read = signedContentSchema.parse(JSON.parse(content))
    if (read.kind !== 'transaction') throw new Error('policies are about transactions')
    const { digest } = readContent(address, read)
    const isNonceNamed = typeof read.transaction.nonce === 'string'
    const tx = parseSignTransaction([read.transaction])
    return { digest: toHex(digest), wei: tx.value + maximumFee(tx), members: membersOf(tx, address, isNonceNamed) }
  } catch (cause) {
    throw new KeystoreError('KEYSTORE_CONTENT_INVALID', undefined, { cause })
  }
}

function membersOf(tx: TransactionRequest, from: string, isNonceNamed: boolean) {
  const quantity = (value: bigint | null): string | null => (value === null ? null : `0x${value.toString(16)}`)
  return {
    from,
    to: tx.to?.text ?? null,
    gas: quantity(tx.gas),
    gasPrice: quantity(tx.gasPrice),
    maxFeePerGas: quantity(tx.maxFeePerGas),
    value: quantity(tx.value),
    nonce: isNonceNamed ? quantity(tx.nonce) : null,
    data: tx.data === null ? null : toHex(tx.data),
    input: tx.input === null ? null : toHex(tx.input),
  }
}

/** Whether everything that would sign or share afterwards did so before: only removed or switched off, or a listing. */
function isNarrower(before: readonly Policy[], after: readonly Policy[]): boolean {
  const known = new Set(before.map((policy) => JSON.stringify({ ...policy, enabled: true })))
  const working = new Set(before.map((policy) => JSON.stringify(policy)))
  return after.every((policy) => {
    if (policy.kind === 'listing') return true
    return policy.enabled
      ? working.has(JSON.stringify(policy))
      : known.has(JSON.stringify({ ...policy, enabled: true }))
  })
}
