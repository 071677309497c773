// wallet_*: what pages ask of a wallet about the chain and their rights. One node has one chain, so nothing is added or switched.
// Source: EIP-2255, EIP-3085, EIP-3326
import { toQuantity } from '../../../base/quantity'
import { fail, ok } from '../../codec/result'
import { RpcFault } from '../../rpc-fault'
import { type Param, quantity64 } from '../arguments/params'
import { method, type RpcContext, type RpcNamespace } from '../dispatch/method'

/** `{ chainId }` of a chain's description; the rest of it is not needed. */
const chainParam: Param<bigint> = {
  absent: null,
  read: (value) => {
    if (typeof value !== 'object' || value === null || !('chainId' in value)) return fail('no object with a chainId')
    const read = quantity64.read(value.chainId)
    return read.ok ? ok(read.value) : fail(`chainId: ${read.error}`)
  },
}

/** What a page may do here: ask for accounts, each time with a question to a person. */
const PERMISSIONS = [{ parentCapability: 'eth_accounts', caveats: [] }] as const

/** @returns null, as the interface has it @throws RpcFault RPC_FAILED */
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
