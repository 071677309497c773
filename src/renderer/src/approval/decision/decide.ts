// Sends one decision and converts its answer for the machine.
import { HeadframeError, messageOf } from '../../../../base/errors'
import type { DecisionView, RequestView } from '../../../../contract/signer'
import type { EditsView } from '../../../../contract/signer-tools'
import type { Backend } from '../../data/backend'
import { toBase64 } from '../../format/secret-bytes'
import type { Outcome } from '../machine'

type DecisionState = RequestView['state']

/** What an approval carries besides the request's identity. */
interface Given {
  /** UTF-8 bytes, wiped here; null if none is needed. */
  readonly password: Uint8Array | null
  /** The ticked addresses of a listing. */
  readonly accounts: readonly string[] | null
  readonly edits: EditsView | null
  /** How long the account stays unlocked afterwards; null = it doesn't. */
  readonly keepMinutes: 5 | 15 | null
}

export async function approve(
  backend: Pick<Backend, 'call'>,
  request: RequestView,
  { password, accounts, edits, keepMinutes }: Given,
): Promise<Outcome> {
  const encoded = password === null ? null : toBase64(password)
  password?.fill(0)
  return send(backend, {
    ...identityOf(request),
    decision: 'approve',
    password: encoded,
    accounts: accounts === null ? null : [...accounts],
    edits,
    ...(keepMinutes === null ? {} : { keepMinutes }),
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
