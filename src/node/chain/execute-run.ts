// Executes blocks on top of the head, in order, on one layer.
import { TransientNodes } from '../execution/transient-nodes'
import { LogIndexRun } from '../log-index/log-index'
import type { Block } from '../model/block'
import type { BlockHeader } from '../model/header'
import type { WindowSize } from '../model/window-size'
import type { BlockPreparation } from '../preparation/block-preparation'
import { type ExecuteOnLayer, executeOnLayer, rootFault } from './execute-block'
import { canPass, passWindow, slideWindow } from './state-window'

export interface ChainHead {
  readonly header: BlockHeader
  /** 32 bytes */
  readonly hash: Uint8Array
  readonly totalDifficulty: bigint
}

interface RunOptions extends Pick<ExecuteOnLayer, 'engine' | 'layer' | 'stopped'> {
  /** Null: nothing is known beforehand. */
  readonly preparation: BlockPreparation | null
  readonly head: ChainHead
  /** Null: nothing is pruned. */
  readonly window: WindowSize | null
  /** Number of blocks known to come after these. */
  readonly following: number
  /** After each block. */
  readonly giveTurn: () => Promise<void>
}

interface ExecutedRun {
  /** The last valid block; the layer holds everything up to it. */
  readonly head: ChainHead
  /** The valid blocks before the first invalid one. */
  readonly added: readonly Block[]
  readonly bad: {
    readonly block: Block
    readonly reason: string
    /** The body matches the header, so no other body can be valid. */
    readonly isWhole: boolean
  } | null
}

/**
 * Stops at the first invalid block. If enough blocks follow to make these states too old, only the last one is kept.
 * @throws ChainError CHAIN_NOT_OPEN when stopped; drop the layer then
 */
export async function executeRun(blocks: readonly Block[], options: RunOptions): Promise<ExecutedRun> {
  const { engine, layer, preparation, stopped, window, following, giveTurn } = options
  const passes = window !== null && canPass(layer, options.head.header.number, following, window)
  const passing = passes ? new TransientNodes(layer) : null
  const logs = new LogIndexRun()
  const added: Block[] = []
  let { head } = options
  let bad: ExecutedRun['bad'] = null
  for (const block of blocks) {
    const totalDifficulty = head.totalDifficulty + block.header.difficulty
    const prepared = preparation?.of(block) ?? null
    const fault = rootFault(block, prepared?.root)
    const on = { engine, layer, stopped, senders: prepared, passing, logs, parent: head.header, totalDifficulty }
    const executed = fault === null ? await executeOnLayer(block, on) : null
    if (executed?.ok !== true) {
      const reason = fault ?? (executed?.ok === false ? executed.error : '')
      bad = { block, reason, isWhole: fault === null }
      break
    }
    if (passing === null) slideWindow(layer, block.header.number, window)
    head = { header: block.header, hash: block.hash, totalDifficulty }
    added.push(block)
    await giveTurn()
  }
  passing?.settle()
  logs.settle(layer)
  if (passes) {
    const run = added.map(({ header, hash }) => ({ number: header.number, hash }))
    passWindow(layer, run, window)
  }
  return { head, added, bad }
}
