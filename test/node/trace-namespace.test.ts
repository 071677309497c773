// trace_* over the recorded chain: flat calls compared with the call tracer, state diffs with the states before and
// after, filters with the whole list, and strangers' input.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type Json } from '../json-rpc'
import { QueryNode } from './query-node'
import { VECTORS } from './rpc-cases/case-node'

const HEAD = 42
const DIFF = ['stateDiff']
const tag = (number: number): string => `0x${number.toString(16)}`

/** The call tracer's tree in the order in which its calls began. */
function flattened(call: Json, path: readonly number[] = [], around = '0x0'): Json[] {
  const value = call.value ?? (call.type === 'DELEGATECALL' ? around : '0x0')
  const inner = (call.calls ?? []).filter((one: Json) => !isSilent(one))
  const below = inner.flatMap((one: Json, index: number) => flattened(one, [...path, index], value))
  const shown = {
    kind: call.type,
    from: call.from,
    value,
    path,
    subtraces: inner.length,
    input: call.input,
    error: call.error === 'execution reverted' ? 'Reverted' : call.error,
  }
  return [call.type === 'SELFDESTRUCT' ? { ...shown, input: undefined } : shown, ...below]
}

/** Precompiles that receive nothing aren't listed. */
function isSilent({ to, value, type }: Json): boolean {
  return type !== 'SELFDESTRUCT' && /^0x0{39}[1-9]$/.test(to ?? '') && BigInt(value ?? 0) === 0n
}

function shownOf({ action, type, traceAddress, subtraces, error }: Json): Json {
  const kinds: Json = { suicide: 'SELFDESTRUCT', create: action.creationMethod?.toUpperCase() }
  return {
    kind: kinds[type] ?? action.callType.toUpperCase(),
    from: action.from ?? action.address,
    value: action.value ?? action.balance,
    path: traceAddress,
    subtraces,
    input: action.input ?? action.init,
    error,
  }
}

const METHOD_OF: Readonly<Record<string, string>> = {
  balance: 'eth_getBalance',
  nonce: 'eth_getTransactionCount',
  code: 'eth_getCode',
}

/** The first and the last stand for those between, which work the same way. */
function isEdge(index: number, all: readonly unknown[]): boolean {
  return index === 0 || index === all.length - 1
}

