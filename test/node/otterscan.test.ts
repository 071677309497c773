// Otterscan's requests over the recorded chain: compared with receipts, states and the call tracer.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type Json } from '../json-rpc'
import { MOST_STATES, QueryNode } from './query-node'
import { VECTORS } from './rpc-cases/case-node'

const HEAD = 42
const tag = (number: number): string => `0x${number.toString(16)}`
const UNKNOWN = `0x${'11'.repeat(32)}`
const NOBODY = `0x${'11'.repeat(20)}`

/** Every call of the call tracer's tree, with whether it or an enclosing one failed. */
function callsOf(call: Json, depth = 0, isUndone = false): Json[] {
  const undone = isUndone || call.error !== undefined
  return [{ ...call, depth, undone }, ...(call.calls ?? []).flatMap((one: Json) => callsOf(one, depth + 1, undone))]
}

function isSilent({ depth, to, value, type }: Json): boolean {
  return depth > 0 && type !== 'SELFDESTRUCT' && /^0x0{39}[1-9]$/.test(to ?? '') && BigInt(value ?? 0) === 0n
}

describe('what Otterscan asks', () => {
  const server = new QueryNode({ folder: VECTORS, blocks: 'chain.rlp', networkId: 3110 })
  const blocks: Json[] = []
  const receipts: Json[][] = []
  const calls = new Map<string, Json[]>()
  const result = async (method: string, ...params: unknown[]): Promise<Json> => {
    const answer = await ask(server.url(), method, params)
    expect(answer.error, `${method} ${JSON.stringify(params)}`).toBeUndefined()
    return answer.result
  }
  const failure = async (method: string, ...params: unknown[]): Promise<Json> =>
    (await ask(server.url(), method, params)).error
  beforeAll(async () => {
    await server.start()
    for (let number = 0; number <= HEAD; number++) {
      blocks.push(await result('eth_getBlockByNumber', tag(number), true))
      receipts.push(await result('eth_getBlockReceipts', tag(number)))
      if (number === 0) continue
      const trees = await result('debug_traceBlockByNumber', tag(number), { tracer: 'callTracer' })
      for (const [index, { result: tree }] of trees.entries())
        calls.set(blocks[number].transactions[index].hash, callsOf(tree))
    }
  })
  afterAll(() => server.stop())
  /** Hashes of the transactions that an address takes part in, newest first. */
  const historyOf = (address: string): string[] =>
    [...blocks].reverse().flatMap(({ transactions }) =>
      [...transactions].reverse().flatMap(({ hash, from }: Json) => {
        const parties = (calls.get(hash) ?? []).flatMap((call) => [call.from, call.to])
        const made = receipts.flat().find((one) => one.transactionHash === hash)?.contractAddress
        return [from, made, ...parties].includes(address) ? [hash] : []
      }),
    )

  it('is recognized by its level and a header', async () => {
    expect(await result('ots_getApiLevel')).toBe(8)
    const header = await result('erigon_getHeaderByNumber', 1)
    expect(header).toEqual(await result('eth_getHeaderByNumber', '0x1'))
    expect(await result('erigon_getHeaderByNumber', '0x100')).toBeNull()
  })

  it('returns blocks without their transactions, with their rewards and fees', async () => {
    for (const number of [0, 1, 9, HEAD]) {
      const { transactions, hash, ...block } = blocks[number]
      const details = await result('ots_getBlockDetails', number)
      expect(await result('ots_getBlockDetailsByHash', hash)).toEqual(details)
      expect(details.block).toEqual({ ...block, hash, logsBloom: null, transactionCount: transactions.length })
      const fees = (receipts[number] ?? []).reduce(
        (sum, { gasUsed, effectiveGasPrice }) => sum + BigInt(gasUsed) * BigInt(effectiveGasPrice),
        0n,
      )
      expect(BigInt(details.totalFees)).toBe(fees)
      const reward = number === 0 ? '0x0' : tag(50e18)
      expect(details.issuance).toEqual({ blockReward: reward, uncleReward: '0x0', issuance: reward })
    }
    expect(await result('ots_getBlockDetails', 'latest')).toEqual(await result('ots_getBlockDetails', tag(HEAD)))
    expect(await result('ots_getBlockDetails', 99)).toBeNull()
    expect(await result('ots_getBlockDetailsByHash', UNKNOWN)).toBeNull()
  })

  it("returns a block's transactions page by page, from its end", async () => {
    const big = blocks.find(({ transactions }) => transactions.length === 60)
    const number = Number(big.number)
    const pages: Json[] = []
    for (let page = 0; page < 4; page++) pages.push(await result('ots_getBlockTransactions', number, page, 25))
    const sizes = pages.map(({ fullblock }) => fullblock.transactions.length)
    const shown = [...pages].reverse().flatMap(({ fullblock }) => fullblock.transactions)

    expect(sizes).toEqual([25, 25, 10, 0])
    expect(shown).toEqual(big.transactions.map((tx: Json) => ({ ...tx, input: tx.input.slice(0, 10) })))
    expect(pages[0].fullblock).toMatchObject({ hash: big.hash, transactionCount: 60, logsBloom: null })
    expect([...pages].reverse().flatMap((page) => page.receipts)).toEqual(
      (receipts[number] ?? []).map((one) => ({ ...one, logs: null, logsBloom: null })),
    )
    expect(await result('ots_getBlockTransactions', 99, 0, 25)).toBeNull()
  })

  it('returns calls, operations and errors of transactions', async () => {
    const kinds = new Set<number>()
    for (const [hash, all] of calls) {
      const told = all.filter((call) => !isSilent(call))
      if (told.length === 1 && told[0].error === undefined) continue // transfers are interchangeable
      expect(await result('ots_traceTransaction', hash)).toMatchObject(
        told.map(({ type, depth, from, value }) => ({ type, depth, from, value: value ?? null })),
      )
      const operations = await result('ots_getInternalOperations', hash)
      const moves = told.filter(
        ({ depth, undone, type, value }) =>
          depth > 0 && !undone && (/CREATE|SELFDESTRUCT/.test(type) || (type === 'CALL' && BigInt(value) > 0n)),
      )
      expect(operations).toEqual(
        moves.map(({ type, from, to, value }) => ({ type: KINDS.indexOf(type), from, to, value })),
      )
      for (const { type } of operations) kinds.add(type)
      const [top] = all
      const data = top.error === 'execution reverted' ? (top.output ?? '0x') : '0x'
      expect(await result('ots_getTransactionError', hash)).toBe(data)
    }
    expect([...kinds].sort()).toEqual([0, 1, 2, 3])
  })

  it('finds what an address took part in, page by page in both directions', async () => {
    const busy = [blocks[HEAD].transactions[0].from, ...receipts.flat().flatMap((one) => one.contractAddress ?? [])]
    for (const address of [...new Set(busy)].slice(0, 8)) {
      const wanted = historyOf(address)
      const whole = await result('ots_searchTransactionsBefore', address, 0, 100)
      expect(whole.txs.map((tx: Json) => tx.hash)).toEqual(wanted)
      expect([whole.firstPage, whole.lastPage]).toEqual([true, true])
      for (const [index, receipt] of whole.receipts.entries()) {
        const { timestamp, ...rest } = receipt
        expect(timestamp).toBe(Number(blocks[Number(rest.blockNumber)].timestamp))
        expect(rest.transactionHash).toBe(wanted[index])
      }
    }
    const [address] = busy
    const wanted = historyOf(address)
    const down: string[] = []
    for (let from = 0, isLast = false; !isLast; ) {
      const page = await result('ots_searchTransactionsBefore', address, from, 3)
      down.push(...page.txs.map((tx: Json) => tx.hash))
      isLast = page.lastPage
      from = Number(page.txs.at(-1)?.blockNumber ?? 0)
      expect(isLast || page.txs.length >= 3).toBe(true)
    }
    expect(down).toEqual(wanted)
    const up: string[] = []
    for (let from = 0, isFirst = false; !isFirst; ) {
      const page = await result('ots_searchTransactionsAfter', address, from, 3)
      up.unshift(...page.txs.map((tx: Json) => tx.hash))
      isFirst = page.firstPage
      from = Number(page.txs[0]?.blockNumber ?? 0)
    }
    expect(up).toEqual(wanted)
    expect(await result('ots_searchTransactionsBefore', NOBODY, 0, 25)).toEqual({
      txs: [],
      receipts: [],
      firstPage: true,
      lastPage: true,
    })
    expect(await result('ots_searchTransactionsAfter', address, 10_000, 25)).toMatchObject({ txs: [], firstPage: true })
  })

  it("finds transactions by nonce, and a contract's creator", async () => {
    const own = new Map<string, Json[]>()
    for (const tx of blocks.flatMap(({ transactions }) => transactions))
      own.set(tx.from, [...(own.get(tx.from) ?? []), tx])
    for (const [sender, txs] of own) {
      const last = txs.at(-1)
      for (const { nonce, hash } of [txs[0], last])
        expect(await result('ots_getTransactionBySenderAndNonce', sender, Number(nonce))).toBe(hash)
      expect(await result('ots_getTransactionBySenderAndNonce', sender, Number(last.nonce) + 1)).toBeNull()
    }
    let made = 0
    for (const [hash, all] of calls) {
      for (const { type, to, from, undone } of all) {
        if (!type.startsWith('CREATE') || undone || !(await result('ots_hasCode', to, 'latest'))) continue
        const creator = await result('ots_getContractCreator', to)
        if (creator.hash === hash) expect(creator.creator).toBe(from)
        if (creator.hash === hash) made++
      }
    }
    expect(made).toBeGreaterThan(10)
    expect(await result('ots_getContractCreator', blocks[1].miner)).toBeNull()
    expect(await result('ots_getContractCreator', GENESIS_CONTRACT)).toBeNull()
    expect([
      await result('ots_hasCode', GENESIS_CONTRACT, 0),
      await result('ots_hasCode', GENESIS_CONTRACT, 'latest'),
      await result('ots_hasCode', NOBODY, '0x1'),
    ]).toEqual([true, true, false])
  })

  it.each([
    ['ots_getApiLevel', [1], /too many arguments/],
    ['ots_hasCode', [NOBODY], /missing value/],
    ['ots_hasCode', [NOBODY, 99], /header not found/],
    ['ots_hasCode', ['0x11', 'latest'], /1 bytes, want 20/],
    ['ots_traceTransaction', [UNKNOWN], /transaction not found/],
    ['ots_getInternalOperations', [7], /not DATA/],
    ['ots_getTransactionError', [UNKNOWN], /transaction not found/],
    ['ots_getBlockDetails', [-1], /not a whole number/],
    ['ots_getBlockDetails', [1.5], /not a whole number/],
    ['ots_getBlockDetails', ['0x01'], /not a QUANTITY/],
    ['ots_getBlockTransactions', [1, 0, 0], /page of 1 to 100/],
    ['ots_getBlockTransactions', [1, 0, 101], /page of 1 to 100/],
    ['ots_getBlockTransactions', [1, '1', 25], /not a QUANTITY/],
    ['ots_searchTransactionsBefore', [NOBODY, 0, 1e9], /page of 1 to 100/],
    ['ots_searchTransactionsAfter', [NOBODY, 2 ** 60, 25], /not a whole number/],
    ['ots_getTransactionBySenderAndNonce', [NOBODY, '0xffffffffffffffff'], /over 53 bits/],
    ['ots_getContractCreator', [{}], /not DATA/],
  ] as const)('rejects %s %j with a reason', async (method, params, words) => {
    expect((await failure(method, ...params)).message).toMatch(words)
  })

  it('has no transactions on a page far past the end', async () => {
    const page = await result('ots_getBlockTransactions', HEAD, Number.MAX_SAFE_INTEGER, 100)
    expect([page.fullblock.transactions, page.receipts]).toEqual([[], []])
    expect(await result('ots_getTransactionBySenderAndNonce', NOBODY, 0)).toBeNull()
  })
})

