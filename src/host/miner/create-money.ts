// Builds the ledger of money and reads every figure about it, in the contract's shape.
import { equalBytes } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import { toHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { WEI_PER_MICRO } from '../../base/units'
import type { ResolvedConfig } from '../../config/resolved-config'
import type { MoneyView } from '../../contract/money'
import { JournalFile } from '../../files/journal-file'
import { type IncidentRules, isHot } from '../../miner/incidents/incident-rules'
import { registerMoneyMetrics } from '../../miner/incidents/money-metrics'
import type { MinerService } from '../../miner/miner-service'
import type { ChainMove } from '../../miner/stats/found-blocks'
import {
  type Amount,
  forecastOf,
  known,
  lostByDevice,
  type MoneyPeriod,
  missing,
  moneyPeriod,
  type Prices,
} from '../../miner/stats/money-figures'
import { type BlockWorth, MoneyLedger, type MoneyRecords } from '../../miner/stats/money-ledger'
import { DAY_MS, SLOT_MS } from '../../miner/stats/money-slots'
import type { StratumServer } from '../../miner/stratum/stratum-server'
import type { ConsensusParams } from '../../node/consensus/params'
import { subsidyAt } from '../../node/consensus/rewards'
import type { NodeService } from '../../node/node-service'
import type { BlockSummary, HeadChange } from '../../node/worker/wire/shapes'
import { isFreshHead } from '../adapters/watched-pools'
import { networkSpec } from '../node/custom-network'
import { minerRecords } from '../system/data-dir'
import type { TradesDeps } from '../trades-deps'

/** Shorter rates say little. */
const MIN_UPTIME_SECONDS = 120
const PER_CENT = 100
/** Deeper reorganizations are exceptional. */
const CHECKED_BLOCKS = 64

/** The money of this run's network. */
export class Money {
  readonly ledger: MoneyLedger
  #prices: Prices
  #isChainRead = false
  readonly #log: Logger

  constructor(
    private readonly deps: TradesDeps,
    private readonly about: {
      /** null: other rigs mine for the node, this program doesn't */
      readonly miner: MinerService | null
      readonly node: NodeService | null
      readonly rules: () => IncidentRules
    },
  ) {
    const { config, clock, logs } = deps
    const log = logs.logger.child({ module: 'money' })
    this.#log = log
    this.#prices = pricesOf(config)
    this.ledger = new MoneyLedger({
      miner: about.miner,
      worth: () => this.worth(),
      isHot: (device) => isHot(device, about.rules()),
      journal: new JournalFile(minerRecords(config.app.dataDir, config.app.network).money, log),
      clock,
      log,
    })
    about.node?.events.on('headChanged', (change) => this.#chainMoved(change))
    registerMoneyMetrics(deps.metrics, {
      day: () => this.view([clock.now() - DAY_MS, clock.now()]).whole,
      effort: () => this.#now().effort,
    })
  }

  /** What the rigs of the stratum port mine is recorded, too. */
  watchRigs({ events }: StratumServer): void {
    events.on('shareAccepted', (share) => this.ledger.rigShare(share))
    events.on('blockSettled', (block) => this.ledger.rigBlock(block))
  }

  /** With the first change also the chain below it: it may have changed in the last seconds of an earlier run. */
  #chainMoved({ removed, added }: HeadChange): void {
    const { node } = this.about
    if (!this.#isChainRead) {
      this.#isChainRead = true
      node?.reader.blocksDown(null, CHECKED_BLOCKS).then(
        (blocks) => this.#moved([], [...blocks].reverse()),
        (error: unknown) => this.#log.debug('the last blocks could not be read', { error: messageOf(error) }),
      )
    }
    this.#moved(removed, added)
  }

  #moved(removed: readonly BlockSummary[], added: readonly BlockSummary[]): void {
    const { node } = this.about
    const coinbase = node?.coinbase() ?? null
    const isOurs = ({ miner }: BlockSummary): boolean => coinbase !== null && equalBytes(miner, coinbase)
    const told = (blocks: readonly BlockSummary[]): ChainMove['added'] =>
      blocks.map((block) => ({ height: block.number, hash: toHex(block.hash), isOurs: isOurs(block) }))
    this.ledger.found.moved({ removed: told(removed), added: told(added) })
    // Not of a chain that is being synced: what is old was counted when it was found.
    const since = (this.deps.clock.now() - DAY_MS) / 1_000
    for (const block of added)
      if (isOurs(block) && block.transactionCount > 0 && block.timestamp > since) void this.#countFees(block)
  }

  async #countFees({ number, hash }: BlockSummary): Promise<void> {
    try {
      const fees = await this.about.node?.reader.fees(hash)
      if (fees == null) return
      this.ledger.found.payFees(number, toHex(hash), Number(fees) / Number(WEI_PER_MICRO))
    } catch (error: unknown) {
      this.#log.warn("a block's fees could not be read: they are missing in the income", {
        height: number,
        error: messageOf(error),
      })
    }
  }

  /** Effective immediately. */
  setPrices(config: ResolvedConfig): void {
    this.#prices = pricesOf(config)
  }

  /** @param bounds ascending UTC ms, at least two */
  view(bounds: readonly number[]): MoneyView {
    const { config, clock } = this.deps
    const { ledger } = this
    const now = clock.now()
    const present = ledger.present()
    const context = { prices: this.#prices, present, worth: this.worth(), now }
    const figures = (records: MoneyRecords, from: number, to: number): MoneyPeriod =>
      moneyPeriod(records, { from, to: Math.max(from, Math.min(to, now)) }, context)
    // The last bound is usually now, within a slot.
    const at = bounds.map((bound, place) => (place === bounds.length - 1 ? bound : bound - (bound % SLOT_MS)))
    const { periods, whole } = ledger.readAll(at)
    const [from, to] = [at[0] ?? 0, at.at(-1) ?? 0]
    const lost = lostByDevice(whole, { from, to: Math.max(from, Math.min(to, now)), context })
    const unknown = missing('no-usual-hashrate')
    return {
      network: config.app.network,
      periods: periods.map((records, place) => figures(records, at[place] ?? 0, at[place + 1] ?? 0)),
      whole: figures(whole, from, to),
      ...this.#now(),
      prices: this.#prices,
      devices: [...present].map(([key, { index, name, usual }]) => ({
        index,
        name,
        usualHashrate: usual === null ? unknown : known(usual),
        ...(lost.get(key) ?? { usualHashes: unknown, lostHashes: unknown }),
      })),
      firstAt: ledger.firstAt,
      notSaved: ledger.notSaved,
      takenAt: now,
    }
  }

  #now(): Pick<MoneyView, 'effort' | 'effortSince' | 'forecast'> {
    const mining = this.about.miner?.snapshot() ?? null
    const { effort, effortSince } = this.ledger
    const isPool = mining !== null && mining.source.kind !== 'solo'
    const isYoung = mining === null || mining.uptimeSeconds < MIN_UPTIME_SECONDS
    return {
      effort: effortSince === null ? missing(isPool ? 'pool-knows' : 'nothing-mined') : known(effort * PER_CENT),
      effortSince,
      forecast: forecastOf({
        hashrate: isYoung ? null : mining.hashrate.m15,
        isSolo: !isPool,
        worth: this.worth(),
        spacingSeconds: networkSpec(this.deps.config).consensus.targetSpacingSeconds,
      }),
    }
  }

  /** What a hashrate at the main network's size brings a day on average: only a node of that network knows. */
  incomePerDay(hashrate: number): Amount {
    const { config } = this.deps
    const spacingSeconds = networkSpec(config).consensus.targetSpacingSeconds
    const worth = config.app.network === 'main' ? this.worth() : null
    return forecastOf({ hashrate, isSolo: true, worth, spacingSeconds }).incomePerDay
  }

  /** By our own node. */
  worth(): BlockWorth | null {
    const { config, clock } = this.deps
    return blockWorth(this.about.node?.head() ?? null, networkSpec(config).consensus, clock)
  }
}

/**
 * What the block on top of our node's head needs and pays; null without a head. The subsidy is that block's own: the
 * genesis block pays nothing, its successor does. The difficulty is the head's, and known while the head is fresh.
 */
export function blockWorth(
  head: Pick<BlockSummary, 'number' | 'difficulty' | 'timestamp'> | null,
  rules: Pick<ConsensusParams, 'initialSubsidy' | 'subsidyHalvingBlocks' | 'targetSpacingSeconds'>,
  clock: Clock,
): BlockWorth | null {
  if (head === null) return null
  const isFresh = isFreshHead(head.timestamp, { clock, spacingSeconds: rules.targetSpacingSeconds })
  return {
    difficulty: isFresh ? Number(head.difficulty) : null,
    subsidyWei: subsidyAt(rules, BigInt(head.number) + 1n),
  }
}

/** `--tune-price` is the price of a kWh, too. */
function pricesOf({ money, tuning }: ResolvedConfig): Prices {
  return { lax: money.laxPrice, power: money.powerPrice ?? tuning.price, currency: money.currency ?? '' }
}
