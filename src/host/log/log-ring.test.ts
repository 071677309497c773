import { describe, expect, it } from 'vitest'
import { LogRing } from './log-ring'

const record = (count: number) =>
  ({ time: count, level: 'info', module: 'miner', message: 'share accepted', fields: { count } }) as const
const filled = (limit: number, count: number): LogRing => {
  const ring = new LogRing(limit)
  for (let index = 0; index < count; index++) ring.write(record(index))
  return ring
}
const ids = (ring: LogRing, from: number, count = 100) => ring.read(from, count).lines.map(({ id }) => id)

describe('the log ring', () => {
  it('gives lines as the log has them, piece by piece', () => {
    const ring = filled(10, 3)

    expect(ring.read(0, 2)).toEqual({
      lines: [
        { id: 0, at: 0, level: 'info', module: 'miner', text: 'share accepted count=0' },
        { id: 1, at: 1, level: 'info', module: 'miner', text: 'share accepted count=1' },
      ],
      next: 2,
    })
    expect(ids(ring, 2)).toEqual([2])
    expect(ring.read(3, 10)).toEqual({ lines: [], next: 3 })
  })

  it.each([9, 10, 11, 19, 20, 21, 45])('keeps no more than its limit after %i lines', (count) => {
    const kept = ids(filled(10, count), 0)

    expect(kept).toEqual(Array.from({ length: Math.min(10, count) }, (_, index) => Math.max(0, count - 10) + index))
  })

  it('starts at the oldest kept line for late readers, and is empty for future ids', () => {
    const ring = filled(5, 12)

    expect(ids(ring, 2, 2)).toEqual([7, 8])
    expect(ring.read(99, 5)).toEqual({ lines: [], next: 12 })
  })
})
