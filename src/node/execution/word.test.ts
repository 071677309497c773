import { expect, it } from 'vitest'
import { bigintFromBytes } from '../../base/bytes'
import { bytesOfWord, wordOfLittleEndian } from './word'

const WORDS = [0n, 1n, 255n, 2n ** 32n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 128n + 7n, 2n ** 159n + 1n]
const LARGE = [2n ** 160n, 2n ** 192n - 1n, 2n ** 255n, 2n ** 256n - 1n]

it.each([...WORDS, ...LARGE])('reads %d from its bytes, at any place of a buffer', (word) => {
  const placed = (bytes: Uint8Array): Uint8Array => {
    const room = new Uint8Array(bytes.length + 7).fill(0xee)
    room.set(bytes, 3)
    return room.subarray(3, 3 + bytes.length)
  }
  for (const length of [8, 20, 31, 32]) {
    const held = BigInt.asUintN(8 * length, word)
    expect(bigintFromBytes(placed(bytesOfWord(word, length)))).toBe(held)
  }
  expect(wordOfLittleEndian(placed(bytesOfWord(word).slice().reverse()))).toBe(word)
})

it('reads nothing as 0', () => {
  expect(bigintFromBytes(new Uint8Array(0))).toBe(0n)
})
