// The rigs as rows: filtered, grouped, sorted, with what each rig's figures say about it. Pure.

import type { RigGpuView, RigView } from '../../../../contract/rigs'
import type { rigColumns, rigGroupings, rigViews } from '../../state/preferences'
import { efficiencyOfRig, hasNumbers, hottestOfRig, known } from '../../state/stores/program-store'

/** Worst first. */
const rigStates = ['offline', 'stopped', 'troubled', 'unknown', 'slow', 'hot', 'paused', 'online'] as const
export type RigState = (typeof rigStates)[number]

/** Which rigs a view shows; `old`: with an older version than the newest among the rigs. */
export type RigFilter = (typeof rigViews)[number]
type RigGrouping = (typeof rigGroupings)[number]
export type RigColumn = (typeof rigColumns)[number]

export interface RigQuery {
  /** Words that must all occur in name, host, group, model, pool or version. */
  readonly text: string
  readonly filter: RigFilter
  readonly grouping: RigGrouping
  readonly sort: RigColumn
  readonly isDescending: boolean
}

export const FIRST_QUERY: RigQuery = { text: '', filter: 'all', grouping: 'none', sort: 'name', isDescending: false }

/** Share of the usual hashrate below which a rig counts as slow, and below which it is a fault. */
export const SLOW_SHARE = 0.92
export const FAULTY_SHARE = 0.7
/** A rig that just started isn't slow, and its GPUs haven't stopped. */
const WARM_UP_SECONDS = 120
/** Percent of its shares from which on a rig works for nothing, and how many it takes to tell. */
const MANY_REJECTED = 50
const MIN_SHARES = 20

export type Heat = 'warn' | 'danger' | null

/** One rig with the figures that its row shows; null = unknown. Those of an offline rig are its last ones. */
export interface RigFacts {
  readonly rig: RigView
  readonly state: RigState
  readonly heat: Heat
  readonly isHot: boolean
  readonly isSlow: boolean
  readonly isOld: boolean
  readonly group: string
  readonly model: string
  readonly pool: string
  readonly version: string
  /** H/s over 60 s. */
  readonly rate: number | null
  /** Of its usual hashrate, 1 = all; null while not online, or the usual one isn't known. */
  readonly usual: number | null
  readonly power: number | null
  readonly efficiency: number | null
  /** Degrees Celsius. */
  readonly hottest: number | null
  readonly gpus: number
  /** GPUs that mine now; 0 while offline. */
  readonly mining: number
  /** GPUs of an online rig that mine nothing without being paused. */
  readonly stopped: number
  /** What is wrong between an online rig and its pool, though its GPUs compute; the pool's warning is the rig's own text. */
  readonly trouble: 'warning' | 'disconnected' | 'rejected' | null
  /** Percent of its shares. */
  readonly rejected: number | null
  readonly uptime: number | null
}

export interface RigRowView {
  readonly kind: 'rig'
  readonly key: string
  readonly facts: RigFacts
}

export interface GroupRowView {
  readonly kind: 'group'
  readonly key: string
  readonly name: string
  readonly isOpen: boolean
  readonly sums: GroupSums
}

type Summed = 'usual' | 'power' | 'efficiency' | 'hottest' | 'heat' | 'gpus' | 'mining'

interface GroupSums extends Pick<RigFacts, Summed> {
  readonly rigs: readonly RigFacts[]
  readonly offline: number
  /** Online, but not as usual, nor all paused. */
  readonly troubled: number
  readonly rate: number
  readonly old: number
  /** The one model of all its GPUs; empty if they differ. */
  readonly model: string
}

const places = ['core', 'hotspot', 'memory'] as const
/** Celsius: the levels that alarms begin with. */
const USUAL_HEAT = {
  core: { warn: 75, critical: 85 },
  hotspot: { warn: 95, critical: 105 },
  memory: { warn: 95, critical: 105 },
}

