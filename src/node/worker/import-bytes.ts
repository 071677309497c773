// Imports the bytes of a block file, or of a part of one.

import { headerBytesOf } from '../block-file/block-header'
import type { Chain } from '../chain/chain'
import { keccak256 } from '../codec/keccak'
import { rlpSlices } from '../codec/rlp'
import { type Block, decodeBlock } from '../model/block'
import type { ImportReport } from './wire/import-shapes'

/** @param chain throws CHAIN_NOT_OPEN while there is none */
export function importHandlers(chain: () => Chain) {
  return {
    'chain.import': ({ blocks, following }: { readonly blocks: Uint8Array; readonly following?: number | undefined }) =>
      importBytes(chain(), blocks, following ?? 0),
    'chain.goBackTo': async ({ number }: { readonly number: number }) => ({
      refusal: await chain().goBackTo(BigInt(number)),
    }),
  }
}

/**
 * Imports the blocks in `bytes` (concatenated RLP); ignores everything after bytes that aren't a block.
 * @param following number of blocks known to come after them
 */
export async function importBytes(chain: Chain, bytes: Uint8Array, following = 0): Promise<ImportReport> {
  const { blocks, skipped, fault } = readBlocks(chain, bytes)
  const outcome = await chain.importBlocks(blocks, following)
  const { added, side, transactions, gas } = outcome
  const known = skipped + outcome.known
  const head = { number: Number(chain.head.header.number), hash: chain.head.hash }
  const done = { added, side, known, transactions, gas, head }
  if (outcome.refused !== null) {
    const { index, block, outcome: refusal } = outcome.refused
    const { number } = block.header
    const future = refusal.kind === 'future'
    return { ...done, refused: { index: skipped + index, number, hash: block.hash, reason: refusal.reason, future } }
  }
  if (fault === null) return { ...done, refused: null }
  return {
    ...done,
    refused: { index: skipped + blocks.length, number: null, hash: null, reason: fault, future: false },
  }
}

interface ReadBlocks {
  /**
   * How many leading blocks are already in the chain: decided by their headers alone, so that known parts of a file are
   * skipped quickly.
   */
  readonly skipped: number
  /** From the first unknown one on, up to bytes that aren't a block. */
  readonly blocks: readonly Block[]
  readonly fault: string | null
}

function readBlocks(chain: Chain, bytes: Uint8Array): ReadBlocks {
  const blocks: Block[] = []
  let skipped = 0
  for (const part of rlpSlices(bytes)) {
    if (!part.ok) return { skipped, blocks, fault: part.error }
    const { encoded } = part.value
    const header = blocks.length === 0 ? headerBytesOf(encoded) : null
    if (header !== null && chain.reads.header(keccak256(header)) !== null) {
      skipped++
      continue
    }
    const block = decodeBlock(encoded)
    if (!block.ok) return { skipped, blocks, fault: block.error }
    blocks.push(block.value)
  }
  return { skipped, blocks, fault: null }
}
