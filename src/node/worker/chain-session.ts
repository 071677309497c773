// One opened chain with everything that depends on it: database, engines, pool, templates. Created by open, ended by
// close.
import { bytesFromBigint, equalBytes } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import { bytesOfHex, toBareHex, toHex } from '../../base/hex'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock, ThreadTime } from '../../base/time'
import { createXhashEngine, type XhashEngine, type XhashResult } from '../../native/xhash-engine'
import type { Chain } from '../chain/chain'
import { openChain, storedGenesis } from '../chain/open-chain'
import type { SealEngine } from '../consensus/header-rules'
import { LOCKBOX_ADDRESS } from '../consensus/rewards'
import { readCustomGenesis } from '../custom-genesis'
import { ChainError } from '../errors'
import { EMPTY_ACCOUNT, encodeAccount } from '../execution/account'
import type { ExecutionEngine } from '../execution/engine'
import { headState } from '../execution/state-reader'
import { openEngine } from '../execution/wasm/wasm-engine'
import { indexLogs } from '../log-index/log-index'
import { logsIndexedFrom } from '../logs/search'
import { CEILING_WEI, GasPriceOracle } from '../miner-work/gas-price'
import { MiningSettings } from '../miner-work/mining-settings'
import { PendingBlocks } from '../miner-work/pending-block'
import { WorkServer } from '../miner-work/work-server'
import { FULL_WINDOW, type WindowSize } from '../model/window-size'
import { type NetworkSpec, networkOf } from '../networks'
import type { BlockPreparation } from '../preparation/block-preparation'
import { metaKeys } from '../store/keys'
import { openLevelStore } from '../store/level-store'
import { type Store, StoreLayer, type StoreReader } from '../store/store'
import { FEE_TARGETS, FeeEstimator, type FeeEstimatorOptions } from '../txpool/fee-estimator'
import { LocalJournal } from '../txpool/journal'
import { TXPOOL_DEFAULTS, TxPool, type TxPoolOptions } from '../txpool/tx-pool'
import { Arrivals } from './import-bytes'
import { openBlockPreparation } from './preparation-thread'
import { type OpenParams, StopFlag } from './wire/chain-wire'
import type { PoolParams } from './wire/pool-wire'

const BLOCKS_A_BATCH = 32

/** Records from which height on blocks are indexed, before the first import. @returns blocks left for `indexOldBlocks` */
export async function markIndexStart(chain: Chain): Promise<number> {
  if (chain.store.get(metaKeys.logsFrom) === undefined) {
    const from = chain.head.header.number === 0n ? 0n : chain.head.header.number + 1n
    await chain.store.write([[metaKeys.logsFrom, bytesFromBigint(from, 8)]])
  }
  return Math.min(logsIndexedFrom(chain.store), Number(chain.head.header.number) + 1)
}

/** Call it before the first import. Blocks that an older version left unindexed are added until `held` is disposed. */
export async function keepLogIndex(chain: Chain, log: Logger, held: Disposables): Promise<void> {
  const left = await markIndexStart(chain)
  if (left === 0) return
  log.info('indexing the logs of old blocks', { blocks: left })
  const stopping = new AbortController()
  held.defer(() => stopping.abort())
  indexOldBlocks(chain, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted) log.error('old logs are not indexed', { error: messageOf(error) })
  })
}

/** Works in small batches between block imports until done or `signal` aborts. The next run continues an aborted one. */
export async function indexOldBlocks(chain: Chain, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && logsIndexedFrom(chain.store) > 0) await chain.exclusive(() => indexBatch(chain))
}

async function indexBatch(chain: Chain): Promise<void> {
  const layer = new StoreLayer(chain.store)
  let from = logsIndexedFrom(chain.store)
  for (let count = 0; count < BLOCKS_A_BATCH && from > 0; count++) {
    from -= 1
    const hash = chain.reads.canonicalHash(BigInt(from))
    const receipts = hash === null ? null : chain.reads.receipts(hash)
    if (receipts === null) throw new RangeError(`receipts of block ${from} are missing`)
    indexLogs(layer, BigInt(from), receipts)
  }
  layer.put(metaKeys.logsFrom, bytesFromBigint(BigInt(from), 8))
  await chain.store.write(layer.changes())
}

