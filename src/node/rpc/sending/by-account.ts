// Signing and sending with own accounts: the signer decides, possibly by asking the user, so nothing here has a time
// limit.
import { equalBytes } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import type { AccountsCall, AccountsPort, UnsignedTransaction } from '../../ports/accounts-port'
import { rpcFailed } from '../../rpc-fault'
import { describeSigned, typeOf } from '../answers/described-transaction'
import type { TransactionArguments } from '../arguments/transaction-params'
import type { MethodContext, RpcContext } from '../dispatch/method'
import { checkFee, checkRaw } from './send-rules'

// Completes a caller's transaction, and rejects contradictions. Source:
// prlx internal/prlapi/transaction_args.go for the order and the texts

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
function feeOf({ gas, gasPrice, maxFeePerGas }: UnsignedTransaction): bigint {
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
const LONDON_IS_NOT_ACTIVE = 'maxFeePerGas or maxPriorityFeePerGas specified but london is not active yet'

function payloadOf({ data, input, to }: TransactionArguments): Uint8Array {
  if (data !== null && input !== null && !equalBytes(data, input))
    throw rpcFailed('both "data" and "input" are set and not equal. Please use "input" to pass transaction call data')
  const payload = input ?? data ?? new Uint8Array(0)
  if (to === null && payload.length === 0) throw rpcFailed('contract creation without any data provided')
  return payload
}

const UNKNOWN_CALLER = { remote: 'NA', local: 'NA', userAgent: '', origin: '' }

/** @throws RpcFault RPC_FAILED when the account isn't held here */
export function holderOf(address: Uint8Array | null, { accounts }: RpcContext): AccountsPort {
  const known = accounts?.known() ?? null
  const isForeign = known !== null && !known.some((own) => address !== null && equalBytes(own, address))
  if (accounts === null || address === null || isForeign) throw rpcFailed('unknown account')
  return accounts
}

export function callOf({ who, signal, transport }: MethodContext): AccountsCall {
  return { caller: who?.() ?? { transport, ...UNKNOWN_CALLER }, signal }
}

/** Completes a transaction, has it signed, adds it to the pool; its hash. @throws RpcFault RPC_FAILED, TXPOOL_REFUSED */
export async function sendFrom(args: TransactionArguments, context: RpcContext, surroundings: MethodContext) {
  const holder = holderOf(args.from, context)
  const { node, locks, services, network } = context
  const fillAndSend = async () => {
    surroundings.signal.throwIfAborted() // approval may have taken long: a caller that disconnected would send it again
    const filled = await fillTransaction(args, context)
    if (filled.gasPrice === null) throw rpcFailed(LONDON_IS_NOT_ACTIVE)
    checkFee(feeOf(filled), services.sending)
    const raw = await holder.signTransaction(filled, callOf(surroundings))
    checkRaw(raw, services.sending, network.chainId) // whoever approved it may have edited it
    return toHex(await node.addTransaction(raw))
  }
  // Only calls that leave the nonce to the node have to wait for earlier ones.
  return args.nonce === null ? locks.run(toHex(args.from ?? new Uint8Array(20)), fillAndSend) : fillAndSend()
}

/** The bytes; for a transaction with EIP-1559 fees, which the interface text doesn't cover, prlx's answer. */
export async function signFrom(args: TransactionArguments, context: RpcContext, surroundings: MethodContext) {
  const filled = await fillTransaction(args, context)
  checkFee(feeOf(filled), context.services.sending)
  const raw = await holderOf(args.from, context).signTransaction(filled, callOf(surroundings))
  return typeOf(filled) === 2 ? describeSigned(filled, raw) : toHex(raw)
}

/** The pool's transaction that equals `args`, with another price; null = unchanged. @throws RpcFault, TXPOOL_REFUSED */
export async function resendFrom(
  args: TransactionArguments,
  { gasPrice, gas }: Pick<TransactionArguments, 'gasPrice' | 'gas'>,
  context: RpcContext,
  surroundings: MethodContext,
): Promise<string> {
  if (args.nonce === null) throw rpcFailed('missing transaction nonce in transaction spec')
  holderOf(args.from, context)
  const sought = await fillTransaction(args, context)
  const waiting = await context.node.reader.waiting(sought.from, sought.nonce)
  const isSame =
    waiting !== null &&
    (waiting.to === null ? sought.to === null : sought.to !== null && equalBytes(waiting.to, sought.to)) &&
    waiting.value === sought.value &&
    equalBytes(waiting.input, sought.data)
  if (!isSame) throw rpcFailed('no such transaction is waiting in the pool')
  const again = { gas: gas || sought.gas, gasPrice: gasPrice || sought.gasPrice }
  return sendFrom({ ...args, ...again }, context, surroundings)
}
