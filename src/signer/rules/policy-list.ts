// A vault's policies, and what they have approved. Both are in the vault's journal: encrypted, numbered and vouched for
// by the audit log's sealed head, so that someone who can merely write files can neither widen a policy nor put an older
// state back. Counters survive a restart.
import { z } from 'zod'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { type Clock, within } from '../../base/time'
import type { AuditEntry } from '../audit/audit-entry'
import { VaultError } from '../errors'
import type { PolicyChain, Question } from '../ports'
import type { EncryptedStore } from '../vault/encrypted-store'
import type { SealedJournal } from '../vault/sealed-journal'
import { readEarlier } from './earlier-policies'
import { type Policy, parsePolicies, type TokenStandard, type VersionedPolicy, versionOf } from './policy'
import { momentAfter, type Uptime } from './policy-clock'
import { asUse, type Circumstances, matchPolicies, type NonceRange, subjectOf } from './policy-match'
import { type PolicyRecord, PolicyState } from './policy-state'
import { ASK, type Ruling } from './rule-script'

/** Its part of the journal. */
const PART = 'policies'
/** How far ahead of the next one a nonce may be. */
const NEAR_NONCES = 64n
/** A node that is importing blocks answers within this. */
const CHAIN_MS = 2_000
/** Requests whose account is remembered until they are signed. */
const MAX_ASKED = 2_000

/** How often a policy has approved since it was made, and when last (UTC ms). */
export interface PolicyMatches {
  readonly id: string
  readonly count: number
  readonly lastAt: number
}

const signedBody = z.object({ tx: z.object({ nonce: z.string().regex(/^0x[0-9a-fA-F]{1,16}$/) }) })

/** What the list uses. */
export interface PolicyListDeps {
  readonly journal: SealedJournal
  /** Of earlier versions of this program, read once; null = none. */
  readonly earlier: EncryptedStore | null
  readonly clock: Clock
  readonly uptime: Uptime
  readonly log: Logger
  readonly record: (entry: AuditEntry) => Promise<void>
  /** Has the sealed head of the audit log vouch for the journal's version. */
  readonly seal: () => Promise<void>
  /** Missing when no node runs beside the signer. */
  readonly chain?: PolicyChain | undefined
}

type Append = (record: PolicyRecord) => Promise<void>

/** What the own node says about a request. */
interface ChainFacts {
  /** The account's next nonce; `absent` without a node; null = it didn't say. */
  readonly nonce: bigint | 'absent' | null
  /** Of the called contract. */
  readonly standard: TokenStandard | null
}

/** The policies of one vault. */
export class PolicyList {
  readonly #deps: PolicyListDeps
  readonly #state = new PolicyState()
  /** Accounts of requests that may still be signed, by request. */
  readonly #asked = new Map<string, string>()

