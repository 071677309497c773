// The signer of this program, asked by the node on behalf of whoever asked the node: the person sees that caller.
import type { SignerService } from '../../signer/signer-service'
import type { SignerCall } from './signer-call'

/** @param signer whose queue the requests go to */
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
