import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { StreamedResult } from '../../net/json-rpc/json-rpc'
import { CallCounts, Dispatcher } from './dispatch/dispatch'
import { CallScope, method, type RpcContext } from './dispatch/method'
import { createMethodTable } from './methods/all-methods'
import { READ_ONLY_METHODS, RpcConsole } from './rpc-console'

const clock = new FakeClock()
const deps = {
  otherMethod: () => method({ params: [], handler: () => 'a subscription' }),
  context: { clock } as unknown as RpcContext,
  batchLimit: 10,
  batchAnswerLimit: 200,
  log: silentLogger,
}
const never = new AbortController().signal

async function* long(): AsyncGenerator<string> {
  for (let piece = 0; piece < 50; piece++) yield '1234567890'
}

const table = new Map([
  ['eth_blockNumber', method({ params: [], handler: () => '0x2a' })],
  ['eth_getLogs', method({ params: [], handler: () => new StreamedResult(long()) })],
  ['eth_sendTransaction', method({ params: [], handler: () => '0xsent' })],
])

describe('the read-only methods', () => {
  it('cover all of their namespaces, and none signs or changes anything', () => {
    const methods = createMethodTable()

    expect(READ_ONLY_METHODS.filter((name) => !methods.has(name))).toEqual([])
    expect(new Set(READ_ONLY_METHODS).size).toBe(READ_ONLY_METHODS.length)
    const active =
      /_(send|sign|submit|set|start|stop|add|remove|import|export|new|uninstall|fill|trace|accounts|compile)/
    expect(READ_ONLY_METHODS.filter((name) => active.test(name))).toEqual([])
    expect(READ_ONLY_METHODS.filter((name) => /^(miner|personal|account)_/.test(name))).toEqual([])
  })
})

describe('the console', () => {
  const rpc = new RpcConsole({ ...deps, methods: table })

  it('calls only methods that read, and knows no others', async () => {
    expect(rpc.methods()).toEqual(['eth_blockNumber', 'eth_getLogs'])
    expect(JSON.parse(await rpc.ask('eth_blockNumber', [], never))).toEqual({ jsonrpc: '2.0', id: 1, result: '0x2a' })
    for (const name of ['eth_sendTransaction', 'eth_subscribe'])
      expect(JSON.parse(await rpc.ask(name, [], never))).toMatchObject({ error: { code: -32601 } })
  })

  it('says that an answer is too large instead of sending it', async () => {
    expect(JSON.parse(await rpc.ask('eth_getLogs', [], never))).toMatchObject({
      error: { message: 'response too large' },
    })
  })
})

describe('a dispatcher that counts', () => {
  it('counts known methods by name, and all others together', async () => {
    const counts = new CallCounts(clock)
    const dispatcher = new Dispatcher({ ...deps, methods: table, otherMethod: () => null, counts })
    const scope = new CallScope('ipc', null, () => {
      throw new Error('the caller is not asked for')
    })
    const ask = (name: string) => dispatcher.answer(JSON.stringify({ jsonrpc: '2.0', id: 1, method: name }), scope)
    await ask('eth_blockNumber')
    await ask('x_one')
    await ask('x_two')

    expect(counts.list()).toEqual([
      { method: 'other', total: 2, failed: 2, lastMinute: 2, seconds: 0 },
      { method: 'eth_blockNumber', total: 1, failed: 0, lastMinute: 1, seconds: 0 },
    ])
  })
})
