// eth_*: sending, signing and completing transactions.
// Source of eth_fillTransaction: prlx internal/prlapi (FillTransaction)
import { z } from 'zod'
import { equalBytes } from '../../../../base/bytes'
import { toHex } from '../../../../base/hex'
import { personalHash, recoverAddress } from '../../../model/sender'
import type { AccountsCall, AccountsPort, UnsignedTransaction } from '../../../ports/accounts-port'
import { RpcFault, rpcFailed } from '../../../rpc-fault'
import { describeSigned, describeUnsigned, typeOf } from '../../answers/described-transaction'
import { callOfArguments } from '../../arguments/call-params'
import {
  addressParam,
  dataParam,
  documentParam,
  messageParam,
  optional,
  type Param,
  quantity64,
  quantity256,
  textParam,
} from '../../arguments/params'
import { type TransactionArguments, transactionParam } from '../../arguments/transaction-params'
import {
  type MethodContext,
  method,
  type RpcContext,
  type RpcMethod,
  type RpcNamespace,
  refusedMethods,
  untimed,
} from '../../dispatch/method'
import { checkFee, checkRaw } from '../../sending/send-rules'
import { poolContent } from '../txpool'

// Completes a caller's transaction, and rejects contradictions. Source:
// prlx internal/prlapi/transaction_args.go for the order and the texts

/** Gas of a transaction without one: the interface's default. */
const DEFAULT_GAS = 90_000n

