// net_*, web3_* and rpc_*: identity of this node.
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import { keccak256 } from '../../codec/keccak'
import { dataParam } from '../arguments/params'
import { method, type RpcNamespace } from '../dispatch/method'

export const netNamespace: RpcNamespace = {
  net_version: method({ params: [], handler: (_args, { network }) => String(network.networkId) }),
  net_listening: method({ params: [], handler: () => true }),
  net_peerCount: method({ params: [], handler: (_args, { services }) => toQuantity(services.peers?.count() ?? 0) }),
}

export const web3Namespace: RpcNamespace = {
  web3_clientVersion: method({
    params: [],
    handler: (_args, { network }) =>
      `${network.clientName}/${process.platform}-${process.arch}/node${process.versions.node}`,
  }),
  web3_sha3: method({ params: [dataParam], handler: ([data]) => toHex(keccak256(data)) }),
}

export const rpcNamespace: RpcNamespace = {
  rpc_modules: method({
    params: [],
    handler: (_args, { modules }) => Object.fromEntries(modules.map((name) => [name, '1.0'])),
  }),
}
