// Encoding of what the engine's module traces. The other side is native/engine/src/trace/run.rs.
import type { ExecutionHeader } from '../engine'
import { putHeader, putTransaction, type WireTransaction, type Writer } from './wire'

/** By number, as in run.rs (Options). */
const TRACERS = ['structs', 'callTracer', 'prestateTracer', '4byteTracer', 'noopTracer'] as const

/** The tracers that the module has. */
type WireTracer = (typeof TRACERS)[number]

/** Which tracer, and the members of the default one's entries. */
export interface WireTraceOptions {
  readonly tracer: WireTracer
  readonly memory: boolean
  readonly stack: boolean
  readonly storage: boolean
  /** Entries; 0 = all. */
  readonly limit: number
}

/** A block's transaction, and where it runs. */
export interface WireTracedTransaction {
  readonly header: ExecutionHeader
  readonly chainId: bigint
  readonly tx: WireTransaction
  /** 20 bytes */
  readonly sender: Uint8Array
}

const NO_OPTIONS: WireTraceOptions = { tracer: 'noopTracer', memory: false, stack: false, storage: false, limit: 0 }

/** A name that the module doesn't have is another side's. */
export function isWireTracer(name: string): name is WireTracer {
  return TRACERS.some((known) => known === name)
}

/** The number of a tracer of the host's own, which is told of what it wants. */
const TOLD = 5

/** In front of everything that is traced. @param options null: there is a tracer of our own. @param wants see told.ts */
export function putTraceOptions(out: Writer, options: WireTraceOptions | null, wants = 0): void {
  const { tracer, memory, stack, storage, limit } = options ?? NO_OPTIONS
  out.byte(options === null ? TOLD : TRACERS.indexOf(tracer))
  out.byte(wants)
  for (const member of [memory, stack, storage]) out.byte(member ? 1 : 0)
  out.long(BigInt(limit))
}

/** For `open_stage`. @param place the block's hash, the root of the state before it, and the transaction's index */
export function putStage(
  out: Writer,
  place: { readonly block: Uint8Array; readonly root: Uint8Array; readonly index: number },
): void {
  out.bytes(place.block)
  out.bytes(place.root)
  out.count(place.index)
}

/** How a transaction runs, as in run.rs. */
interface WireWay {
  /** The stage stands behind it afterwards. */
  readonly commits: boolean
  /** Between two calls of `isStopped`, the module works for a millisecond at most; where it can't keep that, it stops. */
  readonly isBounded: boolean
}

const COMMITS = 1
const BOUNDED = 2

/** For `advance`, and behind the options of `trace_transaction`. */
export function putTracedTransaction(
  out: Writer,
  { commits, isBounded }: WireWay,
  { header, chainId, tx, sender }: WireTracedTransaction,
): void {
  out.byte((commits ? COMMITS : 0) | (isBounded ? BOUNDED : 0))
  putHeader(out, header, chainId)
  putTransaction(out, tx, sender)
}
