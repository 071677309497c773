import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinBytes } from '../../base/bytes'
import { keccak256 } from '../codec/keccak'
import { decodeBlock } from '../model/block'
import { type BlockPiece, BlockSplitter, type BrokenStream, gasOfBlock, headerBytesOf } from './block-splitter'

const BLOCKS = readFileSync(
  join(import.meta.dirname, '..', '..', '..', 'test', 'vectors', 'chain', 'chain-small', 'blocks.rlp'),
)

/** Everything the splitter reports about `bytes` cut at `cuts`. */
function split(bytes: Uint8Array, cuts: readonly number[] = []): { pieces: BlockPiece[]; broken: BrokenStream | null } {
  const splitter = new BlockSplitter()
  const pieces: BlockPiece[] = []
  let from = 0
  for (const to of [...[...cuts].sort((a, b) => a - b), bytes.length]) {
    const pushed = splitter.push(bytes.subarray(from, to))
    pieces.push(...pushed.pieces)
    if (pushed.broken !== null) return { pieces, broken: pushed.broken }
    from = to
  }
  return { pieces, broken: splitter.end() }
}

describe('a stream of blocks', () => {
  it('is split into blocks wherever its chunks end', () => {
    const cuts = fc.array(fc.integer({ min: 0, max: BLOCKS.length }), { maxLength: 400 })
    void fc.assert(
      fc.property(cuts, (places) => {
        const { pieces, broken } = split(BLOCKS, places)
        expect(broken).toBeNull()
        expect(pieces).toHaveLength(130)
        expect(Buffer.compare(joinBytes(pieces.map((piece) => piece.bytes)), BLOCKS)).toBe(0)
      }),
      { numRuns: 50 },
    )
  })

  it('reports where each block starts', () => {
    const { pieces } = split(BLOCKS, [1, 2, 700])
    let offset = 0
    for (const piece of pieces) {
      expect(piece.offset).toBe(offset)
      offset += piece.bytes.length
    }
  })

  it('that ends inside a block reports it, with the place and how much is there', () => {
    const whole = split(BLOCKS).pieces
    const last = whole[129] as BlockPiece

    expect(split(BLOCKS.subarray(0, BLOCKS.length - 1), [100]).broken).toEqual({
      offset: last.offset,
      reason: `the file ends inside a block: ${last.bytes.length - 1} of ${last.bytes.length} bytes are there`,
    })
    expect(split(BLOCKS.subarray(0, last.offset + 2)).broken).toEqual({
      offset: last.offset,
      reason: 'the file ends inside a block: 2 bytes are there',
    })
  })

  it('with something else in it gives the preceding blocks, and reports where and what', () => {
    const first = split(BLOCKS).pieces[0] as BlockPiece
    const spoilt = joinBytes([first.bytes, Uint8Array.of(0x12), BLOCKS])

    const { pieces, broken } = split(spoilt)

    expect(pieces).toHaveLength(1)
    expect(broken).toEqual({
      offset: first.bytes.length,
      reason: 'wanted the start of a block (a list, 0xc0 to 0xff), found byte 0x12',
    })
  })

  it.each([
    ['a length with a leading zero', [0xf9, 0x00, 0x80], 'the length of the block is not written in the shortest way'],
    ['less than a block must have', [0xc0, 0xc0], 'it claims a block of 0 bytes, the least is 465'],
    ['a little less than a block must have', [0xf9, 0x01, 0xd0], 'it claims a block of 464 bytes, the least is 465'],
    ['a long form of a short length', [0xf8, 0x01, 0x00], 'the length of the block is not written in the shortest way'],
    [
      'more than a block can have',
      [0xff, 1, 0, 0, 0, 0, 0, 0, 0],
      'it claims a block of 72057594037927940 bytes, the most is 268435456',
    ],
  ])('with %s is rejected at once', (_name, bytes, reason) => {
    expect(split(Uint8Array.from(bytes)).broken).toEqual({ offset: 0, reason })
  })

  it('that is empty is no file of blocks', () => {
    expect(split(new Uint8Array(0))).toEqual({ pieces: [], broken: { offset: 0, reason: 'the file is empty' } })
  })
})

describe('the header of a block', () => {
  it('is found by itself, and hashes to the block', () => {
    for (const { bytes } of split(BLOCKS).pieces) {
      const block = decodeBlock(bytes.slice())
      expect(block.ok && block.value.hash).toEqual(keccak256(headerBytesOf(bytes) ?? bytes))
    }
  })

  it("isn't found in bytes that end before it does", () => {
    expect(headerBytesOf(BLOCKS.subarray(0, 100))).toBeNull()
    expect(headerBytesOf(new Uint8Array(0))).toBeNull()
  })
})

describe('the gas of a block', () => {
  it('is what its header says', () => {
    for (const { bytes } of split(BLOCKS).pieces) {
      const block = decodeBlock(bytes.slice())
      expect(block.ok && Number(block.value.header.gasUsed)).toBe(gasOfBlock(bytes))
    }
  })

  it('is 0 for anything else', () => {
    void fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(gasOfBlock(Uint8Array.of(0xc1, ...bytes.map((byte) => byte | 0xc0)))).toBe(0)
      }),
    )
  })
})
