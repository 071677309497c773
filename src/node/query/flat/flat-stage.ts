// Runs a block's transactions in order with the flat call tracer, and computes the block's payout.
import { bigintFromBytes } from '../../../base/bytes'
import { LOCKBOX_ADDRESS } from '../../consensus/rewards'
import type { Message, MessageResult } from '../../execution/message'
import { payoutOf } from '../../execution/payout'
import { bytesOfWord } from '../../execution/word'
import type { Block } from '../../model/block'
import type { AnyTransaction } from '../../model/transaction'
import { runOn, type Stage, transactionMessage } from '../block-stage'
import { failed } from '../block-state'
import type { QuerySession } from '../session'
import { FlatCallTracer, isSilentCall } from './flat-calls'
import type { Payout } from './flat-text'

/** The result of a message. */
export interface FlatRun {
  readonly tracer: FlatCallTracer
  readonly result: MessageResult
}

/** Runs `message`; the caller must end the transaction on the stage's world. @throws RpcFault RPC_FAILED */
export function runFlat(session: QuerySession, stage: Stage, message: Message, isOver: () => boolean): FlatRun {
  const tracer = new FlatCallTracer((call) => isSilentCall(call, (address) => session.isBuiltIn(address)))
  const { applied, aborted } = runOn(session, stage, message, { tracer, isOver: () => tracer.isFull || isOver() })
  if (tracer.isFull) throw failed('the calls of one transaction are too many to be told')
  if (aborted) throw failed('execution timeout')
  if (applied.kind === 'refused') throw failed(`tracing failed: ${applied.reason}`)
  tracer.settle(message, applied.result)
  return { tracer, result: applied.result }
}

/** The same for a stored transaction. */
export function runFlatTransaction(
  session: QuerySession,
  stage: Stage,
  tx: AnyTransaction,
  isOver: () => boolean,
): FlatRun {
  return runFlat(session, stage, transactionMessage(session, tx), isOver)
}

/** Every account that a message can change. */
export function* partiesOf({ tracer }: FlatRun, message: Message, { header }: Stage): Generator<bigint> {
  const coinbase = bigintFromBytes(header.coinbase)
  yield* new Set([message.from, coinbase, ...tracer.parties])
}

/** The payout at the end of `block`; null when nothing is due. @param stage the block's own, at any transaction */
export function payoutAt(session: QuerySession, { header }: Block, { world }: Stage): Payout | null {
  const lockbox = bigintFromBytes(LOCKBOX_ADDRESS)
  const slot = (key: Uint8Array): Uint8Array => bytesOfWord(world.slot(lockbox, bigintFromBytes(key)))
  return payoutOf(session.options.subsidies, header, slot)
}
