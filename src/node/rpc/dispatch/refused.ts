// Methods of the node family that this node omits on purpose: each answers with the reason, and the reference lists
// them.
import { RpcFault } from '../../rpc-fault'
import type { RpcMethod, RpcNamespace } from './method'

/** As many arguments as any of them has, so that the caller sees the reason rather than an argument error. */
const MAX_ARGUMENTS = 6

/** One method per name, all failing with `reason`. */
export function refusedMethods(reason: string, names: readonly string[]): RpcNamespace {
  const answer: RpcMethod = {
    parameters: { required: 0, total: MAX_ARGUMENTS },
    timeLimitMs: null,
    refusal: reason,
    call: () => {
      throw new RpcFault('RPC_FAILED', { reason })
    },
  }
  return Object.fromEntries(names.map((name) => [name, answer]))
}
