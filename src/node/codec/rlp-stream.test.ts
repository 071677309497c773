import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../base/bytes'
import { encodeRlp } from './rlp'
import { wholeItems } from './rlp-stream'

const items = [new Uint8Array(0), Uint8Array.of(5), new Uint8Array(60), [new Uint8Array(300), [Uint8Array.of(1)]]].map(
  encodeRlp,
)
const all = concatBytes(...items)

describe('cutting a stream of items', () => {
  it('finds the end of the last whole item at every length', () => {
    const ends = items.map((_item, index) => items.slice(0, index + 1).reduce((sum, item) => sum + item.length, 0))
    for (let length = 0; length <= all.length; length++) {
      const want = ends.filter((end) => end <= length).at(-1) ?? 0
      expect(wholeItems(all.subarray(0, length))).toBe(want)
    }
  })
})
