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

export const ethSend: RpcNamespace = {
  eth_sendRawTransaction: method({
    params: [dataParam],
    handler: async ([raw], { node, services, network }) => {
      checkRaw(raw, services.sending, network.chainId)
      return toHex(await node.addTransaction(raw))
    },
  }),
  eth_gasPrice: gasPrice,
  eth_maxPriorityFeePerGas: gasPrice,
}
