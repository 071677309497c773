// The execution engine in TypeScript: the independent oracle that the program's engine is compared with.

import { setImmediate } from 'node:timers/promises'
import { minimalBytes } from '../../../../src/base/bytes'
import { toHex } from '../../../../src/base/hex'
import type { Keccak256 } from '../../../../src/node/codec/keccak'
import { fail, ok, type Result } from '../../../../src/node/codec/result'
import type { ConsensusParams } from '../../../../src/node/consensus/params'
import { ChainError } from '../../../../src/node/errors'
import {
  type BuiltBlock,
  type CandidateQueue,
  type ExecutedBlock,
  type ExecutionContext,
  type ExecutionEngine,
  readOnce,
  TemplateBytes,
} from '../../../../src/node/execution/engine'
import { headState } from '../../../../src/node/execution/state-reader'
import { bloomOf } from '../../../../src/node/model/bloom'
import { encodeReceipt, type Receipt } from '../../../../src/node/model/receipt'
import { SenderReader, type SignedTransaction } from '../../../../src/node/model/sender'
import type { AnyTransaction } from '../../../../src/node/model/transaction'
import { applyPayouts } from '../../../../src/node/testing/apply-payouts'
import { StateOverlay } from '../../../../src/node/testing/state-overlay'
import { NodeCache } from '../../../../src/node/trie/node'
import { EMPTY_TRIE_ROOT, orderedRoot } from '../../../../src/node/trie/trie'
import { CodeCache } from '../interpreter/code'
import type { MachineBlock } from '../interpreter/host'
import type { MachineParts } from '../interpreter/machine'
import { createOperations } from '../interpreter/operations'
import { bytesOfWord, wordOfBytes } from '../interpreter/word'
import { World } from '../interpreter/world'
import type { WorldAccount } from '../interpreter/world-account'
import { createPrecompiles } from '../precompiles/precompiles'
import { applyTransaction, INTERRUPTED, type TransactionOutcome } from './transition'

// Writes a world's state at the end of a block over the state it began with.

/**
 * Puts everything in `world` that differs from the stored state into `overlay`, which must be based on the same state.
 */
function settle(world: World, overlay: StateOverlay): void {
  for (const account of world.loaded()) settleAccount(account, overlay)
}

function settleAccount(account: WorldAccount, overlay: StateOverlay): void {
  const { address, stored, exists, nonce, balance, codeHash } = account
  if (!exists) {
    if (stored !== null) overlay.setAccount(address, null)
    return
  }
  if (account.wiped) overlay.clearStorage(address)
  for (const [key, slot] of account.storage.entries()) {
    const isSame = account.wiped ? slot.value === 0n : slot.value === slot.stored
    if (!isSame) overlay.setSlot(address, bytesOfWord(key), minimalBytes(slot.value))
  }
  overlay.setAccount(address, { nonce, balance, codeHash, storageRoot: stored?.storageRoot ?? EMPTY_TRIE_ROOT })
  if (account.hasNewCode) overlay.setCode(address, account.code.bytes)
}

const SMALLEST_TRANSACTION_GAS = 21_000n
/** After this much gas, yields to the thread's other messages between two transactions. */
const GAS_PER_TURN = 1_000_000n
/** Cache of decoded trie nodes, kept between blocks. */
const NODE_CACHE_BYTES = 96 * 1024 * 1024

/** What the engine needs of its platform. */
interface TypescriptEngineDeps {
  readonly keccak256: Keccak256
}

/** An engine for one chain. Calls must not overlap: the caller runs one block at a time. */
export function createTypescriptEngine(params: ConsensusParams, { keccak256 }: TypescriptEngineDeps): ExecutionEngine {
  return new TypescriptEngine({
    params,
    machine: { operations: createOperations(), keccak256 },
    precompiles: createPrecompiles(),
    codes: new CodeCache(),
    nodes: new NodeCache({ maxBytes: NODE_CACHE_BYTES }),
  })
}

interface EngineParts {
  readonly params: ConsensusParams
  readonly machine: Omit<MachineParts, 'precompiles'>
  readonly precompiles: MachineParts['precompiles']
  /** Code of any contract read before. */
  readonly codes: CodeCache
  readonly nodes: NodeCache
}

class TypescriptEngine implements ExecutionEngine {
  readonly kind = 'typescript'

  constructor(private readonly parts: EngineParts) {}

