// Lets the node use this program's signer on behalf of its callers: the user sees the original caller.
import type { SignerService } from '../../signer/signer-service'
import type { SignerCall } from './signer-call'

/** @param signer receives the requests */
export function embeddedSigner(signer: Pick<SignerService, 'submit'>): SignerCall {
  return (method, params, { caller, signal }) => {
    const { transport, remote, local, userAgent, origin } = caller
    const shown = {
      transport: transport === 'ipc' ? ('ipc' as const) : ('http' as const),
      remote,
      local,
      userAgent,
      origin,
    }
    return signer.submit({ method, params }, { caller: shown, callerGone: signal })
  }
}
