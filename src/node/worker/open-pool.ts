// The pool of an opened chain with its inputs and storage: the head, the mining settings, the journal.
import type { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { Chain } from '../chain/chain'
import { headState } from '../execution/state-reader'
import { CEILING_WEI } from '../miner-work/gas-price'
import type { MiningSettings } from '../miner-work/mining-settings'
import { FeeEstimator, type FeeEstimatorOptions } from '../txpool/fee-estimator'
import { LocalJournal } from '../txpool/journal'
import { TXPOOL_DEFAULTS, TxPool, type TxPoolOptions } from '../txpool/tx-pool'
import { FEE_TARGETS } from '../txpool/waiting-times'
import type { PoolParams } from './wire/pool-wire'

/** What the pool depends on. */
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

/** @param params null = the reference's limits, and nothing is persisted */
export async function openPool(
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
