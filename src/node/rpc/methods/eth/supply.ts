// The coin supply, and the engine's own namespace with the same methods. Only Parallax nodes have them.
import { subsidyAt } from '../../../consensus/rewards'
import { method, type RpcContext, type RpcNamespace, type SubsidyRules } from '../../dispatch/method'
import { ethMining } from './mining'

/** Subsidies of this many recent blocks don't circulate yet, whatever the genesis says. */
const MATURITY_BLOCKS = 100n

/** wei of all subsidies up to and including `height`; 0 below block 1. */
export function suppliedUpTo(rules: SubsidyRules, height: bigint): bigint {
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

async function headHeight({ node }: RpcContext): Promise<bigint> {
  return BigInt((node.head() ?? (await node.reader.head())).number)
}

const totalSupply = method({
  params: [],
  handler: async (_args, context) => String(suppliedUpTo(context.network.subsidies, await headHeight(context))),
})

const circulatingSupply = method({
  params: [],
  handler: async (_args, context) => {
    const mature = (await headHeight(context)) - MATURITY_BLOCKS
    return String(suppliedUpTo(context.network.subsidies, mature))
  },
})

/** H/s as a plain number. */
const hashrate = method({ params: [], handler: (_args, { rates }) => Number(rates.total()) })

export const ethSupply: RpcNamespace = {
  eth_getTotalSupply: totalSupply,
  eth_getCirculatingSupply: circulatingSupply,
  eth_getHashrate: hashrate,
}

export const xhashNamespace: RpcNamespace = Object.fromEntries(
  Object.entries({
    xhash_getWork: ethMining.eth_getWork,
    xhash_submitWork: ethMining.eth_submitWork,
    xhash_submitHashrate: ethMining.eth_submitHashrate,
    xhash_getHashrate: hashrate,
    xhash_getTotalSupply: totalSupply,
    xhash_getCirculatingSupply: circulatingSupply,
  }).flatMap(([name, found]) => (found === undefined ? [] : [[name, found]])),
)
