// Refusals of the RPC front itself; error-map.ts gives them their JSON-RPC numbers.
import { defineErrors } from '../../base/errors'

export const RpcFault = defineErrors({
  RPC_PARSE: () => 'parse error',
  RPC_INVALID_REQUEST: (d: { reason: string }) => d.reason,
  RPC_METHOD_UNKNOWN: (d: { method: string }) => `the method ${d.method} does not exist/is not available`,
  RPC_INVALID_PARAMS: (d: { reason: string }) => d.reason,
  RPC_FAILED: (d: { reason: string }) => d.reason,
})
