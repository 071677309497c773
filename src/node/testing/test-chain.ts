// A practice chain in memory with seals that are always valid, for tests.
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import type { ChainDeps, ChainHead, ChainOptions, HeadChanged } from '../chain/chain'
import { openChain } from '../chain/open-chain'
import { PRACTICE_CONSENSUS } from '../consensus/params'
import { headState } from '../execution/state-reader'
import { loadEngineModule } from '../execution/wasm/module-file'
import { WasmEngine } from '../execution/wasm/wasm-engine'
import { buildTemplate } from '../miner-work/template'
import { type Block, createBlock } from '../model/block'
import { recoverSender } from '../model/sender'
import type { Transaction } from '../model/transaction'
import { practiceGenesis } from '../networks'
import { MemoryStore } from '../store/store'
import { candidateQueue, TXPOOL_DEFAULTS, TxPool, type TxPoolOptions } from '../txpool/tx-pool'
import { FakeSeals } from './fake-seals'
import { TestWallet } from './test-wallet'

/** Well after the practice genesis. */
const START_MS = 1_770_000_000_000

/** Which old states are kept. */
type Kept = Pick<ChainOptions, 'gcMode' | 'window'>

/** Replacements for the engine and the stop check, and who learns of a new head before the pool. */
type Parts = Partial<Pick<ChainDeps, 'engine' | 'stopping'>> & { readonly aheadOfPool?: (change: HeadChanged) => void }

/** What a block holds; `tag` makes its hash differ, `coinbase` (20 bytes) is paid. */
interface Contents {
  readonly transactions?: readonly Transaction[]
  readonly tag?: number
  readonly coinbase?: Uint8Array
}

/** Compiled once, by whom it is used first. */
const modules: WasmModule[] = []

/** The engine for a practice chain. */
export function practiceEngine(): WasmEngine {
  const loaded = modules[0] === undefined ? loadEngineModule(import.meta.dirname) : { module: modules[0] }
  if ('absent' in loaded) throw new Error(loaded.absent)
  modules[0] = loaded.module
  return new WasmEngine(PRACTICE_CONSENSUS, { module: loaded.module })
}

/** Opens the chain, with a pool on top. */
export async function openTestChain(poolOptions: Partial<TxPoolOptions> = {}, kept: Kept = {}, parts: Parts = {}) {
  const clock = new FakeClock(START_MS)
  const rich = new TestWallet(1)
  const engine = parts.engine ?? practiceEngine()
  const store = new MemoryStore()
  const { stopping = () => false } = parts
  const deps = { store, engine, seals: new FakeSeals(), stopping, clock, log: silentLogger }
  const genesis = practiceGenesis(rich.address)
  const chain = await openChain({ params: PRACTICE_CONSENSUS, genesis, folder: 'memory', ...kept }, deps)
  const state = headState(store)
  const pool = new TxPool(
    { ...TXPOOL_DEFAULTS, ...poolOptions, chainId: 1337n },
    { state: { account: state.account, gasLimit: () => chain.head.header.gasLimit }, clock },
  )
  chain.events.on('headChanged', (change) => {
    parts.aheadOfPool?.(change)
    pool.onHeadChanged(change)
  })

  /** A sealed block on `parent` (default: the head, the only one whose state is available), not yet imported. */
  const nextBlock = async (options: Contents = {}) => {
    const accounts = (options.transactions ?? []).map((tx) => {
      const signed = recoverSender(tx, 1337n)
      if (!signed.ok) throw new Error(signed.error)
      return [{ ...signed.value, local: true, sequence: 0, arrivedAt: 0 }]
    })
    const { block } = await buildTemplate({
      params: PRACTICE_CONSENSUS,
      head: chain.head,
      reads: chain.reads,
      state: store,
      engine,
      coinbase: options.coinbase ?? new Uint8Array(20).fill(0xcb),
      extraData: Uint8Array.of(options.tag ?? 0),
      gasLimitGoal: 30_000_000n,
      timeFloor: 'parent',
      nowSeconds: BigInt(Math.floor(clock.now() / 1000)),
      candidates: candidateQueue(accounts),
    })
    return block
  }
  return { chain, clock, engine, pool, rich, store, nextBlock }
}

/** What `openTestChain` returns. */
export type TestChain = Awaited<ReturnType<typeof openTestChain>>

/** The same block with other header fields; its roots may no longer match. */
export function changed(block: Block, fields: Partial<Block['header']>): Block {
  return createBlock({ ...block.header, ...fields }, block.transactions)
}

/** The head's height as a number. */
export function numberOf(head: ChainHead): number {
  return Number(head.header.number)
}
