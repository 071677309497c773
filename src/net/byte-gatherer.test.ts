import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ByteGatherer } from './body-reader'

it('returns what was added, in however many pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 9_000 }), { maxLength: 12 }), (pieces) => {
      const gathered = new ByteGatherer()
      const before = pieces.map((piece) => Buffer.from(piece))
      for (const piece of before) gathered.add(piece)
      const whole = Buffer.concat(pieces)

      expect(gathered.length).toBe(whole.length)
      expect(gathered.take().equals(whole)).toBe(true)
      expect(gathered.take()).toHaveLength(0)
      expect(before.map((piece) => [...piece])).toEqual(pieces.map((piece) => [...piece]))
    }),
    { numRuns: 50 },
  )
})

it('holds a megabyte of single bytes in little more than that', () => {
  const gathered = new ByteGatherer()
  const byte = Buffer.from('x')
  for (let count = 0; count < 1_048_576; count++) gathered.add(byte)

  const whole = gathered.take()

  expect(whole).toHaveLength(1_048_576)
  expect(whole.buffer.byteLength).toBeLessThanOrEqual(2 * 1_048_576)
})
