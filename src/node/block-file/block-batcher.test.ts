import { describe, expect, it } from 'vitest'
import { bytesFromBigint } from '../../base/bytes'
import { encodeRlp, type RlpItem } from '../codec/rlp'
import { BlockBatcher, type BlockPiece } from './block-splitter'

const MGAS = 1_000_000n
/** A header's fields up to the gas used. */
const FIELDS_BEFORE_GAS = 9

function pieceOf(gas: bigint, dataBytes = 0): BlockPiece {
  const before: readonly RlpItem[] = Array.from({ length: FIELDS_BEFORE_GAS }, () => new Uint8Array(0))
  return { bytes: encodeRlp([[...before, bytesFromBigint(gas, 5)], [new Uint8Array(dataBytes)]]), offset: 0 }
}

/** How many blocks each batch has. */
function batchesOf(pieces: readonly BlockPiece[]): readonly number[] {
  const batch = new BlockBatcher()
  const counts: number[] = []
  for (const piece of pieces) {
    if (!batch.hasRoomFor(piece)) counts.push(batch.take().offsets.length)
    batch.add(piece)
  }
  if (!batch.isEmpty) counts.push(batch.take().offsets.length)
  return counts
}

const many = (count: number, piece: BlockPiece) => Array.from({ length: count }, () => piece)

describe('batches of a block file', () => {
  it('end before the block that would exceed 32 Mgas', () => {
    expect(batchesOf(many(9, pieceOf(8n * MGAS)))).toEqual([4, 4, 1])
    expect(batchesOf([pieceOf(20n * MGAS), pieceOf(12n * MGAS + 1n), pieceOf(1n)])).toEqual([1, 2])
  })

  it('hold a single block if it exceeds the limit', () => {
    const [big, small] = [pieceOf(600n * MGAS), pieceOf(1n)]
    expect(batchesOf([small, big, big, small])).toEqual([1, 1, 1, 1])
  })

  it('end before the block that would exceed 1 MiB, and after 512 blocks', () => {
    expect(batchesOf(many(5, pieceOf(0n, 400_000)))).toEqual([2, 2, 1])
    expect(batchesOf(many(1_030, pieceOf(0n)))).toEqual([512, 512, 6])
  })
})
