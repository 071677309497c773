// Blocks that break a rule, and some at its limit, given to our node and to prlx on the same chain: both have
// to judge them alike. Needs prlx in PEER_PROGRAMS (a folder); without it nothing is compared.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bytesOfHex } from '../../src/base/hex'
import { keccak256 } from '../../src/node/codec/keccak'
import { decodeRlp, encodeRlp, rlpInteger } from '../../src/node/codec/rlp'
import { type Block, decodeBlock, encodeBlock } from '../../src/node/model/block'
import type { BlockHeader } from '../../src/node/model/header'
import { type AnyTransaction, decodeTransaction, type Transaction } from '../../src/node/model/transaction'
import { orderedRoot } from '../../src/node/trie/trie'
import { ask, type Json } from '../json-rpc'
import { besideReference } from './reference/beside-reference'
import { HAS_REFERENCE } from './reference/reference-node'

const PARENT = 41
const WORD = new Uint8Array(32).fill(7)

/** Indexes of a legacy transaction's members. */
const [NONCE, GAS, VALUE, V, R, S] = [0, 2, 4, 6, 7, 8] as const

/** The same with another value at one index; its recovered sender differs then, or there is none. */
function changedTx(tx: Transaction, place: number, value: bigint): AnyTransaction {
  const items = decodeRlp(tx.raw)
  if (!items.ok || !Array.isArray(items.value)) throw new Error('not a legacy transaction')
  const read = decodeTransaction(
    encodeRlp(items.value.map((item, index) => (index === place ? rlpInteger(value) : item))),
  )
  if (!read.ok) throw new Error(read.error)
  return read.value
}

/** What is wrong with each, as a change of the header or of the bytes. */
function hostile(block: Block): readonly (readonly [string, Uint8Array])[] {
  const { header, transactions } = block
  const sealed = (change: Partial<BlockHeader>, body = transactions) =>
    encodeBlock({ header: { ...header, ...change }, transactions: body })
  const headers: readonly (readonly [string, Partial<BlockHeader>])[] = [
    ['an unknown parent', { parentHash: WORD }],
    ['a wrong state root', { stateRoot: WORD }],
    ['a wrong transaction root', { txRoot: WORD }],
    ['a wrong receipt root', { receiptRoot: WORD }],
    ['a wrong bloom', { logsBloom: new Uint8Array(256).fill(1) }],
    ['more difficulty', { difficulty: header.difficulty + 1n }],
    ['less difficulty', { difficulty: header.difficulty - 1n }],
    ['no difficulty', { difficulty: 0n }],
    ['the number of its parent', { number: header.number - 1n }],
    ['a number too high', { number: header.number + 1n }],
    ['no gas limit', { gasLimit: 0n }],
    ['a gas limit under the least', { gasLimit: 4_999n }],
    ['a gas limit that rises too far', { gasLimit: header.gasLimit * 2n }],
    ['the first gas limit too high', { gasLimit: header.gasLimit + header.gasLimit / 1024n }],
    ['a gas limit of 2^63', { gasLimit: 2n ** 63n }],
    ['less gas than was used', { gasUsed: header.gasUsed - 1n }],
    ['more gas than was used', { gasUsed: header.gasUsed + 1n }],
    ['more gas than the limit', { gasUsed: header.gasLimit + 1n }],
    ['no time', { timestamp: 0n }],
    ['a time far ahead', { timestamp: BigInt(Math.floor(Date.now() / 1000)) + 1_000_000n }],
    ['a time of 64 bits', { timestamp: 2n ** 64n - 1n }],
    ['33 bytes of extra data', { extraData: new Uint8Array(33) }],
    ['32 bytes of extra data', { extraData: new Uint8Array(32) }],
    ['another miner', { coinbase: new Uint8Array(20).fill(9) }],
    ['a base fee', { baseFeePerGas: 1n }],
  ]
  const bytes = encodeBlock(block)
  const signed = (place: number, value: bigint) => {
    const body = transactions.map((tx) => (tx.kind === 'supported' && tx.type === 0 ? changedTx(tx, place, value) : tx))
    return sealed(
      {
        txRoot: orderedRoot(
          body.map(({ raw }) => raw),
          keccak256,
        ),
      },
      body,
    )
  }
  return [
    ...headers.map(([name, change]) => [name, sealed(change)] as const),
    ['transactions of another chain', signed(V, 29n)],
    ['signatures without a parity', signed(V, 99_999n)],
    ['signatures that no point of the curve has', signed(R, 5n)],
    ['signatures of 0', signed(S, 0n)],
    ['signatures with a high s', signed(S, 2n ** 255n)],
    ['another nonce', signed(NONCE, 2n ** 64n - 2n)],
    ['a nonce of 64 bits', signed(NONCE, 2n ** 64n - 1n)],
    ['a value nobody has', signed(VALUE, 2n ** 255n)],
    ['too little gas for a transaction', signed(GAS, 20_999n)],
    ['more gas in a transaction than in the block', signed(GAS, 2n ** 63n)],
    ['no transactions', sealed({}, [])],
    ['a transaction twice', sealed({}, [...transactions, ...transactions])],
    ['its transactions in another order', sealed({}, [...transactions].reverse())],
    ['its last byte missing', bytes.subarray(0, -1)],
    ['an empty list', Uint8Array.of(0xc0)],
    ['no list', Uint8Array.of(0x80)],
    ['a third item', withThirdItem(bytes)],
  ]
}

