// Call data against a second implementation: what it encodes decodes to the same values, and hostile bytes are answered
// quickly.
import { AbiCoder, id } from 'ethers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../src/base/bytes'
import { bytesOfHex, toHex } from '../../src/base/hex'
import { decodeArguments, encodeArguments } from '../../src/signer/abi/arguments'
import { matchCall } from '../../src/signer/abi/call'
import { parseSignature } from '../../src/signer/abi/signature'

const plain = fc.oneof(
  fc.constantFrom('address', 'bool', 'string', 'bytes', 'uint256', 'uint8', 'int8', 'int256', 'bytes4', 'bytes32'),
  fc.integer({ min: 1, max: 32 }).map((bytes) => `uint${bytes * 8}`),
)
const { type } = fc.letrec<{ type: string; tuple: string }>((tie) => ({
  type: fc.oneof(
    { depthSize: 'small' },
    plain,
    plain.map((inner) => `${inner}[]`),
    plain.map((inner) => `${inner}[2]`),
    tie('tuple'),
    tie('tuple').map((inner) => `${inner}[]`),
  ),
  tuple: fc.array(tie('type'), { minLength: 1, maxLength: 3 }).map((members) => `(${members.join(',')})`),
}))

function anyValue(text: string): fc.Arbitrary<unknown> {
  const array = /^(.*)\[(\d*)\]$/.exec(text)
  if (array !== null) {
    const count = array[2] === '' ? { maxLength: 3 } : { minLength: 2, maxLength: 2 }
    return fc.array(anyValue(array[1] ?? ''), count)
  }
  if (text.startsWith('(')) return fc.tuple(...members(text).map(anyValue))
  if (text === 'bool') return fc.boolean()
  if (text === 'string') return fc.string({ unit: 'grapheme' })
  if (text === 'bytes') return fc.uint8Array({ maxLength: 70 }).map(toHex)
  if (text === 'address') return fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toHex)
  const size = Number(/\d+$/.exec(text)?.[0])
  if (text.startsWith('bytes')) return fc.uint8Array({ minLength: size, maxLength: size }).map(toHex)
  const bits = BigInt(size)
  return text.startsWith('u')
    ? fc.bigInt({ min: 0n, max: (1n << bits) - 1n })
    : fc.bigInt({ min: -(1n << (bits - 1n)), max: (1n << (bits - 1n)) - 1n })
}

/** Parts of a tuple between commas outside inner parentheses. */
function members(tuple: string): readonly string[] {
  const out: string[] = []
  let depth = 0
  let part = ''
  for (const character of tuple.slice(1, -1)) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (character === ',' && depth === 0) {
      out.push(part)
      part = ''
    } else part += character
  }
  return [...out, part]
}

const calls = fc
  .array(type, { maxLength: 4 })
  .chain((inputs) => fc.tuple(fc.constant(inputs), fc.tuple(...inputs.map(anyValue))))

describe('call data', () => {
  it('of any method decodes and encodes back to the bytes that ethers makes', () => {
    fc.assert(
      fc.property(calls, ([inputs, values]) => {
        const signature = `f(${inputs.join(',')})`
        const encoded = bytesOfHex(AbiCoder.defaultAbiCoder().encode(inputs, values))
        const data = concatBytes(bytesOfHex(id(signature).slice(0, 10)), encoded)

        expect(matchCall(signature, data).kind).toBe('match')
        expect(toHex(encodeArguments(decodeArguments(parseSignature(signature).inputs, encoded)))).toBe(toHex(encoded))
      }),
      { numRuns: 400 },
    )
  })

  it('of hostile bytes matches only if it is canonical, and never throws', () => {
    const words = fc.array(fc.oneof(fc.constantFrom(0, 32, 64, 96, 1, 2), fc.nat()), { maxLength: 12 })
    fc.assert(
      fc.property(fc.array(type, { minLength: 1, maxLength: 3 }), words, (inputs, numbers) => {
        const signature = `f(${inputs.join(',')})`
        const body = bytesOfHex(`0x${numbers.map((number) => number.toString(16).padStart(64, '0')).join('')}`)
        const match = matchCall(signature, concatBytes(bytesOfHex(id(signature).slice(0, 10)), body))

        if (match.kind === 'match') {
          expect(toHex(encodeArguments(decodeArguments(parseSignature(signature).inputs, body)))).toBe(toHex(body))
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('whose offsets all point to one place is rejected before it multiplies', () => {
    const depth = 12
    const signature = `f(uint256${'[]'.repeat(depth)})`
    const width = 64
    const word = (value: number) => value.toString(16).padStart(64, '0')
    // Every list has 64 elements whose offset leads back into the same list.
    const list = word(width) + word(0).repeat(width)
    const body = bytesOfHex(`0x${word(32)}${list}`)
    const before = process.cpuUsage()

    const match = matchCall(signature, concatBytes(bytesOfHex(id(signature).slice(0, 10)), body))

    expect(match.kind).toBe('mismatch')
    // 64 ** 12 elements would take years; other programs' time doesn't count.
    expect(process.cpuUsage(before).user).toBeLessThan(500_000)
  })

  it.each([
    'transfer',
    'transfer(',
    'transfer)',
    '',
    'transfer(address,uint256) ',
    '9transfer(address)',
    'transfer(address,foo)',
    'transfer(address uint256)',
    'f(uint7)',
    'f(uint264)',
    'f(bytes0)',
    'f(bytes33)',
    'f(uint8[0])',
    'f(uint8[)',
    'f(,)',
    'f((uint8)',
    `f${'('.repeat(100)}${')'.repeat(100)}`,
    `f(${'uint8,'.repeat(1_000)}uint8)`,
  ])("doesn't match the malformed signature %j", (signature) => {
    expect(matchCall(signature, new Uint8Array(68)).kind).toBe('mismatch')
  })
})
