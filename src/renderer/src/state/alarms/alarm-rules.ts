// What is wrong right now, by the alarm rules. Pure: alarms.ts decides how long it must last and when it is over.

import type { DeviceView, MinerStatusView, SharesView } from '../../../../contract/miner'
import type { RigView } from '../../../../contract/rigs'
import { hottestOfRig } from '../stores/fleet-store'
import { type AlarmSettings, deviceKey, type Place, places, selectLevels } from './alarm-settings'

type AlarmKind =
  | 'device'
  | 'hot'
  | 'fan'
  | 'power'
  | 'slow'
  | 'rejected'
  | 'failed'
  | 'poolLost'
  | 'rigOffline'
  | 'rigSlow'
  | 'rigHot'

export interface Condition {
  /** Stays the same while the problem lasts. */
  readonly id: string
  readonly kind: AlarmKind
  readonly level: 'attention' | 'problem'
  /** Where it can be fixed. */
  readonly route: string
  /** For the sentence `ui.alarm.<kind>`. */
  readonly values: Readonly<Record<string, string | number>>
  /** How long it has to last before it is an alarm. */
  readonly holdSeconds: number
}

export interface AlarmInput {
  readonly devices: readonly DeviceView[]
  readonly status: MinerStatusView | null
  readonly rigs: readonly RigView[]
  /** A device's median hashrate over a day; null while too little is known. */
  readonly medianOf: (device: number) => number | null
  /** Shares of the last ten minutes; null while unknown. */
  readonly recentShares: (device: number) => SharesView | null
  /** Whether an alarm is active: it then ends a little below where it began. */
  readonly isActive: (id: string) => boolean
}

/** A heat alarm ends this many degrees below its threshold. */
const HYSTERESIS_CELSIUS = 3
const LONG_SECONDS = 300
const REJECTED_RATIO = 0.02
/** With fewer shares, a single rejected one means nothing. */
const MIN_SHARES = 20
const FAILED_SHARES = 3

/** In the order of the rules, problems and attentions mixed. */
export function alarmConditions(input: AlarmInput, settings: AlarmSettings): readonly Condition[] {
  return [
    ...input.devices.flatMap((device) => deviceConditions(device, input, settings)),
    ...poolConditions(input, settings),
    ...input.rigs.filter((rig) => !rig.local).flatMap((rig) => rigConditions(rig, input, settings)),
  ]
}

function deviceConditions(device: DeviceView, input: AlarmInput, settings: AlarmSettings): readonly Condition[] {
  const { index } = device
  const make = (
    kind: AlarmKind,
    level: Condition['level'],
    values: Condition['values'],
    holdSeconds = 0,
  ): Condition => ({
    id: `${kind} ${index}${values.place === undefined ? '' : ` ${values.place}`}`,
    kind,
    level,
    route: `/gpus/${index}`,
    values: { index, ...values },
    holdSeconds,
  })
  const found: Condition[] = []
  if (device.state === 'error') found.push(make('device', 'problem', { reason: device.error }))
  for (const place of places) {
    const hot = heatOf(device, place, input, settings)
    if (hot !== null) found.push(make('hot', hot.level, { place, celsius: hot.celsius, limit: hot.limit }))
  }
  const { fanPercent, powerWatts, powerLimitWatts, hashrate } = device
  const { fan, power } = selectLevels(deviceKey(device))(settings)
  if (fanPercent !== null && fanPercent >= fan)
    found.push(make('fan', 'attention', { percent: fanPercent }, LONG_SECONDS))
  if (powerWatts !== null && powerLimitWatts !== null && powerWatts >= (power / 100) * powerLimitWatts)
    found.push(make('power', 'attention', { watts: powerWatts, limit: powerLimitWatts }, LONG_SECONDS))
  const median = input.medianOf(index)
  const least = median === null ? 0 : (median * settings.rules.ratePercent) / 100
  if (device.state === 'mining' && hashrate.s60 !== null && median !== null && hashrate.s60 < least)
    found.push(make('slow', 'attention', { percent: Math.round((100 * hashrate.s60) / median) }, LONG_SECONDS))
  return [...found, ...shareConditions(input.recentShares(index), make)]
}

type Make = (kind: AlarmKind, level: Condition['level'], values: Condition['values']) => Condition

function shareConditions(shares: SharesView | null, make: Make): readonly Condition[] {
  if (shares === null) return []
  const found: Condition[] = []
  const total = shares.accepted + shares.rejected
  if (total >= MIN_SHARES && shares.rejected > REJECTED_RATIO * total)
    found.push(make('rejected', 'attention', { percent: Math.round((100 * shares.rejected) / total) }))
  if (shares.failed >= FAILED_SHARES) found.push(make('failed', 'problem', { count: shares.failed }))
  return found
}

/** The more severe of the two levels reached; an active alarm uses its lower end. */
function heatOf(device: DeviceView, place: Place, { isActive }: AlarmInput, settings: AlarmSettings) {
  const celsius = device.temperature[place]
  if (celsius === null) return null
  const { warn, critical } = selectLevels(deviceKey(device))(settings)[place]
  const slack = isActive(`hot ${device.index} ${place}`) ? HYSTERESIS_CELSIUS : 0
  if (celsius >= critical) return { level: 'problem', celsius, limit: critical } as const
  return celsius > warn - slack || celsius >= warn ? ({ level: 'attention', celsius, limit: warn } as const) : null
}

function poolConditions({ status }: AlarmInput, { rules }: AlarmSettings): readonly Condition[] {
  if (status === null || status.state !== 'running' || status.source.kind !== 'pool' || status.source.connected)
    return []
  const values = { host: status.source.host }
  return [
    {
      id: 'poolLost',
      kind: 'poolLost',
      level: 'problem',
      route: '/pools',
      values,
      holdSeconds: rules.poolLostSeconds,
    },
  ]
}

function rigConditions(rig: RigView, input: AlarmInput, { rules }: AlarmSettings): readonly Condition[] {
  const { name } = rig
  const base = { route: `/rigs/${encodeURIComponent(name)}`, holdSeconds: 0 }
  if (!rig.online) {
    const age = rig.ageSeconds
    if (age !== null && age <= rules.rigOfflineSeconds) return []
    // A rig that was never reached has no age, so its silence is counted here.
    const holdSeconds = age === null ? rules.rigOfflineSeconds : 0
    const values = { name, reason: rig.error }
    return [{ ...base, id: `rigOffline ${name}`, kind: 'rigOffline', level: 'problem', values, holdSeconds }]
  }
  const found: Condition[] = []
  const hottest = hottestOfRig(rig)
  const id = `rigHot ${name}`
  const limit = rules.rigCelsius - (input.isActive(id) ? HYSTERESIS_CELSIUS : 0)
  if (hottest !== null && hottest >= limit)
    found.push({ ...base, id, kind: 'rigHot', level: 'problem', values: { name, celsius: hottest } })
  const median = rig.usualHashrate
  const rate = rig.figures?.hashrate.s60 ?? null
  if (median !== null && rate !== null && rate < (median * rules.rigRatePercent) / 100) {
    const values = { name, percent: Math.round((100 * rate) / median) }
    found.push({
      ...base,
      id: `rigSlow ${name}`,
      kind: 'rigSlow',
      level: 'attention',
      values,
      holdSeconds: LONG_SECONDS,
    })
  }
  return found
}
