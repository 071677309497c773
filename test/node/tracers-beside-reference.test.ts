// Every tracer that prlx has, on every transaction of the recorded chain, in both nodes; and the comparison of
// both by `--beside`.
import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { rpcExchange } from '../../src/net/rpc-client'
import { BesideNode, batchSide } from '../../src/node/beside-node'
import { ask, type Json } from '../json-rpc'
import { besideReference } from './reference/beside-reference'
import { HAS_REFERENCE } from './reference/reference-node'

const BLOCKS = 42
const MAX_GAS = 300_000
/** Of both nodes, in place of five seconds: one block may take a minute beside other tests. */
const PATIENT = { timeout: '200s' }
const TRACERS = [
  ...['callTracer', 'prestateTracer', '4byteTracer', 'noopTracer'],
  ...['callTracerLegacy', 'prestateTracerLegacy', '4byteTracerLegacy', 'noopTracerLegacy'],
  ...['unigramTracer', 'bigramTracer', 'trigramTracer', 'opcountTracer'],
]
/** Where prlx's scripts fail, ours read zeros. */
const BEYOND_MEMORY = /out of bound memory/

/** Without how long it took. */
function timeless(value: Json): Json {
  if (Array.isArray(value)) return value.map(timeless)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => name !== 'time')
  return Object.fromEntries(kept.map(([name, item]) => [name, timeless(item)]))
}

describe.skipIf(!HAS_REFERENCE)('tracers beside prlx (skipped without its program)', () => {
  const { ours, theirs } = besideReference()

  const tracedBy = async (url: string, method: string, params: readonly unknown[]): Promise<Json> =>
    (await ask(url, method, params)).result
  const both = (method: string, params: readonly unknown[]): Promise<[Json, Json]> =>
    Promise.all([tracedBy(ours.url(), method, params), tracedBy(theirs.urls.http, method, params)])

  it.each(TRACERS)('%s says the same', { timeout: 240_000 }, async (tracer) => {
    let compared = 0
    for (let number = 1; number <= BLOCKS; number++) {
      const [mine, other] = await both('debug_traceBlockByNumber', [`0x${number.toString(16)}`, { tracer, ...PATIENT }])
      expect(mine, `block ${number}`).toHaveLength(other.length)
      for (const [index, expected] of other.entries()) {
        if (BEYOND_MEMORY.test(expected.error ?? '')) continue
        const where = `block ${number}, transaction ${index}: ${mine[index].error ?? ''}`
        expect(timeless(mine[index]), where).toEqual(timeless(expected))
        compared++
      }
    }
    expect(compared).toBeGreaterThan(150)
  })

  it('pvmdisTracer says the same of short transactions', { timeout: 240_000 }, async () => {
    let compared = 0
    for (let number = 1; number <= BLOCKS; number++) {
      const { transactions } = await tracedBy(ours.url(), 'eth_getBlockByNumber', [`0x${number.toString(16)}`, true])
      // prlx closes the connection while it disassembles long ones.
      const short = transactions.filter(({ gas }: Json) => Number(gas) <= MAX_GAS)
      for (const { hash } of short) {
        const [mine, other] = await both('debug_traceTransaction', [hash, { tracer: 'pvmdisTracer', ...PATIENT }])
        if (other === undefined) continue // read beyond memory
        expect(mine, hash).toEqual(other)
        compared++
      }
    }
    expect(compared).toBeGreaterThan(100)
  })

  it('agrees in every block when it is compared', { timeout: 120_000 }, async () => {
    const [mine, other] = [ours.url(), theirs.urls.http].map((url) => batchSide(rpcExchange(url)))
    if (mine === undefined || other === undefined) throw new Error('no sides')
    const deps = { ours: mine, theirs: other, head: () => BLOCKS, clock: systemClock(), log: silentLogger }
    const beside = new BesideNode(theirs.urls.http, deps)
    await beside.poll()
    beside.replaced(1)
    for (let turn = 0; turn < 2; turn++) await beside.poll()

    expect(beside.state()).toMatchObject({ state: 'agrees', reason: '', differences: [] })
    expect(beside.state().counts).toEqual({ same: 1 + BLOCKS, different: 0, unanswered: 0, skipped: 0 })
  })
})
