// Completes a caller's transaction, and rejects contradictions. Source:
// prlx internal/prlapi/transaction_args.go for the order and the texts
import { equalBytes } from '../../../base/bytes'
import type { UnsignedTransaction } from '../../ports/accounts-port'
import { rpcFailed } from '../../rpc-fault'
import type { TransactionArguments } from '../arguments/transaction-params'
import type { RpcContext } from '../dispatch/method'

/** Gas of a transaction without one: the interface's default. */
const DEFAULT_GAS = 90_000n

/** @param gasOf called for a transaction without gas @throws RpcFault RPC_FAILED */
export async function fillTransaction(
  args: TransactionArguments,
  { network, node }: RpcContext,
  gasOf = async () => DEFAULT_GAS,
): Promise<UnsignedTransaction> {
  const gasPrice = await priceOf(args, () => node.reader.gasPrice())
  const data = payloadOf(args)
  const { to, maxFeePerGas, maxPriorityFeePerGas, accessList } = args
  const from = args.from ?? new Uint8Array(20)
  const chainId = BigInt(network.chainId)
  if (args.chainId !== null && args.chainId !== chainId)
    throw rpcFailed(`chainId does not match node's (have=${args.chainId}, want=${chainId})`)
  return {
    from,
    to,
    gas: args.gas ?? (await gasOf()),
    gasPrice,
    maxFeePerGas,
    maxPriorityFeePerGas,
    value: args.value ?? 0n,
    nonce: args.nonce ?? (await node.reader.poolNonce(from)),
    data,
    accessList,
    chainId,
  }
}

/** Maximum gas cost, wei. */
export function feeOf({ gas, gasPrice, maxFeePerGas }: UnsignedTransaction): bigint {
  return gas * (gasPrice ?? maxFeePerGas ?? 0n)
}

/** Null when both EIP-1559 fees are given: they can be signed, though no block accepts them yet. */
async function priceOf(args: TransactionArguments, suggested: () => Promise<bigint>): Promise<bigint | null> {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = args
  const hasFees = maxFeePerGas !== null || maxPriorityFeePerGas !== null
  if (gasPrice !== null && hasFees)
    throw rpcFailed('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified')
  if (maxFeePerGas !== null && maxPriorityFeePerGas !== null) {
    if (maxFeePerGas >= maxPriorityFeePerGas) return null
    throw rpcFailed(`maxFeePerGas (${maxFeePerGas}) < maxPriorityFeePerGas (${maxPriorityFeePerGas})`)
  }
  if (hasFees) throw rpcFailed(LONDON_IS_NOT_ACTIVE)
  return gasPrice ?? suggested()
}

/** The rejection of EIP-1559 fees, which no block accepts. */
export const LONDON_IS_NOT_ACTIVE = 'maxFeePerGas or maxPriorityFeePerGas specified but london is not active yet'

function payloadOf({ data, input, to }: TransactionArguments): Uint8Array {
  if (data !== null && input !== null && !equalBytes(data, input))
    throw rpcFailed('both "data" and "input" are set and not equal. Please use "input" to pass transaction call data')
  const payload = input ?? data ?? new Uint8Array(0)
  if (to === null && payload.length === 0) throw rpcFailed('contract creation without any data provided')
  return payload
}
