// What the own accounts sign and send: the question goes to whoever holds the key; a person may have to decide, so nothing here
// has a time limit of its own.
import { equalBytes } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import type { AccountsCall, AccountsPort } from '../../ports/accounts-port'
import { RpcFault } from '../../rpc-fault'
import { describeSigned, typeOf } from '../answers/described-transaction'
import type { TransactionArguments } from '../arguments/transaction-params'
import type { MethodContext, RpcContext } from '../dispatch/method'
import { DEFAULT_GAS, feeOf, fillTransaction, londonIsNotActive } from './filled-transaction'
import { checkFee, checkRaw } from './send-rules'

const UNKNOWN_CALLER = { remote: 'NA', local: 'NA', userAgent: '', origin: '' }
const defaultGas = async () => DEFAULT_GAS

/** @throws RpcFault RPC_FAILED when nobody here has that account */
export function holderOf(address: Uint8Array | null, { accounts }: RpcContext): AccountsPort {
  const known = accounts?.known() ?? null
  const isForeign = known !== null && !known.some((own) => address !== null && equalBytes(own, address))
  if (accounts === null || address === null || isForeign)
    throw new RpcFault('RPC_FAILED', { reason: 'unknown account' })
  return accounts
}

/** Who asks, and until when it is worth answering. */
export function callOf({ who, signal, transport }: MethodContext): AccountsCall {
  return { caller: who?.() ?? { transport, ...UNKNOWN_CALLER }, signal }
}

/** Fills, has it signed, and gives it to the pool; its hash as hex. @throws RpcFault RPC_FAILED, TXPOOL_REFUSED */
export async function sendFrom(
  args: TransactionArguments,
  context: RpcContext,
  surroundings: MethodContext,
): Promise<string> {
  const holder = holderOf(args.from, context)
  const { node, locks, services } = context
  const from = args.from ?? new Uint8Array(20)
  const fillAndSend = async () => {
    surroundings.signal.throwIfAborted() // it may have waited for long: a caller that has left would send it again
    const filled = await fillTransaction(args, context, {
      nonce: () => node.reader.poolNonce(from),
      gas: defaultGas,
    })
    if (filled.gasPrice === null) throw londonIsNotActive()
    checkFee(feeOf(filled), services.sending)
    const raw = await holder.signTransaction(filled, callOf(surroundings))
    checkRaw(raw, services.sending) // whoever approved it may have changed it
    return toHex(await node.addTransaction(raw))
  }
  // Only who leaves the nonce to the node has to wait for what was asked before.
  return args.nonce === null ? locks.run(toHex(from), fillAndSend) : fillAndSend()
}

/** The bytes; of a transaction with the fees of a later fork, which the interface text does not know, the reference's answer. */
export async function signFrom(args: TransactionArguments, context: RpcContext, surroundings: MethodContext) {
  const { node, services } = context
  const from = args.from ?? new Uint8Array(20)
  const filled = await fillTransaction(args, context, { nonce: () => node.reader.poolNonce(from), gas: defaultGas })
  checkFee(feeOf(filled), services.sending)
  const raw = await holderOf(args.from, context).signTransaction(filled, callOf(surroundings))
  return typeOf(filled) === 2 ? describeSigned(filled, raw) : toHex(raw)
}

/** What a transaction that is sent again shall cost; null = as before. */
export interface NewPrice {
  readonly gasPrice: bigint | null
  readonly gas: bigint | null
}

/**
 * Replaces a waiting transaction of an own account: the one in the pool that equals `args` is signed again with another price.
 * @throws RpcFault RPC_FAILED when none is waiting, TXPOOL_REFUSED when the price is not enough more
 */
export async function resendFrom(
  args: TransactionArguments,
  { gasPrice, gas }: NewPrice,
  context: RpcContext,
  surroundings: MethodContext,
): Promise<string> {
  if (args.nonce === null) throw new RpcFault('RPC_FAILED', { reason: 'missing transaction nonce in transaction spec' })
  holderOf(args.from, context)
  const { node } = context
  const sought = await fillTransaction(args, context, { nonce: async () => args.nonce ?? 0n, gas: defaultGas })
  const pending = await node.reader.pending()
  const waiting = pending.find(
    (tx) =>
      equalBytes(tx.from, sought.from) &&
      tx.nonce === sought.nonce &&
      (tx.to === null ? sought.to === null : sought.to !== null && equalBytes(tx.to, sought.to)) &&
      tx.value === sought.value &&
      equalBytes(tx.input, sought.data),
  )
  if (waiting === undefined) throw new RpcFault('RPC_FAILED', { reason: 'no such transaction is waiting in the pool' })
  const again: TransactionArguments = {
    ...args,
    gas: gas === null || gas === 0n ? sought.gas : gas,
    gasPrice: gasPrice === null || gasPrice === 0n ? sought.gasPrice : gasPrice,
  }
  return sendFrom(again, context, surroundings)
}