/** Heat of one GPU, by the levels that alarms begin with. */
export function heatOf({ temperature }: Pick<RigGpuView, 'temperature'>): Heat {
  if (places.some((place) => temperature[place] >= USUAL_HEAT[place].critical)) return 'danger'
  return places.some((place) => temperature[place] >= USUAL_HEAT[place].warn) ? 'warn' : null
}

export function factsOf(rigs: readonly RigView[]): readonly RigFacts[] {
  const newest = newestVersion(rigs.flatMap(({ figures }) => (figures === null ? [] : [figures.version])))
  return rigs.map((rig) => rigFacts(rig, newest))
}

function rigFacts(rig: RigView, newest: string): RigFacts {
  const { figures, online, usualHashrate } = rig
  const gpus = figures?.gpus ?? []
  const isWarm = online && (figures?.uptimeSeconds ?? 0) >= WARM_UP_SECONDS
  const numbers = hasNumbers(figures) ? figures : null
  const rate = numbers?.hashrate.s60 ?? null
  const usual = isWarm && rate !== null && usualHashrate !== null && usualHashrate > 0 ? rate / usualHashrate : null
  const stopped = isWarm ? gpus.filter((gpu) => !gpu.paused && gpu.hashrate.s60 === 0).length : 0
  const heat = online ? worstHeat(gpus.map(heatOf)) : null
  const isAllPaused = gpus.length > 0 && gpus.every(({ paused }) => paused)
  const isSlow = !isAllPaused && usual !== null && usual < SLOW_SHARE
  const rejected = figures === null ? null : rejectedPercent(figures.shares)
  const trouble = online ? troubleOf(figures, rejected, isWarm && !isAllPaused) : null
  const version = figures?.version ?? ''
  const holds: Readonly<Record<RigState, boolean>> = {
    offline: !online,
    stopped: stopped > 0,
    troubled: trouble !== null,
    unknown: numbers === null,
    slow: isSlow,
    hot: heat !== null,
    paused: isAllPaused,
    online: true,
  }
  return {
    rig,
    state: rigStates.find((state) => holds[state]) ?? 'online',
    heat,
    isHot: heat !== null,
    isSlow: isSlow || stopped > 0,
    isOld: version !== '' && compareVersions(version, newest) < 0,
    group: rig.group,
    model: oneOf(gpus.map(({ name }) => name)),
    pool: figures?.pool.host ?? '',
    version,
    rate,
    usual,
    power: known(figures?.powerWatts ?? 0),
    efficiency: efficiencyOfRig(rig),
    hottest: hottestOfRig(rig),
    gpus: gpus.length,
    mining: online ? gpus.filter((gpu) => !gpu.paused && gpu.hashrate.s60 > 0).length : 0,
    stopped,
    trouble,
    rejected,
    uptime: numbers?.uptimeSeconds ?? null,
  }
}

/** @param isWorking it should have a pool by now */
function troubleOf(figures: RigView['figures'], rejected: number | null, isWorking: boolean): RigFacts['trouble'] {
  if (figures === null) return null
  const { pool, shares } = figures
  if (pool.warning !== '') return 'warning'
  // Without a pool's name, its API doesn't tell.
  if (isWorking && pool.host !== '' && !pool.connected) return 'disconnected'
  const isTelling = shares.accepted + shares.rejected >= MIN_SHARES
  return isTelling && rejected !== null && rejected >= MANY_REJECTED ? 'rejected' : null
}

function rejectedPercent({
  accepted,
  rejected,
}: {
  readonly accepted: number
  readonly rejected: number
}): number | null {
  return accepted + rejected === 0 ? null : (100 * rejected) / (accepted + rejected)
}

/** The one value that all have; empty if they differ, or there are none. */
function oneOf(values: readonly string[]): string {
  const [first = '', ...others] = new Set(values)
  return others.length === 0 ? first : ''
}

function worstHeat(heats: readonly Heat[]): Heat {
  return heats.includes('danger') ? 'danger' : heats.includes('warn') ? 'warn' : null
}