/** @param gasOf called for a transaction without gas @throws RpcFault RPC_FAILED */
async function fillTransaction(
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
function holderOf(address: Uint8Array | null, { accounts }: RpcContext): AccountsPort {
  const known = accounts?.known() ?? null
  const isForeign = known !== null && !known.some((own) => address !== null && equalBytes(own, address))
  if (accounts === null || address === null || isForeign) throw rpcFailed('unknown account')
  return accounts
}

function callOf({ who, signal, transport }: MethodContext): AccountsCall {
  return { caller: who?.() ?? { transport, ...UNKNOWN_CALLER }, signal }
}

/** Completes a transaction, has it signed, adds it to the pool; its hash. @throws RpcFault RPC_FAILED, TXPOOL_REFUSED */
async function sendFrom(args: TransactionArguments, context: RpcContext, surroundings: MethodContext) {
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
async function signFrom(args: TransactionArguments, context: RpcContext, surroundings: MethodContext) {
  const filled = await fillTransaction(args, context)
  checkFee(feeOf(filled), context.services.sending)
  const raw = await holderOf(args.from, context).signTransaction(filled, callOf(surroundings))
  return typeOf(filled) === 2 ? describeSigned(filled, raw) : toHex(raw)
}

/** The pool's transaction that equals `args`, with another price; null = unchanged. @throws RpcFault, TXPOOL_REFUSED */
async function resendFrom(
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

/** The accounts that the user agrees to share; none when rejected. */
const listAccounts = untimed([], async (_args, { accounts }, caller) =>
  accounts === null ? [] : (await accounts.list(callOf(caller))).map(toHex),
)

/** Scripts for the family send a password; it is parsed, never used or stored. */
const unusedPassword: Param<string | null> = optional<string | null>(textParam, null)
const SIGNATURE_BYTES = 65

const send: RpcMethod = untimed([transactionParam, unusedPassword], ([args], context, caller) =>
  sendFrom(args, context, caller),
)

export const personalNamespace: RpcNamespace = {
  personal_sign: untimed([messageParam, addressParam, unusedPassword], async ([message, address], context, caller) =>
    toHex(await holderOf(address, context).signMessage(address, message, callOf(caller))),
  ),
  personal_ecRecover: method({
    params: [messageParam, dataParam],
    handler: ([message, signature]) => toHex(signerOf(message, signature)),
  }),
  personal_listAccounts: listAccounts,
  personal_sendTransaction: send,
  /** Its older name. */
  personal_signAndSendTransaction: send,
  personal_signTransaction: untimed([transactionParam, unusedPassword], ([args], context, caller) =>
    signFrom(args, context, caller),
  ),
  ...refusedMethods('accounts are created in the signer: headframe account new, or account_new', [
    'personal_newAccount',
    'personal_importRawKey',
  ]),
  ...refusedMethods('a person approves each signature; --unlock opens accounts at startup', [
    'personal_unlockAccount',
    'personal_lockAccount',
  ]),
  ...refusedMethods('hardware wallets belong to the signer', [
    'personal_openWallet',
    'personal_deriveAccount',
    'personal_initializeWallet',
    'personal_unpair',
    'personal_listWallets',
  ]),
}

/** 20 bytes. @param signature r, s and 27 or 28 @throws RpcFault RPC_FAILED */
function signerOf(message: Uint8Array, signature: Uint8Array): Uint8Array {
  if (signature.length !== SIGNATURE_BYTES) throw rpcFailed(`signature must be ${SIGNATURE_BYTES} bytes long`)
  const parity = (signature[64] ?? 0) - 27
  if (parity !== 0 && parity !== 1) throw rpcFailed('invalid Parallax signature (V is not 27 or 28)')
  const digest = { hash: personalHash(message), signature: signature.subarray(0, 64), recoveryId: parity } as const
  const address = recoverAddress(digest)
  if (address === null) throw rpcFailed('recovery failed')
  return address
}

const typedData = untimed([addressParam, documentParam], async ([address, document], context, caller) =>
  toHex(await holderOf(address, context).signTypedData(address, document, callOf(caller))),
)

const quantityText = z.string().regex(/^0x[0-9a-f]+$/)

async function estimated(args: TransactionArguments, { node }: RpcContext, caller: MethodContext): Promise<bigint> {
  const at = { kind: 'tag', tag: 'pending' } as const
  const answer = await node.queries.ask(
    { kind: 'estimate', at, call: callOfArguments({ ...args, gas: null, nonce: null }) },
    caller,
  )
  return BigInt(quantityText.parse(JSON.parse(answer)))
}

export const ethAccounts: RpcNamespace = {
  eth_accounts: listAccounts,
  /** EIP-1102: like eth_accounts, but a rejection is an error. */
  eth_requestAccounts: untimed([], async (_args, { accounts }, caller) => {
    const told = accounts === null ? [] : await accounts.list(callOf(caller))
    if (told.length > 0) return told.map(toHex)
    throw new RpcFault('RPC_USER_REFUSED', { reason: 'no account was given out' })
  }),
  eth_sign: untimed([addressParam, dataParam], async ([address, data], context, caller) =>
    toHex(await holderOf(address, context).signMessage(address, data, callOf(caller))),
  ),
  eth_signTypedData: typedData,
  eth_signTypedData_v3: typedData,
  eth_signTypedData_v4: typedData,
  eth_sendRawTransaction: method({
    params: [dataParam],
    handler: async ([raw], { node, services, network }) => {
      checkRaw(raw, services.sending, network.chainId)
      return toHex(await node.addTransaction(raw))
    },
  }),
  eth_fillTransaction: method({
    params: [transactionParam],
    handler: async ([args], context, caller) =>
      describeUnsigned(await fillTransaction(args, context, () => estimated(args, context, caller))),
  }),
  eth_signTransaction: untimed([transactionParam], ([args], context, caller) => signFrom(args, context, caller)),
  eth_sendTransaction: untimed([transactionParam], ([args], context, caller) => sendFrom(args, context, caller)),
  eth_resend: untimed(
    [transactionParam, optional<bigint | null>(quantity256, null), optional<bigint | null>(quantity64, null)],
    ([args, gasPrice, gas], context, caller) => resendFrom(args, { gasPrice, gas }, context, caller),
  ),
  /** Executable pool transactions of the own accounts, as far as those are known. */
  eth_pendingTransactions: method({
    params: [],
    handler: (_args, context, caller) => poolContent('list', context.accounts?.known() ?? [], context, caller),
  }),
}
