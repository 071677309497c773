import { describe, expect, it } from 'vitest'
import { EncodedFields } from './fields'
import { encodeRlp, type RlpItem } from './rlp'

const SHAPE = { what: 'thing', count: 3, fault: 'thing: want 3 fields' }

function fieldsOf(item: RlpItem): EncodedFields {
  const fields = EncodedFields.of(encodeRlp(item), SHAPE)
  if (!fields.ok) throw new Error(fields.error)
  return fields.value
}

function errorOf(item: RlpItem, read: (fields: EncodedFields) => void): string | null {
  const fields = fieldsOf(item)
  read(fields)
  return fields.error
}

const none = new Uint8Array(0)
const bytes = (...list: number[]) => Uint8Array.from(list)

describe('EncodedFields', () => {
  it('reads integers, byte strings and lists in order', () => {
    const fields = fieldsOf([bytes(1, 2, 3, 4, 5, 6, 7, 8), bytes(9, 10), [bytes(5), [none]]])

    expect(fields.integer('number')).toBe(0x0102030405060708n)
    expect(fields.bytesOf('text', 2)).toEqual(bytes(9, 10))
    expect(fields.listOf('list')).toEqual(bytes(5, 0xc1, 0x80))
    expect(fields.error).toBeNull()
    expect(fieldsOf([none, bytes(0), none]).integer('zero')).toBe(0n)
  })

  it('names the first field that is wrong', () => {
    expect(errorOf([[], none, none], (fields) => fields.integer('a'))).toBe('thing: a is not an integer')
    expect(errorOf([bytes(0, 1), [], none], (fields) => [fields.integer('a'), fields.bytesOf('b')])).toBe(
      'thing: a has leading zeros',
    )
    expect(errorOf([bytes(0), none, none], (fields) => fields.integer('a'))).toBe('thing: a has leading zeros')
    expect(errorOf([new Uint8Array(9).fill(1), none, none], (fields) => fields.integer('a'))).toBe(
      'thing: a has more than 64 bits',
    )
    expect(errorOf([[], none, none], (fields) => fields.bytesOf('a'))).toBe('thing: a is not a byte string')
    expect(errorOf([bytes(1, 2, 3), none, none], (fields) => fields.bytesOf('a', 2))).toBe(
      'thing: a has 3 bytes, want at most 2',
    )
    expect(errorOf([none, none, none], (fields) => fields.listOf('a'))).toBe('thing: a is not a list')
  })

  it('rejects other shapes before it reads a field', () => {
    const text = (encoded: Uint8Array) => {
      const fields = EncodedFields.of(encoded, SHAPE)
      return fields.ok ? null : fields.error
    }
    expect(text(encodeRlp([none, none]))).toBe('thing: want 3 fields')
    expect(text(encodeRlp([none, none, none, none]))).toBe('thing: want 3 fields')
    expect(text(encodeRlp(none))).toBe('thing: want 3 fields')
    expect(text(bytes(0xc3, 0x80, 0x80, 0x81))).toBe('rlp: value larger than its container')
    expect(text(bytes(0xc1, 0x80, 0x80))).toBe('rlp: bytes after the end')
    expect(text(none)).toBe('rlp: unexpected end')
  })
})
