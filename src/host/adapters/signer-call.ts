// How the node's accounts talk to a signer: calls of its external API, over any transport.
import type { RpcCaller } from '../../node/ports/accounts-port'

interface SignerCallOptions {
  /** Who called the node. */
  readonly caller: RpcCaller
  /** Aborted when the caller disconnects: the request is withdrawn. */
  readonly signal: AbortSignal
}

/** A call of the external API (`account_list`, ...), as long as the user takes. Rejects with the signer's own text. */
export type SignerCall = (method: string, params: readonly unknown[], options: SignerCallOptions) => Promise<unknown>
