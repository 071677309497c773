// What is wrong right now, by the rules. Pure: the book decides how long it must last and when it is over.

import { MINUTE_MS } from '../../base/time'
import type { RigFigures } from '../monitor/rig-figures'
import type { WatchedRig } from '../monitor/rig-monitor'
import { type PoolTrouble, TROUBLE_WORDS } from '../pool-trouble'
import { lossReason } from '../stats/loss-cause'
import { IMPROBABLE_SHARES } from '../stats/proof'
import type { DeviceSnapshot, MinerSnapshot } from '../stats/snapshot'
import type { ServedRig } from '../stratum/workers'
import type { Condition, IncidentCause } from './incident'

const PLACES = ['core', 'hotspot', 'memory'] as const
type Place = (typeof PLACES)[number]

/** From which level on a place of a device reports: Celsius; fan, and power draw as a part of its limit, in percent. */
type DeviceLevels = Record<Place, { warn: number; critical: number }> & { fan: number; power: number }

/** Levels of devices and rigs nothing was set for. */
const USUAL_LEVELS: DeviceLevels = {
  core: { warn: 75, critical: 85 },
  hotspot: { warn: 95, critical: 105 },
  memory: { warn: 95, critical: 105 },
  fan: 95,
  power: 98,
}

/** The rules as set; the contract checks them. */
export interface IncidentRules {
  readonly levels: Record<string, DeviceLevels>
  readonly usualLevels: DeviceLevels
  readonly ratePercent: number
  readonly poolLostSeconds: number
  readonly rigOfflineSeconds: number
  readonly rigRatePercent: number
}

export const USUAL_RULES: IncidentRules = {
  levels: {},
  usualLevels: USUAL_LEVELS,
  ratePercent: 90,
  poolLostSeconds: 60,
  rigOfflineSeconds: 60,
  rigRatePercent: 80,
}

/** Shares of a device in the last ten minutes. */
export interface RecentShares {
  readonly accepted: number
  readonly rejected: number
  readonly failed: number
}

/** Another node, which ours is compared with block by block. */
export interface ComparedNode {
  readonly url: string
  /** why the latest blocks aren't compared; empty: they are */
  readonly reason: string
  /** the oldest difference that still stands; null: none */
  readonly first: { readonly height: number; readonly what: string } | null
}

interface RulesInput {
  readonly devices: readonly DeviceSnapshot[]
  /** null: this program doesn't mine */
  readonly status: MinerSnapshot | null
  readonly rigs: readonly WatchedRig[]
  readonly served: readonly ServedRig[]
  /** null: ours isn't compared */
  readonly beside: ComparedNode | null
  /** how old a rig's reading may be */
  readonly rigStaleSeconds: number
  readonly recentShares: (device: number) => RecentShares
  /** sensors that this device reported before and doesn't anymore */
  readonly lostSensors: (device: DeviceSnapshot) => readonly string[]
  /** why records aren't saved; empty: they are */
  readonly notSaved: string
  /** the incident that a condition is, as last seen; null: it is none */
  readonly open: (id: string) => Condition | null
}

/** A heat incident ends this many degrees below its level. */
const SLACK_CELSIUS = 3
const LONG_MS = 300_000
const REJECTED_PART = 0.02
/** With fewer shares, a single rejected one means nothing. */
const MIN_SHARES = 20
const FAILED_SHARES = 3
/** A rig's shares that come too late: at short block times a part of them always does. */
const STALE_PART = 0.2
/** So long a rig must have mined to be missed, or be silent where its rate isn't known. */
const SERVED_MINED_MS = 600_000
/** Devices are briefly without work at each new job. */
const NO_WORK_MS = 30_000
const SENSOR_MS = 120_000
/** Costs nothing yet. */
const MILD: ReadonlySet<PoolTrouble> = new Set<PoolTrouble>(['no-share-yet', 'share-flood', 'job-misfit'])

const NOWHERE = { devices: [], pool: '', rig: '', holdMs: 0, takes: [] } as const

/** What identifies a device in the rules, wherever it is in the list. */
function levelsKey({ pci, index, name }: Pick<DeviceSnapshot, 'pci' | 'index' | 'name'>): string {
  return pci === '' ? `${index} ${name}` : pci
}

function levelsOf(device: Pick<DeviceSnapshot, 'pci' | 'index' | 'name'>, rules: IncidentRules): DeviceLevels {
  const key = levelsKey(device)
  return (Object.hasOwn(rules.levels, key) ? rules.levels[key] : undefined) ?? rules.usualLevels
}

