// Turns a listing that was just allowed into a rule: the same caller gets the same addresses again without asking.
import type { CallerView } from '../../../../contract/signer'
import type { PolicyView } from '../../../../contract/signer-tools'
import type { Backend } from '../../data/backend'

const MAX_NAME = 100
const MAX_ORIGIN = 256

/** Only pages can be identified, by their origin; what other programs claim identifies nothing. */
export function canRemember({ transport, origin }: CallerView): boolean {
  return (transport === 'http' || transport === 'ipc') && origin !== '' && origin.length <= MAX_ORIGIN
}

/** @returns whether the rule was saved */
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
    await backend.call('signer.putPolicy', { policy, was: null, master: null })
    return true
  } catch {
    return false // the result tells the user what was shared
  }
}
