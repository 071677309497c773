// Every call of a transaction as a list in order of their start, each with its position in the call tree. Source:
// OpenEthereum's trace module as documented by Erigon (which calls count)
import { EMPTY_BYTES } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import type { Message, MessageResult } from '../../execution/message'
import type { payoutOf } from '../../execution/payout'
import type { CallEnd, CallStart, Tracer } from '../../execution/tracer'
import { runOn, type Stage } from '../block-stage'
import { failed } from '../block-state'
import { addressHex } from '../encoding'
import { BUILT_INS } from '../message-engine'
import type { QuerySession } from '../session'

// Flat calls as the JSON objects of the trace namespace. Source: OpenEthereum's trace module as documented by Erigon

export interface FlatPlace {
  /** 32 bytes */
  readonly blockHash: Uint8Array
  readonly blockNumber: bigint
  readonly transaction: { readonly hash: Uint8Array; readonly index: number } | null
}

/** A block's payout. */
export type Payout = NonNullable<ReturnType<typeof payoutOf>>

/** Without its position, as in replays. */
export function flatView(call: FlatCall) {
  const { kind, subtraces, path: traceAddress } = call
  const shape = { subtraces, traceAddress }
  if (kind === 'SELFDESTRUCT') return { action: destructionOf(call), result: null, ...shape, type: 'suicide' }
  const { error } = call.end
  return {
    action: isCreation(call) ? creationOf(call) : callOf(call),
    ...(error === null ? {} : { error: isRevert(call) ? 'Reverted' : error }),
    result: resultOf(call),
    ...shape,
    type: isCreation(call) ? 'create' : 'call',
  }
}

/** With its position. */
export function placedView(call: FlatCall, place: FlatPlace) {
  return { ...flatView(call), ...placeView(place) }
}

/** The subsidy paid by a block, as the last entry of its list. */
export function rewardView({ receiver, amount }: Payout, place: FlatPlace) {
  return {
    action: { author: toHex(receiver), rewardType: 'block', value: toQuantity(amount) },
    result: null,
    subtraces: 0,
    traceAddress: [],
    type: 'reward',
    ...placeView(place),
  }
}

function placeView({ blockHash, blockNumber, transaction }: FlatPlace) {
  return {
    blockHash: toHex(blockHash),
    blockNumber: Number(blockNumber),
    transactionHash: transaction === null ? null : toHex(transaction.hash),
    transactionPosition: transaction?.index ?? null,
  }
}

function callOf({ kind, from, to, gas, input, value }: FlatCall) {
  return {
    callType: kind.toLowerCase(),
    from: addressHex(from),
    gas: toQuantity(gas),
    input: toHex(input),
    to: addressHex(to),
    value: toQuantity(value),
  }
}

function creationOf({ kind, from, gas, input, value }: FlatCall) {
  return {
    from: addressHex(from),
    creationMethod: kind.toLowerCase(),
    gas: toQuantity(gas),
    init: toHex(input),
    value: toQuantity(value),
  }
}

function destructionOf({ from, to, value }: FlatCall) {
  return { address: addressHex(from), balance: toQuantity(value), refundAddress: addressHex(to) }
}

/** Null for a call that failed without a result. */
function resultOf(call: FlatCall) {
  const { output, gasUsed, error } = call.end
  if (error !== null && !isRevert(call)) return null
  const used = { gasUsed: toQuantity(gasUsed) }
  return isCreation(call)
    ? { address: addressHex(call.to), code: toHex(output), ...used }
    : { ...used, output: toHex(output) }
}

function isRevert({ end }: FlatCall): boolean {
  return end.error === 'execution reverted'
}

/** One call, creation or destruction. Addresses are 160-bit bigints. */
export interface FlatCall {
  readonly kind: CallStart['kind']
  readonly from: bigint
  readonly to: bigint
  readonly input: Uint8Array
  readonly gas: number
  /** For DELEGATECALL, the enclosing call's. */
  readonly value: bigint
  /** Indexes from the top-level call, which has none, down to this one. */
  readonly path: readonly number[]
  subtraces: number
  end: CallEnd
}

