// eth_*: work for miners, and their seals.
import { bigintFromBytes } from '../../../../base/bytes'
import { toHex } from '../../../../base/hex'
import { toQuantity } from '../../../../base/quantity'
import { ok } from '../../../codec/result'
import { RpcFault } from '../../../rpc-fault'
import { fixedData, hashParam, type Param, rateParam } from '../../arguments/params'
import { method, type RpcNamespace } from '../../dispatch/method'

const NONCE_BYTES = 8
const nonceBytes = fixedData(NONCE_BYTES, 'nonce')
/** Null is 0, as in the reference. */
const nonceParam: Param<Uint8Array> = {
  ...nonceBytes,
  read: (value) => (value === null ? ok(new Uint8Array(NONCE_BYTES)) : nonceBytes.read(value)),
}

export const ethMining: RpcNamespace = {
  eth_getWork: method({
    params: [],
    handler: (_args, { node, getworkHeight }) => {
      const work = node.currentWork()
      if (work === null) throw new RpcFault('RPC_FAILED', { reason: 'no mining work available yet' })
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
      throw new RpcFault('RPC_FAILED', { reason: 'coinbase must be explicitly specified' })
    },
  }),
}
