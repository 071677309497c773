// eth_*: gas prices, and what transactions paid.
import { toQuantity } from '../../../../base/quantity'
import { fail, ok } from '../../../codec/result'
import { blockNumberParam, type Param, quantity64 } from '../../arguments/params'
import { asked, method, type RpcNamespace } from '../../dispatch/method'

const isDecimal = (text: string) => /^[0-9]{1,64}$/.test(text) && BigInt(text) < 2n ** 64n

/** From 2^63 on it is negative in prlx's int64: no blocks. */
const countOf = (count: bigint) => (count >= 2n ** 63n ? 0 : Math.min(Number(count), Number.MAX_SAFE_INTEGER))

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
    return ok(value.map((item) => (item as number | null) ?? 0)) // null is 0, as in prlx
  },
}

const gasPrice = method({ params: [], handler: (_args, { hot }) => hot.gasPrice().then(toQuantity) })

const rounded = (value: number): number => Math.round(value * 1e3) / 1e3

export const ethFees: RpcNamespace = {
  eth_gasPrice: gasPrice,
  eth_maxPriorityFeePerGas: gasPrice,
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
  eth_feeHistory: asked([countParam, blockNumberParam, percentilesParam], (blocks, at, percentiles) => ({
    kind: 'feeHistory',
    at,
    blocks,
    percentiles,
  })),
}
