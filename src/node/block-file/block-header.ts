// Reads a block's header without decoding its transactions: how much work the block is, and the bytes of its hash.
import { bigintFromBytes } from '../../base/bytes'

/** Index of gasUsed in a header. */
const GAS_USED_INDEX = 9

/** 0 for bytes that aren't a block: the import reports what is wrong with them. */
export function gasOfBlock(block: Uint8Array): number {
  const outer = itemAt(block, 0)
  const header = outer === null ? null : itemAt(block, outer.start)
  if (header === null) return 0
  let item = itemAt(block, header.start)
  for (let index = 0; index < GAS_USED_INDEX && item !== null; index++) item = itemAt(block, item.end)
  if (item === null || item.end > header.end || item.end - item.start > 8) return 0
  return Number(bigintFromBytes(block.subarray(item.start, item.end)))
}

/** The header's bytes inside the block's RLP, a view; null for bytes that aren't a block. */
export function headerBytesOf(block: Uint8Array): Uint8Array | null {
  const outer = itemAt(block, 0)
  const header = outer === null ? null : itemAt(block, outer.start)
  if (outer === null || header === null || header.end > block.length) return null
  return block.subarray(outer.start, header.end)
}

interface Item {
  /** of the payload */
  readonly start: number
  readonly end: number
}

function itemAt(bytes: Uint8Array, at: number): Item | null {
  const first = bytes[at]
  if (first === undefined) return null
  if (first < 0x80) return { start: at, end: at + 1 }
  const short = first - (first < 0xc0 ? 0x80 : 0xc0)
  if (short < 56) return { start: at + 1, end: at + 1 + short }
  const digits = short - 55
  const length = bytes.subarray(at + 1, at + 1 + digits).reduce((sum, byte) => sum * 256 + byte, 0)
  return { start: at + 1 + digits, end: at + 1 + digits + length }
}
