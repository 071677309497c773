// net_*, web3_*, rpc_* and wallet_*: identity of this node, and what web pages ask a wallet. A node has one chain, so
// none can be added or switched. Source: EIP-2255, EIP-3085, EIP-3326
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import { keccak256 } from '../../codec/keccak'
import { fail } from '../../codec/result'
import { rpcFailed } from '../../rpc-fault'
import { dataParam, type Param, quantity64 } from '../arguments/params'
import { method, type RpcNamespace } from '../dispatch/method'

/** `{ chainId }` of a chain description; the rest isn't needed. */
const chainParam: Param<bigint> = {
  type: 'chain: an object with chainId',
  read: (value) => {
    if (typeof value !== 'object' || value === null || !('chainId' in value)) return fail('no object with a chainId')
    const read = quantity64.read(value.chainId)
    return read.ok ? read : fail(`chainId: ${read.error}`)
  },
}

/** Null, as specified, for this chain. */
const onlyThisChain = method({
  params: [chainParam],
  handler: ([asked], { network }) => {
    if (asked === BigInt(network.chainId)) return null
    throw rpcFailed(`this node serves chain ${toQuantity(network.chainId)} alone, not ${toQuantity(asked)}`)
  },
})

export const identityNamespaces: RpcNamespace = {
  net_version: method({ params: [], handler: (_args, { network }) => String(network.networkId) }),
  net_listening: method({ params: [], handler: () => true }),
  net_peerCount: method({ params: [], handler: (_args, { services }) => toQuantity(services.peers?.count() ?? 0) }),
  web3_clientVersion: method({
    params: [],
    handler: (_args, { network }) =>
      `${network.clientName}/${process.platform}-${process.arch}/node${process.versions.node}`,
  }),
  web3_sha3: method({ params: [dataParam], handler: ([data]) => toHex(keccak256(data)) }),
  rpc_modules: method({
    params: [],
    handler: (_args, { modules }) => Object.fromEntries(modules.map((name) => [name, '1.0'])),
  }),
  wallet_addEthereumChain: onlyThisChain,
  wallet_switchEthereumChain: onlyThisChain,
  /** What a page may do here: request accounts, each time with the user's approval. */
  wallet_getPermissions: method({
    params: [],
    handler: () => [{ parentCapability: 'eth_accounts', caveats: [] }],
  }),
}
