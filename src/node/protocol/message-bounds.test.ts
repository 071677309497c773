import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../base/bytes'
import { encodedList, encodeRlp, rlpInteger } from '../codec/rlp'
import { MAX_MESSAGE_BYTES, maxBytesOf } from '../p2p/peer/peer-server'
import {
  CODES,
  decodeHashes,
  decodeNewBlock,
  decodeNewBlockHashes,
  decodePaired,
  decodeRawTransactions,
  decodeRequestId,
  decodeStatus,
  encodeHashes,
  encodeHashRequest,
  encodeHeadersQuery,
  encodeNewBlock,
  encodeNewBlockHashes,
  hashesOf,
  headersQueryOf,
} from './messages'

const hashes = (count: number): Uint8Array[] => Array.from({ length: count }, () => new Uint8Array(32).fill(7))

describe('bounds of messages', () => {
  it('allow what honest nodes send', () => {
    const most = 2n ** 64n - 1n
    const announced = hashes(256).map((hash) => ({ hash, number: most }))

    expect(encodeHashRequest(most, hashes(2_048)).length).toBeLessThan(maxBytesOf(0x10 + CODES.getBlockBodies))
    expect(encodeHashes(hashes(4_096)).length).toBeLessThan(maxBytesOf(0x10 + CODES.newPooledTransactionHashes))
    expect(encodeNewBlockHashes(announced).length).toBeLessThan(maxBytesOf(0x10 + CODES.newBlockHashes))
    expect(maxBytesOf(0x10 + CODES.newBlock)).toBe(MAX_MESSAGE_BYTES)
    expect([1, 2, 3, 15].map(maxBytesOf)).toEqual([2_048, 2_048, 2_048, 2_048])
  })

  it("reject totals above 100 bits, and blocks that aren't lists", () => {
    const message = (total: bigint) => encodeRlp([[], rlpInteger(total)])

    expect(decodeNewBlock(message(2n ** 100n - 1n)).ok).toBe(true)
    expect(decodeNewBlock(message(2n ** 100n)).ok).toBe(false)
    expect(decodeNewBlock(encodeRlp([new Uint8Array(3), rlpInteger(1)])).ok).toBe(false)
    expect(decodeNewBlock(encodeRlp([[], []])).ok).toBe(false)
  })

  it('reject lists with more items than the message can have', () => {
    const empty = Uint8Array.of(0xc0)
    const many = (count: number): Uint8Array => encodedList(Array.from({ length: count }, () => empty))

    expect(decodeRawTransactions('transactions', many(4_096)).ok).toBe(true)
    expect(decodeRawTransactions('transactions', many(4_097)).ok).toBe(false)
    expect(decodeNewBlockHashes(many(20_000)).ok).toBe(false)
    expect(decodePaired('request', encodedList([rlpInteger(1), many(200)]), 100).ok).toBe(false)
  })

  it('read a request id without what follows it', () => {
    const broken = encodedList([rlpInteger(77), Uint8Array.of(0xc2, 0xf8, 0xff)])

    expect(decodeRequestId('answer', broken)).toEqual({ ok: true, value: 77n })
    expect(decodePaired('answer', broken).ok).toBe(false)
    for (const id of [
      Uint8Array.of(0xc0),
      concatBytes(Uint8Array.of(0x89), new Uint8Array(9).fill(1)),
      Uint8Array.of(0),
    ])
      expect(decodeRequestId('answer', encodedList([id, Uint8Array.of(0xc0)])).ok).toBe(false)
  })

  it('reject damaged bytes, and never throw', () => {
    const transaction = encodeRlp(Array.from({ length: 9 }, () => Uint8Array.of(1)))
    const whole = [
      encodeHashRequest(9n, hashes(3)),
      encodeHashes(hashes(3)),
      encodeNewBlockHashes(hashes(3).map((hash) => ({ hash, number: 300n }))),
      encodeHeadersQuery(9n, { origin: 300n, amount: 5n, skip: 2n, reverse: true }),
      encodeNewBlock({ block: encodedList([transaction, encodedList([transaction])]), totalDifficulty: 77n }),
    ]
    let state = 12345
    const upTo = (limit: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
      return (state >>> 8) % limit
    }
    const faults = new Set<boolean>()
    for (let round = 0; round < 20_000; round++) {
      const bytes = whole[upTo(whole.length)]?.slice() ?? new Uint8Array(0)
      for (let damage = upTo(4); damage >= 0; damage--) bytes[upTo(bytes.length)] = upTo(256)
      const part = bytes.subarray(0, upTo(8) === 0 ? upTo(bytes.length) : bytes.length)
      for (const { ok } of readAll(part)) faults.add(ok)
    }

    expect(faults).toEqual(new Set([true, false]))
  })
})

function readAll(bytes: Uint8Array) {
  const paired = decodePaired('fuzz', bytes)
  const inside = paired.ok ? [hashesOf('fuzz', paired.value.items), headersQueryOf(paired.value.items)] : []
  const lists = [decodeHashes('fuzz', bytes), decodeRawTransactions('fuzz', bytes), decodeNewBlockHashes(bytes)]
  return [paired, ...inside, ...lists, decodeStatus(bytes), decodeNewBlock(bytes), decodeRequestId('fuzz', bytes)]
}
