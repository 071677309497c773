// miner_*: block production; served only when enabled by name.

import { RpcFault } from '../../rpc-fault'
import { addressParam, numberParam, optional, quantity64, quantity256, textParam } from '../arguments/params'
import { method, type RpcNamespace } from '../dispatch/method'

const MAX_EXTRA_BYTES = 32

export const minerNamespace: RpcNamespace = {
  /** Gives out work from now on. The miner decides about threads: the number given is ignored here. */
  miner_start: method({
    params: [optional<number | null>(numberParam, null)],
    handler: async (_args, { services, node }) => {
      if (node.coinbase() === null)
        throw new RpcFault('RPC_FAILED', { reason: 'coinbase missing: coinbase must be explicitly specified' })
      await services.configureMining({ mining: true })
      return null
    },
  }),
  miner_stop: method({
    params: [],
    handler: async (_args, { services }) => {
      await services.configureMining({ mining: false })
      return null
    },
  }),
  miner_setCoinbase: method({
    params: [addressParam],
    handler: async ([coinbase], { services }) => {
      await services.configureMining({ coinbase })
      return true
    },
  }),
  miner_setExtra: method({
    params: [textParam],
    handler: async ([text], { services }) => {
      const extraData = new TextEncoder().encode(text)
      if (extraData.length > MAX_EXTRA_BYTES)
        throw new RpcFault('RPC_FAILED', {
          reason: `extra exceeds max length. ${extraData.length} > ${MAX_EXTRA_BYTES}`,
        })
      await services.configureMining({ extraData })
      return true
    },
  }),
  miner_setGasPrice: method({
    params: [quantity256],
    handler: async ([gasPrice], { services }) => {
      await services.configureMining({ gasPrice })
      return true
    },
  }),
  miner_setGasLimit: method({
    params: [quantity64],
    handler: async ([gasLimitGoal], { services }) => {
      await services.configureMining({ gasLimitGoal })
      return true
    },
  }),
  /** @param interval ms */
  miner_setRecommitInterval: method({
    params: [numberParam],
    handler: async ([recommitMs], { services }) => {
      await services.configureMining({ recommitMs })
      return null
    },
  }),
}
