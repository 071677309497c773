// Chains that a scripted peer serves: generated blocks, and the same with something wrong in them.
import { bigintFromBytes } from '../../src/base/bytes'
import { toBareHex } from '../../src/base/hex'
import type { XhashEngine } from '../../src/native/xhash-engine'
import { createBlock, decodeBlock, encodeTransactions } from '../../src/node/model/block'
import { type BlockHeader, blockHash, decodeHeader, encodeHeader, sealHash } from '../../src/node/model/header'
import { epochOfHeight } from '../../src/xhash/params'
import { targetOfDifficulty } from '../../src/xhash/target'
import { splitBlocks } from './split-blocks'

export interface LineBlock {
  readonly header: BlockHeader
  /** 32 bytes */
  readonly hash: Uint8Array
  /** RLP of the header, and of the transaction list */
  readonly headerRlp: Uint8Array
  readonly body: Uint8Array
  /** From genesis to here. */
  readonly total: bigint
}

/** From genesis on; a block's index is its number, unless something is wrong with it. */
export class Line {
  readonly #places: ReadonlyMap<string, number>

  constructor(readonly blocks: readonly LineBlock[]) {
    this.#places = new Map(blocks.map(({ hash }, index) => [toBareHex(hash), index]))
  }

  get head(): LineBlock {
    return this.at(this.blocks.length - 1)
  }

  at(index: number): LineBlock {
    const block = this.blocks[index]
    if (block === undefined) throw new RangeError(`no block ${index}`)
    return block
  }

  find(hash: Uint8Array): number | null {
    return this.#places.get(toBareHex(hash)) ?? null
  }

  /** Without blocks above `number`. */
  upTo(number: number): Line {
    return new Line(this.blocks.slice(0, number + 1))
  }

  /** With another header at `number`; those above build on it, with invalid seals. */
  withHeader(number: number, change: (header: BlockHeader) => Partial<BlockHeader>): Line {
    const blocks = this.blocks.slice(0, number)
    for (const { header, body } of this.blocks.slice(number)) {
      const parent = blocks[blocks.length - 1]
      const linked = { ...header, parentHash: parent?.hash ?? header.parentHash }
      const changed = blocks.length === number ? { ...linked, ...change(linked) } : linked
      blocks.push(lineBlock(changed, body, parent?.total ?? 0n))
    }
    return new Line(blocks)
  }

  /** With all seals from `number` on made valid again. */
  async sealed(number: number, xhash: XhashEngine): Promise<Line> {
    const blocks = this.blocks.slice(0, number)
    for (const { header, body } of this.blocks.slice(number)) {
      const parent = blocks[blocks.length - 1]
      const linked = { ...header, parentHash: parent?.hash ?? header.parentHash }
      blocks.push(lineBlock(await sealedHeader(linked, xhash), body, parent?.total ?? 0n))
    }
    return new Line(blocks)
  }
}

/** @param genesisRlp of the header @param file RLP of the blocks above it, one after another */
export function lineOf(genesisRlp: Uint8Array, file: Uint8Array): Line {
  const genesis = decodeHeader(genesisRlp)
  if (!genesis.ok) throw new Error(genesis.error)
  const blocks = [lineBlock(genesis.value, Uint8Array.of(0xc0), 0n)]
  for (const bytes of splitBlocks(file)) {
    const block = decodeBlock(bytes)
    if (!block.ok) throw new Error(block.error)
    const { header, transactions } = block.value
    blocks.push(lineBlock(header, encodeTransactions(transactions), blocks[blocks.length - 1]?.total ?? 0n))
  }
  return new Line(blocks)
}

function lineBlock(header: BlockHeader, body: Uint8Array, totalBefore: bigint): LineBlock {
  const total = totalBefore + header.difficulty
  return { header, hash: blockHash(header), headerRlp: encodeHeader(header), body, total }
}

async function sealedHeader(header: BlockHeader, xhash: XhashEngine): Promise<BlockHeader> {
  const hash = sealHash(header)
  const target = targetOfDifficulty(header.difficulty)
  const epoch = epochOfHeight(xhash.params, Number(header.number))
  for (let nonce = 0n; ; nonce++) {
    const { mixDigest, result } = await xhash.hashLight(epoch, hash, nonce)
    if (bigintFromBytes(result) <= target) return createBlock({ ...header, nonce, mixHash: mixDigest }, []).header
  }
}
