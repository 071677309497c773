// Runs messages in the engine: calls on a block's state, messages on a world, and traces of a block's transactions.
import { EMPTY_BYTES } from '../../base/bytes'
import { encodeAccount } from '../execution/account'
import { readOnce } from '../execution/engine'
import {
  type Applied,
  intrinsicGas,
  type Message,
  type MessageResult,
  type Refused,
  refusedForFunds,
  refusedForGas,
} from '../execution/message'
import type { Tracer } from '../execution/tracer'
import { encodeCallBlock, type WireCall, type WireCallResult, type WireFault } from '../execution/wasm/call-wire'
import type { EngineHost, KeptInstance } from '../execution/wasm/instance'
import { type BuiltIns, runOnWorld, type Unfinished, type WorldMessageResult } from '../execution/wasm/message-run'
import { isWireTracer, type WireTraceOptions } from '../execution/wasm/trace-wire'
import { WasmCalls, type WasmStage, type WasmTraceOutcome, WasmTraces } from '../execution/wasm/wasm-traces'
import { Writer } from '../execution/wasm/wire'
import { addressBytes } from '../execution/word'
import type { World } from '../execution/world'
import type { Block } from '../model/block'
import { stateKeys } from '../store/keys'
import type { StateBlock } from './block-state'
import type { StateOverride, TraceOptions } from './query-wire'

interface EngineCall extends Pick<WorldRun, 'message' | 'isOver'> {
  readonly block: StateBlock
  readonly overrides: readonly StateOverride[]
}

/** The end of a call; the result of an aborted one means nothing. */
type EngineAnswer = { readonly applied: Applied; readonly aborted: false } | { readonly aborted: true }

/** A message on a world, which keeps what it does. */
export interface WorldRun {
  readonly header: StateBlock['header']
  readonly base: StateBlock['base']
  readonly world: World
  readonly message: Message
  readonly tracer: Tracer | null
  readonly isOver: () => boolean
  /** Where the built-in contracts are; null or absent: at their own addresses. */
  readonly builtIns?: BuiltIns | null | undefined
  /** 32 bytes: whoever recovers its signer gets what stands in place of `r`. */
  readonly signed?: Uint8Array | null
  /** Whether `seesGas` and `storeSlack` are asked for. */
  readonly watchesGas?: boolean
  /** A tracer of the module, and who takes its text. */
  readonly text?: { readonly options: WireTraceOptions; readonly write: (text: Uint8Array) => boolean }
}

export interface Ran extends Pick<WorldMessageResult, 'seesGas' | 'storeSlack' | 'rest'> {
  readonly applied: Applied
  /** The limit ended it: the rest means nothing, and the world is as before. */
  readonly aborted: boolean
  /** The module's tracer may hold no more; the same holds. */
  readonly isFull: boolean
}

export interface TraceRun {
  readonly isOver: () => boolean
  /** Takes a part of the text, ASCII; false ends the run. */
  readonly write: (text: Uint8Array) => boolean
}

/** How a trace ended. Only `done` has a whole text, whose end is `rest`. */
export type TraceOutcome =
  | { readonly kind: 'done'; readonly rest: Uint8Array }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'stopped' | 'full' }

interface MessageEngineDeps {
  readonly kept: KeptInstance
  readonly chainId: bigint
  /** Calls and a block's transactions end where they would keep the thread for longer than a millisecond. */
  readonly boundsCalls: boolean
  /** Hash of a block's ancestor, as BLOCKHASH returns it. */
  readonly ancestorHash: (base: StateBlock['base'], height: bigint) => Uint8Array
}

const MAX_NONCE = 2n ** 64n - 1n

interface PreparedBlock extends Pick<EngineHost, 'read' | 'ancestorHash'> {
  readonly block: StateBlock
  readonly bytes: Uint8Array
}

/** The nine built-in contracts at their own addresses. */
export const BUILT_INS: BuiltIns = new Map(
  Array.from({ length: 9 }, (_, index) => [BigInt(index + 1), BigInt(index + 1)]),
)

const NO_RESULT: MessageResult = { gasUsed: 0, gasSpent: 0, error: 'aborted', isRevert: false, output: EMPTY_BYTES }
const UNFINISHED: Ran = {
  applied: { kind: 'done', result: NO_RESULT },
  aborted: true,
  isFull: false,
  seesGas: true,
  storeSlack: 0,
  rest: EMPTY_BYTES,
}

