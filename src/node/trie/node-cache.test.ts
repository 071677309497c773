import { describe, expect, it } from 'vitest'
import { NodeCache } from './node'

const hash = (value: number) => new Uint8Array(32).fill(value)
const named = (value: number) => ({ kind: 'hash', hash: hash(value) }) as const
const leaf = (value: number) => ({ kind: 'leaf', path: new Uint8Array(1), value: Uint8Array.of(value) }) as const

describe('node cache', () => {
  it('returns what was put in, and keeps what is used while it evicts the rest', () => {
    // A node of 100 bytes counts as 600: four of them to a generation.
    const cache = new NodeCache({ maxBytes: 4_000 })
    cache.set(named(0), leaf(0), 100)
    for (let i = 1; i < 40; i++) {
      cache.set(named(i), leaf(i), 100)
      expect(cache.get(named(0))).toEqual(leaf(0))
    }
    const left = Array.from({ length: 40 }, (_, i) => i).filter((i) => cache.get(named(i)) !== undefined)
    expect(left).toContain(39)
    expect(left.length).toBeLessThan(20)
    expect(cache.get(named(99))).toBeUndefined()
  })
})
