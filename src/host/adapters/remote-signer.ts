// A signer in another process (`--signer URL|IPC`): JSON-RPC over HTTP, or over a local socket with one connection per
// call, so that hanging up cancels exactly that call.
import { z } from 'zod'
import { messageOf } from '../../base/errors'
import { rpcExchange, shownTarget } from '../../net/rpc-client'
import { RpcFault } from '../../node/rpc-fault'
import type { SignerCall } from './signer-call'

/** More than any answer of the external API. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
})

const failed = (reason: string) => new RpcFault('RPC_FAILED', { reason })

/** @param target `http://...`, `https://...`, or the path of a socket */
export function remoteSigner(target: string): SignerCall {
  const exchange = rpcExchange(target, MAX_ANSWER_BYTES)
  return async (method, params, { signal }) => {
    signal.throwIfAborted()
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const text = await exchange(body, signal).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : failed(`signer ${messageOf(error)}`)
    })
    const answer = answerSchema.safeParse(parsed(text))
    if (!answer.success) throw failed(`the signer at ${shownTarget(target)} did not answer with JSON-RPC`)
    if (answer.data.error !== undefined) throw failed(answer.data.error.message)
    return answer.data.result ?? null
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // the schema reports what is wrong
  }
}
