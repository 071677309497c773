import { describe, expect, it } from 'vitest'
import type { BlockRowView } from '../../contract/node'
import { OwnBlocks } from './shell'

const ME = '0xAB00000000000000000000000000000000000001'

function block(number: number, hash: string, parentHash: string, miner = ME.toLowerCase()): BlockRowView {
  const sizes = { gasUsed: 0, gasLimit: 0, transactionCount: 0, sizeBytes: 0, time: 0 }
  return { number, hash, parentHash, miner, difficulty: '1', subsidy: '1', ...sizes }
}
const head = (...given: Parameters<typeof block>) => ({ head: block(...given), coinbase: ME })

describe('our own blocks', () => {
  it('are all there while each head builds on the previous one', () => {
    const own = new OwnBlocks()

    expect([own.saw(head(1, 'a', '0')), own.saw(head(2, 'b', 'a')), own.saw(head(2, 'b', 'a'))]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('are reported once when the chain replaces them', () => {
    const own = new OwnBlocks()
    own.saw(head(1, 'a', '0'))
    own.saw(head(2, 'b', 'a'))
    expect(own.saw(head(3, 'z', 'y', 'other'))).toBe(true)
    const chain = [block(3, 'z', 'y'), block(2, 'y', 'a'), block(1, 'a', '0')]

    expect(own.lost(chain)).toEqual([2])
    expect(own.lost(chain)).toEqual([])
  })

  it("aren't lost if a fast chain only skipped them", () => {
    const own = new OwnBlocks()
    own.saw(head(1, 'a', '0'))
    expect(own.saw(head(3, 'c', 'b'))).toBe(true)

    expect(own.lost([block(3, 'c', 'b'), block(2, 'b', 'a'), block(1, 'a', '0')])).toEqual([])
  })

  it("are left alone outside of what was read, and others' blocks don't count", () => {
    const own = new OwnBlocks()
    own.saw(head(1, 'a', '0'))
    own.saw(head(2, 'b', 'a', 'other'))
    own.saw(head(9, 'z', 'y', 'other'))

    expect(own.lost([block(9, 'z', 'y'), block(8, 'y', 'x')])).toEqual([])
  })
})
