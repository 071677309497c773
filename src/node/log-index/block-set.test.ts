import { expect, it } from 'vitest'
import {
  clearBlock,
  decodeBlockSet,
  emptyBitmap,
  encodeBlockSet,
  offsetsOf,
  SECTION_BLOCKS,
  setBlock,
  withBlocks,
  withoutBlock,
} from './log-index'

const bitsOf = (offsets: readonly number[]) => {
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
  const stored = encodeBlockSet(bitsOf(offsets))

  expect(offsetsOf(decodeBlockSet(stored ?? undefined))).toEqual(offsets)
})

it('keeps few blocks as a short list and never more than the bits', () => {
  expect(encodeBlockSet(bitsOf([258, 1]))).toEqual(Uint8Array.of(0, 1, 1, 2))
  expect(encodeBlockSet(bitsOf(upTo(255)))).toHaveLength(510)
  expect(encodeBlockSet(bitsOf(upTo(256)))).toHaveLength(512)
  expect(encodeBlockSet(bitsOf(upTo(4_000)))).toHaveLength(512)
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
    stored = withBlocks(stored ?? undefined, [offsetOf(count)])
    look(count)
    stored = withBlocks(stored ?? undefined, [offsetOf(count)])
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

it.each([
  ['into a list', upTo(100), [200, 300, 4_000]],
  ['between those of a list', [5, 4_000], [7, 9, 4_095]],
  ['so that a list is just full', upTo(200), Array.from({ length: 55 }, (_, i) => 1_000 + i)],
  ['so that a list no longer suffices', upTo(200), Array.from({ length: 56 }, (_, i) => 1_000 + i)],
  ['into a bitmap', upTo(300), [299, 300, 4_095]],
  ['into nothing', [], upTo(256)],
] as const)('takes several blocks at once, %s', (_, before, added) => {
  const stored = encodeBlockSet(bitsOf(before)) ?? undefined

  expect(withBlocks(stored, added)).toEqual(encodeBlockSet(bitsOf([...before, ...added])))
})

it('says that a set without blocks is not to be kept', () => {
  const bits = bitsOf([9])
  clearBlock(bits, 9)

  expect(encodeBlockSet(bits)).toBeNull()
  expect(offsetsOf(decodeBlockSet(undefined))).toEqual([])
})
