// Sends one answer for all payments of a table, and reads each outcome.
import { HeadframeError, messageOf } from '../../../../base/errors'
import type { DecidedManyView, RequestView } from '../../../../contract/signer'
import type { Backend } from '../../data/backend'
import { type GivenHere, type PageSide, prepared } from '../decision/page-approval'
import type { Outcome } from '../machine'

export type RowOutcomes = DecidedManyView['outcomes']

/** What the machine is told, and each payment's outcome; empty when no answer came. */
interface TableOutcome {
  readonly outcome: Outcome
  readonly rows: RowOutcomes
}

export async function approveTable(
  backend: Pick<Backend, 'call'>,
  requests: readonly RequestView[],
  given: GivenHere,
  page: PageSide,
): Promise<TableOutcome> {
  const ready = await prepared(backend, requests, given, page)
  if ('refusal' in ready) return { outcome: { kind: 'again', message: ready.refusal }, rows: [] }
  const { password, sealed, tokens } = ready
  try {
    const { outcomes } = await backend.call('signer.decideMany', {
      requests: requests.map(({ id, nonce, contentHash }, index) => {
        const token = tokens[index]
        return { id, nonce, contentHash, ...(token === undefined ? {} : { token }) }
      }),
      decision: 'approve',
      password,
      ...(sealed === null ? {} : { approval: sealed }),
    })
    return { outcome: outcomeOf(outcomes, requests.length), rows: outcomes }
  } catch (error: unknown) {
    const isLost = error instanceof HeadframeError && error.code === 'CONTRACT_CLOSED'
    return { outcome: { kind: 'final', phase: 'failed', message: isLost ? '' : messageOf(error) }, rows: [] }
  }
}

export async function rejectTable(
  backend: Pick<Backend, 'call'>,
  requests: readonly RequestView[],
): Promise<TableOutcome> {
  const { outcomes } = await backend.call('signer.decideMany', {
    requests: requests.map(({ id, nonce, contentHash }) => ({ id, nonce, contentHash })),
    decision: 'reject',
    password: null,
  })
  const waiting = outcomes.find(({ state }) => state === 'waiting')
  if (waiting !== undefined) return { outcome: { kind: 'again', message: waiting.error }, rows: [] }
  const hasSigned = outcomes.some(({ state }) => state === 'signed')
  return { outcome: { kind: 'final', phase: hasSigned ? 'failed' : 'refused', message: '' }, rows: outcomes }
}

function outcomeOf(outcomes: RowOutcomes, asked: number): Outcome {
  const waiting = outcomes.find(({ state }) => state === 'waiting')
  if (waiting !== undefined) return { kind: 'again', message: waiting.error }
  const isWhole = outcomes.length === asked && outcomes.every(({ state }) => state === 'signed')
  return { kind: 'final', phase: isWhole ? 'done' : 'failed', message: '' }
}
