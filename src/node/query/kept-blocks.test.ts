import { describe, expect, it } from 'vitest'
import { keccak256 } from '../codec/keccak'
import type { Message } from '../execution/message'
import { World } from '../execution/world'
import { type Block, createBlock } from '../model/block'
import { plainHeader } from '../testing/test-header'
import { TestWallet } from '../testing/test-wallet'
import { KeptBlocks, type KeptStage, KeptStages } from './kept-blocks'

const MIB = 1024 * 1024
const MAX_BYTES = 16 * MIB
const wallet = new TestWallet(1)

/** With one transaction, which adds this many bytes. */
function aBlock(number: bigint, dataBytes: number): Block {
  return createBlock(plainHeader({ number }), [wallet.sign({ data: new Uint8Array(dataBytes) })])
}

describe('kept blocks', () => {
  it('are read once, until newer ones take their place', () => {
    const blocks = new KeptBlocks(MAX_BYTES)
    const [first, second, third] = [aBlock(1n, 7 * MIB), aBlock(2n, 7 * MIB), aBlock(3n, 7 * MIB)]
    const reads: bigint[] = []
    const ask = (block: Block) =>
      blocks.block(block.hash, () => {
        reads.push(block.header.number)
        return block
      })

    for (const block of [first, second, first, third, first, second]) expect(ask(block)).toBe(block)

    // The third takes the place of the second, which was used before the first.
    expect(reads).toEqual([1n, 2n, 3n, 2n])
  })

  it("aren't kept if there are none, or if a single one is too big", () => {
    const blocks = new KeptBlocks(MAX_BYTES)
    const big = aBlock(1n, 17 * MIB)
    let reads = 0

    expect(blocks.block(big.hash, () => null)).toBeNull()
    for (let n = 0; n < 2; n++) {
      blocks.block(big.hash, () => {
        reads++
        return big
      })
    }

    expect(reads).toBe(2)
  })

  it('give a transaction the same message again', () => {
    const blocks = new KeptBlocks(MAX_BYTES)
    const tx = wallet.sign()
    const message: Message = { gasPrice: 1n, value: 1n, data: tx.data, accessList: [], gas: 21_000, from: 1n, to: 2n }

    expect(blocks.message(tx, () => message)).toBe(message)
    expect(blocks.message(tx, () => expect.fail('made again'))).toBe(message)
  })
})

describe('kept stages', () => {
  /** For block `number`, before its transaction `index`, holding this many accounts. */
  function aStage(number: number, index: number, held = 0): KeptStage {
    const base = { account: () => null, slot: () => new Uint8Array(0), code: () => new Uint8Array(0) }
    const root = new Uint8Array(32)
    const world = new World({ base, read: () => undefined, root, keccak256, nextName: () => root })
    for (let address = 1; address <= held; address++) world.account(BigInt(address))
    const header = plainHeader({ number: BigInt(number) })
    return {
      hash: new Uint8Array(32).fill(number),
      index,
      stage: { header, base: { hash: header.parentHash, header }, world },
    }
  }

  it('cover several blocks, and each is lent once', () => {
    const stages = new KeptStages()
    const [one, two] = [aStage(1, 3), aStage(2, 0)]
    stages.keep(one)
    stages.keep(two)

    expect(stages.take(one.hash, 3)).toBe(one)
    expect(stages.take(one.hash, 3)).toBeNull()
    expect(stages.take(two.hash, 0)).toBe(two)
  })

  it('are copied for a later transaction of their block, from the nearest before it', () => {
    const stages = new KeptStages()
    const [early, late, after] = [aStage(1, 0), aStage(1, 3), aStage(1, 6)]
    for (const stage of [early, late, after]) stages.keep(stage)
    late.stage.world.setBalance(1n, 7n)
    late.stage.world.finish()

    const taken = stages.take(late.hash, 5)
    taken?.stage.world.setBalance(1n, 8n)

    expect(taken?.index).toBe(3)
    expect(stages.take(late.hash, 3)).toBe(late)
    expect(late.stage.world.account(1n).balance).toBe(7n)
  })

  it('are useless to an earlier transaction', () => {
    const stages = new KeptStages()
    const stage = aStage(1, 3)
    stages.keep(stage)

    expect(stages.take(stage.hash, 2)).toBeNull()
  })

  it('are dropped if they hold too much together, the oldest first, and when the head changes', () => {
    const stages = new KeptStages()
    const all = [aStage(1, 0, 90_000), aStage(2, 0, 90_000), aStage(3, 0, 90_000)]
    for (const stage of all) stages.keep(stage)

    expect(all.map((stage) => stages.take(stage.hash, 0))).toEqual([null, all[1], all[2]])
    stages.keep(aStage(4, 0))
    stages.clear()
    expect(stages.take(new Uint8Array(32).fill(4), 0)).toBeNull()
  })
})