/** More headers than a sync is ever ahead of its import. Each takes about 300 bytes. */
const MAX_REMEMBERED = 16_384

/** `remembering` stores the engine's answers, `recalling` consumes each once. Keyed by seal hash and nonce. */
export function rememberSeals(engine: SealEngine): {
  readonly remembering: SealEngine
  readonly recalling: SealEngine
} {
  const known = new Map<string, XhashResult>()
  const { params } = engine
  return {
    remembering: {
      params,
      async hashLight(epoch, sealHash, nonce) {
        const result = await engine.hashLight(epoch, sealHash, nonce)
        const [oldest] = known.size >= MAX_REMEMBERED ? known.keys() : []
        if (oldest !== undefined) known.delete(oldest)
        known.set(keyOf(epoch, sealHash, nonce), result)
        return result
      },
    },
    recalling: {
      params,
      hashLight(epoch, sealHash, nonce) {
        const key = keyOf(epoch, sealHash, nonce)
        const result = known.get(key)
        if (result === undefined) return engine.hashLight(epoch, sealHash, nonce)
        known.delete(key)
        return Promise.resolve(result)
      },
    },
  }
}

function keyOf(epoch: number, sealHash: Uint8Array, nonce: bigint): string {
  return `${epoch}/${nonce}/${toBareHex(sealHash)}`
}

/** Rules set by a genesis file that its block hash doesn't cover. */
const FREE_RULES = ['chainId', 'coinbaseMaturityBlocks', 'retargetIntervalBlocks', 'asertActivationHeight'] as const

/** Null = the stored one, which practice always uses; on other networks a given one must equal it. */
function genesisFor(network: NetworkSpec, stored: string | null, params: OpenParams): string | null {
  if (network.genesis !== null) return network.genesis
  return stored === null ? params.genesis : null
}

/** @throws ChainError CHAIN_XHASH_MODE_MISMATCH */
function checkXhashMode(store: Store, { custom, folder }: OpenParams): void {
  const bytes = store.get(metaKeys.xhashMode)
  if (custom === null || bytes === undefined) return
  const stored = new TextDecoder().decode(bytes)
  const wanted = custom.xhashMode
  if (stored !== wanted) throw new ChainError('CHAIN_XHASH_MODE_MISMATCH', { folder, stored, wanted })
}

/** Records the sizes that a new custom chain is created with; an existing chain was created by a start that did. */
async function keepXhashMode(store: Store, { custom }: OpenParams): Promise<void> {
  if (custom === null || store.get(metaKeys.xhashMode) !== undefined) return
  await store.write([[metaKeys.xhashMode, new TextEncoder().encode(custom.xhashMode)]])
}

/** Two genesis files may produce the same block and still differ in rules. @throws ChainError CHAIN_RULES_MISMATCH */
function checkStoredRules(stored: string, { custom, folder }: OpenParams): void {
  if (custom === null) return
  const [before, now] = [readCustomGenesis(stored), readCustomGenesis(custom.genesis)]
  if (!before.ok || !now.ok) return
  for (const rule of FREE_RULES) {
    const [was, is] = [String(before.value[rule] ?? 'none'), String(now.value[rule] ?? 'none')]
    if (was !== is) throw new ChainError('CHAIN_RULES_MISMATCH', { folder, rule, stored: was, wanted: is })
  }
}

/** An empty account 0x42 is deleted with the subsidy schedule in every block. Source: vectors chain/maturity.json */
export function warnWithoutLockbox(store: StoreReader, log: Logger): void {
  const { nonce, balance, codeHash } = headState(store).account(LOCKBOX_ADDRESS) ?? EMPTY_ACCOUNT
  const nothing = encodeAccount(EMPTY_ACCOUNT)
  if (!equalBytes(encodeAccount({ ...EMPTY_ACCOUNT, nonce, balance, codeHash }), nothing)) return
  log.warn('no subsidy is ever paid: the genesis lacks the lockbox account with 1 wei', {
    account: toHex(LOCKBOX_ADDRESS),
  })
}

interface OpenPoolDeps {
  readonly chain: Chain
  readonly settings: MiningSettings
  /** wei per gas, from recent blocks */
  readonly recentPrice: () => bigint
  readonly clock: Clock
  readonly log: Logger
  /** Ends what is started here. */
  readonly held: Disposables
}

