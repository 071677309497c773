// eth_simulateV1 over the recorded chain: simulating its own blocks yields the same receipts; overrides, checks,
// limits.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type Json } from '../json-rpc'
import { QueryNode, queriesOutOfTime } from './query-node'
import { VECTORS } from './rpc-cases/case-node'

const A = `0x${'a1'.repeat(20)}`
const B = `0x${'b2'.repeat(20)}`
const COIN = `0x${'ee'.repeat(20)}`
const hex = (number: number): string => `0x${number.toString(16)}`
const word = (value: number | string): string =>
  `0x${(typeof value === 'number' ? value.toString(16) : value.slice(2)).padStart(64, '0')}`

describe('eth_simulateV1', () => {
  const chain = { folder: VECTORS, blocks: 'chain.rlp', networkId: 3110 }
  const node = new QueryNode(chain)
  const outOfTime = new QueryNode(chain, { queries: queriesOutOfTime })
  beforeAll(() => Promise.all([node.start(), outOfTime.start()]))
  afterAll(() => Promise.all([node.stop(), outOfTime.stop()]))
  const mine = (method: string, ...params: unknown[]): Promise<Json> => ask(node.url(), method, params)
  const simulate = (blocks: unknown, more: object = {}, at: unknown = 'latest') =>
    mine('eth_simulateV1', { blockStateCalls: blocks, ...more }, at)
  const fault = async (blocks: unknown, more: object = {}) => {
    const { error } = await simulate(blocks, more)
    return [error?.code, error?.message]
  }
  const rich = { [A]: { balance: '0xde0b6b3a7640000' } }

  it("gives the same results as the chain's blocks", async () => {
    let compared = 0
    for (let number = 1; number <= 42; number++) {
      const { result: block } = await mine('eth_getBlockByNumber', hex(number), true)
      if (block.transactions.length === 0) continue
      const { result: receipts } = await mine('eth_getBlockReceipts', hex(number))
      const { timestamp: time, gasLimit, miner: feeRecipient, difficulty } = block
      const calls = block.transactions.map(({ from, to, gas, gasPrice, value, input, nonce, accessList }: Json) => ({
        from,
        to,
        gas,
        gasPrice,
        value,
        input,
        nonce,
        ...(accessList === undefined ? {} : { accessList }),
      }))

      const { result, error } = await simulate(
        [{ blockOverrides: { time, gasLimit, feeRecipient, difficulty }, calls }],
        { validation: true, returnFullTransactions: true },
        hex(number - 1),
      )

      expect(error, `block ${number}`).toBeUndefined()
      const [made] = result
      expect(made).toMatchObject({ number: block.number, parentHash: block.parentHash, gasUsed: block.gasUsed })
      expect([made.receiptsRoot, made.logsBloom]).toEqual([block.receiptsRoot, block.logsBloom])
      for (const [index, receipt] of receipts.entries()) {
        const { status, gasUsed, logs } = made.calls[index]
        expect([status, gasUsed, logs.map(told)]).toEqual([receipt.status, receipt.gasUsed, receipt.logs.map(told)])
        expect(made.transactions[index]).toMatchObject({
          from: receipt.from,
          to: receipt.to,
          nonce: calls[index].nonce,
        })
        compared++
      }
    }
    expect(compared).toBeGreaterThan(20)
  })

  it('goes from block to block, filling gaps, on the given state', async () => {
    // PUSH1 0 SLOAD, PUSH1 1 ADD, DUP1, PUSH1 0 SSTORE, PUSH1 0 MSTORE, PUSH1 32 PUSH1 0 RETURN
    const code = '0x6000546001018060005560005260206000f3'
    const { result } = await simulate([
      { stateOverrides: { ...rich, [B]: { code, stateDiff: { [word(0)]: word(41) } } }, calls: [{ to: B }, { to: B }] },
      { blockOverrides: { number: hex(46), time: '0xffffffff' }, calls: [{ to: B }] },
    ])

    expect(result.map(({ number }: Json) => number)).toEqual([43, 44, 45, 46].map(hex))
    expect(result.map(({ calls }: Json) => calls.map(({ returnData }: Json) => returnData))).toEqual([
      [word(42), word(43)],
      [],
      [],
      [word(44)],
    ])
    for (const [index, { parentHash }] of result.entries())
      if (index > 0) expect(parentHash).toBe(result[index - 1].hash)
    expect(result[3].timestamp).toBe('0xffffffff')
    expect((await mine('eth_getCode', B, 'latest')).result).toBe('0x') // nothing is kept
  })

  it('returns the hashes of simulated blocks to BLOCKHASH', async () => {
    // NUMBER, PUSH1 1, SWAP1, SUB, BLOCKHASH, PUSH1 0 MSTORE, PUSH1 32 PUSH1 0 RETURN
    const code = '0x43600190034060005260206000f3'
    const { result } = await simulate([
      { stateOverrides: { [B]: { code } }, calls: [{ to: B }] },
      { calls: [{ to: B }] },
    ])
    const head: Json = (await mine('eth_getBlockByNumber', 'latest', false)).result

    expect(result.map(({ calls }: Json) => calls[0].returnData)).toEqual([head.hash, result[0].hash])
  })

  it('returns transfers as logs on request, in no receipt and for no failed call', async () => {
    const pay = { from: A, to: B, value: '0x5' }
    const refuses = { [B]: { code: '0x60006000fd' } }
    const { result } = await simulate(
      [
        { stateOverrides: rich, calls: [pay] },
        { stateOverrides: refuses, calls: [pay] },
      ],
      { traceTransfers: true },
    )
    const [paid, refused] = result

    expect(paid.calls[0].logs).toEqual([
      expect.objectContaining({ address: COIN, topics: [expect.any(String), word(A), word(B)], data: word(5) }),
    ])
    expect(BigInt(paid.logsBloom)).toBe(0n)
    expect(paid.calls[0].logs[0].blockHash).toBe(paid.hash)
    expect(refused.calls[0]).toMatchObject({ status: '0x0', logs: [], returnData: '0x' })
    expect(refused.calls[0].error).toEqual({ code: 3, message: 'execution reverted', data: '0x' })
  })

  it('moves built-in contracts', async () => {
    const identity = `0x${'0'.repeat(39)}4`
    const call = { to: B, input: '0x1234' }
    const moved = { [identity]: { movePrecompileToAddress: B } }
    const { result } = await simulate([
      { calls: [call] },
      { stateOverrides: moved, calls: [call, { ...call, to: identity }] },
    ])

    expect(result.map(({ calls }: Json) => calls.map(({ returnData }: Json) => returnData))).toEqual([
      ['0x'],
      ['0x1234', '0x'],
    ])
    expect(await fault([{ stateOverrides: { [A]: { movePrecompileToAddress: B } } }])).toEqual([
      -32000,
      expect.stringContaining('is not a precompile'),
    ])
    expect((await fault([{ stateOverrides: { [identity]: { movePrecompileToAddress: identity } } }]))[0]).toBe(-38022)
  })

  it("rejects what no block could contain, with the execution API's error codes", async () => {
    const pay = { from: A, to: B, value: '0x1' }
    const numbers = [
      [[{ calls: [pay] }], {}, -38014],
      [[{ stateOverrides: rich, calls: [{ ...pay, gas: '0x1' }] }], {}, -38013],
      [[{ stateOverrides: rich, calls: [{ ...pay, nonce: '0x5' }] }], { validation: true }, -38011],
      [
        [{ stateOverrides: { [A]: { balance: '0x5', nonce: '0x6' } }, calls: [{ ...pay, nonce: '0x5' }] }],
        { validation: true },
        -38010,
      ],
      [[{ stateOverrides: { [A]: { balance: '0x5', code: '0x00' } }, calls: [pay] }], { validation: true }, -38024],
      [
        [{ blockOverrides: { gasLimit: '0x5208' }, stateOverrides: rich, calls: [{ ...pay, gas: '0x5209' }] }],
        {},
        -38015,
      ],
      [[{ blockOverrides: { number: '0x2a' } }], {}, -38020],
      [[{ blockOverrides: { time: '0x1' } }], {}, -38021],
      [[{ blockOverrides: { number: '0x12b' } }], {}, -38026],
      [[], {}, -32602],
      [[{ blockOverrides: { baseFeePerGas: '0x1' } }], {}, -32602],
      [[{ blockOverrides: { prevRandao: word(1) } }], {}, -32602],
      [Array(257).fill({}), {}, -32602],
      [[{ calls: Array(1_001).fill({}) }], {}, -32602],
    ] as const
    for (const [blocks, more, number] of numbers)
      expect((await fault(blocks, more))[0], JSON.stringify(blocks).slice(0, 90)).toBe(number)
    // Nonces aren't checked without validation.
    expect((await simulate([{ stateOverrides: rich, calls: [{ ...pay, nonce: '0x5' }] }])).error).toBeUndefined()
    expect((await mine('eth_simulateV1', { blockStateCalls: [{}] }, 'pending')).error.code).toBe(-32000)
    expect((await mine('eth_simulateV1', { blockStateCalls: [{}] }, '0xff')).error.message).toBe('header not found')
  })

  it('ends at its limits: time, logs, gas of all calls together', async () => {
    const overrides = (code: string) => ({ [B]: { code } })
    const endless = { stateOverrides: overrides('0x5b600056'), calls: [{ to: B }] }
    const { error }: Json = await ask(outOfTime.url(), 'eth_simulateV1', [{ blockStateCalls: [endless] }, 'latest'])
    expect(error).toMatchObject({ code: -32000, message: 'execution aborted (timeout = 120s)' })
    // JUMPDEST PUSH1 0 PUSH1 0 LOG0 PUSH1 0 JUMP
    const logs = await fault([
      {
        blockOverrides: { gasLimit: '0x1ffffff' },
        stateOverrides: overrides('0x5b60006000a0600056'),
        calls: [{ to: B }],
      },
    ])
    expect([-38026, -32000]).toContain(logs[0])
    const all = { stateOverrides: overrides('0xfe'), blockOverrides: { gasLimit: '0xffffffff' } }
    const spent = await fault([{ ...all, calls: [{ to: B }, { to: B }] }])
    expect(spent[0]).toBe(-38013)
  })
})

const told = ({ address, topics, data, logIndex }: Json) => ({ address, topics, data, logIndex })
