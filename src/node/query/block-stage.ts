// Re-executes a block's transactions in order, on the state before the block.
import { bigintFromBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import type { Message } from '../execution/message'
import type { Block } from '../model/block'
import { type BlockArgument, heightName } from '../model/block-argument'
import { recoverSender } from '../model/sender'
import type { AnyTransaction } from '../model/transaction'
import { failed, type StateBlock } from './block-state'
import type { WorldRun } from './message-engine'
import type { QueryLimits, QuerySession } from './session'

/** Where a message runs: the block it sees and the state it starts from. */
export type Stage = Pick<WorldRun, 'header' | 'base' | 'world' | 'builtIns'>

/** A stored block to be traced. @throws RpcFault RPC_FAILED when it doesn't exist or is the pending one */
export function blockToTrace(session: QuerySession, at: BlockArgument): Block {
  if (at.kind === 'tag' && at.tag === 'pending') throw failed('pending block is not traceable')
  const { reads } = session.view()
  const blocks = session.blocks()
  const found =
    at.kind === 'hash' ? at.hash : at.kind === 'number' ? reads.canonicalHash(BigInt(at.number)) : blocks.find(at).hash
  const block = found === null ? null : session.keptBlocks.block(found, () => reads.block(found))
  if (block !== null) return block
  if (at.kind === 'hash') throw failed(`block ${toHex(at.hash)} not found`)
  throw failed(at.kind === 'number' ? `block #${heightName(at.number)} not found` : 'header not found')
}

export interface Placed {
  readonly block: Block
  readonly index: number
  readonly tx: AnyTransaction
}

/** Null when no canonical block contains it. */
export function placedTransaction(session: QuerySession, hash: Uint8Array): Placed | null {
  const { reads } = session.view()
  const place = reads.transactionPlace(hash)
  if (place === null) return null
  const block = session.keptBlocks.block(place.blockHash, () => reads.block(place.blockHash))
  const tx = block?.transactions[place.index]
  return block === null || tx === undefined ? null : { block, index: place.index, tx }
}

/** The stage just before a block's transaction. @throws RpcFault RPC_FAILED, STORE_MISSING_NODE */
export function stageBefore(session: QuerySession, place: Omit<Placed, 'tx'>, limits: QueryLimits): Stage {
  const stage = stageOf(session, place.block)
  rerun(session, stage, place.block.transactions.slice(0, place.index), limits)
  return stage
}

/** Runs `use` on the cached stage just before a stored transaction and reverts. @throws RpcFault, STORE_MISSING_NODE */
export function onKeptStage<T>(
  session: QuerySession,
  { block, index }: Placed,
  limits: QueryLimits,
  use: (stage: Stage) => T,
): T {
  const kept = session.keptStages.take(block.hash, index)
  const stage = kept?.stage ?? stageOf(session, block)
  rerun(session, stage, block.transactions.slice(kept?.index ?? 0, index), limits)
  try {
    return use(stage)
  } finally {
    stage.world.undo()
    session.keptStages.keep({ hash: block.hash, index, stage })
  }
}

/** Behind a block, as calls see it. */
export function stageAt(session: QuerySession, block: StateBlock): Stage {
  return { header: block.header, base: block.base, world: session.newWorld(block) }
}

/** Before a block's first transaction. @throws RpcFault RPC_FAILED for genesis */
export function stageOf(session: QuerySession, block: Block): Stage {
  return { ...stageAt(session, parentOf(session, block)), header: block.header }
}

/** A block's parent with its state. @throws RpcFault RPC_FAILED for genesis */
export function parentOf(session: QuerySession, { header }: Block): StateBlock {
  if (header.number === 0n) throw failed('genesis is not traceable')
  const parent = session.view().reads.header(header.parentHash)
  if (parent === null) throw failed(`parent ${toHex(header.parentHash)} not found`)
  return session.blocks().at({ hash: header.parentHash, header: parent })
}

export function runOn(
  session: QuerySession,
  stage: Stage,
  message: Message,
  run: Omit<WorldRun, keyof Stage | 'message'>,
) {
  return session.messages.run({ ...stage, message, ...run })
}

/** Runs `transactions` without tracing. @throws RpcFault RPC_FAILED when one fails to run, or the caller disconnected */
export function rerun(
  session: QuerySession,
  stage: Stage,
  transactions: readonly AnyTransaction[],
  limits: QueryLimits,
): void {
  for (const tx of transactions) {
    const isOver = (): boolean => limits.isStopped()
    const { applied, aborted } = runOn(session, stage, transactionMessage(session, tx), { tracer: null, isOver })
    if (aborted) throw failed('stopped')
    if (applied.kind === 'refused') throw failed(`transaction ${toHex(tx.hash)} failed: ${applied.reason}`)
    stage.world.finish()
  }
}

/** The message of a stored transaction. @throws RPC_FAILED when its sender can't be recovered */
export function transactionMessage(session: QuerySession, tx: AnyTransaction): Message {
  return session.keptBlocks.message(tx, () => signedMessage(session, tx))
}

function signedMessage(session: QuerySession, tx: AnyTransaction): Message {
  const signed = recoverSender(tx, session.options.chainId)
  if (!signed.ok) throw failed(signed.error)
  const { to, gasLimit, gasPrice, value, data, accessList } = signed.value.tx
  return {
    gasPrice,
    value,
    data,
    accessList,
    gas: Number(gasLimit),
    from: bigintFromBytes(signed.value.sender),
    to: to === null ? null : bigintFromBytes(to),
  }
}