describe('the trace namespace', () => {
  const server = new QueryNode({ folder: VECTORS, blocks: 'chain.rlp', networkId: 3110 })
  beforeAll(() => server.start())
  afterAll(() => server.stop())
  const result = async (method: string, ...params: unknown[]): Promise<Json> => {
    const answer = await ask(server.url(), method, params)
    expect(answer.error, `${method} ${JSON.stringify(params)}`).toBeUndefined()
    return answer.result
  }
  const failure = async (method: string, ...params: unknown[]): Promise<Json> =>
    (await ask(server.url(), method, params)).error
  const blockAt = (number: number): Promise<Json> => result('eth_getBlockByNumber', tag(number), true)

  /** For an account and the name of a field or slot each, as other methods return it. */
  const statesOf = async (keys: readonly string[], height: number): Promise<Json[]> => {
    if (keys.length === 0) return []
    const calls = keys.map((key, id) => {
      const [address, name = ''] = key.split(' ')
      const method = METHOD_OF[name]
      const params = method === undefined ? [address, name, tag(height)] : [address, tag(height)]
      return { jsonrpc: '2.0', id, method: method ?? 'eth_getStorageAt', params }
    })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(server.url(), { method: 'POST', headers, body: JSON.stringify(calls) })
    const answers: Json = await response.json()
    return answers.map((one: Json) => one.result)
  }

  it('returns the same calls as the call tracer, as a list', async () => {
    let calls = 0
    for (let number = 1; number <= HEAD; number++) {
      const trees: Json[] = await result('debug_traceBlockByNumber', tag(number), { tracer: 'callTracer' })
      const block = await blockAt(number)
      const entries: Json[] = await result('trace_block', tag(number))
      const own = entries.filter(({ type }) => type !== 'reward')
      for (const [index, { result: tree }] of trees.entries()) {
        const { hash } = block.transactions[index]
        const of = own.filter(({ transactionPosition }) => transactionPosition === index)
        expect(of.map(shownOf)).toEqual(flattened(tree).map((one) => ({ ...one, error: one.error ?? undefined })))
        if (isEdge(index, trees)) expect(await result('trace_transaction', hash)).toEqual(of)
        const [top] = of
        expect(top).toMatchObject({ transactionHash: hash, blockHash: block.hash, blockNumber: number })
        if (top.result !== null) expect(top.result.gasUsed).toBe(tree.gasUsed)
        calls += of.length
      }
      expect(own.map(({ transactionPosition }) => transactionPosition)).toEqual(
        own.map(({ transactionPosition }) => transactionPosition).sort((a, b) => a - b),
      )
    }
    expect(calls).toBeGreaterThan(150)
  })

  it('reports no payout if nothing is paid: this genesis lacks the wei that keeps the schedule', async () => {
    const { miner } = await blockAt(1)
    expect(BigInt(await result('eth_getBalance', miner, tag(HEAD)))).toBeLessThan(BigInt(FIFTY))
    const told: Json[] = await result('trace_filter', {})
    expect(told.filter(({ type }) => type === 'reward')).toEqual([])
  })

  it('returns changes that lead from the state before a block to the state after it', async () => {
    const seen = { accounts: 0, slots: 0, codes: 0, gone: 0, born: 0 }
    for (let number = 1; number <= HEAD; number++) {
      const replays: Json[] = await result('trace_replayBlockTransactions', tag(number), ['trace', ...DIFF])
      const first = new Map<string, Json>()
      const last = new Map<string, Json>()
      const at = (map: Map<string, Json>, key: string, value: unknown, isFirst: boolean): void => {
        if (!isFirst || !map.has(key)) map.set(key, value)
      }
      for (const [index, { stateDiff, transactionHash }] of replays.entries()) {
        if (isEdge(index, replays))
          expect((await result('trace_replayTransaction', transactionHash, DIFF)).stateDiff).toEqual(stateDiff)
        for (const [address, change] of Object.entries<Json>(stateDiff)) {
          seen.accounts++
          if (change.balance['-'] !== undefined) seen.gone++
          if (change.balance['+'] !== undefined) seen.born++
          const fields = { ...change.storage, balance: change.balance, nonce: change.nonce, code: change.code }
          for (const [name, way] of Object.entries<Json>(fields)) {
            if (way === '=') continue
            const isSlot = name.startsWith('0x')
            const nothing = isSlot ? `0x${'00'.repeat(32)}` : name === 'code' ? '0x' : '0x0'
            const from = way['*']?.from ?? way['-'] ?? nothing
            const to = way['*']?.to ?? way['+'] ?? nothing
            expect(from === to && name !== 'code' && isSlot).toBe(false)
            const key = `${address} ${name}`
            if (last.has(key)) expect(from, key).toBe(last.get(key))
            at(first, key, from, true)
            at(last, key, to, false)
            if (isSlot) seen.slots++
            if (name === 'code' && from !== to) seen.codes++
          }
        }
      }
      expect(await statesOf([...first.keys()], number - 1), `before ${number}`).toEqual([...first.values()])
      expect(await statesOf([...last.keys()], number), `after ${number}`).toEqual([...last.values()])
    }
    expect(seen.accounts).toBeGreaterThan(300)
    expect([seen.slots, seen.codes, seen.gone, seen.born].every((count) => count > 0)).toBe(true)
  })

  it('filters by caller and callee, page by page', async () => {
    const all: Json[] = []
    for (let number = 1; number <= HEAD; number++) all.push(...(await result('trace_block', tag(number))))
    expect(await result('trace_filter', {})).toEqual(all)
    expect(await result('trace_filter', { after: 10, count: '0x7' })).toEqual(all.slice(10, 17))
    expect(await result('trace_filter', { fromBlock: tag(3), toBlock: tag(5) })).toEqual(
      all.filter(({ blockNumber }) => blockNumber >= 3 && blockNumber <= 5),
    )
    const creator = all.find(({ type, result: made }) => type === 'create' && made !== null)
    const { from } = creator.action
    const { address } = creator.result
    const receiver = (one: Json): string =>
      one.action.to ?? one.action.refundAddress ?? one.action.author ?? one.result?.address
    const sender = (one: Json): string => one.action.from ?? one.action.address
    expect(await result('trace_filter', { fromAddress: [from], toAddress: [address] })).toEqual(
      all.filter((one) => sender(one) === from || receiver(one) === address),
    )
    expect(await result('trace_filter', { fromAddress: [from], toAddress: [address], mode: 'intersection' })).toEqual(
      all.filter((one) => sender(one) === from && receiver(one) === address),
    )
  })

  it('finds one call by its place', async () => {
    const entries: Json[] = await result('trace_filter', {})
    const deep = entries.find(({ traceAddress }) => traceAddress.length === 2)
    const path = deep.traceAddress.map((index: number) => tag(index))
    expect(await result('trace_get', deep.transactionHash, path)).toEqual(deep)
    expect((await result('trace_get', deep.transactionHash, [])).traceAddress).toEqual([])
    expect(await result('trace_get', deep.transactionHash, ['0x99'])).toBeNull()
    expect(await result('trace_get', `0x${'11'.repeat(32)}`, ['0x0'])).toBeNull()
    expect(await result('trace_transaction', `0x${'11'.repeat(32)}`)).toBeNull()
    expect(await result('trace_block', '0x0')).toEqual([])
  })

  it('runs calls one after another', async () => {
    const { miner } = await blockAt(1)
    const to = `0x${'5e'.repeat(20)}`
    const give = (value: string): Json => ({ from: miner, to, value })
    const back = { from: to, to: miner, value: '0x5' }
    const [first, second] = await result('trace_callMany', [
      [give('0x7'), ['trace', 'stateDiff']],
      [back, DIFF],
    ])
    expect(first.trace).toMatchObject([{ action: { from: miner, to, value: '0x7' }, type: 'call' }])
    expect(first.stateDiff[to].balance).toEqual({ '+': '0x7' })
    expect(second.stateDiff[to].balance).toEqual({ '*': { from: '0x7', to: '0x2' } })
    expect(second.trace).toEqual([])
    const alone = await result('trace_call', give('0x7'), ['trace'])
    expect(alone).toMatchObject({ output: '0x', stateDiff: null, vmTrace: null, trace: first.trace })
    expect(await failure('trace_call', back, ['trace'])).toMatchObject({ message: /insufficient funds/ })
    expect(await result('trace_callMany', [])).toEqual([])
  })

  it("runs a signed transaction that wasn't sent", async () => {
    const { transactions } = await blockAt(HEAD)
    const raw = await result('eth_getRawTransactionByHash', transactions[0].hash)
    const told = await result('trace_rawTransaction', raw, ['trace'])
    expect(told.trace[0].action.from).toBe(transactions[0].from)
    expect(await failure('trace_rawTransaction', '0xc0', ['trace'])).toMatchObject({ code: -32000 })
    expect(await failure('trace_rawTransaction', '0x', ['trace'])).toMatchObject({ code: -32000 })
  })

  it.each([
    ['trace_block', [], /missing value/],
    ['trace_block', ['0x100'], /block #256 not found/],
    ['trace_block', ['pending'], /pending block/],
    ['trace_block', [`0x${'11'.repeat(32)}`], /not found/],
    ['trace_block', [7], /not a block number/],
    ['trace_transaction', ['0x11'], /1 bytes, want 32/],
    ['trace_get', [`0x${'11'.repeat(32)}`, '0x0'], /not a list/],
    ['trace_get', [`0x${'11'.repeat(32)}`, [0]], /not a QUANTITY/],
    ['trace_get', [`0x${'11'.repeat(32)}`, Array(1025).fill('0x0')], /want at most 1024/],
    ['trace_filter', [], /missing value/],
    ['trace_filter', [[]], /not a filter object/],
    ['trace_filter', [{ fromBlock: '0x9', toBlock: '0x3' }], /9 is behind 3/],
    ['trace_filter', [{ toBlock: '0xfffffffff' }], /68719476735 blocks are too many|beyond the head/],
    ['trace_filter', [{ fromBlock: '0x2a', toBlock: '0x2b' }], /beyond the head block 42/],
    ['trace_filter', [{ fromBlock: 'pending' }], /pending block/],
    ['trace_filter', [{ fromAddress: '0x11' }], /fromAddress: not a list/],
    ['trace_filter', [{ toAddress: ['0x11'] }], /toAddress: 1 bytes, want 20/],
    ['trace_filter', [{ toAddress: Array(1001).fill(`0x${'11'.repeat(20)}`) }], /want at most 1000/],
    ['trace_filter', [{ mode: 'both' }], /mode: want union or intersection/],
    ['trace_filter', [{ count: 10_001 }], /at most 10000/],
    ['trace_filter', [{ count: -1 }], /count: not a whole number/],
    ['trace_filter', [{ after: '0xffffffffffffffff' }], /over 53 bits/],
    ['trace_replayTransaction', [`0x${'11'.repeat(32)}`, ['trace']], /transaction not found/],
    ['trace_replayTransaction', [`0x${'11'.repeat(32)}`, ['vmTrace']], /vmTrace isn't made here/],
    ['trace_replayBlockTransactions', ['0x1', 'trace'], /not a list/],
    ['trace_replayBlockTransactions', ['0x1', [{}]], /want trace, stateDiff/],
    ['trace_call', [{}, ['trace'], 'pending'], /pending is not supported/],
    ['trace_callMany', [[[{}]]], /not a pair/],
    ['trace_callMany', [Array(101).fill([{}, []])], /want at most 100/],
  ] as const)('rejects %s with a reason, case %#', async (method, params, words) => {
    expect((await failure(method, ...params)).message).toMatch(words)
  })
})

describe('the trace namespace with maturing subsidies', () => {
  const folder = join(import.meta.dirname, '../vectors/chain/chain-small')
  const server = new QueryNode({ folder, blocks: 'blocks.rlp', networkId: 4242 })
  beforeAll(() => server.start())
  afterAll(() => server.stop())

  it('reports each payout in the block that makes it', async () => {
    const result = async (method: string, ...params: unknown[]): Promise<Json> =>
      (await ask(server.url(), method, params)).result
    const head = Number(await result('eth_blockNumber'))
    const told: Json[] = (await result('trace_filter', {})).filter(({ type }: Json) => type === 'reward')
    const first = told[0].blockNumber
    const maturity = first - 1

    expect(told.map(({ blockNumber }) => blockNumber)).toEqual(
      Array.from({ length: head - maturity }, (_, i) => first + i),
    )
    for (const { blockNumber, action, transactionHash } of told) {
      const { miner } = await result('eth_getBlockByNumber', tag(blockNumber - maturity), false)
      expect(action).toEqual({ author: miner, rewardType: 'block', value: FIFTY })
      expect(transactionHash).toBeNull()
      const replays: Json[] = await result('trace_replayBlockTransactions', tag(blockNumber), DIFF)
      let wei = BigInt(await result('eth_getBalance', miner, tag(blockNumber - 1)))
      for (const { stateDiff } of replays) {
        const way = stateDiff[miner]?.balance ?? '='
        if (way !== '=') wei = BigInt(way['*']?.to ?? way['+'])
      }
      expect(BigInt(await result('eth_getBalance', miner, tag(blockNumber)))).toBe(wei + BigInt(FIFTY))
    }
    expect(await result('trace_filter', { toAddress: [told[0].action.author], count: 1 })).toHaveLength(1)
  })
})

const FIFTY = `0x${(50n * 10n ** 18n).toString(16)}`
