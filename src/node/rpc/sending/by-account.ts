// Signing and sending with own accounts: the signer decides, possibly by asking the user, so nothing here has a time
// limit.
import { equalBytes } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import type { AccountsCall, AccountsPort } from '../../ports/accounts-port'
import { rpcFailed } from '../../rpc-fault'
import { describeSigned, typeOf } from '../answers/described-transaction'
import type { TransactionArguments } from '../arguments/transaction-params'
import type { MethodContext, RpcContext } from '../dispatch/method'
import { feeOf, fillTransaction, LONDON_IS_NOT_ACTIVE } from './filled-transaction'
import { checkFee, checkRaw } from './send-rules'

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

/**
 * Signs the pool's transaction that equals `args` again with another price; null = unchanged.
 * @throws RpcFault RPC_FAILED when there is none, TXPOOL_REFUSED when the price isn't raised enough
 */
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