/** Negative if `one` is older; numbers are compared as numbers, and a release is newer than its pre-releases. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [numbersOf(one), numbersOf(other)]
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return Number(other.includes('-')) - Number(one.includes('-'))
}

function numbersOf(version: string): readonly number[] {
  return (version.replace(/^v/, '').split(/[-+]/)[0] ?? '').split('.').map((part) => Number.parseInt(part, 10) || 0)
}

function newestVersion(versions: readonly string[]): string {
  return versions.reduce((newest, version) => (compareVersions(version, newest) > 0 ? version : newest), '')
}

const tests: Readonly<Record<RigFilter, (facts: RigFacts) => boolean>> = {
  all: () => true,
  hot: ({ isHot }) => isHot,
  slow: ({ isSlow }) => isSlow,
  offline: ({ rig }) => !rig.online,
  old: ({ isOld }) => isOld,
}

export function countOf(all: readonly RigFacts[], filter: RigFilter): number {
  return all.filter(tests[filter]).length
}

export function matching(
  all: readonly RigFacts[],
  { text, filter }: Pick<RigQuery, 'text' | 'filter'>,
): readonly RigFacts[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return all.filter((facts) => {
    if (!tests[filter](facts)) return false
    const { rig, group, model, pool, version } = facts
    const haystack = `${rig.name} ${rig.host} ${group} ${model} ${pool} ${version}`.toLowerCase()
    return words.every((word) => haystack.includes(word))
  })
}

/** @param open names of the groups whose rigs are shown */
export function rigRows(
  all: readonly RigFacts[],
  query: RigQuery,
  open: ReadonlySet<string>,
): readonly (RigRowView | GroupRowView)[] {
  const found = matching(all, query)
  if (query.grouping === 'none') return sorted(found, query).map(rigRow)
  const groups = groupsOf(found, query.grouping)
  return sortedGroups(groups, query).flatMap(({ name, sums }): readonly (RigRowView | GroupRowView)[] => {
    const isOpen = open.has(name)
    const head: GroupRowView = { kind: 'group', key: `group ${name}`, name, isOpen, sums }
    return isOpen ? [head, ...sorted(sums.rigs, query).map(rigRow)] : [head]
  })
}

function rigRow(facts: RigFacts): RigRowView {
  return { kind: 'rig', key: `rig ${facts.rig.name}`, facts }
}

interface Group {
  readonly name: string
  readonly sums: GroupSums
}

/** In the order of their first rigs; rigs without the label form a group with an empty name. */
export function groupsOf(rigs: readonly RigFacts[], grouping: Exclude<RigGrouping, 'none'>): readonly Group[] {
  const groups = new Map<string, RigFacts[]>()
  for (const facts of rigs) {
    const name = facts[grouping]
    const members = groups.get(name)
    if (members === undefined) groups.set(name, [facts])
    else members.push(facts)
  }
  return [...groups].map(([name, members]) => ({ name, sums: sumsOf(members) }))
}

/** Sums count online rigs only. */
function sumsOf(rigs: readonly RigFacts[]): GroupSums {
  const online = rigs.filter(({ rig }) => rig.online)
  const sum = (read: (facts: RigFacts) => number): number => online.reduce((total, facts) => total + read(facts), 0)
  const rate = sum(({ rate: one }) => one ?? 0)
  const power = sum(({ power: one }) => one ?? 0)
  const known = rigs.filter(({ rig }) => rig.usualHashrate !== null && rig.usualHashrate > 0)
  const usualRate = known.reduce((total, { rig }) => total + (rig.usualHashrate ?? 0), 0)
  const knownRate = known.reduce((total, facts) => total + (facts.rig.online ? (facts.rate ?? 0) : 0), 0)
  const metered = online.filter((facts) => facts.power !== null && facts.efficiency !== null)
  const meteredPower = metered.reduce((total, facts) => total + (facts.power ?? 0), 0)
  const hot = online.flatMap(({ hottest }) => (hottest === null ? [] : [hottest]))
  return {
    rigs,
    offline: rigs.length - online.length,
    troubled: online.filter(({ state }) => state !== 'online' && state !== 'paused').length,
    rate,
    usual: usualRate > 0 ? knownRate / usualRate : null,
    power: power > 0 ? power : null,
    efficiency:
      meteredPower > 0
        ? metered.reduce((total, facts) => total + (facts.efficiency ?? 0) * (facts.power ?? 0), 0) / meteredPower
        : null,
    hottest: hot.length === 0 ? null : Math.max(...hot),
    heat: worstHeat(online.map(({ heat }) => heat)),
    gpus: rigs.reduce((total, { gpus }) => total + gpus, 0),
    mining: sum(({ mining }) => mining),
    old: rigs.filter(({ isOld }) => isOld).length,
    model: oneOf(rigs.map(({ model }) => model)),
  }
}

