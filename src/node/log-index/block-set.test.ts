import { expect, it } from 'vitest'
import {
  clearBlock,
  decodeBlockSet,
  emptyBitmap,
  encodeBlockSet,
  offsetsOf,
  SECTION_BLOCKS,
  setBlock,
  withBlock,
  withoutBlock,
} from './block-set'

const withBlocks = (offsets: readonly number[]) => {
  const bits = emptyBitmap()
  for (const offset of offsets) setBlock(bits, offset)
  return bits
}
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

it.each([
  ['the first block', [0]],
  ['the last block', [SECTION_BLOCKS - 1]],
  ['five blocks', [0, 7, 8, 300, 4_095]],
  ['as many as a list holds', upTo(255)],
  ['one more than a list holds', upTo(256)],
  ['all blocks', upTo(SECTION_BLOCKS)],
] as const)('keeps %s', (_, offsets) => {
  const stored = encodeBlockSet(withBlocks(offsets))

  expect(offsetsOf(decodeBlockSet(stored ?? undefined))).toEqual(offsets)
})

it('keeps few blocks as a short list and never more than the bits', () => {
  expect(encodeBlockSet(withBlocks([258, 1]))).toEqual(Uint8Array.of(0, 1, 1, 2))
  expect(encodeBlockSet(withBlocks(upTo(255)))).toHaveLength(510)
  expect(encodeBlockSet(withBlocks(upTo(256)))).toHaveLength(512)
  expect(encodeBlockSet(withBlocks(upTo(4_000)))).toHaveLength(512)
})

it.each([
  ['rising', (count: number) => count],
  ['falling', (count: number) => SECTION_BLOCKS - 1 - count],
  ['in a mixed order', (count: number) => (count * 1_237) % SECTION_BLOCKS],
] as const)('takes blocks %s, and lets them go, as the set of all of them is stored', (_, offsetOf) => {
  const bits = emptyBitmap()
  const wrong: number[] = []
  let stored: Uint8Array | null = null
  const look = (count: number): void => {
    const whole = encodeBlockSet(bits)
    if (Buffer.compare(stored ?? new Uint8Array(0), whole ?? new Uint8Array(0)) !== 0) wrong.push(count)
  }
  for (let count = 0; count < 300; count++) {
    setBlock(bits, offsetOf(count))
    stored = withBlock(stored ?? undefined, offsetOf(count))
    look(count)
    stored = withBlock(stored ?? undefined, offsetOf(count))
    look(count)
  }
  for (let count = 0; count < 300; count++) {
    clearBlock(bits, offsetOf(count))
    stored = withoutBlock(stored ?? undefined, offsetOf(count))
    look(count)
  }
  expect(wrong).toEqual([])
  expect(stored).toBeNull()
})

it('says that a set without blocks is not to be kept', () => {
  const bits = withBlocks([9])
  clearBlock(bits, 9)

  expect(encodeBlockSet(bits)).toBeNull()
  expect(offsetsOf(decodeBlockSet(undefined))).toEqual([])
})
