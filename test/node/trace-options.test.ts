// What callers may change about a call or a trace, over the real server: options of the tracer, the block's header, the
// state. And what they may not: it is refused by name.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type Json, QueryNode } from './query-node'

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
    ['eth_call', [{ to: NUMBER, gasLimit: '0x1' }, 'latest'], 'unknown member "gasLimit"'],
    [
      'eth_call',
      [{ to: NUMBER }, 'latest', { [NUMBER]: { movePrecompileToAddress: LOGGER } }],
      '"movePrecompileToAddress"',
    ],
    [
      'debug_traceCall',
      [{ to: NUMBER }, 'latest', { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }],
      '"diffMode"',
    ],
    ['debug_traceCall', [{ to: NUMBER }, 'latest', { blockOverrides: { nmber: '0x1' } }], '"nmber"'],
    ['eth_getLogs', [{ fromblock: '0x1' }], 'unknown member "fromblock"'],
  ])('%s refuses what it does not know', async (method, params, name) => {
    const { error } = await ask(server.url(), method, params)
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(name) })
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