describe('what Otterscan asks of a node without old states', () => {
  const folder = join(import.meta.dirname, '../vectors/chain/chain-small')
  const server = new QueryNode({ folder, blocks: 'blocks.rlp', networkId: 4242 }, {}, { gcMode: 'full' })
  beforeAll(() => server.start())
  afterAll(() => server.stop())
  const answer = (method: string, ...params: unknown[]): Promise<Json> => ask(server.url(), method, params)

  it('finds in the blocks what the states no longer contain', async () => {
    const head = Number((await answer('eth_blockNumber')).result)
    expect((await answer('eth_getProof', NOBODY, [], '0x1')).error.message).toMatch(/missing trie node/)
    const txs: Json[] = []
    for (let number = 1; number <= head - MOST_STATES; number++)
      txs.push(...(await answer('eth_getBlockByNumber', tag(number), true)).result.transactions)
    const direct = new Map(txs.map((tx) => [tx.from, tx]))
    expect(direct.size).toBeGreaterThan(0)
    for (const [from, { nonce, hash }] of direct) {
      expect((await answer('ots_getTransactionBySenderAndNonce', from, nonce)).result).toBe(hash)
      const { result: page } = await answer('ots_searchTransactionsAfter', from, 0, 100)
      expect(page.txs.map((tx: Json) => tx.hash)).toContain(hash)
    }
    const creations = txs.filter(({ to }) => to === null)
    expect(creations.length).toBeGreaterThan(0)
    for (const { hash, from } of creations) {
      const { contractAddress } = (await answer('eth_getTransactionReceipt', hash)).result
      const isThere = (await answer('ots_hasCode', contractAddress, 'latest')).result
      const { result: made } = await answer('ots_getContractCreator', contractAddress)
      expect(made).toEqual(isThere ? { hash, creator: from } : null)
    }
  })
})

const KINDS = ['CALL', 'SELFDESTRUCT', 'CREATE', 'CREATE2']
const GENESIS_CONTRACT = '0x00000000000000000000000000000000000c0de0'
