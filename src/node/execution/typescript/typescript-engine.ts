// The execution engine on @ethereumjs/evm: always there, the reference that faster engines are compared with.
import { setImmediate } from 'node:timers/promises'
import { type Common, createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, type EVM } from '@ethereumjs/evm'
import { toHex } from '../../../base/hex'
import { bloomOf, mergeBloom } from '../../chain/bloom'
import { encodeReceipt, type Receipt } from '../../chain/receipt'
import { recoverSender } from '../../chain/sender'
import type { AnyTransaction } from '../../chain/transaction'
import type { Keccak256 } from '../../codec/keccak'
import { fail, ok, type Result } from '../../codec/result'
import type { ConsensusParams } from '../../consensus/params'
import { NodeCache } from '../../trie/node-cache'
import { orderedRoot } from '../../trie/ordered-root'
import type { BuiltBlock, CandidateQueue, ExecutedBlock, ExecutionContext, ExecutionEngine } from '../engine'
import { applyPayouts } from '../payout'
import { StateOverlay } from '../state-overlay'
import { EvmState } from './evm-state'
import { Interrupt } from './interrupt'
import { applyTransaction, INTERRUPTED, type TransactionOutcome } from './transition'

const SMALLEST_TRANSACTION_GAS = 21_000n
/** The thread's other messages get a turn after this much gas (a fifth of a second at most). */
const GAS_PER_TURN = 1_000_000n
/** Decoded trie nodes kept between blocks. */
const NODE_CACHE_BYTES = 96 * 1024 * 1024

export interface TypescriptEngineDeps {
  readonly keccak256: Keccak256
}

/** An engine for one chain. Calls must not overlap: the caller runs one block at a time. */
export async function createTypescriptEngine(
  params: ConsensusParams,
  deps: TypescriptEngineDeps,
): Promise<ExecutionEngine> {
  const state = new EvmState()
  const ancestors = new Ancestors()
  const evm = await createEVM({ common: berlinRules(params, deps), stateManager: state, blockchain: ancestors })
  const interrupt = new Interrupt()
  interrupt.watch(evm)
  const nodes = new NodeCache({ maxBytes: NODE_CACHE_BYTES })
  return new TypescriptEngine({ params, keccak256: deps.keccak256, evm, state, ancestors, interrupt, nodes })
}

interface EngineParts {
  readonly params: ConsensusParams
  readonly keccak256: Keccak256
  readonly evm: EVM
  readonly state: EvmState
  readonly ancestors: Ancestors
  readonly interrupt: Interrupt
  readonly nodes: NodeCache
}

class TypescriptEngine implements ExecutionEngine {
  readonly kind = 'typescript'

  constructor(private readonly parts: EngineParts) {}

  async executeBlock(
    context: ExecutionContext,
    transactions: readonly AnyTransaction[],
  ): Promise<Result<ExecutedBlock>> {
    return this.#within(context, async (run) => {
      for (const [index, tx] of transactions.entries()) {
        const signed = recoverSender(tx, this.parts.params.chainId, context.senders)
        const outcome = signed.ok ? await run.apply(signed.value) : signed
        if (!outcome.ok) return fail(`could not apply tx ${index} [${toHex(tx.hash)}]: ${outcome.error}`)
      }
      return ok(await run.finish())
    })
  }

  async buildBlock(context: ExecutionContext, candidates: CandidateQueue): Promise<BuiltBlock> {
    return this.#within(context, (run) => this.parts.interrupt.during(candidates.stopped, () => fill(run, candidates)))
  }

  async #within<T>(context: ExecutionContext, body: (run: BlockRun) => Promise<T>): Promise<T> {
    const overlay = new StateOverlay(context.state, { keccak256: this.parts.keccak256, nodes: this.parts.nodes })
    this.parts.state.use(overlay)
    this.parts.ancestors.hashOf = context.ancestorHash
    try {
      return await body(new BlockRun(this.parts, context, overlay))
    } finally {
      this.parts.state.use(null)
      this.parts.ancestors.hashOf = () => null
    }
  }
}

/** Takes candidates until the gas is used up, none are left, or they say stop. */
async function fill(run: BlockRun, candidates: CandidateQueue): Promise<BuiltBlock> {
  const transactions: AnyTransaction[] = []
  while (run.gasLeft >= SMALLEST_TRANSACTION_GAS) {
    const next = candidates.peek()
    if (next === null) break
    const outcome = await run.apply(next)
    if (outcome.ok) transactions.push(next.tx)
    else if (outcome.error === INTERRUPTED) break
    // A gap or a transaction too big for what is left blocks the account; anything else only itself.
    if (!outcome.ok && /^(gas limit reached|nonce too high)/.test(outcome.error)) candidates.pop()
    else candidates.shift()
  }
  return { ...(await run.finish()), transactions }
}

/** The transactions of one block, one after another. */
class BlockRun {
  readonly #receipts: Receipt[] = []
  /** the receipts as their root covers them */
  readonly #encoded: Uint8Array[] = []
  readonly #bloom = new Uint8Array(256)
  #gasUsed = 0n
  #gasAtTurn = 0n

  constructor(
    private readonly parts: EngineParts,
    private readonly context: ExecutionContext,
    private readonly overlay: StateOverlay,
  ) {}

  get gasLeft(): bigint {
    return this.context.header.gasLimit - this.#gasUsed
  }

  async apply(signed: Parameters<typeof applyTransaction>[2]): Promise<Result<TransactionOutcome>> {
    const outcome = await applyTransaction(this.parts, this.context.header, signed, this.gasLeft)
    if (!outcome.ok) return outcome
    this.#gasUsed += outcome.value.gasUsed
    const receipt = { ...outcome.value, cumulativeGasUsed: this.#gasUsed }
    const bloom = bloomOf(receipt.logs)
    this.#receipts.push(receipt)
    this.#encoded.push(encodeReceipt(receipt, bloom))
    mergeBloom(this.#bloom, bloom)
    if (this.#gasUsed - this.#gasAtTurn >= GAS_PER_TURN) {
      this.#gasAtTurn = this.#gasUsed
      await setImmediate()
    }
    return outcome
  }

  async finish(): Promise<ExecutedBlock> {
    applyPayouts(this.overlay, this.parts.params, this.context.header)
    const changes = await this.overlay.finish(this.context.parentRoot)
    return {
      receipts: this.#receipts,
      gasUsed: this.#gasUsed,
      logsBloom: this.#bloom,
      receiptRoot: orderedRoot(this.#encoded, this.parts.keccak256),
      changes,
    }
  }
}

/** What the BLOCKHASH instruction asks. */
class Ancestors {
  hashOf: (number: bigint) => Uint8Array | null = () => null

  async getBlock(number: number): Promise<{ hash(): Uint8Array }> {
    const hash = this.hashOf(BigInt(number))
    if (hash === null) throw new RangeError(`ancestor ${number} is not known`)
    return { hash: () => hash }
  }

  async putBlock(): Promise<void> {
    throw new RangeError('the EVM does not store blocks')
  }

  shallowCopy(): Ancestors {
    return this
  }
}

function berlinRules(params: ConsensusParams, deps: TypescriptEngineDeps): Common {
  const options = { hardfork: Hardfork.Berlin, customCrypto: { keccak256: deps.keccak256 } }
  return createCustomCommon({ chainId: Number(params.chainId), name: 'parallax' }, Mainnet, options)
}
