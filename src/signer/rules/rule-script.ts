// The attested rule script as a judge: which function handles a question, what its answer means, and when its storage
// is saved. Source, prlx signer/rules/rules.go.
import { hash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { messageOf, reasonOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { VaultError } from '../errors'
import type { Judgement, Question } from '../ports'
import type { EncryptedStore } from '../vault/encrypted-store'
import type { Vault } from '../vault/vault'
import type { ScriptRunner } from './rules-client'
import type { RuleOutcome, RuleTask } from './rules-wire'

const MAX_SCRIPT_BYTES = 1024 * 1024

/** New accounts aren't included: the user decides those. */
const FUNCTIONS: Readonly<Partial<Record<Question['method'], RuleTask['run']>>> = {
  ui_approveTx: 'ApproveTx',
  ui_approveListing: 'ApproveListing',
  ui_approveSignData: 'ApproveSignData',
}

export interface Ruling {
  readonly judgement: Judgement
  /** The rule, for the audit log. Empty for `ask`. */
  readonly by: string
  readonly reason: string
}

export const ASK: Ruling = { judgement: 'ask', by: '', reason: '' }

interface RuleScriptDeps {
  readonly runner: ScriptRunner
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

  /** Never rejects. */
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