/** Whether a sensor is at its warning level. */
export function isHot(device: DeviceSnapshot, rules: IncidentRules): boolean {
  const levels = levelsOf(device, rules)
  return PLACES.some((place) => (device.temperature[place] ?? 0) >= levels[place].warn)
}

/** In the order in which they explain losses: devices, then their work, then what was planned. */
export function conditionsOf(input: RulesInput, rules: IncidentRules): readonly Condition[] {
  return [
    ...input.devices.flatMap((device) => deviceConditions(device, input, rules)),
    ...(input.status === null ? [] : workConditions(input, input.status, rules)),
    ...plannedConditions(input.devices),
    ...input.rigs.flatMap((rig) => rigConditions(rig, input, rules)),
    ...input.served.flatMap((rig) => servedConditions(rig, input, rules)),
    ...(input.beside === null ? [] : besideConditions(input.beside)),
    ...(input.notSaved === ''
      ? []
      : [programCondition('record-unsaved', { level: 'attention', values: { reason: input.notSaved } })]),
  ]
}

function programCondition(
  cause: IncidentCause,
  parts: Pick<Condition, 'level' | 'values'> & Partial<Condition>,
): Condition {
  return { ...NOWHERE, id: cause, cause, subject: 'program', ...parts }
}

/** A difference hides what is unknown: it is the graver one. */
function besideConditions({ url, reason, first }: ComparedNode): readonly Condition[] {
  if (first !== null) return [programCondition('beside-differs', { level: 'problem', values: { url, ...first } })]
  if (reason === '') return []
  return [programCondition('beside-unknown', { level: 'attention', values: { url, reason }, holdMs: LONG_MS })]
}

/** Open incidents that nothing tells about now: what they are about isn't measured, so they neither hold nor are over. */
export function unmeasuredIds(input: RulesInput): ReadonlySet<string> {
  const { devices, rigs, lostSensors, rigStaleSeconds, open } = input
  const ofDevices = devices.flatMap((device) =>
    lostSensors(device).map((sensor) => {
      const place = PLACES.find((each) => each === sensor)
      const cause = sensor === 'power' ? 'power-limit' : sensor
      return place === undefined ? `${cause} ${device.index}` : `hot ${device.index} ${place}`
    }),
  )
  const ofRigs = rigs.flatMap(({ rig: { name, online, age }, figures }) => {
    if (figures === null) return []
    if (!online || age > rigStaleSeconds)
      return ['hot', 'slow', 'pool', ...(minesHere(name, input) ? [] : ['rejected'])].map(
        (what) => `rig-${what} ${name}`,
      )
    const { gpu, place } = open(`rig-hot ${name}`)?.values ?? {}
    const was = PLACES.find((each) => each === place)
    const now = was === undefined ? undefined : figures.gpus[Number(gpu)]?.temperature[was]
    return now === 0 ? [`rig-hot ${name}`] : []
  })
  return new Set([...ofDevices, ...ofRigs])
}

type Make = (cause: IncidentCause, parts: Partial<Condition> & Pick<Condition, 'level'>) => Condition

function deviceConditions(device: DeviceSnapshot, input: RulesInput, rules: IncidentRules): readonly Condition[] {
  const { index, backend, error, pauseReasons } = device
  const make: Make = (cause, { values, ...parts }) => ({
    ...NOWHERE,
    id: `${cause} ${index}${values?.place === undefined ? '' : ` ${values.place}`}`,
    cause,
    devices: [index],
    subject: `device ${index} ${device.name}`,
    values: { index, backend, ...values },
    ...parts,
  })
  const found: Condition[] = []
  const { cause } = lossReason(device, { isHot: false, pool: '' })
  if (cause === 'error') {
    const reason = error === '' ? pauseReasons.join('; ') : error
    found.push(make('device-error', { level: 'problem', values: { reason }, takes: ['error'] }))
  }
  if (cause === 'silent') found.push(make('device-silent', { level: 'problem', takes: ['silent'] }))
  found.push(...heatConditions(device, input, { rules, make }))
  const lost = input.lostSensors(device)
  if (lost.length > 0)
    found.push(make('sensor-lost', { level: 'attention', values: { sensors: lost.join(', ') }, holdMs: SENSOR_MS }))
  const limit = device.temperatureLimits?.stop
  if (limit !== undefined && PLACES.every((place) => device.temperature[place] === null))
    found.push(make('heat-unseen', { level: 'attention', values: { limit }, holdMs: SENSOR_MS }))
  return [...found, ...loadConditions(device, { rules, make }), ...shareConditions(device, input, make)]
}

