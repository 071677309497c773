import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nativePower } from './loader'

const power = nativePower()
const NOTHING = new Uint8Array(0)

/** Words at which a carry or an estimated quotient goes wrong, and any others. */
const word = fc.oneof(
  fc.constantFrom(0n, 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 2n, 2n ** 64n - 1n),
  fc.bigInt(0n, 2n ** 64n - 1n),
)
const hex = (value: bigint, digits: number): string => value.toString(16).padStart(digits, '0')
const bytes = (most: number): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(fc.array(word, { minLength: 1, maxLength: most }), fc.nat(7))
    .map(([words, cut]) =>
      Uint8Array.from(Buffer.from(words.map((value) => hex(value, 16)).join(''), 'hex')).subarray(cut),
    )

const numberOf = (value: Uint8Array): bigint => BigInt(`0x0${Buffer.from(value).toString('hex')}`)

function plainPower(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, square] = [1n % modulus, base % modulus]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

describe.skipIf(power === null)('powers by the addon', () => {
  if (power === null) return

  it('match bigint, whatever the modulus', () => {
    fc.assert(
      fc.property(bytes(18), bytes(2), bytes(12), (base, exponent, modulus) => {
        const divisor = numberOf(modulus)
        const expected = divisor === 0n ? 0n : plainPower(numberOf(base), numberOf(exponent), divisor)
        const result = power(base, exponent, modulus, NOTHING)
        expect([result.length, numberOf(result)]).toEqual([modulus.length, expected])
      }),
      { numRuns: 400, seed: 5 },
    )
  })

  it('continue where part of the exponent ended', () => {
    fc.assert(
      fc.property(bytes(6), bytes(3), bytes(6), fc.nat(24), (base, exponent, modulus, cut) => {
        const begun = power(base, exponent.subarray(0, cut), modulus, NOTHING)
        const whole = power(base, exponent, modulus, NOTHING)
        expect(power(base, exponent.subarray(cut), modulus, begun)).toEqual(whole)
      }),
      { numRuns: 200, seed: 6 },
    )
  })

  it('of nothing, modulo nothing and modulo one are correct', () => {
    const [none, two, one] = [NOTHING, Uint8Array.of(0, 2), Uint8Array.of(1)]
    expect(power(none, two, Uint8Array.of(0, 7), none)).toEqual(Uint8Array.of(0, 0))
    expect(power(two, none, Uint8Array.of(0, 7), none)).toEqual(Uint8Array.of(0, 1))
    expect(power(two, two, one, none)).toEqual(Uint8Array.of(0))
    expect(power(two, two, none, none)).toEqual(none)
    expect(power(two, two, new Uint8Array(9), none)).toEqual(new Uint8Array(9))
  })

  it("reject values that aren't bytes", () => {
    const two = Uint8Array.of(2)
    expect(() => Reflect.apply(power, undefined, [two, two, [2], NOTHING])).toThrow('Uint8Array expected')
  })
})
