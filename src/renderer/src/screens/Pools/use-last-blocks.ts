// The last week of blocks, for who found them and what they paid.
import { useCallback, useMemo, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { BlockRowView } from '../../../../contract/node'
import type { Backend } from '../../data/backend'
import { useAsking, useEnvironment, useNode } from '../../state/environment'

export const FEW = 144
export const MANY = 1008
const PAGE = 200
/** A share of so many blocks moves slowly. */
const AGAIN_AFTER = 10

export interface LastBlocks {
  /** Newest first; null before the first answer. */
  readonly blocks: readonly BlockRowView[] | null
  readonly error: string
  readonly ask: () => void
}

/** Read at once, again whenever ten more were found, and on request. */
export function useLastBlocks(): LastBlocks {
  const { backend } = useEnvironment()
  const [state, setState] = useState<Omit<LastBlocks, 'ask'>>({ blocks: null, error: '' })
  const tens = useNode(({ head }) => Math.floor((head?.head?.number ?? 0) / AGAIN_AFTER))
  // biome-ignore lint/correctness/useExhaustiveDependencies: ten further blocks are a reason to read again
  const ask = useCallback(() => {
    const life = { isOver: false }
    readBlocks(backend).then(
      (blocks) => life.isOver || setState({ blocks, error: '' }),
      (failure: unknown) => life.isOver || setState((last) => ({ ...last, error: messageOf(failure) })),
    )
    return () => {
      life.isOver = true
    }
  }, [backend, tens])
  useAsking(ask)
  const newest = useNode((node) => node.blocks)
  const blocks = useMemo(() => withNewest(state.blocks, newest), [state.blocks, newest])
  return { blocks, error: state.error, ask: () => void ask() }
}

/** With what the node found since, and without what a reorg took away. */
function withNewest(
  read: readonly BlockRowView[] | null,
  newest: readonly BlockRowView[] | null,
): readonly BlockRowView[] | null {
  const lowest = newest?.[newest.length - 1]?.number
  const highest = read?.[0]?.number
  if (read === null || newest === null || lowest === undefined || highest === undefined) return read
  if (lowest > highest + 1) return read // more came at once than the list of the newest holds: all is read again
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
  // Nobody found the first block of a chain.
  return found.filter(({ number }) => number > 0)
}
