// EIP-712 against a second implementation: documents of random types and values have the same hash.
import { TypedDataEncoder } from 'ethers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/base/hex'
import { parseDocument, signableDocument } from '../../src/signer/typed-data/document'

interface Member {
  readonly name: string
  readonly type: string
}

/** A struct's members use only later types, so that no type contains itself. */
type Types = Readonly<Record<string, readonly Member[]>>

const DOMAIN = { name: 'Test', version: '1', chainId: 2110, verifyingContract: `0x${'ab'.repeat(20)}` }
const DOMAIN_TYPE = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

const width = fc.integer({ min: 1, max: 32 }).map((bytes) => bytes * 8)
const leaf = fc.oneof(
  fc.constantFrom('address', 'bool', 'string', 'bytes'),
  width.map((bits) => `uint${bits}`),
  width.map((bits) => `int${bits}`),
  fc.integer({ min: 1, max: 32 }).map((size) => `bytes${size}`),
)
const suffix = fc.array(fc.constantFrom('[]', '[1]', '[2]'), { maxLength: 2 }).map((parts) => parts.join(''))

const types: fc.Arbitrary<Types> = fc
  .array(fc.array(fc.tuple(leaf, fc.nat(7), suffix), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 })
  .map((structs) =>
    Object.fromEntries(
      structs.map((members, index) => [
        `T${index}`,
        members.map(([plain, target, arrays], position) => {
          const later = index + 1 + target
          const base = later < structs.length ? `T${later}` : plain
          return { name: `m${position}`, type: `${base}${arrays}` }
        }),
      ]),
    ),
  )

function anyValue(type: string, table: Types): fc.Arbitrary<unknown> {
  const array = /^(.*)\[(\d*)\]$/.exec(type)
  if (array !== null) {
    const count = array[2] === '' ? { maxLength: 3 } : { minLength: Number(array[2]), maxLength: Number(array[2]) }
    return fc.array(anyValue(array[1] ?? '', table), count)
  }
  const members = table[type]
  if (members !== undefined) {
    return fc.record(Object.fromEntries(members.map((member) => [member.name, anyValue(member.type, table)])))
  }
  if (type === 'bool') return fc.boolean()
  if (type === 'string') return fc.string({ unit: 'grapheme' })
  if (type === 'address') return bytes(20)
  if (type === 'bytes') return fc.uint8Array({ maxLength: 70 }).map(toHex)
  if (type.startsWith('bytes')) return bytes(Number(type.slice(5)))
  const bits = BigInt(/\d+$/.exec(type)?.[0] ?? '256')
  const range = type.startsWith('u')
    ? { min: 0n, max: (1n << bits) - 1n }
    : { min: -(1n << (bits - 1n)), max: (1n << (bits - 1n)) - 1n }
  return fc.bigInt(range).map((value) => value.toString())
}

const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size }).map(toHex)

const documents = types.chain((table) => fc.tuple(fc.constant(table), anyValue('T0', table)))

const hashOf = (document: unknown): string => toHex(signableDocument(parseDocument(document)).hash)

/** Only what the primary type reaches: the other implementation accepts no other types. */
function reached(table: Types, name = 'T0', found: Record<string, Member[]> = {}): Record<string, Member[]> {
  found[name] = [...(table[name] ?? [])]
  for (const { type } of table[name] ?? []) {
    const base = type.replace(/(\[\d*\])+$/, '')
    if (table[base] !== undefined && found[base] === undefined) reached(table, base, found)
  }
  return found
}

describe('a typed document', () => {
  it('has the hash that ethers computes, whatever its types and values', () => {
    fc.assert(
      fc.property(documents, ([table, message]) => {
        const ours = hashOf({
          types: { EIP712Domain: DOMAIN_TYPE, ...table },
          primaryType: 'T0',
          domain: DOMAIN,
          message,
        })

        expect(ours).toBe(TypedDataEncoder.hash(DOMAIN, reached(table), message as Record<string, unknown>))
      }),
      { numRuns: 400 },
    )
  })

  it('is rejected, never guessed at, if a value is replaced by one of another JSON type', () => {
    const wrong = fc.constantFrom<unknown>(null, 1.5, 'zz', '0xg', {}, -1, 2 ** 53, '', [[]])
    fc.assert(
      fc.property(leaf, wrong, (type, value) => {
        const document = {
          types: { EIP712Domain: DOMAIN_TYPE, Box: [{ name: 'v', type }] },
          primaryType: 'Box',
          domain: DOMAIN,
          message: { v: value },
        }
        const isString = type === 'string' && typeof value === 'string'
        const isSigned = type.startsWith('int') && value === -1
        const outcome = outcomeOf(document)
        expect(outcome.startsWith('0x')).toBe(isString || isSigned)
      }),
      { numRuns: 400 },
    )
  })

  it('shows every element of an array, in its place', () => {
    const { messages } = signableDocument(
      parseDocument({
        types: { EIP712Domain: DOMAIN_TYPE, Box: [{ name: 'v', type: 'uint8[2][]' }] },
        primaryType: 'Box',
        domain: DOMAIN,
        message: {
          v: [
            [1, 2],
            ['3', '0x4'],
          ],
        },
      }),
    )

    expect(JSON.stringify(messages[1])).toContain('"4 (0x4)"')
    expect(messages[1]?.value).toMatchObject([
      { name: 'v', type: 'uint8[2][]', value: [{ name: '[0]', type: 'uint8[2]' }, { name: '[1]' }] },
    ])
  })

  it.each<[string, unknown]>([
    ['a name that could forge another type string', [{ name: 'a,uint256 b', type: 'bool' }]],
    [
      'a member twice',
      [
        { name: 'a', type: 'bool' },
        { name: 'a', type: 'bool' },
      ],
    ],
    ['an array of no length', [{ name: 'a', type: 'bool[0]' }]],
    ['more nested arrays than anybody needs', [{ name: 'a', type: `bool${'[]'.repeat(9)}` }]],
  ])('is rejected with %s', (_what, members) => {
    const document = {
      types: { EIP712Domain: DOMAIN_TYPE, Box: members },
      primaryType: 'Box',
      domain: DOMAIN,
      message: { a: true },
    }

    expect(outcomeOf(document)).not.toMatch(/^0x/)
  })

  it("doesn't mistake members of every JavaScript object for values", () => {
    const document = {
      types: { EIP712Domain: DOMAIN_TYPE, Box: [{ name: 'constructor', type: 'string' }] },
      primaryType: 'Box',
      domain: DOMAIN,
      message: {},
    }

    expect(outcomeOf(document)).toBe('message.constructor: missing, want a string')
  })

  it('nested too deeply is rejected instead of crashing the process', () => {
    const levels = 1_000
    let message: unknown = { next: [] }
    for (let i = 0; i < levels; i++) message = { next: [message] }
    const document = {
      types: { EIP712Domain: DOMAIN_TYPE, Box: [{ name: 'next', type: 'Box[]' }] },
      primaryType: 'Box',
      domain: DOMAIN,
      message,
    }

    expect(outcomeOf(document)).toContain('nested deeper')
  })
})

function outcomeOf(document: unknown): string {
  try {
    return hashOf(document)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
