// The execution engine in WebAssembly: revm and a trie in one module (native/engine), which reads state through the
// host and returns a block's changes.
import { setImmediate } from 'node:timers/promises'
import { checksumAddress } from '../../../base/checksum-address'
import { hasCode } from '../../../base/errors'
import { toHex } from '../../../base/hex'
import type { KeccakRanges } from '../../../native/loader'
import { fail, ok, type Result } from '../../codec/result'
import type { ConsensusParams } from '../../consensus/params'
import { ChainError, ExecutionError } from '../../errors'
import { SenderReader, type SignedTransaction } from '../../model/sender'
import type { AnyTransaction } from '../../model/transaction'
import {
  type BuiltBlock,
  type CandidateQueue,
  type ExecutedBlock,
  type ExecutionContext,
  type ExecutionEngine,
  readOnce,
  TemplateBytes,
} from '../engine'
import { intrinsicGas } from '../message'
import { EngineInstance } from './instance'
import { loadEngineModule } from './module-file'
import {
  decodeBlock,
  decodeFailure,
  decodeGasUsed,
  decodeRefusal,
  encodeBlockContext,
  encodeTransactions,
  failureOf,
  type WireBlock,
  type WireRefusal,
} from './wire'

/** @param searchFrom absolute folder to search the module from, upwards @throws ExecutionError ENGINE_MODULE */
export function openEngine(params: ConsensusParams, searchFrom: string): ExecutionEngine {
  const loaded = loadEngineModule(searchFrom)
  if ('absent' in loaded) throw new ExecutionError('ENGINE_MODULE', { reason: loaded.absent })
  return new WasmEngine(params, { module: loaded.module })
}

// prlx's messages for a transaction that the module refuses.

const NONCE_TOO_HIGH = 1
const BLOCK_GAS = 6

/** Numbers as in native/engine/src/transition.rs (Reason). */
function refusalText(refusal: WireRefusal, { tx, sender }: SignedTransaction): string {
  const who = `address ${checksumAddress(sender)}`
  const { nonce, balance } = refusal
  switch (refusal.reason) {
    case NONCE_TOO_HIGH:
      return `nonce too high: ${who}, tx: ${tx.nonce} state: ${nonce}`
    case 2:
      return `nonce too low: ${who}, tx: ${tx.nonce} state: ${nonce}`
    case 3:
      return `nonce has max value: ${who}, nonce: ${nonce}`
    case 4:
      return `sender not an eoa: ${who}, codehash: ${toHex(refusal.codeHash)}`
    case 5: {
      const want = tx.gasLimit * tx.gasPrice + tx.value
      return `insufficient funds for gas * price + value: ${who} have ${balance} want ${want}`
    }
    case BLOCK_GAS:
      return 'gas limit reached'
    default:
      return `intrinsic gas too low: have ${tx.gasLimit}, want ${intrinsicGas(tx)}`
  }
}

const SMALLEST_TRANSACTION_GAS = 21_000n
/** Yield to the thread's other messages after transactions with this much gas. */
const GAS_PER_TURN = 20_000_000n
/** Blocks with less are done in a moment, and polling costs time. Precompiles always poll. */
const MIN_WATCHED_GAS = 50_000_000n
/** The module's memory never shrinks; an instance above this is replaced between two blocks, with its caches. */
const MAX_MEMORY_BYTES = 256 * 1024 * 1024

const DONE = 0
const REFUSED = 1
const FAILED = 2

interface WasmEngineOptions {
  readonly module: WasmModule
  /** Bytes of memory above which an instance is replaced; default 256 MiB. */
  readonly maxMemoryBytes?: number
  /** Hashes the module's messages; default the addon's, null: the module itself. */
  readonly keccakRanges?: KeccakRanges | null
}

const never = (): boolean => false

interface RunOptions {
  /** The caches keep its changes. */
  readonly keeps: boolean
  /** `stopped` is also polled between instructions, not only inside precompiles. */
  readonly isWatched: boolean
  readonly stopped: () => boolean
}

/** An engine for one chain. Calls must not overlap: the caller runs one block at a time. */
export class WasmEngine implements ExecutionEngine {
  readonly kind = 'wasm'
  #instance: EngineInstance | null = null

  constructor(
    private readonly params: ConsensusParams,
    private readonly options: WasmEngineOptions,
  ) {}

