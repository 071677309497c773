// Traces of one block's transactions, whatever their order, find the state that each transaction had.
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, type Json } from '../json-rpc'
import { QueryNode } from './query-node'

const folder = resolve(import.meta.dirname, '../vectors/chain/chain-kinds')
const server = new QueryNode({ folder, blocks: 'blocks.rlp', networkId: 4242 })
/** Only ends what hangs. */
const TIMEOUT = '240s'
const TRACERS = ['callTracer', 'prestateTracer']

beforeAll(() => server.start())
afterAll(() => server.stop())

async function answer(method: string, ...params: unknown[]): Promise<Json> {
  return (await ask(server.url(), method, params)).result
}

it("equal the block's, forwards, backwards, and again", async () => {
  const head = Number(await answer('eth_blockNumber'))
  let tried = 0
  for (let number = 1; number <= head && tried < 3; number++) {
    const at = `0x${number.toString(16)}`
    const { transactions } = await answer('eth_getBlockByNumber', at, false)
    if (transactions.length < 4) continue
    tried++
    const whole = new Map<string, Json[]>()
    for (const tracer of TRACERS)
      whole.set(tracer, await answer('debug_traceBlockByNumber', at, { tracer, timeout: TIMEOUT }))
    const flat: Json[] = await answer('trace_block', at)
    const forwards = transactions.map((_hash: string, index: number) => index)
    for (const index of [...forwards, ...forwards.slice().reverse(), 0, 2, 2, 1, 3, 3]) {
      for (const tracer of TRACERS) {
        const trace = await answer('debug_traceTransaction', transactions[index], { tracer, timeout: TIMEOUT })
        expect(trace, `block ${number}, ${tracer} of transaction ${index}`).toEqual(whole.get(tracer)?.[index]?.result)
      }
      const own = flat.filter(({ transactionPosition }) => transactionPosition === index)
      expect(await answer('trace_transaction', transactions[index]), `block ${number}, ${index}`).toEqual(own)
      await answer('debug_traceTransaction', transactions[index], { tracer: '{ fault: 1 }' }) // fails, and leaves nothing behind
    }
  }
  expect(tried).toBe(3)
})
