// The last week of blocks: who found them and what they paid.
import { useCallback, useMemo } from 'react'
import type { BlockRowView } from '../../../../../contract/node'
import type { Backend } from '../../../data/backend'
import { useAnswer } from '../../../state/answers/use-answer'
import { useEnvironment, useNode } from '../../../state/environment'

export const FEW = 144
export const MANY = 1008
const PAGE = 200
/** Reading again after this many blocks is enough: shares of a week's blocks change slowly. */
const AGAIN_AFTER = 10

export type LastBlocks = ReturnType<typeof useLastBlocks>

/** Read immediately, again after every ten blocks, and on request. */
export function useLastBlocks() {
  const { backend } = useEnvironment()
  const tens = useNode(({ head }) => Math.floor((head?.head?.number ?? 0) / AGAIN_AFTER))
  const { value, reason, retry } = useAnswer(
    useCallback(() => readBlocks(backend), [backend]),
    { mark: tens },
  )
  const newest = useNode((node) => node.blocks)
  const blocks = useMemo(() => withNewest(value, newest), [value, newest])
  return { blocks, error: reason, ask: () => void retry() }
}

/** Adds blocks that the node found since, and drops those that a reorg removed. */
function withNewest(
  read: readonly BlockRowView[] | null,
  newest: readonly BlockRowView[] | null,
): readonly BlockRowView[] | null {
  const lowest = newest?.[newest.length - 1]?.number
  const highest = read?.[0]?.number
  if (read === null || newest === null || lowest === undefined || highest === undefined) return read
  if (lowest > highest + 1) return read // more arrived at once than the list of the latest holds: everything is read again
  return [...newest.filter(({ number }) => number > 0), ...read.filter(({ number }) => number < lowest)].slice(0, MANY)
}

async function readBlocks(backend: Pick<Backend, 'call'>): Promise<readonly BlockRowView[]> {
  const found: BlockRowView[] = []
  while (found.length < MANY) {
    const lowest = found[found.length - 1]?.number
    if (lowest === 0) break
    const page = await backend.call('node.blocks', {
      from: lowest === undefined ? null : lowest - 1,
      count: Math.min(PAGE, MANY - found.length),
    })
    if (page.blocks.length === 0) break
    found.push(...page.blocks)
  }
  // Nobody found the genesis block.
  return found.filter(({ number }) => number > 0)
}
