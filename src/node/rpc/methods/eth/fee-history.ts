// eth_feeHistory.

import { JsonText } from '../../../../net/json-rpc/json-rpc'
import { fail, ok } from '../../../codec/result'
import { blockNumberParam, type Param, quantity64 } from '../../arguments/params'
import { method, type RpcNamespace } from '../../dispatch/method'

/** A QUANTITY, decimal text, or a JSON number; any 64-bit count. */
const countParam: Param<number> = {
  type: 'block count: a quantity, a whole number or decimal text',
  read: (value) => {
    if (typeof value === 'number') return isDecimal(String(value)) ? ok(countOf(BigInt(value))) : fail('not a count')
    if (typeof value === 'string' && isDecimal(value)) return ok(countOf(BigInt(value)))
    if (value === '') return fail('not a count')
    const read = quantity64.read(value)
    return read.ok ? ok(countOf(read.value)) : read
  },
}

function isDecimal(text: string): boolean {
  return /^[0-9]+$/.test(text) && text.length <= 64 && BigInt(text) < 2n ** 64n
}

/** From 2^63 on it is negative in the reference's int64: no blocks. */
function countOf(count: bigint): number {
  return count >= 2n ** 63n ? 0 : Math.min(Number(count), Number.MAX_SAFE_INTEGER)
}

/** Our own limit: each is computed for every block. */
const MAX_PERCENTILES = 100

/** Null: none. */
const percentilesParam: Param<number[] | null> = {
  type: 'percentiles: a list of numbers from 0 to 100',
  read: (value) => {
    if (value === null) return ok(null)
    const isList = Array.isArray(value) && value.every((item) => item === null || typeof item === 'number')
    if (!isList) return fail('not a list of numbers')
    if (value.length > MAX_PERCENTILES) return fail(`${value.length} percentiles, want at most ${MAX_PERCENTILES}`)
    return ok(value.map((item) => (item as number | null) ?? 0)) // null is 0, as in the reference
  },
}

export const ethFeeHistory: RpcNamespace = {
  eth_feeHistory: method({
    params: [countParam, blockNumberParam, percentilesParam],
    handler: async ([blocks, at, percentiles], { node }, caller) =>
      new JsonText(await node.queries.ask({ kind: 'feeHistory', at, blocks, percentiles }, caller)),
  }),
}
