// Combines the attested script and the policies: the script decides first, policies what it leaves open. Every decision
// without the user is on disk before it counts.
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { AuditEntry } from '../audit/audit-entry'
import type { Judgement, Question, RuleJudge } from '../ports'
import type { PolicyList } from './policy-list'
import { ASK, type RuleScript } from './rule-script'

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
