// Work per request, counted rather than timed: it grows with the length of the request and no faster.
import { describe, expect, it } from 'vitest'
import { parseDocument, signableDocument } from '../typed-data/document'
import { EffectReader } from './call-effects'
import { documentMeaning } from './typed-effects'
import { structOf, structsIn } from './typed-tree'

const member = (text: string) => {
  const [type, name] = text.split(' ')
  return { type, name }
}
const members = (text: string) => text.split(',').map(member)
const documentOf = (types: Record<string, string>, message: object) =>
  parseDocument({
    types: Object.fromEntries(Object.entries(types).map(([name, text]) => [name, members(text)])),
    primaryType: 'M',
    domain: { name: 'X' },
    message,
  })
const ADDRESS = `0x${'a'.repeat(40)}`

/** Counts how often the values of an array are read while `run` runs. */
function readsOf(values: unknown[], run: (watched: unknown[]) => void): number {
  let reads = 0
  const watched = new Proxy(values, {
    get: (target, key, receiver) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1
      return Reflect.get(target, key, receiver) as unknown
    },
  })
  run(watched)
  return reads
}

describe('a typed document', () => {
  it.each([1_000, 4_000])('has each of its %d values read once', (count) => {
    const { types } = documentOf({ M: 'uint256[] a' }, {})
    const reads = readsOf(new Array<string>(count).fill('7'), (a) => structOf(types, 'M', { a }))

    expect(reads).toBe(count)
  })

  it.each([1_000, 4_000, 16_000])('of %d structs that each name a spender takes a bounded number of steps', (count) => {
    const a = Array.from({ length: count }, () => ({ spender: ADDRESS }))
    const { steps, effects, notUnderstood } = documentMeaning(
      documentOf({ M: 'P[] a', P: 'address spender' }, { a }),
      null,
    )

    expect(steps).toBeLessThan(1_000)
    expect(effects.at(-1)?.kind).toBe('unreadable')
    expect(notUnderstood).toContain('it holds more calls than can be read')
  })

  it('lists its structs in the order of the document', () => {
    const { types, message } = documentOf(
      { M: 'P[] a,P b', P: 'uint8 n,Q[] q', Q: 'uint8 n' },
      {
        a: [
          { n: 1, q: [{ n: 2 }, { n: 3 }] },
          { n: 4, q: [] },
        ],
        b: { n: 5, q: [{ n: 6 }] },
      },
    )
    const numbers = [...structsIn(structOf(types, 'M', message))].flatMap(({ leaves }) =>
      (leaves.get('n') ?? []).map((leaf) => leaf.value),
    )

    expect(numbers).toEqual([1n, 2n, 3n, 4n, 5n, 6n])
  })
})

describe('call data', () => {
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  const stepsOf = (unit: string, bytes: number): number => {
    const data = Buffer.from(unit.repeat(Math.ceil(bytes / (unit.length / 2))), 'hex')
    const reader = new EffectReader('call')
    reader.readCall(new Uint8Array(data), { contract: ADDRESS, sender: null, depth: 0 })
    return reader.steps
  }

  it.each([
    ['lists of calls that begin inside each other', `ac9650d8${word(32n)}${word(0xffff_ffffn)}`],
    ['packed calls without end', `8d80ff0a${word(32n)}${word(0xffff_ffffn)}`],
    ['commands of a router', `24856bc3${word(0n)}${word(0n)}`],
    ['columns of targets and data', `63fb0b96${word(32n)}${word(32n)}${word(0xffff_ffffn)}`],
    ['batches of a modular wallet', `e9ae5c53${word(1n << 248n)}${word(64n)}${word(0xffff_ffffn)}`],
  ])('takes steps in proportion to its length: %s', (_what, unit) => {
    const [small, large] = [stepsOf(unit, 32_000), stepsOf(unit, 320_000)]

    expect(large).toBeLessThan(4_096 + 320_000 / 16 + 1)
    expect(large).toBeLessThan(small * 10 + 4_096)
  })
})

describe('a document of too many values', () => {
  const signing = (a: readonly unknown[]) => () =>
    signableDocument(
      parseDocument({
        types: { EIP712Domain: members('string name'), M: members('P[] a'), P: members('uint8 n') },
        primaryType: 'M',
        domain: { name: 'X' },
        message: { a },
      }),
    )

  it('is refused with the bound, before its values are hashed', () => {
    expect(signing(Array.from({ length: 400_000 }, () => ({ n: 1 })))).toThrow(
      'message.a: 400000 elements, want at most 4096 values in a document',
    )
    expect(signing(Array.from({ length: 4_000 }, () => ({ n: 1 })))).toThrow('more than 4096 values')
  })

  it('is signed up to the bound', () => {
    expect(signing(Array.from({ length: 2_000 }, () => ({ n: 1 })))().hash).toHaveLength(32)
  })
})