  /** @throws what `context.state` throws; ExecutionError ENGINE_TRAPPED, ENGINE_LIMIT or ENGINE_FAULT: nothing is decided */
  async executeBlock(
    context: ExecutionContext,
    transactions: readonly AnyTransaction[],
  ): Promise<Result<ExecutedBlock>> {
    const { stopped = never } = context
    const isWatched = context.stopped !== undefined && gasLimitsOf(transactions) > MIN_WATCHED_GAS
    const execute = (): Promise<Result<ExecutedBlock>> =>
      this.#within(context, { keeps: true, isWatched, stopped }, async (run) => {
        const senders = new SenderReader(transactions, this.params.chainId, context.senders)
        const fault = await applyAll(run, transactions, { senders, stopped })
        if (fault !== null) return fail(fault)
        return ok(run.finish(transactions))
      })
    try {
      return await execute()
    } catch (error: unknown) {
      if (!hasCode(error, 'ENGINE_TRAPPED')) throw error
      return await execute() // in a fresh instance: what an old one held may have been at fault
    }
  }

  async buildBlock(context: ExecutionContext, candidates: CandidateQueue): Promise<BuiltBlock> {
    const { stopped = never } = candidates
    return this.#within(context, { keeps: false, isWatched: stopped !== never, stopped }, async (run) => {
      const transactions = fill(run, candidates)
      return { ...run.finish(transactions), transactions }
    })
  }

  /** Drops everything cached between blocks. */
  dropCaches(): void {
    this.#instance = null
  }

  async #within<T>(
    context: ExecutionContext,
    { keeps, isWatched, stopped }: RunOptions,
    body: (run: BlockRun) => Promise<T>,
  ): Promise<T> {
    const instance = this.#livingInstance()
    const { state, ancestorHash } = context
    instance.attach({ read: (key) => state.get(key), ancestorHash: readOnce(ancestorHash), isStopped: stopped })
    try {
      const { chainId } = this.params
      const options = { chainId, keeps, isWatched }
      const blockContext = encodeBlockContext(context, this.params, options)
      instance.makeRoom()
      instance.run((engine) => engine.open_block(instance.put(blockContext), blockContext.length))
      return await body(new BlockRun(instance, context))
    } finally {
      instance.attach(null)
    }
  }

  #livingInstance(): EngineInstance {
    const { module, maxMemoryBytes = MAX_MEMORY_BYTES, keccakRanges } = this.options
    const kept = this.#instance
    if (kept !== null && !kept.isDead && kept.memoryBytes <= maxMemoryBytes) return kept
    this.#instance = new EngineInstance(module, keccakRanges)
    return this.#instance
  }
}

/** The block that an instance is executing. */
class BlockRun {
  #gasUsed = 0n

  constructor(
    private readonly instance: EngineInstance,
    private readonly context: ExecutionContext,
  ) {}

  get gasLeft(): bigint {
    return this.context.header.gasLimit - this.#gasUsed
  }

  /** Applies all of them, or those before the refused one; 'interrupted' when the host stopped the last one. */
  apply(list: readonly SignedTransaction[]): WireRefusal | 'interrupted' | null {
    const bytes = encodeTransactions(list)
    const { answer, result } = this.#ask((engine) => engine.apply_transactions(this.instance.put(bytes), bytes.length))
    if (answer === REFUSED) return decodeRefusal(result)
    if (answer !== DONE) return 'interrupted'
    this.#gasUsed = decodeGasUsed(result)
    return null
  }

  finish(transactions: readonly AnyTransaction[]): WireBlock {
    const { result } = this.#ask((engine) => engine.finish_block())
    return decodeBlock(result, transactions)
  }

  #ask(call: Parameters<typeof this.instance.run<number>>[0]): {
    readonly answer: number
    readonly result: Uint8Array
  } {
    const { instance } = this
    const asked = instance.run((engine) => ({ answer: call(engine), result: instance.result() }))
    if (asked.answer === FAILED) throw failureOf(decodeFailure(asked.result))
    return asked
  }
}

/** Null when all were applied, else prlx's text. */
async function applyAll(
  run: BlockRun,
  transactions: readonly AnyTransaction[],
  {
    senders,
    stopped,
  }: {
    readonly senders: SenderReader
    readonly stopped: () => boolean
  },
): Promise<string | null> {
  const told = (index: number, error: string) =>
    `could not apply tx ${index} [${toHex(transactions[index]?.hash ?? new Uint8Array(0))}]: ${error}`
  let gas = 0n
  let list: SignedTransaction[] = []
  const applyList = (end: number): string | null => {
    const refusal = run.apply(list)
    if (refusal === null) return null
    if (refusal === 'interrupted') throw new ChainError('CHAIN_NOT_OPEN', undefined)
    // The module counts the block's transactions, of which the list is the last part.
    const refused = list[refusal.index - end + list.length]
    if (refused === undefined)
      throw new ExecutionError('ENGINE_FAULT', { reason: 'it stopped where nothing was wrong' })
    return told(refusal.index, refusalText(refusal, refused))
  }
  for (const [index, tx] of transactions.entries()) {
    const signed = senders.of(tx, index)
    if (!signed.ok) return applyList(index) ?? told(index, signed.error)
    list.push(signed.value)
    gas += signed.value.tx.gasLimit
    if (gas < GAS_PER_TURN) continue
    const fault = applyList(index + 1)
    if (fault !== null) return fault
    gas = 0n
    list = []
    await setImmediate()
    if (stopped()) throw new ChainError('CHAIN_NOT_OPEN', undefined)
  }
  return applyList(transactions.length)
}

function gasLimitsOf(transactions: readonly AnyTransaction[]): bigint {
  return transactions.reduce((sum, tx) => sum + (tx.kind === 'supported' ? tx.gasLimit : 0n), 0n)
}

/** Takes candidates until gas or bytes are used up, none are left, or they end the template. */
function fill(run: BlockRun, candidates: CandidateQueue): AnyTransaction[] {
  const transactions: AnyTransaction[] = []
  const bytes = new TemplateBytes()
  while (run.gasLeft >= SMALLEST_TRANSACTION_GAS) {
    const next = candidates.peek()
    if (next === null) break
    if (!bytes.fits(next.tx)) {
      candidates.pop()
      continue
    }
    const refusal = run.apply([next])
    if (refusal === 'interrupted') {
      if (candidates.outran?.() !== true) break
      candidates.pop()
      continue
    }
    if (refusal === null) {
      transactions.push(next.tx)
      bytes.take(next.tx)
    }
    // A nonce gap, or a transaction too big for the remaining gas, blocks the account; anything else only itself.
    if (refusal?.reason === BLOCK_GAS || refusal?.reason === NONCE_TOO_HIGH) candidates.pop()
    else candidates.shift()
  }
  return transactions
}
