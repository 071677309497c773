// eth_*: sending, signing and completing transactions.
// Source of eth_fillTransaction: prlx internal/prlapi (FillTransaction)
import { z } from 'zod'
import { toHex } from '../../../../base/hex'
import { personalHash, recoverAddress } from '../../../model/sender'
import { RpcFault, rpcFailed } from '../../../rpc-fault'
import { describeUnsigned } from '../../answers/described-transaction'
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
import { callOf, fillTransaction, holderOf, resendFrom, sendFrom, signFrom } from '../../sending/by-account'
import { checkRaw } from '../../sending/send-rules'
import { poolContent } from '../txpool'

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
