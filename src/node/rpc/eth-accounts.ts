// eth_*: what needs a key. The question goes to whoever holds the accounts; a person may have to decide, so nothing here has
// a time limit of its own. Source: rpc.md 7
import { equalBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import type { AccountsCall, AccountsPort } from './accounts-port'
import { describeSigned, typeOf } from './described-transaction'
import { encodeTransaction } from './encoding'
import { RpcFault } from './errors'
import { DEFAULT_GAS, feeOf, fillTransaction, londonIsNotActive } from './filled-transaction'
import { type MethodContext, method, type RpcContext, type RpcNamespace } from './method'
import { addressParam, dataParam } from './params'
import { checkFee, checkRaw } from './send-rules'
import { type TransactionArguments, transactionParam } from './transaction-params'

const UNKNOWN_CALLER = { remote: 'NA', local: 'NA', userAgent: '', origin: '' }
const defaultGas = async () => DEFAULT_GAS

/** @throws RpcFault RPC_FAILED when nobody here has that account */
function holderOf(address: Uint8Array | null, { accounts }: RpcContext): AccountsPort {
  const known = accounts?.known() ?? null
  const isForeign = known !== null && !known.some((own) => address !== null && equalBytes(own, address))
  if (accounts === null || address === null || isForeign)
    throw new RpcFault('RPC_FAILED', { reason: 'unknown account' })
  return accounts
}

function callOf({ who, signal, transport }: MethodContext): AccountsCall {
  return { caller: who?.() ?? { transport, ...UNKNOWN_CALLER }, signal }
}

async function send(args: TransactionArguments, context: RpcContext, surroundings: MethodContext): Promise<string> {
  const holder = holderOf(args.from, context)
  const { node, locks, services } = context
  const from = args.from ?? new Uint8Array(20)
  const fillAndSend = async () => {
    surroundings.signal.throwIfAborted() // it may have waited for long: who has left would send it again
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
async function sign(args: TransactionArguments, context: RpcContext, surroundings: MethodContext) {
  const { node, services } = context
  const from = args.from ?? new Uint8Array(20)
  const filled = await fillTransaction(args, context, { nonce: () => node.reader.poolNonce(from), gas: defaultGas })
  checkFee(feeOf(filled), services.sending)
  const raw = await holderOf(args.from, context).signTransaction(filled, callOf(surroundings))
  return typeOf(filled) === 2 ? describeSigned(filled, raw) : toHex(raw)
}

export const ethAccounts: RpcNamespace = {
  eth_accounts: method({
    params: [],
    timeLimitMs: null,
    handler: async (_args, { accounts }, surroundings) =>
      accounts === null ? [] : (await accounts.list(callOf(surroundings))).map(toHex),
  }),
  eth_sign: method({
    params: [addressParam, dataParam],
    timeLimitMs: null,
    handler: async ([address, data], context, surroundings) =>
      toHex(await holderOf(address, context).signMessage(address, data, callOf(surroundings))),
  }),
  eth_signTransaction: method({
    params: [transactionParam],
    timeLimitMs: null,
    handler: ([args], context, surroundings) => sign(args, context, surroundings),
  }),
  eth_sendTransaction: method({
    params: [transactionParam],
    timeLimitMs: null,
    handler: ([args], context, surroundings) => send(args, context, surroundings),
  }),
  /** Executable pool transactions of the own accounts, as far as they were told. */
  eth_pendingTransactions: method({
    params: [],
    handler: async (_args, { node, accounts }) => {
      const own = new Set((accounts?.known() ?? []).map(toHex))
      const pending = own.size === 0 ? [] : await node.reader.pending()
      return pending.filter((tx) => own.has(toHex(tx.from))).map(encodeTransaction)
    },
  }),
}
