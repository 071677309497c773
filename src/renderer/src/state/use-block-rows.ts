// Blocks by height for a list of the whole chain: the latest come with the head, older ones are read in pages when they
// come into view.
import { useCallback, useRef, useState } from 'react'
import type { BlockRowView } from '../../../contract/node'
import { useEnvironment, useNode } from './environment'

const PAGE = 100

interface BlockRows {
  /** Height of the first row; null before the first block is known. */
  readonly head: number | null
  /** Undefined while it is being read. */
  readonly at: (height: number) => BlockRowView | undefined
  /** Reads what is missing between two heights, both included. */
  readonly need: (highest: number, lowest: number) => void
}

export function useBlockRows(): BlockRows {
  const { backend } = useEnvironment()
  const newest = useNode((state) => state.blocks)
  const [older, setOlder] = useState<ReadonlyMap<number, BlockRowView>>(new Map())
  /** The head at which each page was read: an answer that lacks blocks isn't requested over and over. */
  const asked = useRef(new Map<number, number>())
  const head = newest?.[0]?.number ?? null
  const covered = newest?.[newest.length - 1]?.number ?? null

  const ask = useCallback(
    async (page: number, at: number): Promise<void> => {
      asked.current.set(page, at)
      try {
        const { blocks } = await backend.call('node.blocks', { from: page * PAGE + PAGE - 1, count: PAGE })
        setOlder((before) => new Map([...before, ...blocks.map((block) => [block.number, block] as const)]))
      } catch {
        // The next scroll, or the next block, reads again.
        asked.current.delete(page)
      }
    },
    [backend],
  )
  const need = useCallback(
    (highest: number, lowest: number): void => {
      if (covered === null || head === null) return
      const wanted = new Set<number>()
      for (let height = Math.max(0, lowest); height <= Math.min(highest, covered - 1); height++)
        if (!older.has(height)) wanted.add(Math.floor(height / PAGE))
      for (const page of wanted) if (asked.current.get(page) !== head) void ask(page, head)
    },
    [ask, covered, head, older],
  )
  const at = useCallback(
    (height: number): BlockRowView | undefined =>
      head === null ? undefined : (newest?.[head - height] ?? older.get(height)),
    [newest, older, head],
  )
  return { head, at, need }
}
