// One request while it is queued, and the views of it.
import { timingSafeEqual } from 'node:crypto'
import type { HeadframeError } from '../../base/errors'
import type { Finding } from '../model/findings'
import type { Decider, Decision, DecisionOutcome, SignerRequest } from '../model/request'
import type { TransactionEdits } from '../model/transaction-edits'
import type { InputPort, Question } from '../ports'
import type { Approval, Performed } from './approval'

/** Who decides, if not the user in a window. */
export interface DecisionSource {
  readonly by: Decider
  readonly input: InputPort | null
  readonly answered: Approval['answered']
}

export const WINDOW: DecisionSource = { by: 'window', input: null, answered: null }

/** Mutable state of one request; only the queue changes it. */
export interface Entry {
  view: SignerRequest
  /** Of its caller. */
  readonly key: string
  readonly question: Question
  readonly objection: (approval: Approval) => string | null
  readonly recheck: (edits: TransactionEdits) => readonly Finding[]
  readonly perform: (approval: Approval, signal: AbortSignal) => Promise<Performed<unknown>>
  readonly summary: (result: unknown) => Readonly<Record<string, string>>
  readonly doneState: 'approved' | 'signed'
  readonly over: AbortController
  readonly resolve: (result: unknown) => void
  readonly reject: (error: HeadframeError) => void
  /** Its content is too long for the audit log before anyone approves it. */
  readonly isCut: boolean
  slowTries: number
  /** A password is being asked for after the approval: time keeps running. */
  isAsking: boolean
}

/** Combines the decision with who made it. */
export function approvalOf({ id, password, accounts, edits, keepMinutes }: Decision, source: DecisionSource): Approval {
  return { ...source, id, password, accounts, edits: edits ?? null, keepMinutes: keepMinutes ?? null }
}

/** The decider's answer. The error is empty unless the work failed or was rejected. */
export function outcome(entry: Entry): DecisionOutcome {
  const { state, lastError } = entry.view
  return { state, error: state === 'signed' || state === 'approved' ? '' : lastError }
}

/** Compares in constant time, so that a nonce can't be guessed character by character. */
export function sameText(given: string, expected: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
