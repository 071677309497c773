// One answer for several requests reviewed together. Each is still decided on its own: with its own one-time value and
// content hash, its own log entries, and its own outcome.
import type { ApprovalToken, SealedPassword } from '../../base/approvals'
import { secretCopy, wipe } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import { SignerError } from '../errors'
import { isCritical } from '../model/findings'
import type { Decision, DecisionOutcome, SignerRequest } from '../model/request'

/** A request, and what was seen of it; `token` of a page that has unlocked the account. */
type SeenRequest = Pick<Decision, 'id' | 'nonce' | 'contentHash'> & {
  readonly token?: ApprovalToken | null | undefined
}

interface SharedDecision extends Pick<Decision, 'decision' | 'password'> {
  /** A password that a page sealed for all of them; null = none. */
  readonly sealed: SealedPassword | null
  readonly by?: 'window' | 'command'
}

interface DecidedRequest extends DecisionOutcome {
  readonly id: string
}

interface ManyDecider {
  requests(): readonly SignerRequest[]
  decide(decision: Decision, by?: 'window' | 'command'): Promise<DecisionOutcome>
}

/**
 * Decides them in the given order. If the first password is wrong, that request is reported as `waiting` and no other
 * is touched, so that a typo costs one attempt. One that can't be decided is `failed` with the reason, and the others
 * continue.
 * @param shared its password is wiped
 */
export async function decideMany(
  signer: ManyDecider,
  seen: readonly SeenRequest[],
  shared: SharedDecision,
): Promise<readonly DecidedRequest[]> {
  const { decision, password, sealed, by } = shared
  const outcomes: DecidedRequest[] = []
  try {
    for (const { id, nonce, contentHash, token = null } of seen) {
      const own = password === null ? null : secretCopy(password)
      const one = { id, nonce, contentHash, decision, password: own, accounts: null, approval: sealed ?? token }
      const outcome = await decideOne(signer, one, by)
      outcomes.push({ id, ...outcome })
      if (outcome.state === 'waiting') break
    }
  } finally {
    if (password !== null) wipe(password)
  }
  return outcomes
}

async function decideOne(signer: ManyDecider, decision: Decision, by?: SharedDecision['by']): Promise<DecisionOutcome> {
  const { id } = decision
  try {
    const request = signer.requests().find((each) => each.id === id)
    const reason = decision.decision === 'approve' && request !== undefined ? aloneBecause(request) : null
    if (reason !== null) {
      if (decision.password !== null) wipe(decision.password)
      throw new SignerError('SIGNER_DECISION_REFUSED', { id, reason })
    }
    return await signer.decide(decision, by)
  } catch (error) {
    return { state: 'failed', error: messageOf(error) }
  }
}

/** Why a request can't be approved together with others; null when it can: a payment that is understood. */
function aloneBecause({ kind, findings, notUnderstood = [] }: SignerRequest): string | null {
  if (kind !== 'signTransaction') return 'only payments are decided together'
  if (isCritical(findings)) return 'what is critical is decided alone'
  return notUnderstood.length > 0 ? "what isn't understood is decided alone" : null
}
