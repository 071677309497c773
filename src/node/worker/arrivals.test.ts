import { expect, it } from 'vitest'
import { decodeRlp, encodedList, encodeRlp } from '../codec/rlp'
import { createBlock, decodeBlock, encodeBlock, encodeTransactions, transactionRoot } from '../model/block'
import { encodeHeader } from '../model/header'
import { plainHeader } from '../testing/test-header'
import { TestWallet } from '../testing/test-wallet'
import { Arrivals } from './import-bytes'

const transactions = [0n, 1n].map((nonce) => new TestWallet(1).sign({ nonce }))
const blockAt = (number: bigint) =>
  createBlock(plainHeader({ number, txRoot: transactionRoot(transactions) }), transactions)
const NOTHING = { block: null, head: null }

it('a block that was read is taken once, whole, and equals what its bytes say', () => {
  const arrivals = new Arrivals()
  const block = blockAt(1n)
  const bytes = encodeBlock(block)
  arrivals.addHeader(block.header, block.hash)

  expect(arrivals.readBlock(bytes)).toBe('good')
  const taken = arrivals.take(bytes)
  expect(taken.block).toEqual({ ...block, bodyRoot: block.header.txRoot })
  expect(taken.head).toEqual({ header: block.header, hash: block.hash })
  expect(arrivals.take(bytes)).toEqual(NOTHING)
})

it('the same header with other bytes behind it is never taken for the block', () => {
  const arrivals = new Arrivals()
  const block = blockAt(1n)
  const shorter = encodedList([encodeHeader(block.header), encodeTransactions(transactions.slice(1))])
  const broken = encodedList([encodeHeader(block.header), encodeRlp([Uint8Array.of(0x80)])])
  const longer = Uint8Array.of(...encodeBlock(block), 0)
  arrivals.addHeader(block.header, block.hash)

  expect([shorter, broken, longer].map((bytes) => arrivals.readBlock(bytes))).toEqual([
    'other body',
    'malformed',
    'malformed',
  ])
  expect(arrivals.readBlock(encodeBlock(block))).toBe('good')
  expect(arrivals.take(shorter)).toEqual({ block: null, head: { header: block.header, hash: block.hash } })
})

it('a changed header is not found by the one it was made from', () => {
  const arrivals = new Arrivals()
  const block = blockAt(1n)
  arrivals.addHeader(block.header, block.hash)
  const item = decodeRlp(encodeHeader(block.header))
  if (!item.ok || item.value instanceof Uint8Array) throw new Error('no list')
  const fields = item.value
  for (const index of fields.keys()) {
    const changed = fields.map((field, at) => (at === index ? Uint8Array.of(...(field as Uint8Array), 1) : field))
    const bytes = encodedList([encodeRlp(changed), encodeTransactions(transactions)])
    expect(arrivals.take(bytes)).toEqual(NOTHING)
    expect(arrivals.readBlock(bytes)).toBe(decodeBlock(bytes).ok ? 'good' : 'malformed')
  }
})

it('keeps a bounded number of blocks; the oldest are decoded again', () => {
  const arrivals = new Arrivals()
  const blocks = Array.from({ length: 80 }, (_, index) => blockAt(BigInt(index + 1)))
  for (const block of blocks) {
    arrivals.addHeader(block.header, block.hash)
    arrivals.readBlock(encodeBlock(block))
  }

  const kept = blocks.map((block) => arrivals.take(encodeBlock(block)))
  expect(kept.filter(({ block }) => block !== null).length).toBe(64)
  expect(kept.every(({ head }) => head !== null)).toBe(true)
})
