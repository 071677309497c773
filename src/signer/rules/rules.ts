// Combines the attested script and the policies: the script decides first, policies what it leaves open. Every decision
// without the user is on disk before it counts.
import { hash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { changeText } from '../../base/approvals'
import { messageOf, reasonOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { type Clock, within } from '../../base/time'
import { createWireClient, type WireClient } from '../../base/wire/client'
import type { Transport } from '../../base/wire/define'
import type { AuditEntry } from '../audit/audit-entry'
import { VaultError } from '../errors'
import type { Judgement, PolicyChain, Question, RuleJudge } from '../ports'
import type { EncryptedStore, Vault } from '../vault/vault'
import type { GivenPassword, ToldFacts } from '../vault-wire'
import { type Policy, parsePolicies, subjectOf, type VersionedPolicy, versionOf } from './policy-match'
import { type RuleOutcome, type RulesWire, type RuleTask, rulesWire } from './rules-wire'

const MAX_SCRIPT_BYTES = 1024 * 1024

/** New accounts aren't included: the user decides those. */
const FUNCTIONS: Readonly<Partial<Record<Question['method'], RuleTask['run']>>> = {
  ui_approveTx: 'ApproveTx',
  ui_approveListing: 'ApproveListing',
  ui_approveSignData: 'ApproveSignData',
}

interface Ruling {
  readonly judgement: Judgement
  /** The rule, for the audit log. Empty for `ask`. */
  readonly by: string
  readonly reason: string
}

export const ASK: Ruling = { judgement: 'ask', by: '', reason: '' }

interface RuleScriptDeps {
  readonly runner: Pick<RulesClient, 'evaluate'>
  readonly storage: EncryptedStore
  readonly clock: Clock
  readonly log: Logger
}

/** A script file and its SHA-256, hex. @throws VaultError SIGNER_RULES_UNREADABLE */
export async function readRules(file: string): Promise<{ readonly source: string; readonly sha256: string }> {
  try {
    const { size } = await stat(file)
    if (size > MAX_SCRIPT_BYTES) throw new Error(`it has ${size} bytes, want at most ${MAX_SCRIPT_BYTES}`)
    const bytes = await readFile(file)
    return { source: bytes.toString('utf8'), sha256: hash('sha256', bytes) }
  } catch (cause) {
    throw new VaultError('SIGNER_RULES_UNREADABLE', { file, reason: reasonOf(cause) }, { cause })
  }
}

/** The script, if it is the one attested in this vault; null otherwise, with the reason logged. */
export async function openRuleScript(
  file: string,
  vault: Vault,
  deps: Omit<RuleScriptDeps, 'storage'>,
): Promise<RuleScript | null> {
  try {
    const { source, sha256 } = await readRules(file)
    if ((await vault.attestedRules())?.sha256 !== sha256)
      throw new VaultError('SIGNER_RULES_NOT_ATTESTED', { file, sha256 })
    return new RuleScript({ source, sha256 }, { ...deps, storage: vault.scriptStorage })
  } catch (error) {
    deps.log.error('rules are not used', { reason: messageOf(error) })
    return null
  }
}

/** Source: prlx signer/rules/rules.go. */
export class RuleScript {
  /** One question at a time, so that each sees what the previous one stored. */
  #tail: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly script: { readonly source: string; readonly sha256: string },
    private readonly deps: RuleScriptDeps,
  ) {}

  /** Never rejects: if the script fails, the user is asked. */
  judge({ method, body }: Question): Promise<Ruling> {
    const run = FUNCTIONS[method]
    if (run === undefined) return Promise.resolve(ASK)
    return this.#inTurn(async () => {
      const outcome = await this.#evaluate(run, body)
      // Whatever it decides, as in clef: a script that counts its questions leaves most of them open.
      await this.#keep(outcome)
      const judgement = judgementOf(outcome)
      if (judgement === 'ask') return ASK
      return { judgement, by: `script ${this.script.sha256}`, reason: `${run} answered ${outcome.answer}` }
    }, ASK)
  }

  async tell(run: 'OnApprovedTx' | 'OnSignerStartup', body: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#inTurn(async () => {
      await this.#keep(await this.#evaluate(run, body))
    }, undefined)
  }

  async #inTurn<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    const done = this.#tail.then(work).catch((error: unknown) => {
      this.deps.log.warn('rule script gave no decision', { reason: messageOf(error) })
      return otherwise
    })
    this.#tail = done
    return done
  }

  async #evaluate(run: RuleTask['run'], body: Readonly<Record<string, unknown>>): Promise<RuleOutcome> {
    const { runner, storage, clock, log } = this.deps
    const decoder = new TextDecoder()
    const stored = [...(await storage.all())].map(([name, value]): [string, string] => [name, decoder.decode(value)])
    const { source } = this.script
    const task = { source, run, argument: JSON.stringify(body), storage: stored, now: clock.now() }
    const outcome = await runner.evaluate(task)
    for (const line of outcome.lines) log.info('rule script says', { line })
    if (outcome.failure !== '') log.warn('rule script gave no decision', { run, reason: outcome.failure })
    return outcome
  }

  async #keep({ writes }: RuleOutcome): Promise<void> {
    if (writes.length === 0) return
    const encoder = new TextEncoder()
    await this.deps.storage.change(new Map(writes.map(([name, value]) => [name, encoder.encode(value)])))
  }
}

function judgementOf({ answer, failure }: RuleOutcome): Judgement {
  if (failure !== '') return 'ask'
  return answer === 'Approve' ? 'approve' : answer === 'Reject' ? 'reject' : 'ask'
}