function heatConditions(
  device: DeviceSnapshot,
  { open }: RulesInput,
  { rules, make }: { readonly rules: IncidentRules; readonly make: Make },
): Condition[] {
  const levels = levelsOf(device, rules)
  const { index, temperature, temperatureLimits, pauseReasons } = device
  const hot = PLACES.flatMap((place) => {
    const now = temperature[place]
    if (now === null) return []
    const level = heatLevel(now, levels[place], open(`hot ${index} ${place}`) !== null)
    if (level === null) return []
    const limit = level === 'problem' ? levels[place].critical : levels[place].warn
    const paused = pauseReasons.includes('Overheating') ? 1 : 0
    return [make('hot', { level, values: { place, celsius: now, limit, paused }, takes: ['heat'] })]
  })
  if (hot.length > 0 || !pauseReasons.includes('Overheating')) return hot
  // It cools down, and still costs.
  const limit = temperatureLimits?.stop ?? levels.core.critical
  const values = { place: 'core' satisfies Place, celsius: temperature.core ?? limit, limit, paused: 1 }
  return [make('hot', { level: 'problem', values, takes: ['heat'] })]
}

function heatLevel(now: number, { warn, critical }: DeviceLevels['core'], isOpen: boolean): Condition['level'] | null {
  if (now >= critical) return 'problem'
  return now >= warn || (isOpen && now > warn - SLACK_CELSIUS) ? 'attention' : null
}

function loadConditions(
  device: DeviceSnapshot,
  { rules, make }: { readonly rules: IncidentRules; readonly make: Make },
): Condition[] {
  const { fanPercent, powerWatts, powerLimitWatts, hashrate, usualHashrate, state } = device
  const levels = levelsOf(device, rules)
  const found: Condition[] = []
  if (fanPercent !== null && fanPercent >= levels.fan)
    found.push(make('fan', { level: 'attention', values: { percent: fanPercent }, holdMs: LONG_MS }))
  if (powerWatts !== null && powerLimitWatts !== null && powerWatts >= (levels.power / 100) * powerLimitWatts) {
    const values = { watts: Math.round(powerWatts), limit: powerLimitWatts }
    found.push(make('power-limit', { level: 'attention', values, holdMs: LONG_MS }))
  }
  if (state !== 'mining' || usualHashrate === null) return found
  if (hashrate.s60 >= (usualHashrate * rules.ratePercent) / 100) return found
  const values = { percent: Math.round((100 * hashrate.s60) / usualHashrate) }
  return [...found, make('slow', { level: 'attention', values, holdMs: LONG_MS, takes: ['slow'] })]
}

function shareConditions({ index }: DeviceSnapshot, { recentShares, status }: RulesInput, make: Make): Condition[] {
  const { accepted, rejected, failed } = recentShares(index)
  const found: Condition[] = []
  const total = accepted + rejected
  // A pool that rejects every device's shares is one incident, its own.
  if (total >= MIN_SHARES && rejected > REJECTED_PART * total && (status?.source.diagnosis ?? null) === null) {
    const values = { percent: Math.round((100 * rejected) / total) }
    found.push(make('rejected-shares', { level: 'attention', values, takes: ['rejected', 'stale', 'unanswered'] }))
  }
  if (failed >= FAILED_SHARES)
    found.push(make('wrong-results', { level: 'problem', values: { count: failed }, takes: ['wrong-results'] }))
  return found
}

function workConditions({ devices }: RulesInput, status: MinerSnapshot, rules: IncidentRules): readonly Condition[] {
  const { source, expectedSinceProof, state } = status
  const { kind, connected, host } = source
  if (state !== 'running' || kind === 'none') return []
  const pool = kind === 'pool' ? host : ''
  const all = devices.map(({ index }) => index)
  const subject = pool === '' ? 'node' : `pool ${pool}`
  const base = { ...NOWHERE, pool, subject, devices: all }
  if (kind === 'pool' && !connected) {
    const { trouble = '', answer = '' } = source.diagnosis ?? {}
    const values = { host, trouble, answer }
    const hold = { holdMs: rules.poolLostSeconds * 1_000, takes: ['no-work'] as const }
    return [{ ...base, id: `pool-lost ${host}`, cause: 'pool-lost', level: 'problem', values, ...hold }]
  }
  const found: Condition[] = kind === 'pool' ? troubleConditions(base, source) : []
  const idle = devices.filter((device) => device.state === 'waiting' && !device.paused).map(({ index }) => index)
  if (idle.length > 0) {
    const hold = { holdMs: NO_WORK_MS, takes: ['no-work'] as const }
    const values = { source: pool }
    found.push({ ...base, id: 'no-work', cause: 'no-work', level: 'problem', devices: idle, values, ...hold })
  }
  if (kind === 'solo' && expectedSinceProof >= IMPROBABLE_SHARES) {
    const values = { shares: Math.round(expectedSinceProof) }
    found.push({ ...base, id: 'no-share', cause: 'no-share', level: 'attention', values, holdMs: MINUTE_MS })
  }
  return found
}

