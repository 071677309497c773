// The RPC front's own errors; dispatch.ts assigns their JSON-RPC numbers.
import { defineErrors } from '../base/errors'

export const RpcFault = defineErrors({
  RPC_PARSE: () => 'parse error',
  RPC_INVALID_REQUEST: (d: { reason: string }) => d.reason,
  RPC_METHOD_UNKNOWN: (d: { method: string }) => `the method ${d.method} does not exist/is not available`,
  RPC_INVALID_PARAMS: (d: { reason: string }) => d.reason,
  RPC_FAILED: (d: { reason: string }) => d.reason,
  /** The user rejected the request; EIP-1193 defines its number for wallets. */
  RPC_USER_REFUSED: (d: { reason: string }) => d.reason,
  /** A call that reverted with data. */
  RPC_REVERTED: (d: { reason: string; revertData: string }) => d.reason,
  /** Built-in contracts can't be moved so; `number` is the JSON-RPC error code. */
  RPC_SIMULATION_REFUSED: (d: { reason: string; number: number }) => d.reason,
  RPC_TIME_LIMIT: (d: { limitMs: number }) => `request was not answered within ${d.limitMs} ms`,
  RPC_CLIENT_GONE: () => 'the client went away',
  RPC_ANSWER_TOO_LARGE: () => 'response too large',
  RPC_SUBSCRIPTION_UNKNOWN: (d: { name: string; namespace: string }) =>
    `no "${d.name}" subscription in ${d.namespace} namespace`,
})

/** The method's own error. */
export function rpcFailed(reason: string) {
  return new RpcFault('RPC_FAILED', { reason })
}
