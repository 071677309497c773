// How many blocks of a file come behind each batch, as far as that matters: a chain keeps no states that would soon be given up.
import { FULL_WINDOW } from '../../node/model/window-size'
import type { BlockBatch } from './block-source'

export interface FollowedBatch {
  readonly batch: BlockBatch
  /** Blocks of the file behind it that were read already: as many as matter, unless the file ends or these are big. */
  readonly following: number
}

/** Blocks behind a batch that matter: its states are too old once these have come. */
const MOST_BLOCKS = Number(FULL_WINDOW.states)
/** Read ahead at the most: a file whose blocks are big is worth no more memory. */
const MOST_BYTES = 8 * 1024 * 1024

/** The batches in their order. Those before a failure of the source come before it is thrown on. */
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
      const isEnough = first !== undefined && blocks - first.offsets.length >= MOST_BLOCKS
      const ready = isEnough || bytes > MOST_BYTES ? next() : null
      if (ready !== null) yield ready
    }
  } catch (error: unknown) {
    failure = { error }
  }
  for (let batch = next(); batch !== null; batch = next()) yield batch
  if (failure !== null) throw failure.error
}