/** One per session, which answers one request at a time. */
export class MessageEngine {
  readonly #calls: WasmCalls
  readonly #traces: WasmTraces
  readonly #input = new Writer()
  #last: PreparedBlock | null = null

  constructor(private readonly deps: MessageEngineDeps) {
    this.#calls = new WasmCalls(deps.kept, deps.boundsCalls)
    this.#traces = new WasmTraces(deps.kept, deps.boundsCalls)
  }

  /** @returns null when it must run on a world. @throws what reading the state throws; ExecutionError ENGINE_* */
  call({ block, message, overrides, isOver }: EngineCall): EngineAnswer | null {
    if (!overrides.every(isSupported)) return null
    const { bytes, read, ancestorHash } = this.#prepared(block)
    const outcome = this.#calls.run(bytes, wireCall(message, overrides), { read, ancestorHash, isStopped: isOver })
    if (outcome.kind === 'stopped') return { aborted: true }
    if (outcome.kind === 'refused') return { aborted: false, applied: refusalOf(message, outcome) }
    const result = resultOf(outcome.result)
    return result === null ? null : { aborted: false, applied: { kind: 'done', result } }
  }

  /** @throws what reading the state and the tracer throw; ExecutionError ENGINE_* */
  run(run: WorldRun): Ran {
    const { header, base, world, message, tracer, isOver, builtIns, signed = null, text } = run
    const { kept, chainId, ancestorHash } = this.deps
    if (message.to === null && world.account(message.from).nonce >= MAX_NONCE) return overflowed(message)
    const host = {
      read: (key: Uint8Array) => world.read(key),
      ancestorHash: readOnce((height) => ancestorHash(base, height)),
      isStopped: isOver,
      ...(text === undefined ? {} : { write: text.write }),
    }
    const isMoved = signed !== null || (builtIns ?? BUILT_INS) !== BUILT_INS
    const block = encodeCallBlock({ stateRoot: world.name(), header, chainId })
    const end = runOnWorld(
      { instance: kept.living(), input: this.#input },
      {
        block,
        message,
        signed,
        tracer,
        changed: world.changed(),
        builtIns: isMoved ? (builtIns ?? BUILT_INS) : null,
        options: text?.options ?? null,
        seesGas: run.watchesGas === true,
      },
      host,
    )
    if (end.kind === 'refused') return { ...UNFINISHED, aborted: false, applied: refusalOf(message, end) }
    if (end.kind !== 'done') return { ...UNFINISHED, isFull: end.kind === 'full' }
    const { result, changes, ...seen } = end.done
    world.apply(changes)
    return { ...seen, applied: { kind: 'done', result }, aborted: false, isFull: false }
  }

  /** The state before a block's transaction, or before an earlier one. @throws ExecutionError ENGINE_* */
  openStage(block: Block, parent: StateBlock, index: number): TraceStage {
    const stage = this.#traces.openStage({ block: block.hash, root: parent.header.stateRoot, index })
    return new TraceStage(stage, { header: block.header, parent }, this.deps)
  }

  /** Most calls are for the block of the last one. */
  #prepared(block: StateBlock): PreparedBlock {
    if (this.#last?.block === block) return this.#last
    const { header, base } = block
    const { chainId, ancestorHash } = this.deps
    this.#last = {
      block,
      bytes: encodeCallBlock({ stateRoot: header.stateRoot, header, chainId }),
      read: readerOf(block),
      ancestorHash: readOnce((height) => ancestorHash(base, height)),
    }
    return this.#last
  }
}

/** The state between two transactions of a block, on its parent's. What reading the state throws ends a run. */
export class TraceStage {
  constructor(
    private readonly stage: WasmStage,
    private readonly place: { readonly header: Block['header']; readonly parent: StateBlock },
    private readonly deps: MessageEngineDeps,
  ) {}

  /** The transaction that it stood before when it was opened. */
  get index(): number {
    return this.stage.index
  }

