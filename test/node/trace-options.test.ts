// What callers may change about a call or a trace, over the real server: options of the tracer, the block's header, the
// state. And what they may not: it is refused by name.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type Json } from '../json-rpc'
import { QueryNode } from './query-node'

const CALLER = '0x00000000000000000000000000000000000ca11e'
const LOGGER = '0x0000000000000000000000000000000000010660'
const FAILING = '0x00000000000000000000000000000000000fa11e'
const NUMBER = '0x000000000000000000000000000000000000b10c'
const word = (address: string) => `73${address.slice(2)}`
/** CALL without arguments, its result dropped. */
const calling = (address: string) => `60006000600060006000${word(address)}5af150`
const RICH = '0x000000000000000000000000000000000000f00d'
const overrides = {
  [RICH]: { balance: '0xffffffffffffffffffff' },
  // LOG1 with topic 7 of 32 bytes that memory doesn't have yet, calls both, LOG0.
  [CALLER]: { code: `0x600760206010a1${calling(LOGGER)}${calling(FAILING)}60006000a000` },
  [LOGGER]: { code: '0x602a60005260206000a000' },
  // Logs and calls the logger, then reverts: none of it counts.
  [FAILING]: { code: `0x60006000a0${calling(LOGGER)}60006000fd` },
  // Returns NUMBER, TIMESTAMP, COINBASE.
  [NUMBER]: { code: '0x43600052426020524160405260606000f3' },
}

