// Traces of small transactions on the host thread: those that the tracers summarise, of blocks that are quickly decoded.
// Their transactions run in the engine's module within its bounds.
import type { Clock } from '../../../base/time'
import { statesFrom } from '../../chain/state-window'
import type { Block } from '../../model/block'
import { FULL_WINDOW } from '../../model/window-size'
import { chainKeys } from '../../store/keys'
import { type Placed, parentOf, transactionMessage } from '../block-stage'
import type { StreamRequest, TraceOptions } from '../query-wire'
import type { QueryLimits, QuerySession } from '../session'
import { asciiText } from '../text-sink'
import { type TraceStage, wireOptions } from '../trace-engine'

/** Of a block's transactions, encoded: decoding takes a millisecond or two for so many. */
const MAX_BODY_BYTES = 16 * 1024
/** After this, none of the transactions before the traced one is started, ms. */
export const ADVANCE_MS = 1
/** Of the transaction's data, which the text repeats. */
const MAX_DATA_BYTES = 4_096

/** A trace that may be answered on the host thread. */
export type SmallTrace = Extract<StreamRequest, { kind: 'traceTransaction' }>

/** Struct logs are long, and scripts are the workers' own. */
export function isSmallTrace(request: StreamRequest): request is SmallTrace {
  return request.kind === 'traceTransaction' && !['structs', 'script'].includes(request.options.tracer)
}

/** Ends the run of a transaction, and tells the time. */
interface TraceBounds {
  readonly limits: QueryLimits
  readonly clock: Clock
}

/**
 * JSON text of the trace; null when a worker must make it. The state before the transaction is kept, and if there was
 * no time to reach it, the one that was reached: the next trace of the block begins there.
 * @throws what reading throws; RpcFault RPC_FAILED
 */
export function traceSmall(session: QuerySession, { hash, options }: SmallTrace, bounds: TraceBounds): string | null {
  const placed = placedSmall(session, hash)
  if (placed === null) return null
  const { block, index } = placed
  const stage = session.traces.openStage(block, parentOf(session, block), index)
  try {
    return hasReached(session, { stage, placed }, bounds) ? textOf(session, { stage, placed }, options, bounds) : null
  } finally {
    stage.keep()
  }
}

/** A transaction, and a state before it in its block. */
interface Staged {
  readonly stage: TraceStage
  readonly placed: Placed
}

/** Null where the transaction is unknown, or not small, or its block isn't, or the state before it is in the history. */
function placedSmall(session: QuerySession, hash: Uint8Array): Placed | null {
  const place = session.view().reads.transactionPlace(hash)
  if (place === null) return null
  const block = session.keptBlocks.block(place.blockHash, () => smallBlock(session, place.blockHash))
  const tx = block?.transactions[place.index]
  if (block !== null && isHistory(session, block)) return null
  if (block === null || tx?.kind !== 'supported' || tx.data.length > MAX_DATA_BYTES) return null
  return { block, index: place.index, tx }
}

/** Whether the state before the block is read from the history: what the window changed is read for the first such state. */
function isHistory(session: QuerySession, { header }: Block): boolean {
  const { head, store } = session.view()
  return head.header.number - header.number >= FULL_WINDOW.states && header.number <= statesFrom(store)
}

function smallBlock(session: QuerySession, hash: Uint8Array): Block | null {
  const { store, reads } = session.view()
  const body = store.get(chainKeys.body(hash))
  return body === undefined || body.length > MAX_BODY_BYTES ? null : reads.block(hash)
}

/** Runs the transactions before the traced one. */
function hasReached(session: QuerySession, { stage, placed }: Staged, { limits, clock }: TraceBounds): boolean {
  const until = clock.monotonic() + ADVANCE_MS
  const { block, index } = placed
  for (const tx of block.transactions.slice(stage.index, index)) {
    if (clock.monotonic() > until) return false
    const { kind } = stage.advance(transactionMessage(session, tx), limits.isStopped)
    if (kind !== 'done') return false
  }
  return true
}

function textOf(
  session: QuerySession,
  { stage, placed }: Staged,
  options: TraceOptions,
  { limits }: TraceBounds,
): string | null {
  const wire = wireOptions(options)
  if (wire === null) return null
  const run = { isOver: limits.isStopped, write: () => false }
  const outcome = stage.trace(transactionMessage(session, placed.tx), { options: wire, commits: false }, run)
  return outcome.kind === 'done' ? asciiText(outcome.rest) : null
}
