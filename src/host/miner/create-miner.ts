// Builds the miner and its work source: pools when configured, otherwise our own node.

import { randomBytes } from 'node:crypto'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { bigintFromBytes } from '../../base/bytes'
import { toBareHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import { MINUTE_MS } from '../../base/time'
import { ConfigError } from '../../config/errors'
import type { ResolvedConfig } from '../../config/resolved-config'
import { temperatureLimits } from '../../config/rules/device-rules'
import { hostPort, type PoolUrl, shownPool } from '../../config/values/pool-url'
import { KeptJson } from '../../files/json-file'
import { type FixedShape, GpuBackend, type GpuBackendDeps } from '../../miner/farm/backends/gpu-backend'
import { GpuTuningFile, tuningSchema } from '../../miner/farm/backends/gpu-tuning'
import { selectDevices } from '../../miner/farm/device-selection'
import { Measurement } from '../../miner/measurement'
import { MinerService } from '../../miner/miner-service'
import type { MinerServiceDeps, MinerServiceOptions } from '../../miner/miner-service-options'
import { JobLag } from '../../miner/pool/job-lag'
import { honestySchema } from '../../miner/pool/pool-honesty'
import { type PoolProbe, probePool } from '../../miner/pool/pool-probe'
import { PoolSource } from '../../miner/pool/pool-source'
import type { PoolSourceDeps, PoolSourceOptions } from '../../miner/pool/pool-source-options'
import { PoolsOrSolo } from '../../miner/pool/pools-or-solo'
import { JobMaker, SeedEpochs } from '../../miner/pool/session/job-maker'
import { SESSION_LIMITS, type SessionDeps } from '../../miner/pool/session/session'
import { GpuSensors } from '../../miner/sensors/gpu-sensors'
import { SimulationSource, simulatedJob } from '../../miner/simulation-source'
import type { WorkSource } from '../../miner/work-source'
import { openNvml } from '../../native/nvml'
import { createXhashEngine, type XhashEngine } from '../../native/xhash-engine'
import type { NodeService } from '../../node/node-service'
import { XHASH_FULL, type XhashParams } from '../../xhash/params'
import { seedHash } from '../../xhash/seed'
import { KnownDialects } from '../adapters/known-dialects'
import { NodeWorkSource } from '../adapters/node-work-source'
import { WatchedPools } from '../adapters/watched-pools'
import { networkSpec } from '../node/custom-network'
import { dataDirPaths, minerRecords } from '../system/data-dir'
import { availableMemory } from '../system/host-memory'
import { TextMetrics } from '../system/metrics-text'
import { trustedAuthorities } from '../system/system-authorities'
import type { TradesDeps } from '../trades-deps'
import type { KeptRules } from './create-incidents'
import { Money } from './create-money'
import { DayReports, dayReportsSchema, lastMorning } from './day-reports'
import { DeviceTimeline } from './device-timeline'
import { earningsView, gatherReport } from './gather-report'
import { logLogin, poolReader } from './pool-reader'
import { onDeviceLost, WatchdogCommand } from './watchdog-command'

// The GPU backends enabled by the options. CUDA comes first: a GPU visible to both drivers uses it.

function gpuBackends({ config, clock, logs }: TradesDeps, engine: XhashEngine): readonly GpuBackend[] {
  const { gpu, app } = config
  const log = logs.logger.child({ module: 'gpu' })
  const tuning = new GpuTuningFile(new KeptJson(join(app.dataDir, 'gpu-tuning.json'), tuningSchema, { log }), log)
  const deps: GpuBackendDeps = { engine, clock, log, tuning }
  const isAsked = gpu.opencl || gpu.cuda
  const cuda = gpu.cuda || !isAsked ? cudaBackend(config, deps) : null
  if (!gpu.opencl && isAsked) return cuda === null ? [] : [cuda]
  return cuda === null ? [openclBackend(config, deps)] : [cuda, openclBackend(config, { ...deps, preferred: cuda })]
}

function cudaBackend({ gpu }: ResolvedConfig, deps: GpuBackendDeps): GpuBackend {
  const { cuDevices, cuSchedule } = gpu
  const shape = fixedShape(gpu.cuBlockSize, gpu.cuGridSize)
  return new GpuBackend({ kind: 'cuda', indices: cuDevices, shape, driver: { schedule: cuSchedule } }, deps)
}

function openclBackend({ gpu, app }: ResolvedConfig, deps: GpuBackendDeps): GpuBackend {
  const { clDevices, clCpu } = gpu
  const shape = fixedShape(gpu.clLocalWork, gpu.clGlobalWork)
  const driver = { binaryFolder: join(app.dataDir, 'gpu-kernels') }
  return new GpuBackend({ kind: 'opencl', indices: clDevices, processors: clCpu, shape, driver }, deps)
}

function fixedShape(groupSize: string | null, groups: number | null): FixedShape | null {
  if (groupSize === null && groups === null) return null
  return { groupSize: groupSize === null ? null : Number(groupSize), groups }
}

/**
 * The practice chain aims at 5 s blocks: the first two come immediately, then hashing continues at this rate, a
 * twenty-fifth of one thread.
 */
const PRACTICE_PACE = { hashesPerSecond: 20_000, credit: 2 ** 18 }
/** Bits of a random number below 1. */
const FRACTION_BYTES = 6

export interface MinerParts {
  readonly miner: MinerService
  /** Empty while it works for our own node; null when only a simulation runs. */
  readonly pools: PoolSource | null
  /** How the pools' work keeps up with our own node; null without either. */
  readonly watched: { readonly pools: WatchedPools; readonly lag: JobLag } | null
  readonly money: Money
  readonly record: { readonly timeline: DeviceTimeline; readonly reports: DayReports }
}

/** @throws ConfigError CONFIG_VALUE_INVALID for an invalid pool address */
export function createMiner(
  deps: TradesDeps,
  engine: XhashEngine,
  { node, rules }: { readonly node: NodeService | null; readonly rules: KeptRules },
): MinerParts | null {
  const { config, platform, clock, logs, metrics } = deps
  const { miner, app, pool } = config
  const rate = (): number => service?.snapshot().hashrate.s60 ?? 0
  const hasList = config.pools.addresses.length > 0 || (node !== null && miner.simulation === null)
  const pools = hasList ? buildPools(deps, rate, node !== null) : null
  const watched = watchedPools(deps, pools, node)
  const source = sourceOf(deps, { list: pools, watched: watched?.pools ?? pools, node, params: engine.params })
  if (source === null) return null
  const service: MinerService = new MinerService(
    {
      version: platform.version,
      cpuThreads: miner.cpu ? miner.cpuThreads : null,
      historyFile: minerRecords(app.dataDir, app.network).history,
      pausesFile: join(app.dataDir, 'miner-pauses.json'),
      ergodicity: pool.ergodicity,
      ...deviceOptions(deps),
    },
    {
      source,
      engine,
      clock,
      log: logs.logger.child({ module: 'miner' }),
      metrics,
      random: () => bigintFromBytes(randomBytes(8)),
      sensorsOf: sensorsOf(deps),
      backends: gpuBackends(deps, engine),
    },
  )
  const money = new Money(deps, { miner: service, node, rules: () => rules.current })
  return { miner: service, pools, watched, money, record: buildRecord(deps, service, pools, money) }
}

function sensorsOf({ platform, logs }: TradesDeps): NonNullable<MinerServiceDeps['sensorsOf']> {
  const gpuSensors = new GpuSensors({
    openNvml: () => openNvml({ searchFrom: platform.projectRoot }),
    drmDir: '/sys/class/drm',
    log: logs.logger.child({ module: 'sensors' }),
  })
  return (pci) => gpuSensors.of(pci)
}

/**
 * How fast this computer's devices are at the main network's size, whatever network this run is on. Its readings are in no
 * record, log of devices or metric.
 */
export function createMeasurement(deps: TradesDeps, mining: MinerService | null): Measurement {
  const { platform, clock, logs } = deps
  const config = { ...deps.config, app: { ...deps.config.app, network: 'main' as const } }
  const log = logs.logger.child({ module: 'measurement' })
  const open = () => {
    const engine = createXhashEngine(XHASH_FULL, { searchFrom: platform.projectRoot })
    const own = { ...deps, config }
    const { cpu, cpuThreads, simulatedGpus } = config.miner
    const miner = new MinerService(
      {
        version: platform.version,
        historyFile: null,
        ...deviceOptions(own),
        cpuThreads: cpu ? cpuThreads : null,
        simulatedGpus: deps.config.app.network === 'main' ? null : simulatedGpus,
        schedule: [],
        onGaveUp: () => undefined,
      },
      {
        source: new SimulationSource(simulatedJob(0, XHASH_FULL, randomBytes(32))),
        engine,
        clock,
        log,
        metrics: new TextMetrics(),
        random: () => bigintFromBytes(randomBytes(8)),
        sensorsOf: sensorsOf(deps),
        backends: gpuBackends(own, engine),
      },
    )
    return { miner, close: () => engine.close() }
  }
  return new Measurement({ open, mining, clock, log })
}

/** Pools while there are any, observed by our own node if there is one; otherwise the node's own work. */
function sourceOf(
  { config, clock }: TradesDeps,
  parts: {
    readonly list: PoolSource | null
    readonly watched: WorkSource | null
    readonly node: NodeService | null
    readonly params: XhashParams
  },
): WorkSource | null {
  const { list, watched, node, params } = parts
  const { simulation } = config.miner
  if (simulation !== null) {
    const job = simulatedJob(simulation, params, randomBytes(32))
    return new SimulationSource(job)
  }
  if (node === null) return watched
  const solo = new NodeWorkSource({ node, clock })
  return list === null || watched === null ? solo : new PoolsOrSolo({ list, pools: watched, solo })
}

function watchedPools(
  { config, clock, logs }: TradesDeps,
  pools: PoolSource | null,
  node: NodeService | null,
): MinerParts['watched'] {
  if (node === null || pools === null) return null
  const { xhash, consensus } = networkSpec(config)
  const log = logs.logger.child({ module: 'pool' })
  const { targetSpacingSeconds: spacingSeconds } = consensus
  const { epochLength } = xhash
  const lag = new JobLag(epochLength, clock)
  const honesty = new KeptJson(dataDirPaths(config.app.dataDir).honestyFile, honestySchema, { log })
  return { pools: new WatchedPools({ pools, node, clock, log, epochLength, spacingSeconds, lag, honesty }), lag }
}

/** Recorded from startup on: a page opened later shows the time before. */
function buildRecord(
  { config, clock, logs }: TradesDeps,
  miner: MinerService,
  pools: PoolSource | null,
  money: Money,
): MinerParts['record'] {
  const timeline = new DeviceTimeline(clock)
  timeline.watch(miner)
  const log = logs.logger.child({ module: 'reports' })
  const reports = new DayReports({
    gather: (from, to) =>
      gatherReport(from, to, {
        earnings: earningsView(money.ledger, from),
        energy: money.view([from, to]).whole.energy.kilowattHours.value,
        losses: timeline.losses('24h'),
        names: new Map(miner.devices().map(({ index, name }) => [index, name])),
        pools: (pools?.pools() ?? []).flatMap(({ url, latency }) =>
          latency === null ? [] : [{ host: hostPort(url), medianMs: latency.medianMs }],
        ),
      }),
    lastMorning,
    store: new KeptJson(minerRecords(config.app.dataDir, config.app.network).reports, dayReportsSchema, { log }),
    clock,
    log,
  })
  return { timeline, reports }
}

/** Which devices mine. @param mustSelect whether words that select nothing are an error; else a warning */
export function deviceChoice(
  { miner, app, sources }: ResolvedConfig,
  log: Logger,
  mustSelect = false,
): NonNullable<MinerServiceOptions['select']> {
  const wish = {
    words: miner.devices,
    // On the practice network the CPU mines, whatever else there is.
    wantsCpu: app.network === 'practice' || sources['miner.cpu']?.kind !== 'default',
    onUnknown: (word: string) => log.warn('--devices names a device that does not exist', { word }),
    mustSelect,
  }
  return (found) => selectDevices(found, wish)
}

/** Simulated devices may be added later, too, on networks without valuable coins. */
function deviceOptions({ config, logs, clock, onExitAsked }: TradesDeps): Partial<MinerServiceOptions> {
  const { miner, app } = config
  const log = logs.logger.child({ module: 'miner' })
  const watchdogCommand = new WatchdogCommand(miner.watchdogCommand, { clock, log })
  return {
    ...(app.network === 'practice' && { cpuPace: PRACTICE_PACE }),
    simulatedGpus: app.network === 'practice' || app.network === 'custom' ? miner.simulatedGpus : null,
    // Node and signer of a whole program are of use without a device.
    select: deviceChoice(config, log, config.command === 'miner'),
    sequentialBuilds: miner.dagLoadMode === '1',
    doubleDatasets: miner.dagDouble,
    blockSeconds: networkSpec(config).consensus.targetSpacingSeconds,
    schedule: miner.schedule,
    memoryBytes: totalmem(),
    freeBytes: () => availableMemory(),
    noEval: miner.noEval,
    onGaveUp: onDeviceLost(miner.exitOnFailure, watchdogCommand, onExitAsked),
    limits: temperatureLimits(miner),
    sensors: miner.hwmon,
  }
}

/** Tests pools on connections of their own. */
export function createProbe(deps: TradesDeps): PoolProbe {
  const log = deps.logs.logger.child({ module: 'pool' })
  return (url, signal) => probePool(url, sessionDeps(deps, log), signal)
}

function configuredPools(config: ResolvedConfig): PoolUrl[] {
  const read = poolReader(config)
  return config.pools.addresses.map((text) => {
    const outcome = read(text.reveal())
    if ('url' in outcome) return outcome.url
    const expected = `a pool: ${outcome.fault.replace(/^pool address: /, '')}`
    throw new ConfigError('CONFIG_VALUE_INVALID', { where: '--pool', value: shownPool(text.reveal()), expected })
  })
}

function buildPools(deps: TradesDeps, hashrate: () => number, mayBeEmpty: boolean): PoolSource {
  const { config, clock, logs, onExitAsked } = deps
  const log = logs.logger.child({ module: 'pool' })
  const { pool, pools } = config
  const urls = configuredPools(config)
  for (const url of urls) logLogin(log, url)
  const options: PoolSourceOptions = {
    pools: urls,
    exitAtEnd: pools.exitAtEnd,
    mayBeEmpty,
    retryDelayMs: pool.retryDelayMs,
    retryMax: pool.retryMax,
    failoverMs: pool.failoverMinutes * MINUTE_MS,
    reportHashrate: pool.reportHashrate,
  }
  const sourceDeps: PoolSourceDeps = {
    session: sessionDeps(deps, log),
    clock,
    log,
    hashrate,
    random: randomFraction,
    onExit: () => {
      log.error('no pools left, exiting because of -P exit')
      onExitAsked(null)
    },
  }
  return new PoolSource(options, sourceDeps)
}

function sessionDeps({ config, platform, clock }: TradesDeps, log: SessionDeps['log']): SessionDeps {
  const { workTimeoutMs, responseTimeoutMs, recheckMs } = config.pool
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return {
    clock,
    log,
    jobs: new JobMaker(new SeedEpochs(nextTurn), seedHash),
    limits: { ...SESSION_LIMITS, workMs: workTimeoutMs, responseMs: responseTimeoutMs, pollMs: recheckMs },
    agent: `headframe/${platform.version}`,
    runId: toBareHex(randomBytes(32)),
    certificates: trustedAuthorities({
      instead: config.pools.certificates,
      platform: process.platform,
      environment: process.env,
    }),
    say: (text) => log.info('message from the pool', { text }),
    dialects: new KnownDialects(join(config.app.dataDir, 'pool-dialects.json'), { log }),
  }
}

/** 0 <= x < 1 */
function randomFraction(): number {
  return randomBytes(FRACTION_BYTES).readUIntBE(0, FRACTION_BYTES) / 2 ** (8 * FRACTION_BYTES)
}
