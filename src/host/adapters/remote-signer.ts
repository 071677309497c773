// A signer in another process (`--signer URL|IPC`): hanging up a local socket's connection cancels exactly its call.
import { z } from 'zod'
import { messageOf } from '../../base/errors'
import { jsonOrNull } from '../../base/json-text'
import type { Service } from '../../base/lifecycle'
import { onAbort } from '../../base/on-abort'
import { type Clock, within } from '../../base/time'
import { rpcExchange, shownTarget } from '../../net/rpc-client'
import { RpcFault } from '../../node/rpc-fault'
import { HostError } from '../errors'
import type { SignerCall } from './signer-call'

/** More than any answer of the external API. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024

/** How long a signer may take to say that it is there. */
const PROBE_MS = 10_000

const answerSchema = z.union([
  z.object({ id: z.literal(1).nullable(), error: z.object({ message: z.string() }) }),
  z.object({ id: z.literal(1), result: z.unknown() }).refine((answer) => answer.result !== undefined),
])

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
    const answer = answerSchema.safeParse(jsonOrNull(text))
    if (!answer.success) throw failed(`the signer at ${shownTarget(target)} did not answer with JSON-RPC`)
    if ('error' in answer.data) throw failed(answer.data.error.message)
    return answer.data.result
  }
}

/** Asks a remote signer once, at the start, whether it is there: a node that can't sign would only say so to a caller. */
export class SignerProbe implements Service {
  readonly name = 'remote-signer'

  /** @param target as `remoteSigner` takes it */
  constructor(
    private readonly target: string,
    private readonly clock: Clock,
  ) {}

  /** @throws HostError HOST_SIGNER_UNREACHABLE */
  async start(signal: AbortSignal): Promise<void> {
    const target = shownTarget(this.target)
    const given = new AbortController()
    const caller = { transport: 'ipc', remote: 'NA', local: 'NA', userAgent: 'headframe', origin: '' } as const
    const asked = remoteSigner(this.target)('account_version', [], { caller, signal: given.signal })
    const held = onAbort(signal, () => given.abort(signal.reason))
    const reason = await within(asked, PROBE_MS, this.clock)
      .then((isThere) => (isThere ? null : `no answer within ${PROBE_MS / 1000} s`), messageOf)
      .finally(() => {
        held.dispose()
        given.abort()
      })
    signal.throwIfAborted()
    if (reason !== null) throw new HostError('HOST_SIGNER_UNREACHABLE', { target, reason })
  }

  async stop(): Promise<void> {
    // It asked once.
  }
}
