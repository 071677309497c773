// Sends one decision and converts its answer for the machine.
import { HeadframeError, messageOf } from '../../../../base/errors'
import type { DecisionView, RequestView } from '../../../../contract/signer'
import type { EditsView } from '../../../../contract/signer-tools'
import type { Backend } from '../../data/backend'
import type { Outcome } from '../machine'
import { type GivenHere, type PageSide, prepared } from './page-approval'

type DecisionState = RequestView['state']

/** What an approval carries besides the request's identity. */
interface Given extends GivenHere {
  /** The ticked addresses of a listing. */
  readonly accounts: readonly string[] | null
  readonly edits: EditsView | null
}

export async function approve(
  backend: Pick<Backend, 'call'>,
  request: RequestView,
  given: Given,
  page: PageSide,
): Promise<Outcome> {
  const { accounts, edits } = given
  const ready = await prepared(backend, [request], given, page)
  if ('refusal' in ready) return { kind: 'again', message: ready.refusal }
  const approval = ready.sealed ?? ready.tokens[0] ?? null
  return send(backend, {
    ...identityOf(request),
    decision: 'approve',
    password: ready.password,
    accounts: accounts === null ? null : [...accounts],
    edits,
    ...(approval === null ? {} : { approval }),
  })
}

export async function reject(backend: Pick<Backend, 'call'>, request: RequestView): Promise<Outcome> {
  return send(backend, { ...identityOf(request), decision: 'reject', password: null, accounts: null })
}

function identityOf({ id, nonce, contentHash }: RequestView): Pick<DecisionView, 'id' | 'nonce' | 'contentHash'> {
  return { id, nonce, contentHash }
}

async function send(backend: Pick<Backend, 'call'>, decision: DecisionView): Promise<Outcome> {
  try {
    const { state, error } = await backend.call('signer.decide', decision)
    return outcomeOf(state, error)
  } catch (error: unknown) {
    const isLost = error instanceof HeadframeError && error.code === 'CONTRACT_CLOSED'
    return { kind: 'final', phase: 'failed', message: isLost ? '' : messageOf(error) }
  }
}

function outcomeOf(state: DecisionState, error: string): Outcome {
  switch (state) {
    case 'waiting':
      return { kind: 'again', message: error }
    case 'approved':
    case 'signed':
      return { kind: 'final', phase: 'done', message: '' }
    case 'rejected':
      return { kind: 'final', phase: 'refused', message: error }
    default:
      return { kind: 'final', phase: state, message: error }
  }
}
