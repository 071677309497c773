// eth_*: sending, signing and completing transactions.
// Source of eth_fillTransaction: prlx internal/prlapi (FillTransaction)
import { z } from 'zod'
import { toHex } from '../../../../base/hex'
import { RpcFault } from '../../../rpc-fault'
import { describeUnsigned } from '../../answers/described-transaction'
import { callOfArguments } from '../../arguments/call-params'
import { addressParam, dataParam, documentParam, optional, quantity64, quantity256 } from '../../arguments/params'
import { type TransactionArguments, transactionParam } from '../../arguments/transaction-params'
import { type MethodContext, method, type RpcContext, type RpcNamespace, untimed } from '../../dispatch/method'
import { callOf, fillTransaction, holderOf, resendFrom, sendFrom, signFrom } from '../../sending/by-account'
import { checkRaw } from '../../sending/send-rules'
import { poolContent } from '../txpool'

const typedData = untimed([addressParam, documentParam], async ([address, document], context, caller) =>
  toHex(await holderOf(address, context).signTypedData(address, document, callOf(caller))),
)

/** The accounts that the user agrees to share; none when rejected. */
export const listAccounts = untimed([], async (_args, { accounts }, caller) =>
  accounts === null ? [] : (await accounts.list(callOf(caller))).map(toHex),
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
