// JavaScript tracers compared with prlx's, for every transaction of the odd chain. Needs prlx
// in PEER_PROGRAMS.
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type Json } from '../json-rpc'
import { QueryNode } from './query-node'
import { HAS_REFERENCE, ReferenceNode } from './reference/reference-node'
import { SCRIPTS } from './script-tracers'

const folder = resolve(import.meta.dirname, '../vectors/chain/chain-kinds')
/** Every n-th block; 1 with WHOLE_CHAIN set. */
const STEP = process.env.WHOLE_CHAIN === undefined ? 12 : 1
const NAMED = ['unigramTracer', 'bigramTracer', 'trigramTracer', 'opcountTracer']

const tracers = [...Object.entries(SCRIPTS), ...NAMED.map((name) => [name, name] as const)]

describe.skipIf(!HAS_REFERENCE)('JavaScript tracers compared with prlx (skipped without its program)', () => {
  const ours = new QueryNode({ folder, blocks: 'blocks.rlp', networkId: 4242 })
  const theirs = new ReferenceNode()
  beforeAll(async () => {
    await theirs.start({ genesis: join(folder, 'genesis.json'), blocks: join(folder, 'blocks.rlp'), networkId: 4242 })
    await ours.start()
  })
  afterAll(async () => {
    await ours.stop()
    await theirs.stop()
  })

  const both = async (method: string, ...params: unknown[]): Promise<readonly [Json, Json]> => {
    const [mine, other] = await Promise.all([ask(ours.url(), method, params), ask(theirs.urls.http, method, params)])
    return [mine.result ?? mine.error, other.result ?? other.error]
  }

  it.each(tracers)('%s answers alike', async (_name, tracer) => {
    const [head] = await both('eth_blockNumber')
    for (let number = 1; number <= Number(head); number += STEP) {
      const at = `0x${number.toString(16)}`
      const [mine, other] = await both('debug_traceBlockByNumber', at, { tracer, timeout: '60s' })
      if (!isDeepStrictEqual(mine, other)) expect(mine, `block ${number}`).toEqual(other)
    }
  })
})
