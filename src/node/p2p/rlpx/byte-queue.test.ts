import { describe, expect, it } from 'vitest'
import { ByteQueue } from './byte-queue'

describe('the byte queue', () => {
  it('joins small chunks, however many come', () => {
    const queue = new ByteQueue()
    for (let i = 0; i < 100_000; i++) queue.push(Uint8Array.of(i & 0xff))

    expect(queue.length).toBe(100_000)
    expect(queue.pieces).toBeLessThan(10)
    expect(queue.take(100_000)).toEqual(Uint8Array.from({ length: 100_000 }, (_, i) => i & 0xff))
  })

  it('gives all bytes in order, whatever sizes arrive and are taken', () => {
    let state = 7
    const upTo = (limit: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
      return (state >>> 8) % limit
    }
    const queue = new ByteQueue()
    const [put, got]: [number[], number[]] = [[], []]
    for (let round = 0; round < 2_000; round++) {
      const size = [upTo(4), upTo(300), 1_000 + upTo(3_000)][upTo(3)] ?? 0
      const chunk = Uint8Array.from({ length: size }, () => upTo(256))
      put.push(...chunk)
      queue.push(chunk)
      const taken = queue.take(upTo(2 + queue.length))
      if (taken !== null) got.push(...taken)
    }
    got.push(...(queue.take(queue.length) ?? []))

    expect(got).toEqual(put)
    expect([queue.length, queue.pieces, queue.take(1)]).toEqual([0, 0, null])
  })
})
