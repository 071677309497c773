// Counts the blocks that follow each batch of a file, up to a limit: a chain doesn't store states that it would soon prune.
import { FULL_WINDOW } from '../../node/model/window-size'
import type { BlockBatch } from './block-source'

interface FollowedBatch {
  readonly batch: BlockBatch
  /** Blocks read ahead after this batch: as many as matter, unless the file ends or they are large. */
  readonly following: number
}

/** More blocks than this make no difference: the batch's states are too old once these are imported. */
const MAX_BLOCKS = Number(FULL_WINDOW.states)
/** Limit on the memory for reading ahead, for files with large blocks. */
const MAX_BYTES = 8 * 1024 * 1024

/** The batches in order. When the source fails, the batches before the failure are yielded first. */
export async function* withFollowing(source: AsyncIterable<BlockBatch>): AsyncGenerator<FollowedBatch> {
  const read: BlockBatch[] = []
  let blocks = 0
  let bytes = 0
  const next = (): FollowedBatch | null => {
    const batch = read.shift()
    if (batch === undefined) return null
    blocks -= batch.offsets.length
    bytes -= batch.bytes.length
    return { batch, following: blocks }
  }
  let failure: { readonly error: unknown } | null = null
  try {
    for await (const batch of source) {
      read.push(batch)
      blocks += batch.offsets.length
      bytes += batch.bytes.length
      const [first] = read
      const isEnough = first !== undefined && blocks - first.offsets.length >= MAX_BLOCKS
      const ready = isEnough || bytes > MAX_BYTES ? next() : null
      if (ready !== null) yield ready
    }
  } catch (error: unknown) {
    failure = { error }
  }
  for (let batch = next(); batch !== null; batch = next()) yield batch
  if (failure !== null) throw failure.error
}
