// txpool_*: pending transactions by sender and nonce. Addresses are checksummed, nonces decimal.

import { checksumAddress } from '../../../base/checksum-address'
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import { encodeTransaction } from '../../query/encoding'
import type { AccountContentInfo } from '../../worker/wire/pool-wire'
import type { TransactionInfo } from '../../worker/wire/shapes'
import { addressParam } from '../arguments/params'
import { method, type RpcNamespace } from '../dispatch/method'

type Shown = (tx: TransactionInfo) => unknown

/** `0xTO: V wei + G gas × P wei` */
function inspected({ to, value, gasLimit, gasPrice }: TransactionInfo): string {
  const receiver = to === null ? 'contract creation' : checksumAddress(to)
  return `${receiver}: ${value} wei + ${gasLimit} gas × ${gasPrice} wei`
}

function byNonce(transactions: readonly TransactionInfo[], show: Shown) {
  return Object.fromEntries(transactions.map((tx) => [String(tx.nonce), show(tx)]))
}

function bySender(content: readonly AccountContentInfo[], show: Shown) {
  const part = (choose: (account: AccountContentInfo) => readonly TransactionInfo[]) =>
    Object.fromEntries(
      content
        .filter((account) => choose(account).length > 0)
        .map((account) => [checksumAddress(account.address), byNonce(choose(account), show)]),
    )
  return { pending: part((account) => account.pending), queued: part((account) => account.queued) }
}

export const txpoolNamespace: RpcNamespace = {
  txpool_content: method({
    params: [],
    handler: async (_args, { node }) => bySender(await node.reader.poolContent(), encodeTransaction),
  }),
  txpool_contentFrom: method({
    params: [addressParam],
    handler: async ([address], { node }) => {
      const own = (await node.reader.poolContent(address)).find((account) => toHex(account.address) === toHex(address))
      return {
        pending: byNonce(own?.pending ?? [], encodeTransaction),
        queued: byNonce(own?.queued ?? [], encodeTransaction),
      }
    },
  }),
  txpool_inspect: method({
    params: [],
    handler: async (_args, { node }) => bySender(await node.reader.poolContent(), inspected),
  }),
  txpool_status: method({
    params: [],
    handler: async (_args, { node }) => {
      const { pending, queued } = await node.reader.counts()
      return { pending: toQuantity(pending), queued: toQuantity(queued) }
    },
  }),
}
