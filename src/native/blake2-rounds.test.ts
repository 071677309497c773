import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nativeBlake2Rounds } from './loader'

const rounds = nativeBlake2Rounds()
const MASK = 2n ** 64n - 1n
const WORD_COUNT = 32
const ORDER = [
  ...['0123456789abcdef', 'ea489fd61c02b753', 'b8c052fdae367194', '7931dcbe265a40f8', '905724afe1bc683d'],
  ...['2c6a0b834d75fe19', 'c51fed4a0763928b', 'db7ec13950f4862a', '6fe9b308c2d714a5', 'a2847615fb9e3cd0'],
]
const LANES = ['048c', '159d', '26ae', '37bf', '05af', '16bc', '278d', '349e']

const turned = (word: bigint, bits: bigint): bigint => ((word >> bits) | (word << (64n - bits))) & MASK

/** RFC 7693, 3.1: ten rounds over 16 words of state and 16 of message. */
function tenRounds(words: readonly bigint[]): bigint[] {
  const v = [...words]
  const word = (at: number): bigint => v[at] ?? 0n
  for (const order of ORDER) {
    for (const [step, lane] of LANES.entries()) {
      const [a = 0, b = 0, c = 0, d = 0] = [...lane].map((digit) => Number.parseInt(digit, 16))
      const [x, y] = [order[2 * step], order[2 * step + 1]].map((digit) => word(16 + Number.parseInt(digit ?? '0', 16)))
      for (const [part, first, second] of [[x, 32n, 24n] as const, [y, 16n, 63n] as const]) {
        v[a] = (word(a) + word(b) + (part ?? 0n)) & MASK
        v[d] = turned(word(d) ^ word(a), first)
        v[c] = (word(c) + word(d)) & MASK
        v[b] = turned(word(b) ^ word(c), second)
      }
    }
  }
  return v
}

function bytesOf(words: readonly bigint[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * words.length))
  for (const [at, word] of words.entries()) view.setBigUint64(8 * at, word, true)
  return new Uint8Array(view.buffer)
}

describe.skipIf(rounds === null)("BLAKE2b's rounds by the addon", () => {
  if (rounds === null) return

  it('match the specification, and leave the message unchanged', () => {
    const words = fc.array(fc.bigInt(0n, MASK), { minLength: WORD_COUNT, maxLength: WORD_COUNT })
    fc.assert(
      fc.property(words, fc.nat(4), (before, tens) => {
        let expected = before
        for (let done = 0; done < tens; done++) expected = tenRounds(expected)
        const bytes = bytesOf(before)
        rounds(bytes, tens)
        expect(bytes).toEqual(bytesOf(expected))
      }),
      { numRuns: 100, seed: 7 },
    )
  })

  it('reject other lengths, and too many rounds', () => {
    expect(() => rounds(new Uint8Array(255), 1)).toThrow('256 bytes expected')
    expect(() => rounds(new Uint8Array(256), 2 ** 20 + 1)).toThrow('whole number in range expected')
    expect(() => Reflect.apply(rounds, undefined, [[1], 1])).toThrow('Uint8Array expected')
  })
})
