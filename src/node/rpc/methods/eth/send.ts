// eth_*: sending transactions signed elsewhere, and gas prices.
import { toHex } from '../../../../base/hex'
import { toQuantity } from '../../../../base/quantity'
import { dataParam } from '../../arguments/params'
import { method, type RpcNamespace } from '../../dispatch/method'
import { checkRaw } from '../../sending/send-rules'

const gasPrice = method({
  params: [],
  handler: (_args, { hot }) => hot.gasPrice().then(toQuantity),
})

const rounded = (value: number): number => Math.round(value * 1e3) / 1e3

export const ethSend: RpcNamespace = {
  eth_sendRawTransaction: method({
    params: [dataParam],
    handler: async ([raw], { node, services, network }) => {
      checkRaw(raw, services.sending, network.chainId)
      return toHex(await node.addTransaction(raw))
    },
  }),
  eth_gasPrice: gasPrice,
  eth_feeEstimates: method({
    params: [],
    handler: async (_args, { node }) => {
      const { estimates, isWatching, since, ...found } = await node.reader.feeEstimates()
      return {
        ...found,
        gasPrice: toQuantity(found.gasPrice),
        since: since === null ? null : toQuantity(since),
        watching: isWatching,
        estimates: estimates.map((one) => ({
          ...one,
          gasPrice: one.gasPrice === null ? null : toQuantity(one.gasPrice),
          transactions: rounded(one.transactions),
          confirmedShare: one.confirmedShare === null ? null : rounded(one.confirmedShare),
        })),
      }
    },
  }),
  eth_maxPriorityFeePerGas: gasPrice,
}
