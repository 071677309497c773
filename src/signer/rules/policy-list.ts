// A vault's policies, from the side that holds the files and asks: they are judged, counted and changed where the vault's
// keys are (`VaultPort`); here their records are put into the journal, and the audit log says each change first.
import { z } from 'zod'
import { changeText } from '../../base/approvals'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { type Clock, within } from '../../base/time'
import type { AuditEntry } from '../audit/audit-entry'
import type { PolicyChain, Question } from '../ports'
import type { Vault } from '../vault/vault'
import type { GivenPassword, ToldFacts } from '../vault-wire'
import { type Policy, parsePolicies, type VersionedPolicy, versionOf } from './policy'
import { subjectOf } from './policy-match'
import { ASK, type Ruling } from './rule-script'

/** A node that is importing blocks answers within this. */
const CHAIN_MS = 2_000
/** Requests whose account is remembered until they are signed. */
const MAX_ASKED = 2_000
/** Longer ones are no policy's. */
const MOST_CONTENT = 64 * 1024
const MOST_QUESTION = 1024 * 1024

/** How often a policy has approved since it was made, and when last (UTC ms). */
export interface PolicyMatches {
  readonly id: string
  readonly count: number
  readonly lastAt: number
}

const signedBody = z.object({ tx: z.object({ nonce: z.string().regex(/^0x[0-9a-fA-F]{1,16}$/) }) })
const addressBody = z.object({ from: z.string() })
const matchList = z.array(z.object({ id: z.string(), count: z.number().int(), lastAt: z.number() }))

export interface PolicyListDeps {
  readonly vault: Pick<Vault, 'port' | 'journal' | 'prove'>
  readonly clock: Clock
  readonly log: Logger
  readonly record: (entry: AuditEntry) => Promise<void>
  /** Has the sealed head of the audit log vouch for the journal's version. */
  readonly seal: () => Promise<void>
  /** Missing when no node runs beside the signer. */
  readonly chain?: PolicyChain | undefined
}

export class PolicyList {
  /** Accounts of requests that may still be signed, by request. */
  readonly #asked = new Map<string, string>()
  /** Requests that a policy covered, until they are signed or have failed. */
  readonly #covered = new Set<string>()
  /** As last read or changed; null = not read. */
  #present: readonly Policy[] | null = null
  #version = -1

  constructor(private readonly deps: PolicyListDeps) {}

  /**
   * With the version that a change of each must name. @throws VaultError SIGNER_VAULT_UNUSABLE, SIGNER_VAULT_OLDER,
   * SIGNER_POLICY_INVALID
   */
  async versioned(): Promise<readonly VersionedPolicy[]> {
    return (await this.policies()).map(asVersioned)
  }

  /** @throws as versioned */
  async policies(): Promise<readonly Policy[]> {
    const { journal, port } = this.deps.vault
    const present = (): readonly Policy[] | null => (this.#version === journal.version ? this.#present : null)
    // Without the lock: each change of the file shows.
    const known = journal.isUnchanged ? present() : null
    if (known !== null) return known
    return journal.exclusive(async () => {
      const read = present()
      if (read !== null) return read
      const { policies } = await port.call('policyList', {})
      return this.#keep(policies)
    })
  }

  /** Replaces all policies. The change is recorded before it takes effect. @param value from a form @throws as put */
  async save(value: unknown, master: GivenPassword | null = null): Promise<readonly Policy[]> {
    parsePolicies(value)
    return this.#changing({ change: 'policies', policies: value }, master)
  }

  /**
   * Adds a policy, or replaces the one with its id, provided it is unchanged since it was read.
   * @param value one policy, from a form @param was the version it was based on; null = new
   * @param master typed for exactly this change; null = none, which is enough to remove and to switch off
   * @throws VaultError SIGNER_POLICY_CHANGED, SIGNER_POLICY_INVALID, SIGNER_MASTER_NEEDED, SIGNER_VAULT_UNUSABLE,
   * SIGNER_VAULT_OLDER, SignerError SIGNER_AUDIT_UNWRITABLE
   */
  async put(
    value: unknown,
    was: string | null,
    master: GivenPassword | null = null,
  ): Promise<readonly VersionedPolicy[]> {
    parsePolicies([value])
    return (await this.#changing({ change: 'put', policy: value, was }, master)).map(asVersioned)
  }

  /** @param was the version it was based on @throws as put */
  async remove(id: string, was: string): Promise<readonly VersionedPolicy[]> {
    return (await this.#changing({ change: 'remove', id, was }, null)).map(asVersioned)
  }

  /** Compares and changes while nobody else writes. */
  async #changing(what: Readonly<Record<string, unknown>>, master: GivenPassword | null): Promise<readonly Policy[]> {
    const { vault, record, seal } = this.deps
    const change = changeText(what)
    // Before the journal is locked: it takes a derivation.
    if (master !== null) await vault.prove(change, master)
    const changed = await vault.journal.exclusive(async (write) => {
      const { policies } = await vault.port.call('policyChange', { change, isTrial: true })
      await record({ type: 'settings', what: 'policies', detail: { policies: JSON.stringify(policies) } })
      const done = await vault.port.call('policyChange', { change, isTrial: false })
      await write(done.made)
      return this.#keep(done.policies)
    })
    await seal()
    return changed
  }

  /** What the policies have approved; those that never did are missing. @throws as versioned */
  matches(): Promise<readonly PolicyMatches[]> {
    const { journal, port } = this.deps.vault
    return journal.exclusive(async () => matchList.parse((await port.call('policyList', {})).matches))
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
      const asked = asking(question, subject?.account ?? null)
      if (asked === null) return ASK
      const facts = await this.#factsOf(subject)
      const { journal, port } = this.deps.vault
      const { policy } = await journal.written(() => port.call('policyJudge', { request, ...asked, facts }))
      void this.#attempt(() => this.#compact(), undefined)
      if (policy === null) return ASK
      this.#covered.add(request)
      return { judgement: 'approve', by: `policy ${policy.id}`, reason: policy.name }
    }, ASK)
  }

