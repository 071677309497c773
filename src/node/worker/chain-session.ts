// One opened chain with all that lives on it: database, engines, pool, templates. Made by open, ended by close.
import { bytesOfHex } from '../../base/hex'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { createXhashEngine, type XhashEngine } from '../../native/xhash-engine'
import type { Chain } from '../chain/chain'
import { openChain, storedGenesis } from '../chain/open-chain'
import { ChainError } from '../errors'
import type { ExecutionEngine } from '../execution/engine'
import { headState } from '../execution/state-reader'
import { createTypescriptEngine } from '../execution/typescript/typescript-engine'
import { GasPriceOracle } from '../miner-work/gas-price'
import { WorkServer } from '../miner-work/work-server'
import { NETWORKS, type NetworkSpec } from '../networks'
import { openLevelStore } from '../store/level-store'
import type { Store } from '../store/store'
import { TXPOOL_DEFAULTS, TxPool } from '../txpool/tx-pool'
import type { OpenParams } from './chain-wire'

export interface SessionDeps {
  readonly clock: Clock
  readonly log: Logger
  /** absolute folder from which the addon's file is looked for */
  readonly searchFrom: string
}

export interface ChainSession {
  readonly network: NetworkSpec
  readonly store: Store
  readonly xhash: XhashEngine
  readonly engine: ExecutionEngine
  readonly chain: Chain
  readonly pool: TxPool
  readonly work: WorkServer
  readonly gasPrice: GasPriceOracle
  /** Listeners of this session. */
  readonly held: Disposables
}

/** @throws StoreError, ChainError; what was opened before the failure is closed again */
export async function openSession(params: OpenParams, deps: SessionDeps): Promise<ChainSession> {
  const store = await openLevelStore(params.folder)
  try {
    return await openOn(store, params, deps)
  } catch (error: unknown) {
    await store.close()
    throw error
  }
}

async function openOn(store: Store, params: OpenParams, deps: SessionDeps): Promise<ChainSession> {
  const network = NETWORKS[params.network]
  const { clock, log } = deps
  const xhash = createXhashEngine(network.xhash, {
    searchFrom: deps.searchFrom,
    log: (message) => log.warn('proof of work without the native addon', { reason: message }),
  })
  try {
    const engine = await createTypescriptEngine(network.consensus, { keccak256: (data) => xhash.keccak256(data) })
    // A network whose genesis belongs to the data directory keeps the one it was made with.
    const genesis = network.genesisHash === null && storedGenesis(store) !== null ? null : params.genesis
    const options = { params: network.consensus, genesis, folder: params.folder }
    const chain = await openChain(options, { store, engine, seals: xhash, clock, log })
    checkKnownGenesis(network, chain, params.folder)
    const state = headState(store)
    const pool = new TxPool(
      { ...TXPOOL_DEFAULTS, chainId: network.consensus.chainId, minimumPrice: params.minimumGasPrice },
      { state: { account: state.account, gasLimit: () => chain.head.header.gasLimit }, clock },
    )
    const held = new Disposables()
    held.add(chain.events.on('headChanged', (change) => pool.onHeadChanged(change)))
    const { coinbase, extraData, poolDelayMs, recommitMs } = params
    const gasLimitGoal = params.gasLimitGoal ?? network.gasLimitGoal
    const work = new WorkServer(
      {
        ...{ xhash: network.xhash, coinbase, extraData, gasLimitGoal, poolDelayMs, recommitMs },
        timeFloor: network.templateTimeFloor,
      },
      { chain, engine, pool, clock, log },
    )
    const gasPrice = new GasPriceOracle(network.consensus.chainId, (number) => {
      const hash = chain.reads.canonicalHash(number)
      return hash === null ? null : chain.reads.block(hash)
    })
    return { network, store, xhash, engine, chain, pool, work, gasPrice, held }
  } catch (error: unknown) {
    await xhash.close()
    throw error
  }
}

/** Ends everything in reverse order; the database last, after the import that may be running. */
export async function closeSession(session: ChainSession): Promise<void> {
  session.held.dispose()
  await session.work.stop()
  await session.chain.exclusive(async () => undefined)
  await session.xhash.close()
  await session.store.close()
}

function checkKnownGenesis(network: NetworkSpec, chain: Chain, folder: string): void {
  if (network.genesisHash === null) return
  const stored = chain.reads.canonicalHash(0n)
  const wanted = bytesOfHex(network.genesisHash)
  if (stored === null || !wanted.every((byte, i) => byte === stored[i]))
    throw new ChainError('CHAIN_GENESIS_MISMATCH', { folder, stored: '', wanted: network.genesisHash })
}
