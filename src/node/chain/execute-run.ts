// Executes blocks on top of the head, in order, on one layer.
import { equalBytes } from '../../base/bytes'
import { toBareHex } from '../../base/hex'
import { fail, ok, type Result } from '../codec/result'
import type { ExecutedBlock, ExecutionEngine } from '../execution/engine'
import type { TransientNodes } from '../execution/node-places'
import { applyStateChanges } from '../execution/state-changes'
import { indexLogs, LogIndexRun } from '../log-index/log-index'
import { type Block, transactionRoot } from '../model/block'
import type { BlockHeader } from '../model/header'
import type { KnownSenders } from '../model/sender'
import type { WindowSize } from '../model/window-size'
import type { BlockPreparation } from '../preparation/block-preparation'
import type { StoreLayer } from '../store/store'
import { ChainReads, writeBlock, writeCanonical } from './chain-store'
import { canPass, passingNodes, passWindow, recordBytes, slideWindow } from './state-window'

interface ExecuteOnLayer {
  readonly engine: ExecutionEngine
  /** State and canonical index end at the block's parent. */
  readonly layer: StoreLayer
  /** Above the layer, while states are not kept; absent: the block's state is kept. */
  readonly passing?: TransientNodes | null
  /** Null: all states are kept. */
  readonly window: WindowSize | null
  /** Collects the logs of blocks that are indexed together; absent: the block's are indexed at once. */
  readonly logs?: LogIndexRun
  readonly parent: BlockHeader
  readonly totalDifficulty: bigint
  /** Senders recovered ahead. */
  readonly senders: KnownSenders | null
  /** True once the block is no longer wanted. */
  readonly stopped: () => boolean
}

/** @returns prlx's message for an invalid block: drop the layer then @throws ChainError CHAIN_NOT_OPEN when stopped */
export async function executeOnLayer(block: Block, on: ExecuteOnLayer): Promise<Result<ExecutedBlock>> {
  const reads = new ChainReads(on.layer)
  const passing = on.passing ?? null
  const executed = await on.engine.executeBlock(
    {
      state: passing ?? on.layer,
      parentRoot: on.parent.stateRoot,
      header: block.header,
      expected: block.header,
      ancestorHash: (number) => reads.canonicalHash(number),
      stopped: on.stopped,
      ...(on.senders === null ? {} : { senders: on.senders }),
    },
    block.transactions,
  )
  if (!executed.ok) return executed
  const fault = resultFault(block.header, executed.value)
  if (fault !== null) return fail(fault)
  const { number } = block.header
  applyStateChanges(on.layer, { number, hash: block.hash }, executed.value.changes, {
    passing,
    recordBytes: recordBytes(on.layer, number, on.window),
  })
  writeBlock(on.layer, block, on.totalDifficulty)
  const { receipts } = executed.value
  writeCanonical(on.layer, block, receipts)
  if (on.logs === undefined) indexLogs(on.layer, number, receipts)
  else on.logs.add(number, receipts)
  return ok(executed.value)
}

/** Source: prlx core/block_validator.go (ValidateBody). @param known root over the transactions, computed before */
export function rootFault(block: Block, known: Uint8Array | null = null): string | null {
  const root = known ?? block.bodyRoot ?? transactionRoot(block.transactions)
  if (equalBytes(root, block.header.txRoot)) return null
  return `transaction root hash mismatch: have ${toBareHex(root)}, want ${toBareHex(block.header.txRoot)}`
}

/** In prlx's order. Source: prlx core/block_validator.go (ValidateState) */
function resultFault(header: BlockHeader, executed: ExecutedBlock): string | null {
  if (header.gasUsed !== executed.gasUsed)
    return `invalid gas used (remote: ${header.gasUsed} local: ${executed.gasUsed})`
  const pairs = [
    ['invalid bloom', header.logsBloom, executed.logsBloom],
    ['invalid receipt root hash', header.receiptRoot, executed.receiptRoot],
    ['invalid merkle root', header.stateRoot, executed.changes.stateRoot],
  ] as const
  for (const [what, remote, local] of pairs) {
    if (equalBytes(remote, local)) continue
    const gap = what === 'invalid bloom' ? '  ' : ' ' // spaced like prlx's message
    return `${what} (remote: ${toBareHex(remote)}${gap}local: ${toBareHex(local)})`
  }
  return null
}

export interface ChainHead {
  readonly header: BlockHeader
  /** 32 bytes */
  readonly hash: Uint8Array
  readonly totalDifficulty: bigint
}

interface RunOptions extends Pick<ExecuteOnLayer, 'engine' | 'layer' | 'stopped' | 'window'> {
  /** Null: nothing is known beforehand. */
  readonly preparation: BlockPreparation | null
  readonly head: ChainHead
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

/** Up to the first invalid block; keeps only the last of states that will be too old. @throws CHAIN_NOT_OPEN */
export async function executeRun(blocks: readonly Block[], options: RunOptions): Promise<ExecutedRun> {
  const { engine, layer, preparation, stopped, window, following, giveTurn } = options
  const passes = window !== null && canPass(layer, options.head.header.number, following, window)
  const passing = passes ? passingNodes(layer, options.head.header.number) : null
  const logs = new LogIndexRun()
  const added: Block[] = []
  let { head } = options
  let bad: ExecutedRun['bad'] = null
  for (const block of blocks) {
    const totalDifficulty = head.totalDifficulty + block.header.difficulty
    const prepared = preparation?.of(block) ?? null
    const fault = rootFault(block, prepared?.root)
    const on = {
      engine,
      layer,
      stopped,
      senders: prepared,
      passing,
      window,
      logs,
      parent: head.header,
      totalDifficulty,
    }
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