  async executeBlock(
    context: ExecutionContext,
    transactions: readonly AnyTransaction[],
  ): Promise<Result<ExecutedBlock>> {
    const run = new BlockRun(this.parts, context, context.stopped ?? never)
    const senders = new SenderReader(transactions, this.parts.params.chainId, context.senders)
    for (const [index, tx] of transactions.entries()) {
      const signed = senders.of(tx, index)
      const outcome = signed.ok ? await run.apply(signed.value) : signed
      if (outcome.ok) continue
      if (outcome.error === INTERRUPTED) throw new ChainError('CHAIN_NOT_OPEN', undefined)
      return fail(`could not apply tx ${index} [${toHex(tx.hash)}]: ${outcome.error}`)
    }
    return ok(run.finish())
  }

  async buildBlock(context: ExecutionContext, candidates: CandidateQueue): Promise<BuiltBlock> {
    return fill(new BlockRun(this.parts, context, candidates.stopped ?? never), candidates)
  }
}

/** Includes candidates until gas or bytes are used up, none are left, or they end the block. */
async function fill(run: BlockRun, candidates: CandidateQueue): Promise<BuiltBlock> {
  const transactions: AnyTransaction[] = []
  const bytes = new TemplateBytes()
  while (run.gasLeft >= SMALLEST_TRANSACTION_GAS) {
    const next = candidates.peek()
    if (next === null) break
    if (!bytes.fits(next.tx)) {
      candidates.pop()
      continue
    }
    const outcome = await run.apply(next)
    if (outcome.ok) {
      transactions.push(next.tx)
      bytes.take(next.tx)
    } else if (outcome.error === INTERRUPTED && candidates.outran?.() !== true) break
    // A nonce gap, or a transaction too big or too slow for what is left, excludes the account; any other fault only
    // the transaction.
    if (!outcome.ok && /^(gas limit reached|nonce too high|interrupted)/.test(outcome.error)) candidates.pop()
    else candidates.shift()
  }
  return { ...run.finish(), transactions }
}

/** The transactions of one block, one after another. */
class BlockRun {
  readonly #receipts: Receipt[] = []
  /** encoded as the receipt root covers them */
  readonly #encoded: Uint8Array[] = []
  readonly #bloom = new Uint8Array(256)
  readonly #world: World
  readonly #block: MachineBlock
  #gasUsed = 0n
  #gasAtTurn = 0n

  constructor(
    private readonly parts: EngineParts,
    private readonly context: ExecutionContext,
    private readonly isOver: () => boolean,
  ) {
    const { keccak256 } = parts.machine
    this.#world = new World({ base: headState(context.state), codes: parts.codes, keccak256, keepsLogs: true })
    this.#block = machineBlock(context, parts.params.chainId)
  }

  get gasLeft(): bigint {
    return this.context.header.gasLimit - this.#gasUsed
  }

  async apply(signed: SignedTransaction): Promise<Result<TransactionOutcome>> {
    const { machine, precompiles } = this.parts
    const host = { ...machine, precompiles, block: this.#block, world: this.#world, isOver: this.isOver }
    const outcome = applyTransaction(host, signed, this.gasLeft)
    if (!outcome.ok) return outcome
    this.#gasUsed += outcome.value.gasUsed
    const receipt = { ...outcome.value, cumulativeGasUsed: this.#gasUsed }
    const bloom = bloomOf(receipt.logs)
    this.#receipts.push(receipt)
    this.#encoded.push(encodeReceipt(receipt, bloom))
    bloom.forEach((byte, at) => {
      this.#bloom[at] = (this.#bloom[at] ?? 0) | byte
    })
    if (this.#gasUsed - this.#gasAtTurn >= GAS_PER_TURN) {
      this.#gasAtTurn = this.#gasUsed
      await setImmediate()
    }
    return outcome
  }

  finish(): ExecutedBlock {
    const { params, machine, nodes } = this.parts
    const overlay = new StateOverlay(this.context.state, { keccak256: machine.keccak256, nodes })
    settle(this.#world, overlay)
    applyPayouts(overlay, params, this.context.header)
    return {
      receipts: this.#receipts,
      gasUsed: this.#gasUsed,
      logsBloom: this.#bloom,
      receiptRoot: orderedRoot(this.#encoded, machine.keccak256),
      changes: overlay.finish(this.context.parentRoot),
    }
  }
}

function machineBlock({ header, ancestorHash }: ExecutionContext, chainId: bigint): MachineBlock {
  const { number, timestamp, difficulty, gasLimit } = header
  const ancestor = readOnce(ancestorHash)
  return {
    number,
    timestamp,
    difficulty,
    gasLimit,
    chainId,
    coinbase: wordOfBytes(header.coinbase),
    ancestorHash: (height) => {
      const hash = ancestor(height)
      if (hash === null) throw new RangeError(`ancestor ${height} is not known`)
      return hash
    },
  }
}

const never = (): boolean => false
