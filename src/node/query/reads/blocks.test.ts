import { describe, expect, it } from 'vitest'
import { toHex } from '../../../base/hex'
import { keccak256 } from '../../codec/keccak'
import { MAIN_CONSENSUS } from '../../consensus/params'
import { createBlock, encodeBlock, encodeTransactions } from '../../model/block'
import { openTestChain } from '../../testing/test-chain'
import { TestWallet } from '../../testing/test-wallet'
import { TOO_LONG } from '../query-wire'
import { createQuerySession } from '../session'
import { TextSink } from '../text-sink'
import { pendingTransaction, shortBlock, writeBadBlocks, writeBlock } from './blocks'

const AT = { kind: 'tag', tag: 'pending' } as const
const limits = { isStopped: () => false, now: () => 0 }
const none = new Uint8Array(0)
const hash = new Uint8Array(32)

/** A chain whose head has `count` transfers, a session on it, and the same transfers as a pending block. */
async function chainWith(count: number) {
  const test = await openTestChain()
  const to = new Uint8Array(20).fill(7)
  const transactions = Array.from({ length: count }, (_, nonce) => test.rich.sign({ nonce: BigInt(nonce), to }))
  const block = await test.nextBlock({ transactions })
  expect(await test.chain.importBlock(block)).toMatchObject({ kind: 'head' })
  const { store, chain } = test
  const view = () => ({ store, reads: chain.reads, head: { hash: chain.head.hash, header: chain.head.header } })
  const views = { current: view, close: async () => undefined }
  const options = { chainId: 1337n, gasCap: 600_000_000, callTimeoutMs: 0, epochBlocks: 720, subsidies: MAIN_CONSENSUS }
  const session = createQuerySession(options, { views: views as never, keccak256, searchFrom: import.meta.dirname })
  session.setPending({
    parentHash: block.hash,
    number: 2,
    timestamp: 1,
    miner: to,
    difficulty: 1n,
    totalDifficulty: 3n,
    gasLimit: 30_000_000n,
    gasUsed: 21_000n * BigInt(count),
    epochStartTime: 0,
    extraData: none,
    logsBloom: none,
    stateRoot: hash,
    txRoot: hash,
    receiptRoot: hash,
    sizeBytes: encodeTransactions(transactions).length,
    transactionCount: count,
    fees: 0n,
    transactions: encodeTransactions(transactions),
    receipts: none,
    changes: none,
  })
  const streamed = (question: Parameters<typeof writeBlock>[1]) => {
    let text = ''
    const send = (part: string | Uint8Array): boolean => {
      text += String(part)
      return true
    }
    const sink = new TextSink({ send, now: () => 0 })
    writeBlock(session, question, { limits, sink })
    return JSON.parse(text + sink.rest())
  }
  return { session, block, transactions, streamed, from: toHex(test.rich.address) }
}

describe('blocks as text', () => {
  it('have their header, and transactions in full or their hashes, however they are named', async () => {
    const { session, block, transactions, streamed, from } = await chainWith(3)
    for (const id of ['head', 1, block.hash] as const) {
      const short = JSON.parse(shortBlock(session, { kind: 'block', block: id, full: false }))
      expect(short).toMatchObject({
        hash: toHex(block.hash),
        number: '0x1',
        miner: toHex(block.header.coinbase),
        stateRoot: toHex(block.header.stateRoot),
        size: `0x${block.sizeBytes.toString(16)}`,
        uncles: [],
        transactions: transactions.map((tx) => toHex(tx.hash)),
      })
      const full = JSON.parse(shortBlock(session, { kind: 'block', block: id, full: true }))
      expect({ ...full, transactions: short.transactions }).toEqual(short)
      expect(full.transactions).toMatchObject(
        transactions.map((tx, index) => ({
          hash: toHex(tx.hash),
          from,
          blockHash: short.hash,
          blockNumber: '0x1',
          transactionIndex: `0x${index}`,
        })),
      )
      expect(streamed({ kind: 'block', block: id, full: true })).toEqual(full)
    }
    expect(shortBlock(session, { kind: 'block', block: 9, full: true })).toBe('null')
    expect(streamed({ kind: 'block', block: hash, full: true })).toBeNull()
  })

  it('are streamed when they are long: no thread holds them as objects', async () => {
    const { session, streamed } = await chainWith(300)
    for (const question of [
      { kind: 'block', block: 'head', full: true },
      { kind: 'pendingBlock', at: AT, full: true },
    ] as const) {
      expect(shortBlock(session, question)).toBe(TOO_LONG)
      expect(streamed(question).transactions).toHaveLength(300)
      expect(JSON.parse(shortBlock(session, { ...question, full: false })).transactions).toHaveLength(300)
    }
  })
})

describe('the pending block as text', () => {
  it('has no place, and its transactions neither', async () => {
    const { session, transactions, from } = await chainWith(2)
    const full = JSON.parse(shortBlock(session, { kind: 'pendingBlock', at: AT, full: true }))
    expect(full).toMatchObject({ hash: null, nonce: null, number: '0x2' })
    expect(full.transactions).toMatchObject(
      transactions.map((tx) => ({ hash: toHex(tx.hash), from, blockHash: null, transactionIndex: null })),
    )
    const one = (index: number, raw: boolean) =>
      JSON.parse(pendingTransaction(session, { kind: 'pendingTransaction', at: AT, index, raw }))
    expect(one(1, false)).toEqual(full.transactions[1])
    expect(one(1, true)).toBe(toHex(transactions[1]?.raw ?? none))
    expect([one(2, false), one(2, true)]).toEqual([null, null])
  })
})

describe('invalid blocks as text', () => {
  /** @param most parts that are read */
  function written(session: Parameters<typeof writeBadBlocks>[0], blocks: readonly Bad[], most = Infinity) {
    const parts: string[] = []
    const send = (part: string | Uint8Array): boolean => parts.push(String(part)) < most
    const sink = new TextSink({ send, now: () => 0 })
    writeBadBlocks(session, { kind: 'badBlocks', blocks: [...blocks] }, { limits, sink })
    return { parts, text: parts.join('') + (sink.isOpen ? sink.rest() : '') }
  }
  type Bad = Parameters<typeof writeBadBlocks>[1]['blocks'][number]

  it('have their transactions and RLP, a part at a time, and no total difficulty', async () => {
    const { session, block, streamed } = await chainWith(300)
    const bad = { hash: block.hash, reason: 'invalid gas used', rlp: encodeBlock(block) }
    const { totalDifficulty: _total, ...shown } = streamed({ kind: 'block', block: block.hash, full: true })

    const { parts, text } = written(session, [bad, bad])

    const one = { hash: toHex(block.hash), block: shown, rlp: toHex(bad.rlp) }
    expect(JSON.parse(text)).toEqual([one, one])
    expect(parts.length).toBeGreaterThan(2)
    expect(JSON.parse(written(session, []).text)).toEqual([])
    expect(written(session, [bad, bad], 2).parts).toHaveLength(2)
  })

  it('say why they are invalid where a transaction has no sender', async () => {
    const { session, block } = await chainWith(1)
    const foreign = new TestWallet(1).sign({ chainId: 99n })
    const rlp = encodeBlock(createBlock(block.header, [foreign]))

    const { text } = written(session, [{ hash, reason: 'invalid sender', rlp }])

    expect(JSON.parse(text)).toEqual([{ hash: toHex(hash), block: { error: 'invalid sender' }, rlp: toHex(rlp) }])
  })
})
