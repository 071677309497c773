// Between a decision and its work: what an approval contains, the outcome of an attempt, and what each kind of request
// defines.
import type { GivenApproval } from '../../base/approvals'
import type { HeadframeError } from '../../base/errors'
import type { RequestAside } from '../checks/payees'
import type { Finding } from '../model/findings'
import type { Decider, RequestContent } from '../model/request'
import type { TransactionEdits } from '../model/transaction-edits'
import type { InputPort, Question } from '../ports'

/** A decision to sign, with its inputs. */
export interface Approval {
  readonly id: string
  readonly by: Decider
  /** Wiped by the queue after the attempt. */
  readonly password: Uint8Array | null
  readonly accounts: readonly string[] | null
  readonly edits: TransactionEdits | null
  /** Of a page, for exactly this content; null = none. */
  readonly given: GivenApproval | null
  /** The line-based UI's full answer to ui_approveTx: its transaction replaces the requested one. */
  readonly answered: { readonly transaction: unknown } | null
  /** Asks for a password now; null when it had to come with the decision. */
  readonly input: InputPort | null
}

/** What the audit log says about an approval besides its content; never its password. */
export function onRecordOf({ by, edits, answered }: Approval): Pick<Approval, 'by'> & {
  readonly edits?: TransactionEdits
  readonly answered?: unknown
} {
  return { by, ...(edits === null ? {} : { edits }), ...(answered === null ? {} : { answered: answered.transaction }) }
}

/**
 * The outcome of an attempt. `retry` keeps the request waiting while attempts are left; then the caller gets `final`.
 * `slow` attempts (a wrong password) are delayed from the second on.
 */
export type Performed<R> =
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'denied' }
  | {
      readonly kind: 'retry'
      readonly reason: string
      readonly final: HeadframeError
      readonly slow: boolean
      /** Nothing was guessed: it doesn't count as an attempt. */
      readonly isFree?: true
    }

/** A request as passed to the queue. `R` is the caller's result once it is signed. */
export interface NewRequest<R> {
  readonly content: RequestContent
  readonly aside?: RequestAside
  /** The same for rules and the line-based UI. */
  readonly question: Question
  /**
   * Why an approval is invalid, null when it is valid. A rejected one leaves the request waiting and doesn't count as
   * an attempt.
   */
  readonly objection: (approval: Approval) => string | null
  /** The findings about it as edited. Missing when nothing can be edited. */
  readonly recheck?: (edits: TransactionEdits) => readonly Finding[]
  readonly doneState: 'approved' | 'signed'
  /** Aborts when the caller disconnects. */
  readonly callerGone: AbortSignal
  /** Runs after a recorded approval, never before. Its result is dropped if `signal` has aborted by then. */
  readonly perform: (approval: Approval, signal: AbortSignal) => Promise<Performed<R>>
  /** What the audit log says about a result. */
  readonly summary: (result: R) => Readonly<Record<string, string>>
}
