import { describe, expect, it } from 'vitest'
import { type ConsoleObject, consoleObjects } from './objects'

const METHODS = [
  ...['eth_blockNumber', 'eth_getBalance', 'eth_getBlockByHash', 'eth_getBlockByNumber', 'eth_sendTransaction'],
  ...['admin_peers', 'admin_exportChain', 'debug_traceBlockByNumber'],
]

/** A console on a node that answers with what it was asked. */
function console(answers: Readonly<Record<string, unknown>> = {}) {
  const asked: [string, readonly unknown[]][] = []
  const slept: number[] = []
  const call = (method: string, params: readonly unknown[]): unknown => {
    asked.push([method, params])
    return method in answers ? answers[method] : null
  }
  const objects = consoleObjects({
    call,
    methods: METHODS,
    modules: ['eth', 'admin', 'rpc'],
    sleep: (ms) => slept.push(ms),
  })
  const of = (space: string): ConsoleObject => objects[space] ?? {}
  const run = (space: string, name: string, ...args: readonly unknown[]): unknown => {
    const member = of(space)[name]
    return typeof member === 'function' ? member(...args) : member
  }
  return { asked, slept, objects, run }
}

describe("the console's objects", () => {
  it('are those that the node serves', () => {
    expect(Object.keys(console().objects)).toEqual(['eth', 'admin', 'web3'])
  })

  it('read a property each time it is accessed', () => {
    const { run, asked } = console({ eth_blockNumber: '0x2a' })

    expect([run('eth', 'blockNumber'), run('eth', 'blockNumber')]).toEqual([42, 42])
    expect(asked).toHaveLength(2)
  })

  it('default to the latest block, and return an amount', () => {
    const { run, asked } = console({ eth_getBalance: '0x0' })

    expect([run('eth', 'getBalance', '0xaa'), run('eth', 'getBalance', '0xaa', 5)]).toEqual([0n, 0n])
    expect(asked.map(([, params]) => params)).toEqual([
      ['0xaa', 'latest'],
      ['0xaa', '0x5'],
    ])
  })

  it('find a block by number, tag, hash or nothing', () => {
    const { run, asked } = console()
    const hash = `0x${'ab'.repeat(32)}`

    run('eth', 'getBlock', 7, true)
    run('eth', 'getBlock', hash)
    run('eth', 'getBlock')

    expect(asked).toEqual([
      ['eth_getBlockByNumber', ['0x7', true]],
      ['eth_getBlockByHash', [hash, false]],
      ['eth_getBlockByNumber', ['latest', false]],
    ])
  })

  it('write quantities in transactions as hex, and leave plain numbers where the method takes them', () => {
    const { run, asked } = console()

    run('eth', 'sendTransaction', { from: '0xaa', value: 10n ** 18n, gas: 21_000, data: '0x' })
    run('admin', 'exportChain', 'file', 1, 2)

    expect(asked).toEqual([
      ['eth_sendTransaction', [{ from: '0xaa', value: '0xde0b6b3a7640000', gas: '0x5208', data: '0x' }]],
      ['admin_exportChain', ['file', 1, 2]],
    ])
  })

  it('wait for blocks', () => {
    const heads = ['0x1', '0x1', '0x3']
    const answers = {
      get eth_blockNumber(): string | undefined {
        return heads.shift()
      },
    }
    const { run, slept } = console(answers)

    expect(run('admin', 'sleepBlocks', 2)).toBe(true)
    expect(slept).toEqual([1_000])
  })

  it.each(['sleep', 'sleepBlocks'])('never wait for what is no number: admin.%s', (name) => {
    const { run, slept } = console({ eth_blockNumber: '0x1' })

    for (const value of [undefined, 'soon', -1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => run('admin', name, value)).toThrow(`${value} is not a number from 0 on`)
    expect(slept).toEqual([])
  })
})
