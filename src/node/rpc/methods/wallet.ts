// wallet_*: what web pages ask a wallet about its chain and permissions. A node has one chain, so none can be added or
// switched. Source: EIP-2255, EIP-3085, EIP-3326
import { toQuantity } from '../../../base/quantity'
import { fail, ok } from '../../codec/result'
import { RpcFault } from '../../rpc-fault'
import { type Param, quantity64 } from '../arguments/params'
import { method, type RpcContext, type RpcNamespace } from '../dispatch/method'

/** `{ chainId }` of a chain description; the rest isn't needed. */
const chainParam: Param<bigint> = {
  type: 'chain: an object with chainId',
  read: (value) => {
    if (typeof value !== 'object' || value === null || !('chainId' in value)) return fail('no object with a chainId')
    const read = quantity64.read(value.chainId)
    return read.ok ? ok(read.value) : fail(`chainId: ${read.error}`)
  },
}

/** What a page may do here: request accounts, each time with the user's approval. */
const PERMISSIONS = [{ parentCapability: 'eth_accounts', caveats: [] }] as const

/** @returns null, as specified @throws RpcFault RPC_FAILED */
function onlyThisChain(asked: bigint, { network }: RpcContext): null {
  if (asked === BigInt(network.chainId)) return null
  const reason = `this node serves chain ${toQuantity(network.chainId)} alone, not ${toQuantity(asked)}`
  throw new RpcFault('RPC_FAILED', { reason })
}

export const walletNamespace: RpcNamespace = {
  wallet_addEthereumChain: method({
    params: [chainParam],
    handler: ([chain], context) => onlyThisChain(chain, context),
  }),
  wallet_switchEthereumChain: method({
    params: [chainParam],
    handler: ([chain], context) => onlyThisChain(chain, context),
  }),
  wallet_getPermissions: method({ params: [], handler: () => PERMISSIONS }),
}
