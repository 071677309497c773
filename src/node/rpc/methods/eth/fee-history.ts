// eth_feeHistory.

import { JsonText } from '../../../../net/json-rpc/result-stream'
import { fail, ok } from '../../../codec/result'
import { blockNumberParam, type Param, quantity64 } from '../../arguments/params'
import { method, type RpcNamespace } from '../../dispatch/method'

/** A QUANTITY, decimal text, or a JSON number. */
const countParam: Param<number> = {
  absent: null,
  read: (value) => {
    if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? ok(value) : fail('not a count')
    if (typeof value === 'string' && /^[0-9]{1,15}$/.test(value)) return ok(Number(value))
    if (value === '') return fail('not a count')
    const read = quantity64.read(value)
    if (read.ok && read.value >= 2n ** 63n) return ok(0) // negative in the reference's int64: no blocks
    return read.ok ? ok(Number(read.value < 2n ** 53n ? read.value : 2n ** 53n - 1n)) : read
  },
}

/** Our own limit: each is computed for every block. */
const MAX_PERCENTILES = 100

/** Null: none. */
const percentilesParam: Param<number[] | null> = {
  absent: null,
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
