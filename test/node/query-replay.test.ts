// The query machine compared with the chain itself: executes every transaction of the odd chain again on its state, and
// must use the gas and end as its receipt says, which the headers' roots confirm. Then limits of calls on the same
// node.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bigintFromBytes } from '../../src/base/bytes'
import { bytesOfHex, toHex } from '../../src/base/hex'
import { keccak256 } from '../../src/node/codec/keccak'
import { createdAddress } from '../../src/node/execution/message'
import { decodeBlock, encodeBlock } from '../../src/node/model/block'
import { TestWallet } from '../../src/node/testing/test-wallet'
import { ask, type Json } from '../json-rpc'
import { QueryNode, queriesOutOfTime } from './query-node'

const folder = join(import.meta.dirname, '../vectors/chain/chain-kinds')
const LOOP = '0x5b600056'
const CONTRACT = '0x00000000000000000000000000000000000c0de1'
/** Endlessly calls an account with 64 KiB of memory. */
const CALLS = '0x5b600060006201000060006000604261fffff150600056'
const endless = { [CONTRACT]: { code: LOOP } }

describe('calls and traces over the odd chain', () => {
  const chain = { folder, blocks: 'blocks.rlp', networkId: 4242 }
  const server = new QueryNode(chain)
  const outOfTime = new QueryNode(chain, { queries: queriesOutOfTime })
  beforeAll(() => Promise.all([server.start(), outOfTime.start()]))
  afterAll(() => Promise.all([server.stop(), outOfTime.stop()]))
  const result = async (method: string, ...params: unknown[]): Promise<Json> =>
    (await ask(server.url(), method, params)).result
  const failure = async (method: string, ...params: unknown[]): Promise<Json> =>
    (await ask(server.url(), method, params)).error

  it('traces what follows a transaction whose trace timed out as usual', async () => {
    const wallet = new TestWallet(1)
    const chainId = BigInt(await result('eth_chainId'))
    const last = decodeBlock(bytesOfHex(await result('debug_getBlockRlp', Number(await result('eth_blockNumber')))))
    if (!last.ok) throw new Error(last.error)
    const created = createdAddress(keccak256, bigintFromBytes(wallet.address), 0n).toString(16).padStart(40, '0')
    // Counts down from 983,040 while the clock is checked hundreds of times, then leaves 32 bytes of code; the other one returns the code size.
    const codes = ['620f00005b600190038060045760206000f3', `73${created}3b60005260206000f3`]
    const transactions = codes.map((code, nonce) => {
      const rest = { gasPrice: 0n, gasLimit: 40_000_000n, value: 0n, to: null }
      return wallet.sign({ chainId, nonce: BigInt(nonce), data: bytesOfHex(code), ...rest })
    })
    const block = toHex(encodeBlock({ header: last.value.header, transactions }))
    const traced = async (node: QueryNode, timeout: string): Promise<Json> =>
      (await ask(node.url(), 'debug_traceBlock', [block, { tracer: 'callTracer', timeout }])).result

    const [, second] = await traced(server, '1h')
    expect(BigInt(second.result.output)).toBe(32n)
    expect(await traced(outOfTime, '100h')).toEqual([{ error: 'execution timeout' }, second])
  })

  it('ends a trace that would hold too much, whatever its time limit', async () => {
    const options = { stateOverrides: { [CONTRACT]: { code: CALLS } }, timeout: '1h' }
    const traced = (tracer: string): Promise<Json> =>
      failure('debug_traceCall', { to: CONTRACT }, 'latest', { ...options, tracer })

    expect((await traced('callTracer')).message).toBe('the transaction does more than this tracer may hold')
  })

  it('reads nothing that an instruction without gas names', async () => {
    const code = `0x6000${`7f${'ff'.repeat(32)}`}60006000f5`
    const options = { stateOverrides: { [CONTRACT]: { code } }, tracer: 'prestateTracer' }

    expect(Object.keys(await result('debug_traceCall', { to: CONTRACT }, 'latest', options))).toContain(CONTRACT)
  })

  it("uses every receipt's gas and ends alike", async () => {
    const head = Number(await result('eth_blockNumber'))
    const found: unknown[] = []
    const wanted: unknown[] = []
    for (let number = 1; number <= head; number++) {
      const tag = `0x${number.toString(16)}`
      const receipts: Json[] = await result('eth_getBlockReceipts', tag)
      const traces: Json[] = await result('debug_traceBlockByNumber', tag, { limit: 1, disableStack: true })
      wanted.push(...receipts.map(({ gasUsed, status }) => ({ gas: Number(gasUsed), failed: status === '0x0' })))
      found.push(...traces.map(({ result: { gas, failed } }) => ({ gas, failed })))
    }

    expect(wanted).toHaveLength(320)
    expect(found).toEqual(wanted)
  })

  it('ends a call that runs too long', async () => {
    const { error }: Json = await ask(outOfTime.url(), 'eth_call', [{ to: CONTRACT }, 'latest', endless])

    expect(error).toEqual({ code: -32000, message: 'execution aborted (timeout = 120s)' })
  })

  it("ends a trace after its caller's timeout", async () => {
    const options = { tracer: 'callTracer', timeout: '50ms', stateOverrides: endless }
    const { error }: Json = await ask(outOfTime.url(), 'debug_traceCall', [{ to: CONTRACT }, 'latest', options])

    expect(error).toMatchObject({ message: 'execution timeout' })
  })

  it('leaves nothing of one call to the next', async () => {
    const code = { [CONTRACT]: { code: '0x60005460010160005560005460005260206000f3' } }
    const call = { to: CONTRACT, gas: '0x186a0' }

    const first = await result('eth_call', call, 'latest', code)
    const second = await result('eth_call', { ...call, gas: '0x186a1' }, 'latest', code)

    expect([first, second].map(Number)).toEqual([1, 1])
    expect(await result('eth_call', call, 'latest')).toBe('0x')
  })

  it('shows the cost of an unaffordable call as 64 bits that wrap, as prlx does', async () => {
    const options = { stateOverrides: { [CONTRACT]: { code: '0x60008080806001816000f1' } }, disableStack: true }
    const traced = await result('debug_traceCall', { to: CONTRACT, gas: '0x7530' }, 'latest', options)

    expect(traced.structLogs.at(-1)).toMatchObject({ op: 'CALL', error: 'out of gas' })
  })

  it('keeps a world warm without letting its warmth change the gas of later calls', async () => {
    const code = { [CONTRACT]: { code: '0x60005460015460025400' } }
    const estimate = async (gas: string) =>
      (await result('debug_traceCall', { to: CONTRACT, gas }, 'latest', { stateOverrides: code, limit: 1 })).gas

    expect(await estimate('0x186a0')).toBe(await estimate('0x186a1'))
    expect(await result('eth_estimateGas', { to: CONTRACT })).toBe('0x5208')
  })
})
