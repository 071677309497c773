// Other rigs for the UI, and the calls to them.
import { hostname } from 'node:os'
import { Disposables } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import type { RigsView, RigView } from '../../../contract/rigs'
import type { MinerService } from '../../../miner/miner-service'
import { rigFigures, rigTotals } from '../../../miner/monitor/rig-figures'
import type { RigMonitor } from '../../../miner/monitor/rig-monitor'
import type { StratumServer } from '../../../miner/stratum/stratum-server'
import { servedRig } from '../../../miner/stratum/workers'
import type { RigSettings } from '../../miner/rig-settings'
import { off, topic, uiCalls } from '../ui-handlers'

/** Each null when this run doesn't have it. */
export interface RigsPartDeps {
  readonly miner: MinerService | null
  readonly rigs: RigMonitor | null
  /** The rigs that mine for our node over stratum. */
  readonly served: StratumServer | null
  /** Null when rigs is. */
  readonly rigSettings: RigSettings | null
  readonly clock: Clock
}

/**
 * @throws HostError HOST_SERVICE_OFF when this run monitors no rigs, HOST_RIG_INVALID, HOST_RIG_UNKNOWN, HOST_RIG_FIXED
 */
export function rigHandlers(deps: RigsPartDeps) {
  const rigs = (): RigMonitor => deps.rigs ?? off('watched rig')
  const rigSettings = (): RigSettings => deps.rigSettings ?? off('watched rig')
  const calls = uiCalls({
    'miner.rigTest': async (typed) => {
      const outcome = await rigSettings().test(typed)
      return 'fault' in outcome
        ? { ok: false, fault: outcome.fault, figures: null }
        : { ok: true, fault: '', figures: outcome.figures }
    },
    'miner.rigSave': (typed) => rigSettings().save(typed),
    'miner.rigRemove': ({ name }) => rigSettings().remove(name),
    'miner.rigHistory': ({ rig, series, window }) => rigs().history(rig, series, window),
    'miner.rigGpuHistory': ({ rig, gpu, series }) => rigs().gpuHistory(rig, gpu, series),
    'miner.rigCommand': async ({ rigs: names, action, gpu }) => {
      const results = await rigs().command(names, { action, gpu })
      return { results: results.map((result) => ({ ...result })) }
    },
  })
  const topics = [
    topic('miner.rigs', {
      // Why the file wasn't written is only for those who may change it: it may contain local paths.
      read: ({ control }) => (control ? rigsView(deps) : { ...rigsView(deps), notKept: '' }),
      watch: (changed) =>
        new Disposables(
          deps.miner?.events.on('statusChanged', changed),
          deps.rigs?.events.on('rigsChanged', changed),
          deps.served?.events.on('rigsChanged', changed),
        ),
    }),
  ]
  return { calls, topics }
}

function rigsView(deps: RigsPartDeps): RigsView {
  const { miner, rigSettings, clock } = deps
  const known = [...(miner === null ? [] : [localRig(miner)]), ...otherRigs(deps)]
  const names = new Set(known.map(({ name }) => name))
  const served = servedRigs(deps)
  const views = [...known, ...served.map((rig) => ({ ...rig, name: freeName(rig.name, names) }))]
  const totals = rigTotals(eachOnce(known, served).map(({ online, figures }) => (online ? figures : null)))
  return {
    mining: miner !== null,
    isEditable: rigSettings !== null,
    notKept: rigSettings?.notKept ?? '',
    rigs: views,
    totals,
    takenAt: clock.now(),
  }
}

/** Of a rig that isn't in the list of watched ones. */
const UNLISTED = { group: '', local: false, labels: {}, hasToken: false, isFixed: true, reading: 1, worker: null }

function localRig(miner: MinerService): RigView {
  const figures = rigFigures({ ...miner.summary(false) })
  const own = { name: hostname(), host: '', local: true, online: true, error: '', ageSeconds: 0, usualHashrate: null }
  return { ...UNLISTED, ...own, figures }
}

function otherRigs({ rigs, rigSettings }: RigsPartDeps): RigView[] {
  const watched = rigs?.watchedRigs() ?? []
  return watched.map(({ rig: { name, host, online, error, age, labels = {} }, reading, usualHashrate, figures }) => ({
    ...UNLISTED,
    name,
    host,
    group: labels.group ?? '',
    online,
    error,
    ageSeconds: age < 0 ? null : age,
    labels: { ...labels },
    hasToken: rigs?.hasToken(name) ?? false,
    isFixed: rigSettings?.isFixed(name) ?? true,
    reading,
    usualHashrate,
    figures,
  }))
}

/** Their names are their own: one that is taken already gets a mark. */
function servedRigs({ served }: RigsPartDeps): RigView[] {
  return (served?.workers() ?? []).map((worker) => {
    const { name, host, online, error, age, summary = {} } = servedRig(worker, null)
    const { software, dialect, connections, difficulty, reportedHashrate, blocks, lastSeenAt, lastShareAt } = worker
    return {
      ...UNLISTED,
      name,
      host,
      online,
      error,
      ageSeconds: age,
      usualHashrate: worker.care.usualHashrate,
      figures: rigFigures(summary),
      worker: {
        software,
        dialect,
        connections,
        difficulty,
        reportedHashrate,
        effectiveHashrate: worker.effectiveHashrate,
        stale: worker.shares.stale,
        blocks,
        lastSeenAt,
        lastShareAt,
      },
    }
  })
}

/** A served rig under the name of a watched one is the same: it counts by its own API, or by its shares if that is silent. */
function eachOnce(known: readonly RigView[], served: readonly RigView[]): readonly RigView[] {
  const byShares = new Map(served.map((rig) => [rig.name, rig]))
  const watched = new Set(known.flatMap(({ name, local }) => (local ? [] : [name])))
  const counted = known.map((rig) => (rig.online || rig.local ? rig : (byShares.get(rig.name) ?? rig)))
  return [...counted, ...served.filter(({ name }) => !watched.has(name))]
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`${name} (stratum)`, taken) : name
}
