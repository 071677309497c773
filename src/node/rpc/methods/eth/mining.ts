// eth_*: work for miners and their seals, and the coin supply; the engine's own namespace has the same methods.
import { bigintFromBytes } from '../../../../base/bytes'
import { toHex } from '../../../../base/hex'
import { toQuantity } from '../../../../base/quantity'
import { ok } from '../../../codec/result'
import type { ConsensusParams } from '../../../consensus/params'
import { subsidyAt } from '../../../consensus/rewards'
import { rpcFailed } from '../../../rpc-fault'
import type { MiningChange } from '../../../worker/wire/pool-wire'
import {
  addressParam,
  fixedData,
  hashParam,
  numberParam,
  optional,
  type Param,
  quantity64,
  quantity256,
  rateParam,
  textParam,
} from '../../arguments/params'
import { method, type RpcMethod, type RpcNamespace } from '../../dispatch/method'

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

const NONCE_BYTES = 8
const nonceBytes = fixedData(NONCE_BYTES, 'nonce')
/** Null is 0, as in prlx. */
const nonceParam: Param<Uint8Array> = {
  ...nonceBytes,
  read: (value) => (value === null ? ok(new Uint8Array(NONCE_BYTES)) : nonceBytes.read(value)),
}

/** Subsidies of this many recent blocks don't circulate yet, whatever the genesis says. */
const MATURITY_BLOCKS = 100n

/** wei of all subsidies up to and including `height`; 0 below block 1. */
export function suppliedUpTo(
  rules: Pick<ConsensusParams, 'initialSubsidy' | 'subsidyHalvingBlocks'>,
  height: bigint,
): bigint {
  const era = BigInt(rules.subsidyHalvingBlocks)
  let sum = 0n
  for (let start = 1n; start <= height; ) {
    const end = (start / era + 1n) * era - 1n
    const last = end < height ? end : height
    const subsidy = subsidyAt(rules, start)
    if (subsidy === 0n) break
    sum += subsidy * (last - start + 1n)
    start = last + 1n
  }
  return sum
}

/** @param depth blocks below the head */
const supplyMethod = (depth: bigint) =>
  method({
    params: [],
    handler: async (_args, { node, network }) => {
      const { number } = node.head() ?? (await node.reader.head())
      return String(suppliedUpTo(network.rules, BigInt(number) - depth))
    },
  })

export const ethMining = {
  eth_getWork: method({
    params: [],
    handler: (_args, { node, getworkHeight }) => {
      const work = node.currentWork()
      if (work === null) throw rpcFailed('no mining work available yet')
      const items = [toHex(work.sealHash), toHex(work.seedHash), toHex(work.target)]
      return getworkHeight ? [...items, toQuantity(work.height)] : items
    },
  }),
  eth_submitWork: method({
    params: [nonceParam, hashParam, hashParam],
    handler: async ([nonce, sealHash, mixDigest], { node }) =>
      (await node.submitWork({ nonce: bigintFromBytes(nonce), sealHash, mixDigest })) === 'accepted',
  }),
  eth_submitHashrate: method({
    params: [rateParam, hashParam],
    handler: ([rate, id], { rates }, { caller }) => {
      rates.report(id, rate, caller)
      return true
    },
  }),
  eth_hashrate: method({ params: [], handler: (_args, { rates }) => toQuantity(rates.total()) }),
  eth_mining: method({ params: [], handler: (_args, { node }) => node.currentWork() !== null }),
  eth_coinbase: method({
    params: [],
    handler: (_args, { node, accounts }) => {
      const address = node.coinbase() ?? accounts?.known()?.[0]
      if (address !== undefined) return toHex(address)
      throw rpcFailed('coinbase must be explicitly specified')
    },
  }),
  eth_getTotalSupply: supplyMethod(0n),
  eth_getCirculatingSupply: supplyMethod(MATURITY_BLOCKS),
  /** H/s as a plain number. */
  eth_getHashrate: method({ params: [], handler: (_args, { rates }) => Number(rates.total()) }),
} satisfies RpcNamespace

export const xhashNamespace: RpcNamespace = {
  xhash_getWork: ethMining.eth_getWork,
  xhash_submitWork: ethMining.eth_submitWork,
  xhash_submitHashrate: ethMining.eth_submitHashrate,
  xhash_getHashrate: ethMining.eth_getHashrate,
  xhash_getTotalSupply: ethMining.eth_getTotalSupply,
  xhash_getCirculatingSupply: ethMining.eth_getCirculatingSupply,
}
