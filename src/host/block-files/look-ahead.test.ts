import { describe, expect, it } from 'vitest'
import type { BlockBatch } from './block-source'
import { withFollowing } from './import-file'

const batchOf = (blocks: number, bytes = 100): BlockBatch => ({
  bytes: new Uint8Array(bytes),
  offsets: Array.from({ length: blocks }, (_, index) => index),
  bytesRead: 0,
})

/** Gives batches of this many blocks, records how many were requested, then ends or fails. */
class Source {
  asked = 0

  constructor(
    private readonly batches: readonly BlockBatch[],
    private readonly failure: Error | null = null,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<BlockBatch> {
    for (const batch of this.batches) {
      this.asked++
      yield batch
    }
    if (this.failure !== null) throw this.failure
  }
}

async function told(source: Source): Promise<readonly (readonly [blocks: number, following: number, asked: number])[]> {
  const seen: (readonly [number, number, number])[] = []
  for await (const { batch, following } of withFollowing(source))
    seen.push([batch.offsets.length, following, source.asked])
  return seen
}

describe('the batches of a file', () => {
  it('come with the blocks after them: those that matter, or all that are left', async () => {
    expect(await told(new Source([batchOf(30), batchOf(100), batchOf(50), batchOf(7), batchOf(120)]))).toEqual([
      [30, 150, 3],
      [100, 177, 5],
      [50, 127, 5],
      [7, 120, 5],
      [120, 0, 5],
    ])
  })

  it('are read ahead by a few MB at most', async () => {
    const big = 5 * 1024 * 1024
    expect(await told(new Source([batchOf(1, big), batchOf(1, big), batchOf(1, big)]))).toEqual([
      [1, 1, 2],
      [1, 1, 3],
      [1, 0, 3],
    ])
  })

  it('come before an error after them', async () => {
    const seen: number[] = []
    const take = async (): Promise<void> => {
      for await (const { batch } of withFollowing(new Source([batchOf(1), batchOf(2)], new Error('torn'))))
        seen.push(batch.offsets.length)
    }
    await expect(take()).rejects.toThrow('torn')
    expect(seen).toEqual([1, 2])
  })
})