/** What the doctor found, or else what the pool's jobs give reason to warn of. */
function troubleConditions(
  base: Omit<Condition, 'id' | 'cause' | 'level' | 'values'>,
  { host, diagnosis, warning }: MinerSnapshot['source'],
): Condition[] {
  const make = (condition: Pick<Condition, 'level' | 'takes' | 'values'>): Condition[] => [
    { ...base, id: `pool-trouble ${host} ${condition.values.trouble}`, cause: 'pool-trouble', ...condition },
  ]
  // A warning is about what the pool says or keeps to itself: no hash of a device is lost to that.
  const values = { host, trouble: '', text: warning }
  if (diagnosis === null) return warning === '' ? [] : make({ level: 'attention', takes: [], values })
  const { trouble, answer, count } = diagnosis
  const { text } = TROUBLE_WORDS[trouble]
  return make({
    level: MILD.has(trouble) ? 'attention' : 'problem',
    takes: ['rejected', 'stale', 'unanswered', 'no-work'],
    values: { host, trouble, text, answer, count },
  })
}

/** One for all devices with the same reason. */
function plannedConditions(devices: readonly DeviceSnapshot[]): readonly Condition[] {
  const found = new Map<string, Condition>()
  for (const device of devices) {
    const { cause, reason } = lossReason(device, { isHot: false, pool: '' })
    if (cause !== 'paused' && cause !== 'building') continue
    const id = `${cause} ${reason}`.trim()
    const before = found.get(id)?.devices ?? []
    const takes = cause === 'building' ? (['building', 'starting'] as const) : (['paused'] as const)
    const devicesOf = [...before, device.index]
    const values = cause === 'paused' ? { reason } : {}
    found.set(id, { ...NOWHERE, id, cause, level: 'note', devices: devicesOf, subject: 'program', values, takes })
  }
  return [...found.values()]
}

function rigConditions(watched: WatchedRig, input: RulesInput, rules: IncidentRules): readonly Condition[] {
  const { rig, figures } = watched
  const { name, age } = rig
  const base = { ...NOWHERE, rig: name, subject: `rig ${name}` }
  if (!rig.online) {
    // A rig that was never reached has no age, so its silence is counted here.
    const holdMs = age < 0 ? rules.rigOfflineSeconds * 1_000 : 0
    if (age >= 0 && age <= rules.rigOfflineSeconds) return []
    const values = { name, reason: rig.error }
    return [
      {
        ...base,
        id: `rig-offline ${name}`,
        cause: 'rig-offline',
        level: 'problem',
        holdMs,
        values,
        lostRate: watched.usualHashrate,
      },
    ]
  }
  if (age > input.rigStaleSeconds)
    return [{ ...base, id: `rig-stale ${name}`, cause: 'rig-stale', level: 'problem', values: { name, seconds: age } }]
  return figures === null ? [] : readingConditions(base, { ...watched, name, figures, input, rules })
}

/** Its shares come to our own port, which knows more of them than its API. */
const minesHere = (name: string, { served }: RulesInput): boolean =>
  served.some((rig) => rig.name === name && rig.connections > 0)

