// miner_*: block production; served only when enabled by name.
import { rpcFailed } from '../../rpc-fault'
import type { MiningChange } from '../../worker/wire/pool-wire'
import {
  addressParam,
  numberParam,
  optional,
  type Param,
  quantity64,
  quantity256,
  textParam,
} from '../arguments/params'
import { method, type RpcMethod, type RpcNamespace } from '../dispatch/method'

const MAX_EXTRA_BYTES = 32

function setting<T>(param: Param<T>, change: (value: T) => MiningChange, answer: true | null = true): RpcMethod {
  return method({
    params: [param],
    handler: async ([value], { services }) => {
      await services.configureMining(change(value))
      return answer
    },
  })
}

export const minerNamespace: RpcNamespace = {
  /** Gives out work from now on. The miner decides about threads: the number given is ignored here. */
  miner_start: method({
    params: [optional<number | null>(numberParam, null)],
    handler: async (_args, { services, node }) => {
      if (node.coinbase() === null) throw rpcFailed('coinbase missing: coinbase must be explicitly specified')
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
  miner_setCoinbase: setting(addressParam, (coinbase) => ({ coinbase })),
  miner_setExtra: setting(textParam, (text) => {
    const extraData = new TextEncoder().encode(text)
    if (extraData.length <= MAX_EXTRA_BYTES) return { extraData }
    throw rpcFailed(`extra exceeds max length. ${extraData.length} > ${MAX_EXTRA_BYTES}`)
  }),
  miner_setGasPrice: setting(quantity256, (gasPrice) => ({ gasPrice })),
  miner_setGasLimit: setting(quantity64, (gasLimitGoal) => ({ gasLimitGoal })),
  /** @param interval ms */
  miner_setRecommitInterval: setting(numberParam, (recommitMs) => ({ recommitMs }), null),
}
