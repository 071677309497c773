// Completes a caller's transaction, and rejects contradictions. Source:
// prlx internal/prlapi/transaction_args.go for the order and the texts
import { equalBytes } from '../../../base/bytes'
import type { UnsignedTransaction } from '../../ports/accounts-port'
import { RpcFault } from '../../rpc-fault'
import type { TransactionArguments } from '../arguments/transaction-params'
import type { RpcContext } from '../dispatch/method'

/** Gas of a transaction without one: the interface's default. */
export const DEFAULT_GAS = 90_000n

const NO_SENDER = new Uint8Array(20)
const failed = (reason: string) => new RpcFault('RPC_FAILED', { reason })

/** Sources of omitted fields. */
interface FillOptions {
  /** Called when the caller gave no nonce. */
  readonly nonce: () => Promise<bigint>
  /** Called when the caller gave no gas. */
  readonly gas: () => Promise<bigint>
}

/** @throws RpcFault RPC_FAILED */
export async function fillTransaction(
  args: TransactionArguments,
  { network, node }: RpcContext,
  options: FillOptions,
): Promise<UnsignedTransaction> {
  const gasPrice = await priceOf(args, () => node.reader.gasPrice())
  const data = payloadOf(args)
  const chainId = BigInt(network.chainId)
  if (args.chainId !== null && args.chainId !== chainId)
    throw failed(`chainId does not match node's (have=${args.chainId}, want=${chainId})`)
  return {
    from: args.from ?? NO_SENDER,
    to: args.to,
    gas: args.gas ?? (await options.gas()),
    gasPrice,
    maxFeePerGas: args.maxFeePerGas,
    maxPriorityFeePerGas: args.maxPriorityFeePerGas,
    value: args.value ?? 0n,
    nonce: args.nonce ?? (await options.nonce()),
    data,
    accessList: args.accessList,
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
  if (gasPrice !== null && hasFees) throw failed('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified')
  if (maxFeePerGas !== null && maxPriorityFeePerGas !== null) {
    if (maxFeePerGas >= maxPriorityFeePerGas) return null
    throw failed(`maxFeePerGas (${maxFeePerGas}) < maxPriorityFeePerGas (${maxPriorityFeePerGas})`)
  }
  if (hasFees) throw londonIsNotActive()
  return gasPrice ?? suggested()
}

/** @returns the rejection of EIP-1559 fees, which no block accepts */
export function londonIsNotActive() {
  return failed('maxFeePerGas or maxPriorityFeePerGas specified but london is not active yet')
}

function payloadOf({ data, input, to }: TransactionArguments): Uint8Array {
  if (data !== null && input !== null && !equalBytes(data, input)) {
    const reason = 'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data'
    throw failed(reason)
  }
  const payload = input ?? data ?? new Uint8Array(0)
  if (to === null && payload.length === 0) throw failed('contract creation without any data provided')
  return payload
}