function readingConditions(
  base: Omit<Condition, 'id' | 'cause' | 'level' | 'values'>,
  reading: {
    readonly name: string
    readonly figures: RigFigures
    readonly usualHashrate: number | null
    readonly recent: WatchedRig['recent']
    readonly input: RulesInput
    readonly rules: IncidentRules
  },
): Condition[] {
  const { name, figures, usualHashrate, recent, input, rules } = reading
  const found: Condition[] = []
  const hot = hottest(figures, rules.usualLevels, input.open(`rig-hot ${name}`) !== null)
  if (hot !== null)
    found.push({ ...base, id: `rig-hot ${name}`, cause: 'rig-hot', level: hot.level, values: { name, ...hot.values } })
  const rate = figures.hashrate.s60
  if (usualHashrate !== null && rate < (usualHashrate * rules.rigRatePercent) / 100) {
    const values = { name, percent: Math.round((100 * rate) / usualHashrate) }
    const lostRate = usualHashrate - rate
    found.push({
      ...base,
      id: `rig-slow ${name}`,
      cause: 'rig-slow',
      level: 'attention',
      values,
      holdMs: LONG_MS,
      lostRate,
    })
  }
  if (figures.pool.warning !== '') {
    const values = { name, warning: figures.pool.warning.slice(0, 300) }
    found.push({ ...base, id: `rig-pool ${name}`, cause: 'rig-pool', level: 'attention', values, holdMs: MINUTE_MS })
  }
  const total = recent.accepted + recent.rejected
  const isRejected = total >= MIN_SHARES && recent.rejected > STALE_PART * total
  if (isRejected && !minesHere(name, input)) found.push(rejectedCondition(base, recent.rejected, total))
  return found
}

/** @param base names the rig @param lost of its `total` shares */
function rejectedCondition(
  base: Omit<Condition, 'id' | 'cause' | 'level' | 'values'>,
  lost: number,
  total: number,
): Condition {
  const values = { name: base.rig, percent: Math.round((100 * lost) / total) }
  return { ...base, id: `rig-rejected ${base.rig}`, cause: 'rig-rejected', level: 'attention', values }
}

/** What identifies a served rig in the rules. */
export function servedSubject({ name }: Pick<ServedRig, 'name'>): string {
  return `served rig ${name}`
}

/** A rig whose own API is watched, too, is judged by that, except for its shares. */
function servedConditions(rig: ServedRig, input: RulesInput, rules: IncidentRules): readonly Condition[] {
  const { name, connections, since, care } = rig
  const { usualHashrate, mostHashrate, silentMs, dueShares, minedMs, recent } = care
  const isWatched = input.rigs.some(({ rig: { name: watched } }) => watched === name)
  const base = { ...NOWHERE, rig: name, subject: servedSubject(rig) }
  if (connections === 0) {
    // Who only looked in isn't missed.
    const isMissed = minedMs >= SERVED_MINED_MS && since.lastSeen > rules.rigOfflineSeconds * 1_000
    if (!isMissed || isWatched) return []
    const values = { name, reason: 'disconnected' }
    return [
      {
        ...base,
        id: `rig-offline served ${name}`,
        cause: 'rig-offline',
        level: 'problem',
        values,
        lostRate: usualHashrate,
      },
    ]
  }
  const isImprobable = dueShares === null ? silentMs >= SERVED_MINED_MS : dueShares >= IMPROBABLE_SHARES
  if (silentMs >= LONG_MS && isImprobable) {
    const values = { name, minutes: Math.floor(silentMs / MINUTE_MS) }
    return [
      { ...base, id: `rig-silent ${name}`, cause: 'rig-silent', level: 'problem', values, lostRate: usualHashrate },
    ]
  }
  const found: Condition[] = []
  const { accepted, refused, stale } = recent
  const total = accepted + refused + stale
  if (total >= MIN_SHARES && (refused > REJECTED_PART * total || stale > STALE_PART * total))
    found.push(rejectedCondition(base, refused + stale, total))
  const isSlow =
    usualHashrate !== null && mostHashrate !== null && mostHashrate < (usualHashrate * rules.rigRatePercent) / 100
  if (isSlow && !isWatched) {
    const values = { name, percent: Math.round((100 * mostHashrate) / usualHashrate) }
    const loss = { holdMs: LONG_MS, lostRate: usualHashrate - mostHashrate }
    found.push({ ...base, id: `rig-slow served ${name}`, cause: 'rig-slow', level: 'attention', values, ...loss })
  }
  return found
}

/** The worst reading of any GPU, by the same levels as our own devices; a rig's public API reports 0 for unknown. */
function hottest(figures: RigFigures, levels: DeviceLevels, isOpen: boolean) {
  const hot = figures.gpus.flatMap(({ temperature }, gpu) =>
    PLACES.flatMap((place) => {
      const now = temperature[place]
      const level = now > 0 ? heatLevel(now, levels[place], isOpen) : null
      return level === null ? [] : [{ level, values: { celsius: now, place, gpu } }]
    }),
  )
  return hot.find(({ level }) => level === 'problem') ?? hot[0] ?? null
}