type Sortable = number | string | null

const keys: Readonly<Record<RigColumn, (facts: RigFacts) => Sortable>> = {
  name: ({ rig }) => rig.name,
  // The first column is worst first as it is: 0 is the worst.
  state: ({ state }) => rigStates.indexOf(state),
  rate: ({ rate }) => rate,
  usual: ({ usual }) => usual,
  power: ({ power }) => power,
  efficiency: ({ efficiency }) => efficiency,
  hottest: ({ hottest }) => hottest,
  gpus: ({ mining }) => mining,
  rejected: ({ rejected }) => rejected,
  pool: ({ pool }) => pool,
  uptime: ({ uptime }) => uptime,
  version: ({ version }) => version,
}

const groupKeys: Readonly<Record<RigColumn, (group: Group) => Sortable>> = {
  name: ({ name }) => name,
  state: ({ sums }) => Math.min(...sums.rigs.map(({ state }) => rigStates.indexOf(state))),
  rate: ({ sums }) => sums.rate,
  usual: ({ sums }) => sums.usual,
  power: ({ sums }) => sums.power,
  efficiency: ({ sums }) => sums.efficiency,
  hottest: ({ sums }) => sums.hottest,
  gpus: ({ sums }) => sums.mining,
  rejected: ({ name }) => name,
  pool: ({ name }) => name,
  uptime: ({ name }) => name,
  version: ({ sums }) => sums.old,
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Unknown last in either direction; equal ones by name. */
function compared(one: Sortable, other: Sortable, isDescending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  const order =
    typeof one === 'string' || typeof other === 'string' ? collator.compare(String(one), String(other)) : one - other
  return isDescending ? -order : order
}

function sorted(rigs: readonly RigFacts[], { sort, isDescending }: RigQuery): readonly RigFacts[] {
  const read = keys[sort]
  return [...rigs].sort(
    (one, other) => compared(read(one), read(other), isDescending) || collator.compare(one.rig.name, other.rig.name),
  )
}

function sortedGroups(groups: readonly Group[], { sort, isDescending }: RigQuery): readonly Group[] {
  const read = groupKeys[sort]
  return [...groups].sort(
    (one, other) => compared(read(one), read(other), isDescending) || collator.compare(one.name, other.name),
  )
}

/** Worst first: by their states, each by how much it lacks. Only rigs that mine as usual are left out. */
export function worstFirst(all: readonly RigFacts[]): readonly RigFacts[] {
  const lack = ({ rig, usual, rate }: RigFacts): number =>
    rig.online ? (rig.usualHashrate ?? 0) * (1 - Math.min(1, usual ?? 1)) : (rig.usualHashrate ?? rate ?? 0)
  return all
    .filter(({ state }) => state !== 'online')
    .sort(
      (one, other) =>
        rigStates.indexOf(one.state) - rigStates.indexOf(other.state) ||
        lack(other) - lack(one) ||
        (other.hottest ?? 0) - (one.hottest ?? 0) ||
        collator.compare(one.rig.name, other.rig.name),
    )
}