interface RulesDeps {
  /** Null = none, or not attested. */
  readonly script: RuleScript | null
  readonly policies: PolicyList | null
  readonly log: Logger
  /** Resolves when the entry is on disk; on rejection the user is asked. */
  readonly record: (entry: AuditEntry) => Promise<void>
}

export class Rules implements RuleJudge {
  readonly #begun = new Set<Promise<unknown>>()

  constructor(private readonly deps: RulesDeps) {}

  judge(question: Question, request: string): Promise<Judgement> {
    return this.#counted(this.#judge(question, request))
  }

  async #judge(question: Question, request: string): Promise<Judgement> {
    const { script, policies, log } = this.deps
    if (question.method === 'ui_approveNewAccount') return 'ask'
    try {
      const answer = (await script?.judge(question)) ?? ASK
      const isCapped = answer.judgement === 'approve' && (await policies?.allowScript(question, request)) === false
      const first = isCapped ? ASK : answer
      const ruling = first.judgement === 'ask' ? ((await policies?.judge(question, request)) ?? ASK) : first
      const { judgement, by, reason } = ruling
      if (judgement === 'ask') return 'ask'
      await this.#recorded(request, { type: 'ruling', question: question.method, judgement, by, reason })
      return judgement
    } catch (error) {
      log.warn('rules gave no decision', { reason: messageOf(error) })
      return 'ask'
    }
  }

  /** A limit's share taken for a decision that can't be recorded is returned. */
  async #recorded(request: string, entry: AuditEntry): Promise<void> {
    try {
      await this.deps.record(entry)
    } catch (error) {
      await this.failed(request)
      throw error
    }
  }

  failed(request: string): Promise<void> {
    return this.#counted(this.deps.policies?.failed(request) ?? Promise.resolve())
  }

  approved(request: string, signed: Readonly<Record<string, unknown>>): Promise<void> {
    const { policies, script } = this.deps
    const tell = async (): Promise<void> => {
      await policies?.signed(request, signed)
      await script?.tell('OnApprovedTx', signed)
    }
    return this.#counted(tell())
  }

  startedUp(info: Readonly<Record<string, unknown>>): Promise<void> {
    return this.#counted(this.deps.script?.tell('OnSignerStartup', info) ?? Promise.resolve())
  }

  /** Resolves when nothing that the rules were asked or told is still being stored. */
  async settled(): Promise<void> {
    while (this.#begun.size > 0) await Promise.allSettled(this.#begun)
  }

  #counted<T>(work: Promise<T>): Promise<T> {
    this.#begun.add(work)
    const isDone = (): void => void this.#begun.delete(work)
    work.then(isDone, isDone)
    return work
  }
}

/** A node that is importing blocks answers within this. */
const CHAIN_MS = 2_000
const MAX_ASKED = 2_000
/** Longer ones are no policy's. */
const MOST_CONTENT = 64 * 1024
const MOST_QUESTION = 1024 * 1024

/** How often a policy has approved since it was made, and when last (UTC ms). */
interface PolicyMatches {
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

  /** @throws VaultError SIGNER_VAULT_UNUSABLE, SIGNER_VAULT_OLDER, SIGNER_POLICY_INVALID */
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

  /** Counts what the script approved against its cap. Never rejects. @returns whether it fits: else the user is asked */
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

/**
 * Only reached by a script that the interpreter can't interrupt, because it hangs in a few very expensive steps.
 * Decisions never depend on time, so this is far above what an honest script takes even on a busy computer.
 */
const EVALUATE_MS = 10_000
/** Thread, interpreter and all, on a busy computer. */
const READY_MS = 60_000

export class RulesClient {
  #wire: WireClient<RulesWire> | null = null
  #ready: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(
    private readonly open: () => Transport,
    private readonly deps: { readonly clock: Clock },
  ) {}

  /** Starts the worker ahead of the first question. Never rejects: that question tries again. */
  async warm(): Promise<void> {
    await this.#started().catch(() => undefined)
  }

  /** @throws VaultError SIGNER_RULES_FAILED when there is no outcome */
  async evaluate(task: RuleTask): Promise<RuleOutcome> {
    const wire = await this.#started()
    return this.#within(EVALUATE_MS, wire, wire.call('evaluate', task))
  }

  /** Ends the worker for good; open questions fail, and so do later ones. */
  close(): void {
    this.#isClosed = true
    this.#drop()
  }

  #drop(): void {
    const wire = this.#wire
    this.#wire = null
    void wire?.close()
  }

  /** The worker, once ready; all waiting callers share one start. */
  async #started(): Promise<WireClient<RulesWire>> {
    if (this.#isClosed) throw new VaultError('SIGNER_RULES_FAILED', { reason: 'the signer has stopped' })
    const wire = this.#wire ?? this.#begun()
    await this.#ready
    return wire
  }

  #begun(): WireClient<RulesWire> {
    const wire = createWireClient(rulesWire, this.open())
    wire.onClose(() => {
      if (this.#wire === wire) this.#wire = null
    })
    this.#wire = wire
    this.#ready = this.#within(READY_MS, wire, wire.call('ready', {}))
    return wire
  }

  async #within<T>(limitMs: number, wire: WireClient<RulesWire>, work: Promise<T>): Promise<T> {
    try {
      if (await within(work, limitMs, this.deps.clock)) return await work
    } catch (cause) {
      throw new VaultError('SIGNER_RULES_FAILED', { reason: messageOf(cause) }, { cause })
    }
    if (this.#wire === wire) this.#drop()
    throw new VaultError('SIGNER_RULES_FAILED', { reason: `no answer within ${limitMs} ms` })
  }
}
