// Combines the attested script and the policies: the script decides first, policies what it leaves open. Every decision
// without the user is on disk before it counts.
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { AuditEntry } from '../audit/audit-entry'
import type { Judgement, Question, RuleJudge } from '../ports'
import type { PolicyList } from './policy-list'
import { ASK, type RuleScript } from './rule-script'

/** What the rules use. */
interface RulesDeps {
  /** Null = none, or not attested. */
  readonly script: RuleScript | null
  readonly policies: PolicyList | null
  readonly log: Logger
  /** Resolves when the entry is on disk; on rejection the user is asked. */
  readonly record: (entry: AuditEntry) => Promise<void>
}

/** The rules of a vault. */
export class Rules implements RuleJudge {
  readonly #deps: RulesDeps

  constructor(deps: RulesDeps) {
    this.#deps = deps
  }

  async judge(question: Question, request: string): Promise<Judgement> {
    const { script, policies, log } = this.#deps
    if (question.method === 'ui_approveNewAccount') return 'ask'
    try {
      const first = (await script?.judge(question)) ?? ASK
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
      await this.#deps.record(entry)
    } catch (error) {
      await this.failed(request)
      throw error
    }
  }

  async failed(request: string): Promise<void> {
    await this.#deps.policies?.failed(request)
  }

  async approved(request: string, signed: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#deps.policies?.signed(request, signed)
    await this.#deps.script?.tell('OnApprovedTx', signed)
  }

  async startedUp(info: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#deps.script?.tell('OnSignerStartup', info)
  }
}
