// A rule out of a listing that was just allowed: the same caller gets the same addresses again without a question.
import type { CallerView } from '../../../../contract/signer'
import type { PolicyView } from '../../../../contract/signer-tools'
import type { Backend } from '../../data/backend'

const MAX_NAME = 100
const MAX_ORIGIN = 256

/** Only a page is identified by its origin; what other programs claim identifies nobody. */
export function canRemember({ transport, origin }: CallerView): boolean {
  return (transport === 'http' || transport === 'ipc') && origin !== '' && origin.length <= MAX_ORIGIN
}

/** @returns whether the rule is kept now */
export async function rememberListing(
  backend: Pick<Backend, 'call'>,
  { transport, origin }: CallerView,
  accounts: readonly string[],
): Promise<boolean> {
  const policy: PolicyView = {
    kind: 'listing',
    id: crypto.randomUUID(),
    name: origin.slice(0, MAX_NAME),
    enabled: true,
    expiresAt: null,
    callers: [{ scheme: transport === 'ipc' ? 'ipc' : 'http', origin }],
    accounts: [...accounts],
  }
  try {
    await backend.call('signer.putPolicy', { policy, was: null })
    return true
  } catch {
    return false // said to the user, with what was shared
  }
}
