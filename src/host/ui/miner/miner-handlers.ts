// The miner for the UI: snapshots become view models, controls go straight to the service.
import { Disposables } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import { type MeasurementView, type MinerStatusView, type TunedCardView, tuningKnobs } from '../../../contract/miner'
import type { Measurement, MeasurementState } from '../../../miner/measurement'
import type { MinerService } from '../../../miner/miner-service'
import { missing } from '../../../miner/stats/money-figures'
import type { TuningService, TuningView } from '../../../miner/tuning/tuning-service'
import { NO_SOURCE } from '../../../miner/work-source'
import type { MinerParts } from '../../miner/create-miner'
import { DeviceTimeline } from '../../miner/device-timeline'
import { off, topic, type UiHandlers, uiCalls } from '../ui-handlers'
import { deviceView, historyView, inventoryView, solutionsView } from './miner-views'
import { type MoneyPartDeps, moneyHandlers } from './money-handlers'
import { type PoolPartDeps, poolHandlers } from './pool-handlers'
import { type RigsPartDeps, rigHandlers } from './rig-handlers'

/** What a UI uses of tuning. */
type TuningPart = Pick<TuningService, 'find' | 'set' | 'release' | 'search' | 'locate' | 'hasTariff'>

interface MinerHandlersDeps extends MoneyPartDeps {
  /** Null when this run has no miner. */
  readonly miner: MinerService | null
  readonly poolParts: PoolPartDeps
  readonly rigs: RigsPartDeps
  /** Null without a miner. */
  readonly tuning: TuningPart | null
  /** Null without a miner. */
  readonly measurement: Measurement | null
  /** Device timelines and morning reports; null without a miner. */
  readonly record: MinerParts['record'] | null
  readonly clock: Clock
}

export function minerHandlers(deps: MinerHandlersDeps): UiHandlers<'miner'> {
  const { miner, tuning, record, clock } = deps
  const [pools, otherRigs, money] = [poolHandlers(deps.poolParts), rigHandlers(deps.rigs), moneyHandlers(deps)]
  const timeline = record?.timeline ?? new DeviceTimeline(clock)
  const present = (): MinerService => miner ?? off('miner')
  return {
    calls: () => ({
      ...pools.calls,
      ...otherRigs.calls,
      ...money.calls,
      ...tuningCalls(tuning),
      ...measurementCalls(deps),
      'miner.pause': ({ device, forSeconds }) => present().pause(device, forSeconds ?? null),
      'miner.resume': ({ device }) => present().resume(device),
      'miner.restart': () => present().restart(),
      'miner.addSimulated': ({ count }) => present().addSimulated(count),
      'miner.simulateFault': ({ device, fault }) => present().simulateFault(device, fault),
      'miner.history': (query) => historyView(present(), query),
      'miner.inventory': () => inventoryView(miner),
      'miner.solutions': ({ device }) => solutionsView(present(), device),
      'miner.timeline': ({ device, window }) => timeline.read(device, window),
    }),
    topics: [...ownTopics(deps), ...pools.topics, ...otherRigs.topics, ...money.topics],
  }
}

/** Devices, status and reports of this computer's miner. */
function ownTopics({ miner, record, clock }: Pick<MinerHandlersDeps, 'miner' | 'record' | 'clock'>) {
  const watch = (changed: () => void): Disposables =>
    new Disposables(miner?.events.on('devicesChanged', changed), miner?.events.on('statusChanged', changed))
  return [
    topic('miner.devices', {
      read: () => ({ devices: miner?.devices().map(deviceView) ?? [], takenAt: clock.now() }),
      watch,
    }),
    topic('miner.status', {
      read: () => (miner === null ? absentMiner(clock.now()) : miner.snapshot()),
      watch,
    }),
    topic('miner.reports', {
      read: () => ({ reports: [...(record?.reports.reports ?? [])] }),
      watch: (changed) => record?.reports.events.on('changed', changed) ?? new Disposables(),
    }),
  ]
}

function measurementCalls({ measurement, money }: Pick<MinerHandlersDeps, 'measurement' | 'money'>) {
  const incomePerDay = (hashrate: number) => money?.incomePerDay(hashrate) ?? missing('no-network-difficulty')
  const present = (): Measurement => measurement ?? off('miner')
  return uiCalls({
    'miner.measure': ({ run }) => {
      if (run) present().begin()
      else present().cancel()
      return measurementView(present().state, incomePerDay)
    },
    'miner.measurement': () => measurementView(present().state, incomePerDay),
  })
}

/** The devices' sum, once all are done. */
function measurementView(
  { devices, ...state }: MeasurementState,
  incomePerDay: (hashrate: number) => MeasurementView['incomePerDay'],
): MeasurementView {
  const rates = devices.flatMap(({ hashrate }) => (hashrate === null ? [] : [hashrate]))
  const isKnown = state.kind === 'done' && rates.length > 0
  const hashrate = isKnown ? rates.reduce((sum, rate) => sum + rate, 0) : null
  const income = hashrate === null ? missing('too-early') : incomePerDay(hashrate)
  return { ...state, devices: [...devices], hashrate, incomePerDay: income }
}

function absentMiner(takenAt: number): MinerStatusView {
  return {
    state: 'off',
    uptimeSeconds: 0,
    hashrate: { now: null, s60: null, m15: null, effective: null },
    shares: { accepted: 0, rejected: 0, failed: 0 },
    source: { ...NO_SOURCE, difficulty: null, epoch: null, height: null, diagnosis: null },
    lastProof: null,
    expectedSinceProof: 0,
    takenAt,
  }
}

/** @param tuning null: this run has no miner. @throws HostError HOST_SERVICE_OFF; MinerError TUNING_ codes */
function tuningCalls(tuning: TuningPart | null) {
  const present = (): TuningPart => tuning ?? off('miner')
  return uiCalls({
    'miner.tuning': async ({ device }) => {
      const view = (await tuning?.find(device)) ?? null
      return { card: view === null ? null : cardView(view), hasTariff: tuning?.hasTariff ?? false }
    },
    'miner.tune': async ({ device, settings }) => present().set(device, settings),
    'miner.tuneReset': async ({ device }) => present().release(device),
    'miner.locate': async ({ device }) => ({ runsMs: await present().locate(device) }),
    'miner.tuneSearch': async ({ device, goal }) => present().search(device, goal),
  })
}

function cardView({ knobs, set, search }: TuningView): TunedCardView {
  return {
    knobs: tuningKnobs.flatMap((knob) => {
      const range = knobs[knob]
      return range === undefined ? [] : [{ knob, ...range, isSet: (set[knob] ?? null) !== null }]
    }),
    search: search === null ? null : { ...search, points: search.points.map((point) => ({ ...point })) },
  }
}
