// The miner as the user interface sees it: snapshots become view models, controls go straight to the service.
import { Disposables } from '../../base/lifecycle'
import type { Clock } from '../../base/time'
import type { DeviceView, MinerStatusView } from '../../contract/miner'
import type { MinerService } from '../../miner/miner-service'
import type { DeviceSnapshot, MinerSnapshot } from '../../miner/snapshot'
import { HostError } from '../errors'
import { DeviceTimeline } from './device-timeline'
import { type FleetPartDeps, fleetCalls, fleetTopics } from './fleet-part'
import { historyView, inventoryView, solutionsView } from './miner-views'
import { type RigsPartDeps, rigsCalls, rigsTopics } from './rigs-part'
import { topic, type UiPart } from './ui-part'

export interface MinerPartDeps {
  /** Null when this start has no miner. */
  readonly miner: MinerService | null
  readonly fleet: FleetPartDeps
  readonly rigs: RigsPartDeps
  readonly clock: Clock
}

export function minerPart({ miner, fleet, rigs, clock }: MinerPartDeps): UiPart<'miner'> {
  const timeline = new DeviceTimeline(clock)
  // For as long as both live: a page that comes later asks for what was before it.
  if (miner !== null) timeline.watch(miner)
  const present = (): MinerService => {
    if (miner === null) throw new HostError('HOST_SERVICE_OFF', { service: 'miner' })
    return miner
  }
  const watch = (changed: () => void): Disposables => {
    const held = new Disposables()
    if (miner === null) return held
    held.add(miner.events.on('devicesChanged', changed))
    held.add(miner.events.on('statusChanged', changed))
    return held
  }
  return {
    calls: () => ({
      ...fleetCalls(fleet),
      ...rigsCalls(rigs),
      'miner.pause': ({ device, forSeconds }) => {
        present().pause(device, forSeconds ?? null)
        return {}
      },
      'miner.resume': ({ device }) => {
        present().resume(device)
        return {}
      },
      'miner.restart': async () => {
        await present().restart()
        return {}
      },
      'miner.addSimulated': ({ count }) => {
        present().addSimulated(count)
        return {}
      },
      'miner.simulateFault': ({ device, fault }) => {
        present().simulateFault(device, fault)
        return {}
      },
      'miner.history': (query) => historyView(present(), query),
      'miner.inventory': () => inventoryView(miner),
      'miner.solutions': ({ device }) => solutionsView(present(), device),
      'miner.timeline': ({ device, window }) => timeline.read(device, window),
    }),
    topics: [
      topic('miner.devices', {
        read: () => ({ devices: miner?.devices().map(deviceView) ?? [], takenAt: clock.now() }),
        watch,
      }),
      topic('miner.status', {
        read: () => (miner === null ? absentMiner(clock.now()) : statusView(miner.snapshot())),
        watch,
      }),
      ...fleetTopics(fleet),
      ...rigsTopics(rigs),
    ],
  }
}

function deviceView(device: DeviceSnapshot): DeviceView {
  return { ...device, pauseReasons: [...device.pauseReasons] }
}

function statusView(snapshot: MinerSnapshot): MinerStatusView {
  return { ...snapshot }
}

function absentMiner(takenAt: number): MinerStatusView {
  return {
    state: 'off',
    uptimeSeconds: 0,
    hashrate: { now: null, s60: null, m15: null, effective: null },
    shares: { accepted: 0, rejected: 0, failed: 0 },
    source: {
      kind: 'none',
      connected: false,
      host: '',
      url: '',
      difficulty: null,
      epoch: null,
      height: null,
      switches: 0,
      warning: '',
    },
    lastProof: null,
    takenAt,
  }
}
