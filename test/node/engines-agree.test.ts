// Generated programs and transactions through both engines: equal results, equal batches, across reorgs, cold caches
// and changes of the engine in the middle of a chain.
import { describe, expect, it } from 'vitest'
import { bytesName } from '../../src/base/bytes'
import { keccak256 } from '../../src/node/codec/keccak'
import { type ConsensusParams, MAIN_CONSENSUS } from '../../src/node/consensus/params'
import { LOCKBOX_ADDRESS } from '../../src/node/consensus/rewards'
import { EMPTY_ACCOUNT } from '../../src/node/execution/account'
import type { ExecutedBlock, ExecutionContext, ExecutionEngine } from '../../src/node/execution/engine'
import { applyStateChanges, undoStateChanges } from '../../src/node/execution/state-changes'
import type { WasmEngine } from '../../src/node/execution/wasm/wasm-engine'
import type { Transaction } from '../../src/node/model/transaction'
import { MemoryStore, type StoreChange, StoreLayer } from '../../src/node/store/store'
import { StateOverlay } from '../../src/node/testing/state-overlay'
import type { TestWallet } from '../../src/node/testing/test-wallet'
import { EMPTY_TRIE_ROOT } from '../../src/node/trie/trie'
import { wasmEngine } from './engines'
import { differenceOf } from './oracle/compared-engines'
import { createTypescriptEngine } from './oracle/engine/typescript-engine'
import { Chance } from './random/random-programs'
import { RandomTransactions } from './random/random-transactions'

const PARAMS: ConsensusParams = { ...MAIN_CONSENSUS, chainId: 1337n, coinbaseMaturityBlocks: 2 }
const RANGE = { gas: { least: 60_000, more: 900_000 }, leastPrice: 0 }
const BLOCKS = 24
const SEEDS = [1, 2, 3, 4]
const BLOCK_GAS = 30_000_000n
/**
 * ENGINE_TRANSACTIONS=10000 in the environment runs this many more, from other seeds; ENGINE_SEED sets where those
 * begin.
 */
const MORE = Number(process.env.ENGINE_TRANSACTIONS ?? 0)
const FIRST_OF_MORE = Number(process.env.ENGINE_SEED ?? 1_000)

interface Applied {
  readonly number: bigint
  readonly hash: Uint8Array
  readonly root: Uint8Array
}

/** A chain of states under both engines, without headers. */
class TwoEngines {
  readonly store = new MemoryStore()
  readonly chance: Chance
  readonly applied: Applied[] = []
  readonly counts = { transactions: 0, succeeded: 0, refused: 0, undone: 0 }
  readonly random: RandomTransactions

  constructor(
    seed: number,
    private readonly typescript: ExecutionEngine,
    private readonly wasm: WasmEngine,
  ) {
    this.chance = new Chance(seed)
    this.random = new RandomTransactions(this.chance, RANGE)
  }

  get root(): Uint8Array {
    return this.applied.at(-1)?.root ?? EMPTY_TRIE_ROOT
  }

  async start(): Promise<void> {
    const overlay = new StateOverlay(this.store, { keccak256 })
    overlay.setAccount(LOCKBOX_ADDRESS, { ...EMPTY_ACCOUNT, balance: 1n })
    for (const { address } of this.random.wallets)
      overlay.setAccount(address, { ...EMPTY_ACCOUNT, balance: 10n ** 24n })
    for (const { address, code, number } of this.random.first()) {
      overlay.setAccount(address, { ...EMPTY_ACCOUNT, nonce: 1n, balance: BigInt(number) })
      overlay.setCode(address, code)
      overlay.setSlot(address, new Uint8Array(32), Uint8Array.of(number))
    }
    await this.#apply((await overlay.finish(EMPTY_TRIE_ROOT)) as ExecutedBlock['changes'], 0n)
  }

  /** One block through both; a rejected one leaves the state unchanged. */
  async step(): Promise<void> {
    const number = BigInt(this.applied.length)
    const context = this.#context(number)
    const transactions = this.#transactions(context)
    if (this.chance.under(4) === 0) this.wasm.dropCaches()
    const ours = await this.typescript.executeBlock(context, transactions)
    const theirs = await this.wasm.executeBlock(context, transactions)
    expect(differenceOf(ours, theirs), `block ${number}`).toBeNull()
    if (!ours.ok || !theirs.ok) {
      this.counts.refused++
      return
    }
    this.counts.transactions += transactions.length
    this.counts.succeeded += ours.value.receipts.filter(({ succeeded }) => succeeded).length
    for (const { contractAddress } of ours.value.receipts)
      if (contractAddress !== null) this.random.learn(contractAddress)
    expect(batchOf(this.store, theirs.value, number)).toEqual(batchOf(this.store, ours.value, number))
    await this.#apply(this.chance.under(2) === 0 ? ours.value.changes : theirs.value.changes, number)
  }

