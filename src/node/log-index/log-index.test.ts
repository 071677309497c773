import { describe, expect, it } from 'vitest'
import { bytesFromBigint } from '../../base/bytes'
import { toHex } from '../../base/hex'
import type { Receipt } from '../model/receipt'
import { MemoryStore, StoreLayer } from '../store/store'
import { indexLogs, isIndexed, LogIndexRun, SECTION_BLOCKS, unindexLogs } from './log-index'

const FIRST = SECTION_BLOCKS - 300
const LAST = SECTION_BLOCKS + 20

/** Logs of a few contracts with up to four topics, some of them in every block, some in few, some twice in a block. */
function receiptsOf(height: number): readonly Receipt[] {
  const address = bytesFromBigint(BigInt(height % 3), 20)
  const topics = Array.from({ length: height % 5 }, (_, position) =>
    bytesFromBigint(BigInt(height % (position + 7)), 32),
  )
  const log = { address, topics, data: new Uint8Array(0) }
  const receipt = { type: 0, succeeded: true, cumulativeGasUsed: 0n, gasUsed: 0n, contractAddress: null } as const
  return height % 11 === 0
    ? [{ ...receipt, logs: [] }]
    : [
        { ...receipt, logs: [log, log] },
        { ...receipt, logs: [log] },
      ]
}

const blocks = Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index)
const entries = (layer: StoreLayer) => layer.changes().map(([key, value]) => `${toHex(key)} ${value && toHex(value)}`)

function oneByOne(): StoreLayer {
  const layer = new StoreLayer(new MemoryStore())
  for (const height of blocks) indexLogs(layer, BigInt(height), receiptsOf(height))
  return layer
}

describe('the log index', () => {
  it.each([1, 7, 100, blocks.length])('is the same after runs of %d blocks as after single blocks', (length) => {
    const layer = new StoreLayer(new MemoryStore())
    for (let from = 0; from < blocks.length; from += length) {
      const run = new LogIndexRun()
      for (const height of blocks.slice(from, from + length)) run.add(BigInt(height), receiptsOf(height))
      run.settle(layer)
    }

    expect(entries(layer).sort()).toEqual(entries(oneByOne()).sort())
    expect(blocks.filter((height) => !isIndexed(layer, BigInt(height), receiptsOf(height)))).toEqual([])
  })

  it('holds nothing of blocks that left the chain', () => {
    const layer = oneByOne()
    for (const height of [...blocks].reverse()) unindexLogs(layer, BigInt(height), receiptsOf(height))

    expect(layer.changes().filter(([, value]) => value !== null)).toEqual([])
  })
})
