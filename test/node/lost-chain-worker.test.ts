// The chain worker crashes, or is stopped, while query workers read the same database on their threads. All share one
// cache of the database library; a wrong order of opening and closing crashes this whole process, not just a test.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { BroadcastChannel } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import type { Transport } from '../../src/base/wire/define'
import { openWorker } from '../../src/host/workers/worker-host'
import { ask } from '../json-rpc'
import { QueryNode } from './query-node'
import { bundleWorker } from './workers/bundle-worker'

const ROOT = resolve(import.meta.dirname, '../..')
const vectors = join(ROOT, 'test/vectors/rpc')
const ROUNDS = 4
const READERS = 8

describe('a node whose database is read by several threads', () => {
  const built = mkdtempSync(join(tmpdir(), 'headframe-workers-'))
  const worker = (name: string) => (): Transport =>
    openWorker({
      name,
      entry: join(built, `${name}.cjs`),
      searchFrom: ROOT,
      log: silentLogger,
      sink: { write: () => undefined },
      minLevel: 'error',
      onLost: () => undefined,
    })
  const server = new QueryNode(
    { folder: vectors, blocks: 'chain.rlp', networkId: 3110 },
    { queries: worker('query'), chain: worker('chain') },
  )
  beforeAll(async () => {
    await bundleWorker('src/host/workers/query-worker.ts', built, 'query.cjs')
    await bundleWorker('test/node/workers/mortal-chain-worker.ts', built, 'chain.cjs')
    await server.start()
    await restart() // what the log held is in tables now, which are read through the cache
  })
  afterAll(async () => {
    await server.stop()
    rmSync(built, { recursive: true })
  })

  async function restart(): Promise<void> {
    await server.node.stop()
    await server.node.start(new AbortController().signal)
  }

  /**
   * Reads old blocks and states endlessly, resolved at the first answer. @returns a function that stops it and returns
   * the number of answers
   */
  async function keepReading(): Promise<() => Promise<number>> {
    let isOver = false
    let answers = 0
    let begun = (): void => undefined
    const first = new Promise<void>((resolve) => (begun = resolve))
    const one = async (first: number): Promise<void> => {
      for (let n = first; !isOver; n = (n + 1) % 40) {
        const at = `0x${n.toString(16)}`
        const params = [{ address: [], fromBlock: '0x0', toBlock: at }]
        const [method, args] = n % 2 === 0 ? ['eth_getLogs', params] : ['debug_getRawReceipts', [at]]
        const answer = await ask(server.url(), String(method), args ?? []).catch(() => null)
        if (answer?.result !== undefined) answers++
        else await soon(5)
        if (answers > 0) begun()
      }
    }
    const readers = Array.from({ length: READERS }, (_, index) => one(index))
    await first
    return async () => {
      isOver = true
      await Promise.all(readers)
      return answers
    }
  }

  const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  it('loses its chain worker in the middle of queries, and is back after a restart', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const head = await ask(server.url(), 'eth_blockNumber', [])
      const stop = await keepReading()
      const lost = new Promise((resolve) => server.node.events.on('lost', resolve))
      const mortal = new BroadcastChannel('headframe-test-mortal')
      mortal.postMessage('now')
      await lost
      mortal.close()
      await soon(100) // query workers still read
      await restart()

      expect(await stop()).toBeGreaterThan(0)
      expect(await ask(server.url(), 'eth_blockNumber', [])).toEqual(head)
      expect(await ask(server.url(), 'eth_getProof', [`0x${'00'.repeat(19)}42`, [], 'latest'])).toHaveProperty('result')
    }
  })

  it('is stopped and started in the middle of queries', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const stop = await keepReading()
      await restart()
      expect(await stop()).toBeGreaterThan(0)
    }
    expect(await ask(server.url(), 'eth_getBalance', [`0x${'00'.repeat(19)}42`, 'latest'])).toHaveProperty('result')
  })
})