/** With an empty list after its body, as blocks with uncles have it. @param bytes of a block over 55 bytes */
function withThirdItem(bytes: Uint8Array): Uint8Array {
  const sizeBytes = (bytes[0] ?? 0) - 0xf7
  const payload = bytes.subarray(1 + sizeBytes)
  const length = (payload.length + 1).toString(16)
  const size = bytesOfHex(`0x${length.padStart(length.length + (length.length % 2), '0')}`)
  return Uint8Array.from([0xf7 + size.length, ...size, ...payload, 0xc0])
}

describe.skipIf(!HAS_REFERENCE)('hostile blocks (skipped without prlx)', () => {
  const { ours, theirs, folder } = besideReference({ isSealed: true })

  it('are accepted and rejected as by prlx', async ({ task }) => {
    const { result: raw }: Json = await ask(ours.url(), 'debug_getBlockRlp', [PARENT + 1])
    const block = decodeBlock(bytesOfHex(raw))
    if (!block.ok) throw new Error(block.error)
    const file = join(folder, 'block.rlp')
    const headOf = async (url: string): Promise<string> =>
      (await ask(url, 'eth_getBlockByNumber', ['latest', false])).result.hash
    const verdicts: (readonly [string, boolean])[] = []
    const otherWords: string[] = []
    for (const [name, bytes] of [...hostile(block.value), ['nothing wrong', encodeBlock(block.value)] as const]) {
      for (const url of [ours.url(), theirs.urls.http]) await ask(url, 'debug_setHead', [`0x${PARENT.toString(16)}`])
      writeFileSync(file, bytes)
      const parent = await headOf(ours.url())

      const report = await ours.node.importBlocks(readFileSync(file))
      const { error }: Json = await ask(theirs.urls.http, 'admin_importChain', [file])

      const [mine, other] = [await headOf(ours.url()), await headOf(theirs.urls.http)]
      expect([name, mine], `${report.refused?.reason} | ${error?.message}`).toEqual([name, other])
      verdicts.push([name, mine !== parent])
      if (!String(error?.message ?? '').includes(report.refused?.reason ?? '')) otherWords.push(name)
    }
    task.meta.cases = verdicts.length
    expect(verdicts.length).toBeGreaterThan(30)
    // What isn't a block at all is described in our own words.
    expect(otherWords).toEqual(['its last byte missing', 'an empty list', 'no list', 'a third item'])
    expect(verdicts.at(-1)).toEqual(['nothing wrong', true])
    expect(verdicts.filter(([, isTaken]) => !isTaken).length).toBeGreaterThan(25)
  })
})