  constructor(deps: PolicyListDeps) {
    this.#deps = deps
    deps.journal.register(PART, this.#state)
  }

  /**
   * With the version that a change of each must name. @throws VaultError SIGNER_VAULT_UNUSABLE, SIGNER_VAULT_OLDER,
   * SIGNER_POLICY_INVALID
   */
  async versioned(): Promise<readonly VersionedPolicy[]> {
    return (await this.policies()).map(asVersioned)
  }

  /** @throws as versioned */
  policies(): Promise<readonly Policy[]> {
    return this.#exclusive(async () => this.#state.policies)
  }

  /**
   * Replaces all policies. The change is recorded before it takes effect.
   * @param value from a form
   * @throws VaultError SIGNER_POLICY_INVALID, SIGNER_VAULT_UNUSABLE, SIGNER_VAULT_OLDER, SignerError
   * SIGNER_AUDIT_UNWRITABLE
   */
  async save(value: unknown): Promise<readonly Policy[]> {
    const next = parsePolicies(value)
    return this.#changing(async () => next)
  }

  /**
   * Adds a policy, or replaces the one with its id, provided it is unchanged since it was read.
   * @param value one policy, from a form @param was the version it was based on; null = new
   * @throws VaultError SIGNER_POLICY_CHANGED, and as save
   */
  async put(value: unknown, was: string | null): Promise<readonly VersionedPolicy[]> {
    const [policy] = parsePolicies([value])
    if (policy === undefined) return this.versioned()
    const changed = await this.#changing(async () => {
      const present = this.#seen(policy.id, was)
      const isNew = present.every(({ id }) => id !== policy.id)
      const next = isNew ? [...present, policy] : present.map((each) => (each.id === policy.id ? policy : each))
      // Validated again as a whole: there may be too many.
      return parsePolicies(next)
    })
    return changed.map(asVersioned)
  }

  /** @param was the version it was based on @throws VaultError SIGNER_POLICY_CHANGED, and as save */
  async remove(id: string, was: string): Promise<readonly VersionedPolicy[]> {
    const changed = await this.#changing(async () => this.#seen(id, was).filter((policy) => policy.id !== id))
    return changed.map(asVersioned)
  }

  /** All policies, if the one with this id still has this version. */
  #seen(id: string, was: string | null): readonly Policy[] {
    const { policies } = this.#state
    const found = policies.find((policy) => policy.id === id)
    const version = found === undefined ? null : versionOf(found)
    if (version !== was) throw new VaultError('SIGNER_POLICY_CHANGED', { id })
    return policies
  }

  /** Compares and changes while nobody else writes. */
  async #changing(next: () => Promise<readonly Policy[]>): Promise<readonly Policy[]> {
    const changed = await this.#exclusive(async (append) => {
      const policies = await next()
      const detail = { policies: JSON.stringify(policies) }
      await this.#deps.record({ type: 'settings', what: 'policies', detail })
      await append({ policies })
      return policies
    })
    await this.#deps.seal()
    return changed
  }

  /** What the policies have approved; those that never did are missing. @throws as versioned */
  matches(): Promise<readonly PolicyMatches[]> {
    return this.#exclusive(async () => {
      const { policies, matches } = this.#state
      return policies.flatMap(({ id }) => {
        const counted = matches.get(id)
        return counted === undefined ? [] : [{ id, ...counted }]
      })
    })
  }

  /**
   * Deducts the amount from the limits immediately, until `failed` returns it. Never rejects: without a decision the
   * user is asked.
   * @param request id that `signed` or `failed` will name
   */
  async judge(question: Question, request: string): Promise<Ruling> {
    return this.#attempt(async () => {
      const subject = subjectOf(question)
      const present = await this.policies()
      if (subject !== null) this.#remember(request, subject.account)
      if (!present.some((policy) => mayBeAbout(policy, subject?.account ?? null))) return ASK
      const facts = await this.#factsOf(subject)
      const ruling = await this.#exclusive((append) => this.#decide({ question, request }, facts, append))
      void this.#attempt(() => this.#deps.journal.compact(), undefined)
      return ruling
    }, ASK)
  }

  async #decide(
    { question, request }: { readonly question: Question; readonly request: string },
    { nonce, standard }: ChainFacts,
    append: Append,
  ): Promise<Ruling> {
    const { clock, uptime } = this.#deps
    const moment = momentAfter(this.#state.moment, clock, uptime)
    const circumstances: Circumstances = {
      now: moment.at,
      today: Math.max(moment.at, moment.wall),
      uses: this.#state.uses,
      nonces: (account) => this.#noncesOf(account, nonce),
      standardOf: () => standard,
    }
    const match = matchPolicies(this.#state.policies, question, circumstances)
    if (!match.covered) return ASK
    const { policy } = match
    if (policy.kind === 'listing') await append({ match: policy.id, moment })
    else {
      const { hash: _hash, ...use } = asUse(match, { request, at: moment.at, hash: '' })
      await append({ use, moment })
    }
    return { judgement: 'approve', by: `policy ${policy.id}`, reason: policy.name }
  }

  /** An approved request was signed; it may not have been approved by a policy. Never rejects. */
  async signed(request: string, body: Readonly<Record<string, unknown>>): Promise<void> {
    const account = this.#asked.get(request)
    this.#asked.delete(request)
    this.#state.close(request)
    const nonce = signedBody.safeParse(body).data?.tx.nonce
    if (account === undefined || nonce === undefined) return
    await this.#attempt(
      () =>
        this.#exclusive(async (append) => {
          this.#state.close(request)
          const isHigher = BigInt(nonce) > (this.#state.nonces.get(account) ?? -1n)
          const isWanted = this.#state.policies.some((policy) => mayBeAbout(policy, account))
          if (isHigher && isWanted) await append({ signed: account, nonce: BigInt(nonce).toString() })
        }),
      undefined,
    )
  }

  /** Nothing was signed for this request: its amount is returned. Never rejects. */
  async failed(request: string): Promise<void> {
    this.#asked.delete(request)
    if (!this.#state.isOpen(request)) return
    await this.#attempt(
      () =>
        this.#exclusive(async (append) => {
          if (this.#state.isOpen(request)) await append({ back: request })
        }),
      undefined,
    )
  }

  #noncesOf(account: string, next: ChainFacts['nonce']): NonceRange | 'unknown' {
    if (next === null) return 'unknown'
    const own = this.#state.nonces.get(account)
    const from = next === 'absent' ? (own === undefined ? 0n : own + 1n) : next
    // Without a node an own replacement of the last ones is near too; the node knows which nonces are used up.
    const lowest = next === 'absent' && from > NEAR_NONCES ? from - NEAR_NONCES : next === 'absent' ? 0n : from
    return { lowest, highest: from + NEAR_NONCES - 1n }
  }

  async #factsOf(subject: ReturnType<typeof subjectOf>): Promise<ChainFacts> {
    const { chain, clock } = this.#deps
    if (chain === undefined || subject === null) return { nonce: 'absent', standard: null }
    let [nonce, standard]: [ChainFacts['nonce'], ChainFacts['standard']] = [null, null]
    const asked = Promise.all([
      chain.nonceOf(subject.account).then((found) => {
        nonce = found
      }),
      chain.standardOf(subject.to).then((found) => {
        standard = found
      }),
    ])
    await within(asked, CHAIN_MS, clock).catch(() => undefined) // what wasn't said is asked
    return { nonce, standard }
  }

  #remember(request: string, account: string): void {
    const [oldest] = this.#asked.keys()
    if (this.#asked.size >= MAX_ASKED && oldest !== undefined) this.#asked.delete(oldest)
    this.#asked.set(request, account)
  }

  #exclusive<T>(work: (append: Append) => Promise<T>): Promise<T> {
    const { journal } = this.#deps
    return journal.exclusive(async (append) => {
      if (journal.version === 0) await this.#takeOver()
      return work((record) => append(PART, record))
    })
  }

  /** From the file of earlier versions of this program, until the journal begins with it. */
  async #takeOver(): Promise<void> {
    const { earlier } = this.#deps
    if (earlier === null) return
    const found = await readEarlier(earlier)
    this.#state.reset()
    if (found !== null) this.#state.restore(found)
  }

  async #attempt<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.#deps.log.error('policies gave no decision', { reason: messageOf(error) })
      return otherwise
    }
  }
}

/** @param account null for a listing */
function mayBeAbout(policy: Policy, account: string | null): boolean {
  return policy.kind === 'listing' ? account === null : policy.account === account
}

function asVersioned(policy: Policy): VersionedPolicy {
  return { policy, version: versionOf(policy) }
}
