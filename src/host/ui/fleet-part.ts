// Pools and rigs as the user interface sees them, and the calls that change them.
import { hostname } from 'node:os'
import { Disposables } from '../../base/lifecycle'
import type { Clock } from '../../base/time'
import type { PoolsView, RigsView, RigView } from '../../contract/fleet'
import { expectedHashes } from '../../miner/difficulty'
import type { MinerService } from '../../miner/miner-service'
import { rigFigures } from '../../miner/monitor/rig-figures'
import type { RigMonitor } from '../../miner/monitor/rig-monitor'
import { rigTotals } from '../../miner/monitor/totals'
import type { PoolSource } from '../../miner/pool/pool-source'
import { hostPort, type PoolUrl, type PoolUrlOutcome } from '../../miner/pool/pool-url'
import type { PoolProbe } from '../../miner/pool-probe'
import { HostError } from '../errors'
import type { PoolKeeper } from '../pool-keeper'
import { type CallsOf, topic, type UiTopic } from './ui-part'

export interface FleetPartDeps {
  /** Each null when this start does not have it. */
  readonly miner: MinerService | null
  readonly pools: PoolSource | null
  readonly rigs: RigMonitor | null
  /** Null where there is no miner. */
  readonly keeper: PoolKeeper | null
  readonly readPool: (text: string) => PoolUrlOutcome
  readonly probe: PoolProbe
  readonly clock: Clock
}

type FleetCalls = Pick<
  CallsOf<'miner'>,
  'miner.poolAdd' | 'miner.poolRemove' | 'miner.poolMove' | 'miner.poolActivate' | 'miner.poolTest' | 'miner.rigCommand'
>

/** @throws HostError HOST_SERVICE_OFF where this start has no pools or rigs; MinerError POOL_ codes */
export function fleetCalls(deps: FleetPartDeps): FleetCalls {
  const pools = (): PoolSource => deps.pools ?? off('list of pools')
  const keeper = (): PoolKeeper => deps.keeper ?? off('list of pools')
  const rigs = (): RigMonitor => deps.rigs ?? off('watched rig')
  return {
    'miner.poolAdd': ({ url }) => keeper().add(url),
    'miner.poolRemove': ({ index }) => keeper().remove(index),
    'miner.poolMove': ({ index, to }) => keeper().move(index, to),
    'miner.poolActivate': ({ index }) => {
      pools().setActive(index)
      return {}
    },
    'miner.poolTest': async ({ url }, signal) => {
      const read = deps.readPool(url)
      const outcome = 'fault' in read ? read : await deps.probe(read.url, signal)
      const nothing = { dialect: '', height: null, epoch: null, difficulty: null }
      if ('fault' in outcome) return { ok: false, fault: outcome.fault, ...nothing }
      const { height, epoch, target } = outcome.job
      return { ok: true, fault: '', dialect: outcome.dialect, height, epoch, difficulty: expectedHashes(target) }
    },
    'miner.rigCommand': async ({ rigs: names, action, gpu }) => {
      const results = await rigs().command(names, { action, gpu })
      return { results: results.map((result) => ({ ...result })) }
    },
  }
}

export function fleetTopics(deps: FleetPartDeps): readonly UiTopic[] {
  const { pools, rigs, miner, keeper } = deps
  return [
    topic('miner.pools', {
      read: () => poolsView(deps),
      watch: (changed) =>
        pools?.poolEvents.on('poolsChanged', changed) ??
        keeper?.events.on('plannedChanged', changed) ??
        new Disposables(),
    }),
    topic('miner.rigs', {
      read: () => rigsView(deps),
      watch: (changed) => {
        const held = new Disposables()
        if (miner !== null) held.add(miner.events.on('statusChanged', changed))
        if (rigs !== null) held.add(rigs.events.on('rigsChanged', changed))
        return held
      },
    }),
  ]
}

function poolsView({ pools, miner, keeper, clock }: FleetPartDeps): PoolsView {
  const takenAt = clock.now()
  if (miner === null) return { kind: 'none', pools: [], takenAt }
  if (pools === null) {
    const idle = { active: false, state: 'planned', lastFault: '' } as const
    const planned = (keeper?.planned() ?? []).map((url, index) => ({ index, ...addressView(url), ...idle }))
    return { kind: 'solo', pools: planned, takenAt }
  }
  const views = pools.pools().map(({ index, active, url, state, lastFault }) => ({
    index,
    ...addressView(url),
    active,
    state,
    lastFault,
  }))
  return { kind: 'pools', pools: views, takenAt }
}

const addressView = (url: PoolUrl) => ({
  url: url.masked,
  host: hostPort(url),
  user: url.user,
  worker: url.worker,
  tls: url.tls,
  verified: url.verify,
})

function rigsView({ miner, rigs, clock }: FleetPartDeps): RigsView {
  const views = [...(miner === null ? [] : [localRig(miner)]), ...(rigs === null ? [] : otherRigs(rigs))]
  const totals = rigTotals(views.map(({ online, figures }) => (online ? figures : null)))
  return { mining: miner !== null, rigs: views, totals, takenAt: clock.now() }
}

function localRig(miner: MinerService): RigView {
  const figures = rigFigures({ ...miner.summary(false) })
  return {
    name: hostname(),
    host: '',
    local: true,
    online: true,
    error: '',
    ageSeconds: 0,
    hasToken: false,
    figures,
  }
}

function otherRigs(rigs: RigMonitor): RigView[] {
  return rigs.watchedRigs().map(({ rig: { name, host, online, error, age }, figures }) => ({
    name,
    host,
    local: false,
    online,
    error,
    ageSeconds: age < 0 ? null : age,
    hasToken: rigs.hasToken(name),
    figures,
  }))
}

function off(service: string): never {
  throw new HostError('HOST_SERVICE_OFF', { service })
}