  /**
   * Counts what the attested script approved against its cap, as `judge` does against limits. Never rejects.
   * @returns whether it fits: else the user is asked
   */
  async allowScript(question: Question, request: string): Promise<boolean> {
    return this.#attempt(async () => {
      const { method, body } = question
      if (method === 'ui_approveListing') return true
      const isTransaction = method === 'ui_approveTx'
      const address = addressBody.parse(isTransaction ? body.transaction : { from: body.address }).from.toLowerCase()
      const content = isTransaction ? contentOf(question) : null
      const { journal, port } = this.deps.vault
      const { isCovered } = await journal.written(() => port.call('policyJudgeScript', { request, address, content }))
      void this.#attempt(() => this.#compact(), undefined)
      if (isCovered) this.#covered.add(request)
      else this.deps.log.warn('the rule script approved more than its cap allows: the user is asked', { address })
      return isCovered
    }, false)
  }

  async #compact(): Promise<void> {
    const { journal, port } = this.deps.vault
    if (journal.isLong) await journal.written(() => port.call('journalCompact', {}))
  }

  /** An approved request was signed; it may not have been approved by a policy. Never rejects. */
  async signed(request: string, body: Readonly<Record<string, unknown>>): Promise<void> {
    const address = this.#asked.get(request)
    this.#asked.delete(request)
    this.#covered.delete(request)
    const hex = signedBody.safeParse(body).data?.tx.nonce
    if (address === undefined || hex === undefined) return
    if (this.#present?.some((policy) => mayBeAbout(policy, address)) !== true) return
    const { journal, port } = this.deps.vault
    const nonce = BigInt(hex).toString()
    await this.#attempt(() => journal.written(() => port.call('policyNonce', { request, address, nonce })), null)
  }

  /** Nothing was signed for this request: its amount is returned. Never rejects. */
  async failed(request: string): Promise<void> {
    this.#asked.delete(request)
    if (!this.#covered.delete(request)) return
    const { journal, port } = this.deps.vault
    await this.#attempt(() => journal.written(() => port.call('policyReturn', { request })), null)
  }

  async #factsOf(subject: ReturnType<typeof subjectOf>): Promise<ToldFacts> {
    const { chain, clock } = this.deps
    if (chain === undefined || subject === null) return { nonce: 'absent', standard: null }
    let [nonce, standard]: [ToldFacts['nonce'], ToldFacts['standard']] = [null, null]
    const asked = Promise.all([
      chain.nonceOf(subject.account).then((found) => {
        nonce = found === null ? null : found.toString()
      }),
      chain.standardOf(subject.to).then((found) => {
        standard = found
      }),
    ])
    await within(asked, CHAIN_MS, clock).catch(() => undefined) // what wasn't said is asked
    return { nonce, standard }
  }

  #keep(policies: unknown): readonly Policy[] {
    this.#present = parsePolicies(policies)
    this.#version = this.deps.vault.journal.version
    return this.#present
  }

  #remember(request: string, account: string): void {
    const [oldest] = this.#asked.keys()
    if (this.#asked.size >= MAX_ASKED && oldest !== undefined) this.#asked.delete(oldest)
    this.#asked.set(request, account)
  }

  async #attempt<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.deps.log.error('policies gave no decision', { reason: messageOf(error) })
      return otherwise
    }
  }
}

/** What would be signed, for the key process. @throws Error when no chain is named */
function contentOf({ body, chainId }: Question): string {
  if (chainId === undefined) throw new Error('the transaction is for no chain')
  return JSON.stringify({ kind: 'transaction', chainId: chainId.toString(), transaction: body.transaction })
}

/** What the key process is told; null for what no policy can cover. @param account null for a listing */
function asking(asked: Question, account: string | null) {
  const { method, body } = asked
  if ((method === 'ui_approveTx') !== (account !== null)) return null
  const { transaction: _signed, ...told } = body
  const content = account === null ? null : contentOf(asked)
  const question = JSON.stringify({ method, body: told })
  if (question.length > MOST_QUESTION || (content !== null && content.length > MOST_CONTENT)) return null
  return { question, address: account, content }
}

/** @param account null for a listing */
function mayBeAbout(policy: Policy, account: string | null): boolean {
  return policy.kind === 'listing' ? account === null : policy.account === account
}

function asVersioned(policy: Policy): VersionedPolicy {
  return { policy, version: versionOf(policy) }
}
