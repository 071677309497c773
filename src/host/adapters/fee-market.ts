// The node's input for checking fees: the sender's balance, and the usual price.
import type { NodeService } from '../../node/node-service'
import type { MarketPort } from '../../signer/checks/fee-rules'

/** @param node null when this run has none; looked up per request, since it is built after the signer */
export function feeMarket(node: () => Pick<NodeService, 'head' | 'reader'> | null): MarketPort {
  return async (from) => {
    const running = node()
    if (running === null || running.head() === null) return null
    const [account, gasPrice] = await Promise.all([running.reader.account(from), running.reader.gasPrice()])
    return account === null ? null : { balance: account.balance, gasPrice }
  }
}