/** @param params null = prlx's limits, and nothing is persisted */
async function openPool(
  params: PoolParams | null,
  deps: OpenPoolDeps,
): Promise<{ readonly pool: TxPool; readonly fees: FeeEstimator }> {
  const { chain, settings, recentPrice, clock, log, held } = deps
  const { account } = headState(chain.store)
  const priceLimit = params?.priceLimit ?? TXPOOL_DEFAULTS.minimumPrice
  // A mining node enforces its own minimum gas price; others the pool's.
  const minimumPrice = (): bigint => {
    const { mining, coinbase, gasPrice } = settings.values
    return mining && coinbase !== null && gasPrice > priceLimit ? gasPrice : priceLimit
  }
  const pool = new TxPool(
    { ...TXPOOL_DEFAULTS, ...limitsOf(params), chainId: chain.params.chainId, minimumPrice: minimumPrice() },
    { state: { account, gasLimit: () => chain.head.header.gasLimit }, clock },
  )
  const coinbase = (): Uint8Array | null => settings.values.coinbase
  const prices = { minimumPrice, maximumPrice: CEILING_WEI, recentPrice }
  const fees = new FeeEstimator(feeOptions(params), { chain, pool, account, coinbase, ...prices, clock, log })
  held.add(
    chain.events.on('headChanged', (change) => {
      fees.onHeadChanged(change)
      pool.onHeadChanged(change)
    }),
  )
  held.add(settings.events.on('changed', () => pool.setMinimumPrice(minimumPrice())))
  pool.start()
  held.defer(() => pool.stop())
  if (params !== null && params.journal !== null && !params.noLocals) {
    const journal = new LocalJournal({ file: params.journal, rotateMs: params.rejournalMs }, { pool, clock, log })
    journal.start()
    held.defer(() => journal.stop())
  }
  await fees.start() // after the journal: its transactions waited before
  return { pool, fees }
}

function feeOptions(params: PoolParams | null): FeeEstimatorOptions {
  const { priceTarget = 'recent', feeFile = null } = params ?? {}
  const target = FEE_TARGETS.find((blocks) => String(blocks) === priceTarget)
  return { file: feeFile, target: target ?? 'recentBlocks' }
}

function limitsOf(params: PoolParams | null): Partial<TxPoolOptions> {
  if (params === null) return {}
  return {
    priceBumpPercent: params.priceBumpPercent,
    capacity: params.globalSlots + params.globalQueue,
    executable: params.globalSlots,
    executablePerAccount: params.accountSlots,
    queued: params.globalQueue,
    queuedPerAccount: params.accountQueue,
    queuedLifetimeMs: params.lifetimeMs,
    noLocals: params.noLocals,
    locals: params.locals,
  }
}

export interface SessionDeps {
  readonly clock: Clock
  /** absent: unknown */
  readonly cpuMs?: ThreadTime
  readonly log: Logger
  /** absolute folder from which the addon's file is searched */
  readonly searchFrom: string
  /** absolute path of the preparing thread's program; absent: no block is prepared ahead */
  readonly preparationEntry?: string
  /** Of mode `full`; tests use smaller ones. */
  readonly window?: WindowSize
}

export interface ChainSession {
  readonly network: NetworkSpec
  readonly store: Store
  readonly xhash: XhashEngine
  /** For headers ahead of their blocks: the chain needn't verify those again. Null: any seal is accepted. */
  readonly seals: SealEngine | null
  readonly engine: ExecutionEngine
  readonly preparation: BlockPreparation | null
  readonly arrivals: Arrivals
  readonly chain: Chain
  readonly pool: TxPool
  readonly settings: MiningSettings
  readonly work: WorkServer
  readonly pending: PendingBlocks
  readonly fees: FeeEstimator
  /** Listeners of this session. */
  readonly held: Disposables
}

/** @throws StoreError, ChainError; whatever was opened before the failure is closed again */
export async function openSession(params: OpenParams, deps: SessionDeps): Promise<ChainSession> {
  const store = await openLevelStore(params.folder, { held: params.held })
  try {
    return await openOn(store, params, deps)
  } catch (error: unknown) {
    await store.close()
    throw error
  }
}