  /** Undoes the last block, as a reorg does. */
  async undo(): Promise<void> {
    const last = this.applied.pop()
    const before = this.applied.at(-1)
    if (last === undefined || before === undefined) throw new RangeError('nothing to undo')
    const layer = new StoreLayer(this.store)
    undoStateChanges(layer, last, { now: last.root, before: before.root, keccak256 })
    await this.store.write(layer.changes())
    this.counts.undone++
  }

  #context(number: bigint): ExecutionContext {
    const header = {
      number,
      timestamp: 1_761_678_000n + 600n * number,
      coinbase: this.chance.under(3) === 0 ? new Uint8Array(20).fill(0xcb) : this.chance.of(this.random.contracts),
      difficulty: 2n ** 34n + number,
      gasLimit: BLOCK_GAS,
    }
    const ancestorHash = (at: bigint): Uint8Array => keccak256(new TextEncoder().encode(`${at}`))
    return { state: this.store, parentRoot: this.root, header, ancestorHash }
  }

  #transactions(context: ExecutionContext): readonly Transaction[] {
    const nonces = new Map<TestWallet, bigint>()
    const overlay = new StateOverlay(context.state, { keccak256 })
    return Array.from({ length: this.chance.under(14) }, () => {
      const wallet = this.chance.of(this.random.wallets)
      const nonce = nonces.get(wallet) ?? overlay.account(wallet.address)?.nonce ?? 0n
      nonces.set(wallet, nonce + 1n)
      const isEarly = this.chance.under(300) === 0
      return this.random.next(wallet, isEarly ? nonce + 1n : nonce, this.chance.under(400) === 0 ? 20_000n : undefined)
    })
  }

  async #apply(changes: ExecutedBlock['changes'], number: bigint): Promise<void> {
    const layer = new StoreLayer(this.store)
    const hash = keccak256(changes.stateRoot)
    applyStateChanges(layer, { number, hash }, changes)
    await this.store.write(layer.changes())
    this.applied.push({ number, hash, root: changes.stateRoot.slice() })
  }
}

/** What a block writes of the state, in its order. */
function batchOf(store: MemoryStore, { changes }: ExecutedBlock, number: bigint): readonly (readonly string[])[] {
  const layer = new StoreLayer(store)
  applyStateChanges(layer, { number, hash: new Uint8Array(32) }, changes)
  const text = ([key, value]: StoreChange) => [
    bytesName(key),
    value === null ? 'gone' : `=${Buffer.from(value).toString('hex')}`,
  ]
  return layer.changes().map(text)
}

async function twoEngines(seed: number): Promise<TwoEngines> {
  const typescript = createTypescriptEngine(PARAMS, { keccak256 })
  const two = new TwoEngines(seed, typescript, wasmEngine(PARAMS))
  await two.start()
  return two
}

/** Blocks of generated transactions through both, with occasional reorgs. */
async function run(seed: number): Promise<TwoEngines['counts']> {
  const two = await twoEngines(seed)
  for (let i = 0; i < BLOCKS; i++) {
    await two.step()
    const back = two.chance.under(5) === 0 ? two.chance.under(Math.min(4, two.applied.length)) : 0
    for (let j = 0; j < back; j++) await two.undo()
  }
  return two.counts
}

describe('both engines', () => {
  it.each(SEEDS)('agree on generated programs, back and forth, seed %i', async (seed) => {
    const counts = await run(seed)
    expect(counts.transactions).toBeGreaterThan(60)
    expect(counts.succeeded).toBeGreaterThan(20)
    expect(counts.undone).toBeGreaterThan(0)
  })

  it.runIf(MORE > 0)(`agree on ${MORE} generated transactions more`, async () => {
    const total = { transactions: 0, succeeded: 0, refused: 0, undone: 0 }
    for (let seed = FIRST_OF_MORE; total.transactions < MORE; seed++) {
      const counts = await run(seed)
      for (const name of ['transactions', 'succeeded', 'refused', 'undone'] as const) total[name] += counts[name]
    }
    console.info(`from seed ${FIRST_OF_MORE}: ${JSON.stringify(total)}`)
  })
})
