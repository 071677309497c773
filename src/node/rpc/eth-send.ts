// eth_*: sending what was signed elsewhere, prices, and the accounts that the signer tells. Source: rpc.md 6, 7
import { toHex } from '../../base/hex'
import { toQuantity } from '../../base/quantity'
import { WEI_PER_LAX } from '../../base/units'
import { decodeTransaction } from '../chain/transaction'
import { RpcFault } from './errors'
import { method, type RpcNamespace } from './method'
import { dataParam } from './params'

/** A fee over this is taken for a mistake. */
const FEE_CAP_WEI = WEI_PER_LAX

/** The checks that only RPC makes, before the pool's own. @throws RpcFault RPC_FAILED */
function checkForRpc(raw: Uint8Array): void {
  const tx = decodeTransaction(raw)
  if (!tx.ok) throw new RpcFault('RPC_FAILED', { reason: tx.error })
  if (tx.value.kind === 'unsupported') return
  const fee = tx.value.gasLimit * tx.value.gasPrice
  if (fee > FEE_CAP_WEI) {
    const reason = `tx fee (${inLaxes(fee)} laxes) exceeds the configured cap (${inLaxes(FEE_CAP_WEI)} laxes)`
    throw new RpcFault('RPC_FAILED', { reason })
  }
  if (tx.value.chainId === null) {
    const reason = 'only replay-protected (EIP-155) transactions allowed over RPC'
    throw new RpcFault('RPC_FAILED', { reason })
  }
}

/** Two decimals, rounded half up. */
function inLaxes(wei: bigint): string {
  const cents = (wei * 100n + WEI_PER_LAX / 2n) / WEI_PER_LAX
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
}

export const ethSend: RpcNamespace = {
  eth_sendRawTransaction: method({
    params: [dataParam],
    handler: async ([raw], { node }) => {
      checkForRpc(raw)
      return toHex(await node.addTransaction(raw))
    },
  }),
  eth_gasPrice: method({
    params: [],
    handler: async (_args, { node }) => toQuantity(await node.reader.gasPrice()),
  }),
  eth_maxPriorityFeePerGas: method({
    params: [],
    handler: async (_args, { node }) => toQuantity(await node.reader.gasPrice()),
  }),
  eth_accounts: method({
    params: [],
    handler: async (_args, { accounts }) => (accounts === null ? [] : (await accounts.list()).map(toHex)),
  }),
}