const UNFINISHED: CallEnd = { output: EMPTY_BYTES, gasUsed: 0, error: null }
/** Memory for one transaction, bytes. */
const MAX_HELD = 64 * 1024 * 1024
/** Overhead of an entry beyond its bytes. */
const ENTRY = 400
const PATH_ITEM = 8

export function isCreation({ kind }: FlatCall): boolean {
  return kind === 'CREATE' || kind === 'CREATE2'
}

/** Calls of precompiles without value, which Erigon's lists omit. */
export function isSilentCall({ kind, to, value }: CallStart, isPrecompile: (address: bigint) => boolean): boolean {
  return kind !== 'SELFDESTRUCT' && (value ?? 0n) === 0n && isPrecompile(to)
}

/** Holds at most `MAX_HELD`. */
export class FlatCallTracer implements Tracer {
  readonly calls: FlatCall[] = []
  /** Accounts that may have changed: both sides of every call. */
  readonly parties = new Set<bigint>()
  /** Open calls; null = one that is omitted. */
  readonly #open: (FlatCall | null)[] = []
  #held = 0

  /** @param isOmitted whether a nested call isn't listed */
  constructor(private readonly isOmitted: (call: CallStart) => boolean) {}

  /** The memory limit is reached: later calls are missing. */
  get isFull(): boolean {
    return this.#held > MAX_HELD
  }

  begin(call: CallStart): void {
    this.#start(call, null, call.value ?? 0n)
  }

  enter(call: CallStart): void {
    const parent = this.#open.at(-1) ?? null
    const value = call.value ?? (call.kind === 'DELEGATECALL' ? (parent?.value ?? 0n) : 0n)
    this.#start(call, this.isOmitted(call) ? undefined : parent, value)
  }

  end(end: CallEnd): void {
    this.exit(end)
  }

  /** A transaction that failed before its top-level call still has that call. */
  settle({ from, to, data, value }: Message, { error, output }: MessageResult): void {
    if (this.calls.length > 0 || this.isFull) return
    const kind = to === null ? 'CREATE' : 'CALL'
    this.#start({ kind, from, to: to ?? 0n, input: data, gas: 0, value, hasMoved: false }, null, value)
    this.exit({ error, output, gasUsed: 0 })
  }

  /** @param parent undefined: it is omitted */
  #start(call: CallStart, parent: FlatCall | null | undefined, value: bigint): void {
    const { kind, from, to, input, gas } = call
    this.parties.add(from).add(to)
    if (parent === undefined || this.isFull) return void this.#open.push(null)
    const path = parent === null ? [] : [...parent.path, parent.subtraces]
    this.#held += ENTRY + input.length + PATH_ITEM * path.length
    const own = input.slice() // its memory will change
    const flat = { kind, from, to, input: own, gas, value, path, subtraces: 0, end: UNFINISHED }
    if (parent !== null) parent.subtraces++
    this.calls.push(flat)
    this.#open.push(flat)
  }

  exit({ output, gasUsed, error }: CallEnd): void {
    const call = this.#open.pop() ?? null
    if (call === null) return
    this.#held += output.length
    call.end = { output: this.isFull ? UNFINISHED.output : output, gasUsed, error }
  }
}

export interface FlatRun {
  readonly tracer: FlatCallTracer
  readonly result: MessageResult
}

/** Runs `message`; the caller must end the transaction on the stage's world. @throws RpcFault RPC_FAILED */
export function runFlat(session: QuerySession, stage: Stage, message: Message, isOver: () => boolean): FlatRun {
  const tracer = new FlatCallTracer((call) => isSilentCall(call, (address) => BUILT_INS.has(address)))
  const { applied, aborted } = runOn(session, stage, message, { tracer, isOver: () => tracer.isFull || isOver() })
  if (tracer.isFull) throw failed('the calls of one transaction are too many to be told')
  if (aborted) throw failed('execution timeout')
  if (applied.kind === 'refused') throw failed(`tracing failed: ${applied.reason}`)
  tracer.settle(message, applied.result)
  return { tracer, result: applied.result }
}