describe('options of calls and traces', () => {
  const server = new QueryNode({
    folder: join(import.meta.dirname, '../vectors/rpc'),
    blocks: 'chain.rlp',
    networkId: 3110,
  })
  beforeAll(() => server.start())
  afterAll(() => server.stop())

  const trace = async (to: string, options: object): Promise<Json> =>
    (
      await ask(server.url(), 'debug_traceCall', [
        { to, gas: '0x100000' },
        'latest',
        { stateOverrides: overrides, ...options },
      ])
    ).result
  const tracer = 'callTracer'

  it('trace logs with their calls, without those of failed ones', async () => {
    const top = await trace(CALLER, { tracer, tracerConfig: { withLog: true } })

    expect(top.logs).toEqual([
      { address: CALLER, topics: [`0x${'07'.padStart(64, '0')}`], data: `0x${'00'.repeat(32)}`, position: '0x0' },
      { address: CALLER, topics: [], data: '0x', position: '0x2' },
    ])
    const [logger, failing] = top.calls
    expect(logger.logs).toEqual([{ address: LOGGER, topics: [], data: `0x${'2a'.padStart(64, '0')}`, position: '0x0' }])
    expect(failing.error).toBe('execution reverted')
    expect([failing.logs, failing.calls[0].logs]).toEqual([undefined, undefined])
  })

  it('are for this chain alone: another chain id is refused, with both', async () => {
    const other = { to: NUMBER, chainId: '0x1' }
    const at = 'latest'
    const parts = ['trace']
    const bundles = [{ transactions: [other] }]
    for (const [method, ...params] of [
      ['eth_call', other, at],
      ['eth_estimateGas', other],
      ['eth_createAccessList', other],
      ['eth_callMany', bundles, { blockNumber: at }],
      ['debug_traceCall', other, at],
      ['debug_traceCallMany', bundles, { blockNumber: at }],
      ['trace_call', other, parts],
      ['trace_callMany', [[other, parts]]],
    ] as const) {
      const { error } = await ask(server.url(), method, [...params])
      expect([method, error?.message]).toEqual([method, "chainId does not match node's (have=1, want=3110)"])
    }
    const own = { ...other, chainId: '0xc26' }
    expect((await ask(server.url(), 'eth_call', [own, at])).error).toBeUndefined()
  })

  it('trace only the top call', async () => {
    const whole = await trace(CALLER, { tracer })
    const { calls, ...rest } = whole
    expect(calls).toHaveLength(2)
    expect(await trace(CALLER, { tracer, tracerConfig: { onlyTopCall: true } })).toEqual(rest)
    const logs = (await trace(CALLER, { tracer, tracerConfig: { onlyTopCall: true, withLog: true } })).logs
    expect(logs.map((log: Json) => log.address)).toEqual([CALLER, CALLER])
  })

  it("replace the block's header for calls and their traces", async () => {
    const block = { number: '0x1000', time: '0x2000', feeRecipient: FAILING }
    const expected = [0x1000, 0x2000, BigInt(FAILING)].map((value) => value.toString(16).padStart(64, '0')).join('')
    const { output } = await trace(NUMBER, { tracer, blockOverrides: block })
    const { result } = await ask(server.url(), 'eth_call', [{ to: NUMBER }, 'latest', overrides, block])

    expect([output, result]).toEqual([`0x${expected}`, `0x${expected}`])
    const plain = await ask(server.url(), 'eth_call', [{ to: NUMBER }, 'latest', overrides])
    expect(Number.parseInt(plain.result.slice(2, 66), 16)).toBe(42)
  })

  it('change the state for estimates and access lists', async () => {
    const estimate = await ask(server.url(), 'eth_estimateGas', [{ to: LOGGER }, 'latest', overrides])
    expect(Number(estimate.result)).toBeGreaterThan(21_000)
    const list = await ask(server.url(), 'eth_createAccessList', [
      { from: RICH, to: CALLER, gas: '0x100000' },
      'latest',
      overrides,
    ])
    expect(list.result.accessList.map((entry: Json) => entry.address).sort()).toEqual([LOGGER, FAILING].sort())
    expect(list.result.error).toBeUndefined()
  })

  it('say in an access list why its call fails', async () => {
    const errorOf = async (gas: string, to: string) =>
      (await ask(server.url(), 'eth_createAccessList', [{ from: RICH, to, gas }, 'latest', overrides])).result.error
    expect([await errorOf('0x5300', CALLER), await errorOf('0x100000', FAILING)]).toEqual([
      'out of gas',
      'execution reverted',
    ])
  })

  it.each([
    [{ from: RICH }, 'contract creation without any data provided'],
    [{ from: RICH, to: CALLER, gasPrice: `0x${'f'.repeat(64)}` }, 'gas required exceeds allowance (0)'],
    [{ from: RICH, to: CALLER, gas: '0x1' }, 'failed to apply transaction: intrinsic gas too low: have 1, want 21000'],
  ])('make no access list for %j: %s', async (call, message) => {
    const { error } = await ask(server.url(), 'eth_createAccessList', [call, 'latest', overrides])
    expect(error).toEqual({ code: -32000, message })
  })

  it.each([
    ['eth_call', [{ to: NUMBER, gasLimit: '0x1' }, 'latest'], 'unknown member "gasLimit"'],
    [
      'debug_traceCall',
      [{ to: NUMBER }, 'latest', { tracer: 'prestateTracer', tracerConfig: { diff: true } }],
      '"diff"',
    ],
    [
      'debug_traceCall',
      [{ to: NUMBER }, 'latest', { tracer: 'opcountTracer', tracerConfig: { diff: true } }],
      '"diff"',
    ],
    ['eth_callMany', [[{ transactions: [{ to: NUMBER }], blockOverrides: {} }], {}], '"blockOverrides"'],
    ['eth_callMany', [[{ transactions: [{ to: NUMBER }] }], { index: 1 }], '"index"'],
    ['eth_callMany', [[{ transactions: [] }], {}], 'empty bundles'],
    [
      'debug_traceCallMany',
      [[{ transactions: [{ to: NUMBER }] }], {}, { blockOverrides: { number: '0x1' } }],
      'unknown option "blockOverrides"',
    ],
    ['debug_traceCall', [{ to: NUMBER }, 'latest', { blockOverrides: { nmber: '0x1' } }], '"nmber"'],
    ['eth_getLogs', [{ fromblock: '0x1' }], 'unknown member "fromblock"'],
  ])('%s refuses what it does not know', async (method, params, name) => {
    const { error } = await ask(server.url(), method, params)
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(name) })
  })

  it('tell what a call changed: accounts and slots before and after', async () => {
    // Sets slot 1 from 0 to 5, slot 2 from 9 to 0, reads slot 3, pays 7 wei, creates an empty contract.
    const code = `0x60056001556000600255600354506000600060006000600773${FAILING.slice(2)}5af1506000600060006000f000`
    const slot = (n: number) => `0x${n.toString(16).padStart(64, '0')}`
    const state = { [slot(2)]: slot(9), [slot(3)]: slot(4) }
    const stateOverrides = { ...overrides, [CALLER]: { code, state, balance: '0x64' }, [FAILING]: { code: '0x00' } }
    const diff = async (config: object): Promise<Json> =>
      trace(CALLER, { stateOverrides, tracer: 'prestateTracer', tracerConfig: { diffMode: true, ...config } })
    const { pre, post } = await diff({})

    expect(pre[CALLER]).toEqual({ balance: '0x64', code, storage: { [slot(2)]: slot(9) } })
    expect(post[CALLER]).toEqual({ balance: '0x5d', nonce: 1, storage: { [slot(1)]: slot(5) } })
    expect([pre[FAILING].balance, post[FAILING]]).toEqual(['0x0', { balance: '0x7' }])
    expect(pre[FAILING].code).toBe('0x00')
    const created = Object.keys(post).filter((address) => !(address in pre))
    expect(created.map((address) => post[address])).toEqual([{ nonce: 1 }]) // the new contract
    const bare = await diff({ disableCode: true, disableStorage: true })
    expect([bare.pre[CALLER], bare.post[CALLER]]).toEqual([{ balance: '0x64' }, { balance: '0x5d', nonce: 1 }])
  })

  it('list calls in order, in the words of either node, and with precompiles if they are wanted', async () => {
    const code = `0x${calling(LOGGER)}${calling(FAILING)}${calling(`0x${'4'.padStart(40, '0')}`)}`
    const stateOverrides = { ...overrides, [CALLER]: { code } }
    const list = async (tracerConfig: object): Promise<Json> =>
      trace(CALLER, { stateOverrides, tracer: 'flatCallTracer', tracerConfig })
    const plain = await list({})

    expect(plain.map((call: Json) => [call.type, call.traceAddress, call.subtraces, call.action.to])).toEqual([
      ['call', [], 2, CALLER],
      ['call', [0], 0, LOGGER],
      ['call', [1], 1, FAILING],
      ['call', [1, 0], 0, LOGGER],
    ])
    expect(plain[2]).toMatchObject({ error: 'execution reverted', result: { output: '0x' }, blockHash: null })
    expect((await list({ convertParityErrors: true }))[2].error).toBe('Reverted')
    expect(await list({ includePrecompiles: true })).toHaveLength(5)
  })

  it('run several tracers at once, each as it would alone', async () => {
    const parts = {
      callTracer: { withLog: true },
      prestateTracer: { diffMode: true },
      '4byteTracer': {},
      flatCallTracer: null,
      opcountTracer: {},
    }
    const together = await trace(CALLER, { tracer: 'muxTracer', tracerConfig: parts })

    const alone = Object.entries(parts).map(async ([name, tracerConfig]) => [
      name,
      await trace(CALLER, { tracer: name, tracerConfig: tracerConfig ?? {} }),
    ])
    expect(together).toEqual(Object.fromEntries(await Promise.all(alone)))
  })

  it('move a precompile, for every kind of call', async () => {
    const IDENTITY = `0x${'4'.padStart(40, '0')}`
    const MOVED = '0x00000000000000000000000000000000000a0ded'
    const moved = { [IDENTITY]: { movePrecompileToAddress: MOVED } }
    const call = async (to: string) =>
      (await ask(server.url(), 'eth_call', [{ to, data: '0xabcd' }, 'latest', moved])).result

    expect([await call(MOVED), await call(IDENTITY)]).toEqual(['0xabcd', '0x'])
    const traced = await ask(server.url(), 'debug_traceCall', [
      { to: MOVED, data: '0xabcd' },
      'latest',
      { tracer, stateOverrides: moved },
    ])
    expect(traced.result.output).toBe('0xabcd')
    const gas = async (to: string) =>
      Number((await ask(server.url(), 'eth_estimateGas', [{ to }, 'latest', moved])).result)
    expect((await gas(MOVED)) - (await gas(IDENTITY))).toBe(15)
    const odd = { [LOGGER]: { movePrecompileToAddress: MOVED } }
    const refused = await ask(server.url(), 'eth_call', [{ to: MOVED }, 'latest', odd])
    expect(refused.error.message).toBe(`account ${LOGGER} is not a precompile`)
  })

  it('run many calls, each on what those before it left, and their traces', async () => {
    // Adds one to slot 0 and returns it with NUMBER and TIMESTAMP.
    const COUNTER = '0x00000000000000000000000000000000c0047e12'
    const code = '0x60005460010180600055600052436020524260405260606000f3'
    const stateOverrides = { [COUNTER]: { code }, [FAILING]: overrides[FAILING] }
    const count = { to: COUNTER }
    const bundles = [
      { transactions: [count, { to: FAILING }, count] },
      { transactions: [count], blockOverride: { time: '0x70000000' } },
      { transactions: [count] },
    ]
    const read = (value: string) => [0, 1, 2].map((i) => Number.parseInt(value.slice(2 + 64 * i, 66 + 64 * i), 16))
    const { result } = await ask(server.url(), 'eth_callMany', [bundles, { blockNumber: 'latest' }, stateOverrides])

    const [[first, failed, second], [third], [fourth]] = result
    const [, number = 0, time = 0] = read(first.value)
    expect(number).toBe(42)
    expect(failed).toEqual({ error: { message: 'execution reverted' } })
    expect([second, third, fourth].map((one: Json) => read(one.value))).toEqual([
      [2, number, time],
      [3, number + 1, 0x70000000],
      [4, number + 2, 0x70000001],
    ])
    const traces = await ask(server.url(), 'debug_traceCallMany', [bundles, {}, { tracer, stateOverrides }])
    expect(traces.result.map((list: Json) => list.map((one: Json) => one.output ?? one.error))).toEqual([
      [first.value, 'execution reverted', second.value],
      [third.value],
      [fourth.value],
    ])
  })

  it('begin many calls in the middle of a block', async () => {
    const url = server.url()
    const block = (await ask(url, 'eth_getBlockByNumber', ['latest', true])).result
    const full = block.transactions.length > 0 ? block : (await ask(url, 'eth_getBlockByNumber', ['0x2', true])).result
    const [tx] = full.transactions
    // Returns the balance of the transaction's sender.
    const code = `0x73${tx.from.slice(2)}3160005260206000f3`
    const at = async (transactionIndex: number) => {
      const context = { blockNumber: full.number, transactionIndex }
      const params = [[{ transactions: [{ to: NUMBER }] }], context, { [NUMBER]: { code } }]
      return (await ask(url, 'eth_callMany', params)).result[0][0].value
    }
    const before = (await ask(url, 'eth_getBalance', [tx.from, `0x${(Number(full.number) - 1).toString(16)}`])).result
    const after = (await ask(url, 'eth_getBalance', [tx.from, full.number])).result

    expect(BigInt(await at(0))).toBe(BigInt(before))
    expect(BigInt(await at(-1))).toBe(BigInt(after))
    const params = [[{ transactions: [{ to: NUMBER }] }], { blockNumber: full.number, transactionIndex: 1000 }]
    expect((await ask(url, 'eth_callMany', params)).error.message).toMatch(
      /^transactionIndex 1000 is beyond the block's/,
    )
  })

  it('give raw blocks, headers and transactions', async () => {
    const url = server.url()
    const { result: block } = await ask(url, 'eth_getBlockByNumber', ['0x2', false])
    const [raw, header] = [
      (await ask(url, 'debug_getRawBlock', ['0x2'])).result,
      (await ask(url, 'debug_getRawHeader', [block.hash])).result,
    ]
    expect(raw).toBe((await ask(url, 'debug_getBlockRlp', [2])).result.replace(/^(0x)?/, '0x'))
    expect(raw).toContain(header.slice(2))
    const [hash] = block.transactions
    const tx = (await ask(url, 'eth_getRawTransactionByHash', [hash])).result
    expect((await ask(url, 'debug_getRawTransaction', [hash])).result).toBe(tx)
    expect((await ask(url, 'debug_getRawBlock', ['0x1000'])).error.message).toBe('block not found')
  })

  it('let scripts read memory past its end', async () => {
    const source = (body: string) =>
      `{ step: function(log) { if (log.op.toString() === 'LOG1') this.seen = ${body} }, fault: function() {}, result: function() { return this.seen } }`
    expect(await trace(CALLER, { tracer: source('toHex(log.memory.slice(16, 48))') })).toBe(`0x${'00'.repeat(32)}`)
    expect(await trace(CALLER, { tracer: source('log.memory.getUint(64).toString()') })).toBe('0')
  })
})