async function openOn(store: Store, params: OpenParams, deps: SessionDeps): Promise<ChainSession> {
  const network = networkOf(params.network, params.custom)
  checkXhashMode(store, params)
  const { clock, log } = deps
  const xhash = createXhashEngine(network.xhash, {
    searchFrom: deps.searchFrom,
    log: (message) => log.warn('proof of work without the native addon', { reason: message }),
  })
  try {
    const engine = openEngine(network.consensus, deps.searchFrom)
    const stored = storedGenesis(store)
    const { folder, gcMode, fakePow } = params
    const window = { ...(deps.window ?? FULL_WINDOW), history: BigInt(params.historyBlocks) }
    const genesis = genesisFor(network, stored, params)
    const options = { params: network.consensus, genesis, folder, gcMode, window, checkSeals: !fakePow }
    const seals = rememberSeals(xhash)
    const preparation = preparationOf(network, deps)
    const stop = params.stop === null ? null : new StopFlag(params.stop)
    const stopping = () => stop?.isRaised === true
    const chain = await openChain(options, { store, engine, seals: seals.recalling, preparation, stopping, clock, log })
    checkKnownGenesis(network, chain, params.folder)
    if (stored !== null) checkStoredRules(stored, params)
    if (chain.head.header.number === 0n) await keepXhashMode(store, params)
    warnWithoutLockbox(store, log)
    const held = new Disposables()
    await keepLogIndex(chain, log, held)
    const { coinbase, extraData, poolDelayMs, recommitMs } = params
    const gasLimitGoal = params.gasLimitGoal ?? network.gasLimitGoal
    const settings = new MiningSettings({
      mining: params.mining,
      coinbase,
      extraData,
      gasLimitGoal,
      gasPrice: params.minimumGasPrice,
      recommitMs,
    })
    const recentPrice = recentPriceOf(network, chain)
    const { pool, fees } = await openPool(params.pool, { chain, settings, recentPrice, clock, log, held })
    const timeFloor = network.templateTimeFloor
    const work = new WorkServer(
      { xhash: network.xhash, timeFloor, poolDelayMs },
      { chain, engine, pool, settings, clock, log, ...(deps.cpuMs !== undefined && { cpuMs: deps.cpuMs }) },
    )
    const pending = new PendingBlocks({ timeFloor }, { chain, engine, pool, settings, clock })
    return {
      network,
      store,
      xhash,
      seals: fakePow ? null : seals.remembering,
      engine,
      preparation,
      arrivals: new Arrivals(),
      chain,
      pool,
      settings,
      work,
      pending,
      fees,
      held,
    }
  } catch (error: unknown) {
    await xhash.close()
    throw error
  }
}

/** Ends everything in reverse order; the database last, after a running import. */
export async function closeSession(session: ChainSession): Promise<void> {
  session.held.dispose()
  await session.pending.stop()
  await session.work.stop()
  await session.fees.stop()
  await session.chain.close()
  await session.preparation?.close()
  await session.xhash.close()
  await session.store.close()
}

/** wei per gas, as in prlx */
function recentPriceOf(network: NetworkSpec, chain: Chain): () => bigint {
  const oracle = new GasPriceOracle(network.consensus.chainId, (number) => {
    const hash = chain.reads.canonicalHash(number)
    return hash === null ? null : chain.reads.block(hash)
  })
  return () => oracle.suggest({ number: chain.head.header.number, hash: chain.head.hash })
}

function preparationOf(network: NetworkSpec, { preparationEntry, log }: SessionDeps): BlockPreparation | null {
  if (preparationEntry === undefined) return null
  return openBlockPreparation(network.consensus.chainId, { entry: preparationEntry, log })
}

function checkKnownGenesis(network: NetworkSpec, chain: Chain, folder: string): void {
  if (network.genesisHash === null) return
  const stored = chain.reads.canonicalHash(0n)
  const wanted = bytesOfHex(network.genesisHash)
  if (stored === null || !wanted.every((byte, i) => byte === stored[i]))
    throw new ChainError('CHAIN_GENESIS_MISMATCH', { folder, stored: '', wanted: network.genesisHash })
}