  /** Applies it; otherwise the stage stays as it was. */
  advance(message: Message, isOver: () => boolean): TraceOutcome {
    const host = this.#host({ isOver, write: () => false })
    return traceOutcome(message, this.stage.advance(this.#transaction(message), host))
  }

  /** @param how.commits whether the stage stands behind the transaction afterwards */
  trace(
    message: Message,
    how: { readonly options: WireTraceOptions; readonly commits: boolean },
    run: TraceRun,
  ): TraceOutcome {
    const host = this.#host(run)
    return traceOutcome(message, this.stage.trace(this.#transaction(message), { ...how, host }))
  }

  /** Keeps it for later traces of its block. */
  keep(): void {
    this.stage.keep()
  }

  #host({ isOver, write }: TraceRun): EngineHost {
    const { parent } = this.place
    const ancestorHash = (height: bigint): Uint8Array => this.deps.ancestorHash(parent.base, height)
    return { read: readerOf(parent), ancestorHash, isStopped: isOver, write }
  }

  #transaction({ from, to, gas, gasPrice, value, data, accessList }: Message) {
    const type = accessList.length === 0 ? (0 as const) : (1 as const)
    const target = to === null ? null : addressBytes(to)
    const tx = { type, nonce: 0n, gasPrice, gasLimit: BigInt(gas), to: target, value, data, accessList }
    return { header: this.place.header, chainId: this.deps.chainId, tx, sender: addressBytes(from) }
  }
}

function traceOutcome(message: Message, outcome: WasmTraceOutcome): TraceOutcome {
  if (outcome.kind === 'done') return { kind: 'done', rest: outcome.result }
  return outcome.kind === 'refused' ? refusalOf(message, outcome) : outcome
}

/** Null when the module only tells why on a world. */
function resultOf(ended: WireCallResult): MessageResult | null {
  const { gasUsed, gasSpent, output, isRevert, failure } = ended
  const error = isRevert ? 'execution reverted' : failure === null ? null : (TEXTS.get(failure) ?? null)
  return failure !== null && error === null ? null : { gasUsed, gasSpent, output, isRevert, error }
}

/** A sender without a next nonce creates nothing, and pays for what comes before the first instruction. */
function overflowed(message: Message): Ran {
  const { data, accessList } = message
  const needed = Number(intrinsicGas({ to: null, data, accessList }))
  if (message.gas < needed) return { ...UNFINISHED, aborted: false, applied: refusedForGas(message) }
  const result = { ...NO_RESULT, gasUsed: needed, gasSpent: needed, error: 'nonce uint64 overflow' }
  return { ...UNFINISHED, aborted: false, applied: { kind: 'done', result } }
}

function refusalOf(message: Message, { isIntrinsic, balance }: Extract<Unfinished, { kind: 'refused' }>): Refused {
  return isIntrinsic ? refusedForGas(message) : refusedForFunds(message, balance)
}

function wireCall(message: Message, overrides: readonly StateOverride[]): WireCall {
  const { to, gas, gasPrice, value, data, accessList } = message
  const from = addressBytes(message.from)
  return { from, to: to === null ? null : addressBytes(to), gas, gasPrice, value, data, accessList, overrides }
}

/** Reads the block's state by the keys of the head's; every storage looks like the first of its address. */
function readerOf({ state, store }: StateBlock): EngineHost['read'] {
  return (key) => {
    if (stateKeys.isAccount(key)) {
      const account = state.account(key.subarray(1))
      return account === null ? undefined : encodeAccount(account)
    }
    if (stateKeys.isIncarnation(key)) return undefined
    const place = stateKeys.slotOfKey(key)
    if (place === null) return store.get(key)
    const value = state.slot(place.address, place.slot)
    return value.length === 0 ? undefined : value
  }
}

/** Errors that need no instruction and no operands. */
const TEXTS: ReadonlyMap<WireFault, string> = new Map([
  ['jump', 'invalid jump destination'],
  ['code size', 'max code size exceeded'],
  ['collision', 'contract address collision'],
])

/** Slots that count as changed, and moved contracts, are a world's. */
function isSupported({ stateDiff, moveTo }: StateOverride): boolean {
  return stateDiff === null && moveTo == null
}

/** The options in the module's form; null for a tracer, or an option of one, that it doesn't have. */
export function wireOptions(options: TraceOptions): WireTraceOptions | null {
  const { tracer, memory, stack, storage, limit, call = {}, prestate = {} } = options
  if ([...Object.values(call), ...Object.values(prestate)].includes(true)) return null
  return isWireTracer(tracer) ? { tracer, memory, stack, storage, limit } : null
}
