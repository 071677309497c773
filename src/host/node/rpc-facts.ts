// What a client of the node's JSON-RPC may know without asking it.
import { createMethodTable } from '../../node/rpc/methods/all-methods'

/** Full names of all methods, sorted; `--http.api` decides which of them a node serves. */
export function rpcMethodNames(): readonly string[] {
  return [...createMethodTable().keys()].sort()
}
