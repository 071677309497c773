import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bytesOfHex, toHex } from '../../base/hex'
import { decodeRlp, encodedList, encodeRlp, type RlpSlice, rlpInteger } from '../codec/rlp'
import { snappy, unsnappy } from '../codec/snappy'
import { decodeBlock } from '../model/block'
import { blockHash, decodeHeader, encodeHeader } from '../model/header'
import { decodeTransaction, rawOf } from '../model/transaction'
import { bodyOf } from '../p2p/peer/fetch'
import { decodeDisconnect, decodeHello, encodeDisconnect, encodeHello } from './base-messages'
import {
  answersOf,
  CODES,
  decodeHashes,
  decodeNewBlock,
  decodeNewBlockHashes,
  decodePaired,
  decodeRawTransactions,
  decodeRequestId,
  decodeStatus,
  encodeAnswer,
  encodeHashes,
  encodeHashRequest,
  encodeHeadersQuery,
  encodeNewBlock,
  encodeNewBlockHashes,
  encodeStatus,
  hashesOf,
  headersQueryOf,
} from './messages'

interface Vector {
  readonly code: number
  readonly name: string
  readonly rlp: string
  readonly snappy: string
  readonly decoded: Record<string, unknown> & { readonly requestId?: number }
}

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../test/vectors/p2p/${name}.json`, import.meta.url), 'utf8'))
interface GenesisVector {
  readonly network: string
  readonly blockRlp: string
  readonly headerRlp: string
  readonly hash: string
}

const genesisVectors: readonly GenesisVector[] = read('genesis').genesis
const messages: readonly Vector[] = read('messages').messages

/** Reads a message as we do and writes the result again. */
function again({ code, rlp }: Vector): Uint8Array {
  const bytes = bytesOfHex(rlp)
  switch (code) {
    case CODES.status:
      return encodeStatus(good(decodeStatus(bytes)))
    case CODES.newBlockHashes:
      return encodeNewBlockHashes(good(decodeNewBlockHashes(bytes)))
    case CODES.newBlock:
      return encodeNewBlock(good(decodeNewBlock(bytes)))
    case CODES.newPooledTransactionHashes:
      return encodeHashes(good(decodeHashes('hashes', bytes)))
    case CODES.transactions:
      return encodedList(good(decodeRawTransactions('transactions', bytes)).map(inBody))
    case CODES.getBlockHeaders: {
      const { id, items } = good(decodePaired('request', bytes))
      return encodeHeadersQuery(id, good(headersQueryOf(items)))
    }
    case CODES.getBlockBodies:
    case CODES.getNodeData:
    case CODES.getReceipts:
    case CODES.getPooledTransactions: {
      const { id, items } = good(decodePaired('request', bytes))
      return encodeHashRequest(id, good(hashesOf('request', items)))
    }
    default: {
      const id = good(decodeRequestId('answer', bytes))
      return encodeAnswer(
        id,
        good(answersOf(bytes)).map((item) => answerItem(code, item)),
      )
    }
  }
}

function answerItem(code: number, item: RlpSlice): Uint8Array {
  if (code === CODES.blockHeaders) return encodeHeader(good(decodeHeader(item.encoded)))
  if (code === CODES.blockBodies) return encodedList([bodyOf(item).rlp])
  if (code === CODES.pooledTransactions) return inBody(rawOf(item))
  return encodeRlp(good(decodeRlp(item.encoded)))
}

function inBody(raw: Uint8Array): Uint8Array {
  expect(decodeTransaction(raw).ok).toBe(true)
  return (raw[0] ?? 0) >= 0xc0 ? raw : encodeRlp(raw)
}

function good<T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string }): T {
  if (!result.ok) throw new Error(result.error)
  return result.value
}

describe('the messages of the vectors', () => {
  it.each(messages.map((vector, index): [string, Vector] => [`${index} ${vector.name}`, vector]))(
    'are read and written: %s',
    (_name, vector) => {
      expect(toHex(again(vector))).toBe(vector.rlp)
      expect(toHex(unsnappy(bytesOfHex(vector.snappy), 1_000_000) ?? new Uint8Array(0))).toBe(vector.rlp)
      expect(unsnappy(snappy(bytesOfHex(vector.rlp)), 1_000_000)).toEqual(bytesOfHex(vector.rlp))
    },
  )

  it('cover every message', () => {
    expect([...new Set(messages.map(({ code }) => code))].sort((a, b) => a - b)).toEqual(
      Object.values(CODES).sort((a, b) => a - b),
    )
  })

  it("have the requests' meaning from the vectors", () => {
    const vector = messages.find(({ decoded }) => decoded.originNumber === 9999)
    const { id, items } = good(decodePaired('request', bytesOfHex(vector?.rlp ?? '')))

    expect(id).toBe(1111n)
    expect(good(headersQueryOf(items))).toEqual({ origin: 9999n, amount: 5n, skip: 5n, reverse: false })
  })

  it('rejects what prlx rejects', () => {
    const n = rlpInteger
    const refused: [string, { readonly ok: boolean }][] = [
      ['items after the last', decodeHashes('x', encodeRlp([new Uint8Array(32), new Uint8Array(31)]))],
      ['a boolean 2', headersQueryOf([n(1), n(1), n(0), n(2)])],
      ['a long origin', headersQueryOf([new Uint8Array(9).fill(1), n(1), n(0), n(0)])],
      ['five items', headersQueryOf([n(1), n(1), n(0), n(0), n(0)])],
      ['a leading zero', headersQueryOf([Uint8Array.of(0, 1), n(1), n(0), n(0)])],
      ['no list', decodePaired('x', Uint8Array.of(0x80))],
      ['a 65-bit id', decodePaired('x', encodeRlp([new Uint8Array(9).fill(1), []]))],
      [
        'a fork id of one item',
        decodeStatus(encodeRlp([n(66), n(1), n(1), new Uint8Array(32), new Uint8Array(32), [new Uint8Array(4)]])),
      ],
      ['a total of 112 bits', decodeNewBlock(encodeRlp([[], new Uint8Array(14).fill(1)]))],
    ]

    expect(refused.filter(([, { ok }]) => ok)).toEqual([])
  })
})

describe('the genesis blocks of the vectors', () => {
  it.each(genesisVectors.map((entry): [string, GenesisVector] => [entry.network, entry]))(
    '%s has its hash',
    (_network, entry) => {
      const block = good(decodeBlock(bytesOfHex(entry.blockRlp)))

      expect(toHex(blockHash(block.header))).toBe(entry.hash)
      expect(toHex(encodeHeader(block.header))).toBe(entry.headerRlp)
    },
  )
})

describe('the base protocol of the vectors', () => {
  const base: readonly { readonly name: string; readonly rlp: string; readonly decoded?: { reason?: number } }[] =
    read('base').messages

  it('has a Hello that is read and written', () => {
    const hello = good(decodeHello(bytesOfHex(base.find(({ name }) => name === 'Hello')?.rlp ?? '')))

    expect(hello.clientId).toBe('Parallax/v1.1.0-stable/linux-amd64/go1.26.8')
    expect(toHex(encodeHello(hello))).toBe(base.find(({ name }) => name === 'Hello')?.rlp)
  })

  it('has disconnect reasons in every form', () => {
    const sent = base.filter(({ name }) => name === 'Disconnect')
    expect(sent.map(({ rlp }) => decodeDisconnect(bytesOfHex(rlp)))).toEqual(sent.map(({ decoded }) => decoded?.reason))
    expect([0, 4, 16].map((reason) => decodeDisconnect(encodeDisconnect(reason, false)))).toEqual([0, 4, 16])
    expect([0, 4, 16].map((reason) => decodeDisconnect(encodeDisconnect(reason, true)))).toEqual([0, 4, 16])
    expect(decodeDisconnect(new Uint8Array(0))).toBe(0)
  })

  it('rejects a Hello that is too long, or not a list', () => {
    expect(decodeHello(new Uint8Array(2049)).ok).toBe(false)
    expect(decodeHello(Uint8Array.of(0x80)).ok).toBe(false)
  })
})
