// Reads and calls of others while some compute endlessly, over real HTTP and real threads.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import { openWorker } from '../../src/host/workers/worker-host'
import { ask } from '../json-rpc'
import { QueryNode, request } from './query-node'
import { bundleWorker } from './workers/bundle-worker'
import { DEAF_GAS } from './workers/deaf-gas'

const ROOT = resolve(import.meta.dirname, '../..')
const CONTRACT = `0x${'00'.repeat(19)}42`
/** JUMPDEST PUSH1 0 JUMP */
const ENDLESS = { [CONTRACT]: { code: '0x5b600056' } }
const ENDLESS_CALL = [{ to: CONTRACT, gas: '0x7fffffffffff' }, 'latest', ENDLESS]
/** A creation that does the same. */
const ENDLESS_TRACE = [{ data: '0x5b600056' }, ['trace', 'stateDiff']]
const MANY = 8
/** With the usual one, an empty loop is out of gas within a second. */
const NO_CAP = 0n

/** Calls in flight, and how to end them. */
class Calls {
  readonly #gone = new AbortController()
  readonly all: Promise<void>[]
  /** What ended, in order: an answer, or why there was none. */
  readonly outcomes: string[] = []

  constructor(url: string, params: readonly unknown[], count: number, method = 'eth_call') {
    this.all = Array.from({ length: count }, async () => {
      try {
        const answer = await fetch(url, { ...request(method, params), signal: this.#gone.signal })
        this.outcomes.push(await answer.text())
      } catch (error: unknown) {
        this.outcomes.push(error instanceof Error ? `${error.message} ${String(error.cause)}` : String(error))
      }
    })
  }

  async hangUp(): Promise<void> {
    this.#gone.abort()
    await Promise.all(this.all)
  }
}

describe.each([
  { name: 'that heed their time limit', callTimeoutMs: 60_000, params: ENDLESS_CALL },
  {
    name: 'that heed nothing',
    callTimeoutMs: 60_000,
    params: [{ data: '0x00', gas: `0x${DEAF_GAS.toString(16)}` }, 'latest'],
  },
])('beside $name, endless calls', ({ callTimeoutMs, params }) => {
  const built = mkdtempSync(join(tmpdir(), 'headframe-lanes-'))
  const queries = () =>
    openWorker({
      name: 'query',
      entry: join(built, 'query.cjs'),
      searchFrom: ROOT,
      log: silentLogger,
      sink: { write: () => undefined },
      minLevel: 'error',
      onLost: () => undefined,
    })
  const chain = { folder: join(ROOT, 'test/vectors/rpc'), blocks: 'chain.rlp', networkId: 3110 }
  const server = new QueryNode(chain, { queries }, { workers: 3, callTimeoutMs, gasCap: NO_CAP })
  beforeAll(async () => {
    await bundleWorker('test/node/workers/deaf-query-worker.ts', built, 'query.cjs')
    await server.start()
  })
  afterAll(async () => {
    await server.stop()
    rmSync(built, { recursive: true })
  })

  it('a balance is answered', async () => {
    const endless = new Calls(server.url(), params, MANY)
    const answers = []
    for (let n = 0; n < 20; n++) {
      const address = `0x${'00'.repeat(19)}${(16 + n).toString(16)}`
      answers.push(await ask(server.url(), 'eth_getBalance', [address, 'latest']))
    }

    expect(endless.outcomes).toEqual([])
    expect(answers.every((answer) => answer.result === '0x0')).toBe(true)
    await endless.hangUp()
  })

  it('a balance is answered before traces of strangers are', async () => {
    const traces = new Calls(server.url(), ENDLESS_TRACE, MANY, 'trace_call')
    const { result } = await ask(server.url(), 'eth_getBalance', [CONTRACT, 'earliest'])

    expect(result).toBe('0x0')
    expect(traces.outcomes.length).toBeLessThan(MANY)
    await traces.hangUp()
  })

  it("another caller's call is answered", async () => {
    const endless = new Calls(server.url(), params, MANY)

    const answer = await fetch(server.url(), {
      ...request('eth_call', [{ data: '0x00' }, 'latest']), // a creation: for a worker
      headers: { 'content-type': 'application/json', 'user-agent': 'somebody else' },
    })

    expect(await answer.json()).toHaveProperty('result')
    expect(endless.outcomes).toEqual([])
    await endless.hangUp()
  })

  it('the node is stopped and started', async () => {
    const endless = new Calls(server.url(), params, MANY)
    await ask(server.url(), 'eth_getBalance', [CONTRACT, 'latest'])

    await server.node.stop()
    await endless.hangUp()
    await server.node.start(new AbortController().signal)

    expect(await ask(server.url(), 'eth_call', [{ to: CONTRACT, data: '0x02' }, 'latest'])).toHaveProperty('result')
  })
})
