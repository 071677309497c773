// How the node's accounts speak to a signer: calls of its external API, whichever way they get there.
import type { RpcCaller } from '../../node/ports/accounts-port'

export interface SignerCallOptions {
  /** Who asked the node. */
  readonly caller: RpcCaller
  /** Aborted when the asker went away: the request is withdrawn. */
  readonly signal: AbortSignal
}

/**
 * One call of the external API (`account_list`, ...); waits as long as a person takes.
 * Rejects with a HeadframeError whose text is the signer's own.
 */
export type SignerCall = (method: string, params: readonly unknown[], options: SignerCallOptions) => Promise<unknown>
