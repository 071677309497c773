// Block rewards that haven't matured, and the chain's pace, from the latest blocks.

import type { BlockRowView } from '../../../../contract/node'
import { useCall } from '../answers/use-answer'
import { useNode } from '../environment'

const MAX_BLOCKS = 200
/** The number of blocks that the chain's pace is averaged over. */
const PACE_BLOCKS = 144
const MS_PER_SECOND = 1_000

export interface Reward {
  readonly height: number
  readonly unlockHeight: number
  /** wei */
  readonly amount: string
  /** 0 just found .. 1 mature */
  readonly progress: number
}

/** Rewards of `address` that aren't mature at `head`, the next to mature first. */
export function lockedRewards(
  blocks: readonly BlockRowView[],
  { address, head, maturity }: { readonly address: string; readonly head: number; readonly maturity: number },
): readonly Reward[] {
  return blocks
    .filter((block) => block.miner.toLowerCase() === address.toLowerCase() && block.number + maturity > head)
    .map(({ number, subsidy }) => ({
      height: number,
      unlockHeight: number + maturity,
      amount: subsidy,
      progress: (head - number) / maturity,
    }))
    .sort((a, b) => a.unlockHeight - b.unlockHeight)
}

/** Over the last 144 blocks, newest first; null if too few. Without genesis, whose time was set long before. */
export function pace(all: readonly BlockRowView[]): { readonly seconds: number; readonly blocks: number } | null {
  const blocks = all.filter(({ number }) => number > 0)
  const first = blocks[0]
  const last = blocks[Math.min(PACE_BLOCKS, blocks.length - 1)]
  if (first === undefined || last === undefined || first.number - last.number < 2) return null
  const count = first.number - last.number
  const seconds = (first.time - last.time) / MS_PER_SECOND / count
  return seconds > 0 ? { seconds, blocks: count } : null
}

const NO_BLOCKS: readonly BlockRowView[] = []

/** The blocks that may still hold immature rewards, read again at each new head; empty before the first answer. */
export function useRecentBlocks(): {
  readonly blocks: readonly BlockRowView[]
  readonly isKnown: boolean
  readonly error: string
} {
  const head = useNode((state) => state.head?.head?.number ?? null)
  const maturity = useNode((state) => state.head?.maturityBlocks ?? 0)
  const isWanted = head !== null && maturity > 0
  const wanted = { from: null, count: Math.min(Math.max(maturity, PACE_BLOCKS + 1), MAX_BLOCKS) }
  const { value, reason } = useCall('node.blocks', isWanted ? wanted : null, { mark: head ?? '' })
  return { blocks: value?.blocks ?? NO_BLOCKS, isKnown: value !== null, error: reason }
}
