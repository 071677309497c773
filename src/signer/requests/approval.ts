// What stands between a decision and its work: what an approval brings, what a try comes to, and what a kind of
// request must say of itself.
import type { HeadframeError } from '../../base/errors'
import type { Finding } from '../model/findings'
import type { Decider, RequestContent } from '../model/request'
import type { TransactionEdits } from '../model/transaction-edits'
import type { InputPort, Question } from '../ports'

/** A decision to sign, with what it brings along. */
export interface Approval {
  /** Of the request. */
  readonly id: string
  readonly by: Decider
  /** Wiped by the queue after the try. */
  readonly password: Uint8Array | null
  readonly accounts: readonly string[] | null
  readonly edits: TransactionEdits | null
  /** How long the account stays open afterwards; null or missing = not. */
  readonly keepMinutes?: number | null
  /** The line-based UI's whole answer to ui_approveTx: its transaction replaces the one that was asked for. */
  readonly answered: { readonly transaction: unknown } | null
  /** Whoever can be asked for a password now; null when it had to come with the decision. */
  readonly input: InputPort | null
}

/** What the record tells of an approval besides the content that it is for; never its password. */
export function onRecordOf({ by, edits, answered }: Approval): Pick<Approval, 'by'> & {
  readonly edits?: TransactionEdits
  readonly answered?: unknown
} {
  return { by, ...(edits === null ? {} : { edits }), ...(answered === null ? {} : { answered: answered.transaction }) }
}

/**
 * What one try came to. `retry` keeps the request waiting while tries are left; when none is left the caller gets
 * `final`.
 * `slow` tries (a wrong password) are delayed from the second on.
 */
export type Performed<R> =
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'denied' }
  | {
      readonly kind: 'retry'
      readonly reason: string
      readonly final: HeadframeError
      readonly slow: boolean
      /** Nothing was guessed: it costs no try. */
      readonly isFree?: true
    }

/** A request as its method hands it to the queue. `R` is what the caller gets when it is signed. */
export interface NewRequest<R> {
  readonly content: RequestContent
  /** The same for rules and the line-based UI. */
  readonly question: Question
  /** Why an approval cannot stand, null when it can. A refused one leaves the request waiting and costs no try. */
  readonly objection: (approval: Approval) => string | null
  /** The findings about it as edited. Missing where nothing can be edited. */
  readonly recheck?: (edits: TransactionEdits) => readonly Finding[]
  /** Last state when it is done. */
  readonly doneState: 'approved' | 'signed'
  /** Ends when the caller goes away. */
  readonly callerGone: AbortSignal
  /** Runs after a recorded approval, never before. Its result is dropped when `signal` has ended by then. */
  readonly perform: (approval: Approval, signal: AbortSignal) => Promise<Performed<R>>
  /** What the record tells of a result. */
  readonly summary: (result: R) => Readonly<Record<string, string>>
}
