// Executes one block on a layer and compares the results with its header; on a match the layer holds all of the block's
// changes.
import { equalBytes } from '../../base/bytes'
import { toBareHex } from '../../base/hex'
import { fail, ok, type Result } from '../codec/result'
import type { ExecutedBlock, ExecutionEngine } from '../execution/engine'
import { applyStateChanges } from '../execution/state-changes'
import type { TransientNodes } from '../execution/transient-nodes'
import { indexLogs, type LogIndexRun } from '../log-index/log-index'
import { type Block, transactionRoot } from '../model/block'
import type { BlockHeader } from '../model/header'
import type { KnownSenders } from '../model/sender'
import type { StoreLayer } from '../store/store'
import { ChainReads, writeBlock, writeCanonical } from './chain-store'

/** What the execution of a block on a layer takes. */
export interface ExecuteOnLayer {
  readonly engine: ExecutionEngine
  /** State and canonical index end at the block's parent. */
  readonly layer: StoreLayer
  /** Above the layer, while states are not kept; absent: the block's state is kept. */
  readonly passing?: TransientNodes | null
  /** Collects the logs of blocks that are indexed together; absent: the block's are indexed at once. */
  readonly logs?: LogIndexRun
  readonly parent: BlockHeader
  readonly totalDifficulty: bigint
  /** Senders recovered ahead. */
  readonly senders: KnownSenders | null
  /** True once the block is no longer wanted. */
  readonly stopped: () => boolean
}

/**
 * @returns the reference's message when the block is invalid; the layer must then be dropped
 * @throws ChainError CHAIN_NOT_OPEN when it was stopped
 */
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
  applyStateChanges(on.layer, { number: block.header.number, hash: block.hash }, executed.value.changes, passing)
  writeBlock(on.layer, block, on.totalDifficulty)
  const { receipts } = executed.value
  writeCanonical(on.layer, block, receipts)
  if (on.logs === undefined) indexLogs(on.layer, block.header.number, receipts)
  else on.logs.add(block.header.number, receipts)
  return ok(executed.value)
}

/**
 * The body must match the header. Source: prlx core/block_validator.go (ValidateBody)
 * @param known root over the transactions, computed beforehand
 */
export function rootFault(block: Block, known: Uint8Array | null = null): string | null {
  const root = known ?? block.bodyRoot ?? transactionRoot(block.transactions)
  if (equalBytes(root, block.header.txRoot)) return null
  return `transaction root hash mismatch: have ${toBareHex(root)}, want ${toBareHex(block.header.txRoot)}`
}

/** In the reference's order. Source: prlx core/block_validator.go (ValidateState) */
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
    const gap = what === 'invalid bloom' ? '  ' : ' ' // spaced like the reference's message
    return `${what} (remote: ${toBareHex(remote)}${gap}local: ${toBareHex(local)})`
  }
  return null
}
