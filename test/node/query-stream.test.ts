// A trace far larger than the memory limit, from a query worker in its own thread: it arrives in pieces at its reader's
// pace.
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import { openWorker } from '../../src/host/workers/worker-host'
import { IS_BUILT } from '../cli/program'
import { ask } from '../json-rpc'
import { QueryNode, request } from './query-node'

const ROOT = resolve(import.meta.dirname, '../..')
const folder = join(ROOT, 'test/vectors/rpc')
const CONTRACT = '0x00000000000000000000000000000000000c0de1'
/** Pushes until it is out of gas: about 400 bytes of trace for 15 gas. */
const options = { stateOverrides: { [CONTRACT]: { code: '0x60005b60010180602052600256' } }, timeout: '60s' }
const call = (gas: number) => [{ to: CONTRACT, gas: `0x${gas.toString(16)}` }, 'latest', options]

describe.skipIf(!IS_BUILT)('a big trace', () => {
  const queries = () =>
    openWorker({
      name: 'query',
      entry: join(ROOT, 'out/main/query-worker.cjs'),
      searchFrom: ROOT,
      log: silentLogger,
      sink: { write: () => undefined },
      minLevel: 'error',
      onLost: () => undefined,
    })
  const server = new QueryNode({ folder, blocks: 'chain.rlp', networkId: 3110 }, { queries })
  beforeAll(() => server.start())
  afterAll(() => server.stop())

  it('streams 200 MB with less than 150 MB of additional memory', async () => {
    // What the worker and this client allocate for their first stream, they keep: it doesn't belong to the trace.
    await (await fetch(server.url(), request('debug_traceCall', call(200_000)))).text()
    const before = process.memoryUsage.rss()
    let most = 0
    let bytes = 0
    let tail = ''
    const response = await fetch(server.url(), request('debug_traceCall', call(3_700_000)))
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      tail = Buffer.from(chunk.subarray(-80)).toString('latin1')
      most = Math.max(most, process.memoryUsage.rss())
    }

    expect(bytes).toBeGreaterThan(200e6)
    expect(tail).toContain('"returnValue":""}}')
    expect((most - before) / 1e6).toBeLessThan(150)
  })

  it('ends when its reader goes away, and the worker answers others', async () => {
    const gone = new AbortController()
    const response = await fetch(server.url(), {
      ...request('debug_traceCall', call(500_000_000)),
      signal: gone.signal,
    })
    await response.body?.getReader().read()

    gone.abort()

    const answer = await ask(server.url(), 'eth_getBalance', [CONTRACT, 'latest'])
    expect(answer).toEqual({ jsonrpc: '2.0', id: 1, result: '0x0' })
  })
})
