import { expect, it } from 'vitest'
import {
  clearBlock,
  decodeBlockSet,
  emptyBitmap,
  encodeBlockSet,
  offsetsOf,
  SECTION_BLOCKS,
  setBlock,
} from './block-set'

const withBlocks = (offsets: readonly number[]) => {
  const bits = emptyBitmap()
  for (const offset of offsets) setBlock(bits, offset)
  return bits
}
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

it.each([[[0]], [[SECTION_BLOCKS - 1]], [[0, 7, 8, 300, 4_095]], [upTo(255)], [upTo(256)], [upTo(SECTION_BLOCKS)]])(
  'keeps the blocks of %j',
  (offsets) => {
    const stored = encodeBlockSet(withBlocks(offsets))

    expect(offsetsOf(decodeBlockSet(stored ?? undefined))).toEqual(offsets)
  },
)

it('keeps few blocks as a short list and never more than the bits', () => {
  expect(encodeBlockSet(withBlocks([258, 1]))).toEqual(Uint8Array.of(0, 1, 1, 2))
  expect(encodeBlockSet(withBlocks(upTo(255)))).toHaveLength(510)
  expect(encodeBlockSet(withBlocks(upTo(256)))).toHaveLength(512)
  expect(encodeBlockSet(withBlocks(upTo(4_000)))).toHaveLength(512)
})

it('says that a set without blocks is not to be kept', () => {
  const bits = withBlocks([9])
  clearBlock(bits, 9)

  expect(encodeBlockSet(bits)).toBeNull()
  expect(offsetsOf(decodeBlockSet(undefined))).toEqual([])
})
