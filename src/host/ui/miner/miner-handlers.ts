// The miner for the UI: snapshots become view models, controls go straight to the service.
import { Disposables } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import type { MeasurementView, MinerStatusView } from '../../../contract/miner'
import type { Measurement, MeasurementState } from '../../../miner/measurement'
import type { MinerService } from '../../../miner/miner-service'
import { missing } from '../../../miner/stats/money-figures'
import { NO_SOURCE } from '../../../miner/work-source'
import { HostError } from '../../errors'
import type { MinerParts } from '../../miner/create-miner'
import { DeviceTimeline } from '../../miner/device-timeline'
import { type CallsOf, topic, type UiHandlers } from '../ui-handlers'
import { deviceView, historyView, inventoryView, solutionsView } from './miner-views'
import { type MoneyPartDeps, moneyCalls, moneyTopics } from './money-handlers'
import { type PoolPartDeps, poolCalls, poolTopics } from './pool-handlers'
import { type RigsPartDeps, rigsCalls, rigsTopics } from './rig-handlers'
import { type TuningPart, tuningCalls } from './tuning-handlers'

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
  const { miner, poolParts, rigs, tuning, record, clock } = deps
  const timeline = record?.timeline ?? new DeviceTimeline(clock)
  const present = (): MinerService => {
    if (miner === null) throw new HostError('HOST_SERVICE_OFF', { service: 'miner' })
    return miner
  }
  return {
    calls: () => ({
      ...poolCalls(poolParts),
      ...rigsCalls(rigs),
      ...moneyCalls(deps),
      ...tuningCalls(tuning),
      ...measurementCalls(deps),
      'miner.pause': ({ device, forSeconds }) => {
        present().pause(device, forSeconds ?? null)
      },
      'miner.resume': ({ device }) => {
        present().resume(device)
      },
      'miner.restart': async () => {
        await present().restart()
      },
      'miner.addSimulated': ({ count }) => {
        present().addSimulated(count)
      },
      'miner.simulateFault': ({ device, fault }) => {
        present().simulateFault(device, fault)
      },
      'miner.history': (query) => historyView(present(), query),
      'miner.inventory': () => inventoryView(miner),
      'miner.solutions': ({ device }) => solutionsView(present(), device),
      'miner.timeline': ({ device, window }) => timeline.read(device, window),
    }),
    topics: [...ownTopics(deps), ...poolTopics(poolParts), ...rigsTopics(rigs), ...moneyTopics(deps)],
  }
}

/** Devices, status and reports of this computer's miner. */
function ownTopics({ miner, record, clock }: Pick<MinerHandlersDeps, 'miner' | 'record' | 'clock'>) {
  const watch = (changed: () => void): Disposables => watchMiner(miner, changed)
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
      read: () => ({ reports: [...(record?.reports.reports() ?? [])] }),
      watch: (changed) => record?.reports.events.on('changed', changed) ?? new Disposables(),
    }),
  ]
}

function measurementCalls({
  measurement,
  money,
}: Pick<MinerHandlersDeps, 'measurement' | 'money'>): Pick<CallsOf<'miner'>, 'miner.measure' | 'miner.measurement'> {
  const incomePerDay = (hashrate: number) => money?.incomePerDay(hashrate) ?? missing('no-network-difficulty')
  const present = (): Measurement => {
    if (measurement === null) throw new HostError('HOST_SERVICE_OFF', { service: 'miner' })
    return measurement
  }
  return {
    'miner.measure': ({ run }) => {
      if (run) present().begin()
      else present().cancel()
      return measurementView(present().state, incomePerDay)
    },
    'miner.measurement': () => measurementView(present().state, incomePerDay),
  }
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

function watchMiner(miner: MinerService | null, changed: () => void): Disposables {
  const held = new Disposables()
  if (miner === null) return held
  held.add(miner.events.on('devicesChanged', changed))
  held.add(miner.events.on('statusChanged', changed))
  return held
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
