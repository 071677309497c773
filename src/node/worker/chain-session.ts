// One opened chain with everything that depends on it: database, engines, pool, templates. Created by open, ended by
// close.
import { bytesOfHex } from '../../base/hex'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock, ThreadTime } from '../../base/time'
import { createXhashEngine, type XhashEngine } from '../../native/xhash-engine'
import type { Chain } from '../chain/chain'
import { openChain, storedGenesis } from '../chain/open-chain'
import { keccak256 } from '../codec/keccak'
import type { SealEngine } from '../consensus/seal'
import { ChainError } from '../errors'
import type { ExecutionEngine } from '../execution/engine'
import { openEngine } from '../execution/open-engine'
import { keepLogIndex } from '../logs/index-old-blocks'
import { GasPriceOracle } from '../miner-work/gas-price'
import { MiningSettings } from '../miner-work/mining-settings'
import { PendingBlocks } from '../miner-work/pending-block'
import { WorkServer } from '../miner-work/work-server'
import { type NetworkSpec, networkOf } from '../networks'
import type { BlockPreparation } from '../preparation/block-preparation'
import { openLevelStore } from '../store/level-store'
import type { Store } from '../store/store'
import type { FeeEstimator } from '../txpool/fee-estimator'
import type { TxPool } from '../txpool/tx-pool'
import { Arrivals } from './arrivals'
import { openPool } from './open-pool'
import { rememberSeals } from './p2p-seal-memory'
import { openBlockPreparation } from './preparation-thread'
import { checkStoredRules, checkXhashMode, genesisFor, keepXhashMode, warnWithoutLockbox } from './stored-network'
import type { OpenParams } from './wire/chain-wire'
import { StopFlag } from './wire/stop-flag'

/** What a session needs from its platform. */
export interface SessionDeps {
  readonly clock: Clock
  /** absent: unknown */
  readonly cpuMs?: ThreadTime
  readonly log: Logger
  /** absolute folder from which the addon's file is searched */
  readonly searchFrom: string
  /** absolute path of the preparing thread's program; absent: no block is prepared ahead */
  readonly preparationEntry?: string
}

/** The parts of an opened chain. */
export interface ChainSession {
  readonly network: NetworkSpec
  readonly store: Store
  readonly xhash: XhashEngine
  /**
   * For headers whose blocks haven't arrived: the chain needn't verify again what was verified here. Null: any seal is
   * accepted.
   */
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
    const engine = engineOf(network, params, deps)
    const stored = storedGenesis(store)
    const { folder, gcMode, fakePow } = params
    const genesis = genesisFor(network, stored, params)
    const options = { params: network.consensus, genesis, folder, gcMode, checkSeals: !fakePow }
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

function engineOf(
  network: NetworkSpec,
  { engine, folder }: OpenParams,
  { log, searchFrom }: SessionDeps,
): ExecutionEngine {
  return openEngine(engine, network.consensus, { keccak256, log, searchFrom, reportFolder: folder })
}

/** wei per gas, as in the reference */
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
