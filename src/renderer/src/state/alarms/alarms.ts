// Alarms: problems that lasted long enough, until they have been gone for a minute. An acknowledged alarm stays in the
// list until it is over, but isn't announced again.
import { createStore } from 'zustand/vanilla'
import type { Disposable } from '../../../../base/disposable'
import { Disposables } from '../../../../base/lifecycle'
import type { Clock } from '../../../../base/time'
import { HIDDEN_PERIOD_MS } from '../../../../contract/sight'
import { isInSight, onSightChange } from '../in-sight'
import type { Queries } from '../queries'
import type { createFleetStore } from '../stores/fleet-store'
import type { createMinerStore } from '../stores/miner-store'
import { AlarmMemory } from './alarm-memory'
import { type AlarmInput, alarmConditions, type Condition } from './alarm-rules'
import type { AlarmSettingsStore } from './alarm-settings'

const LOOK_MS = 1000
/** While nobody sees the page: readings arrive no faster then. */
const HIDDEN_LOOK_MS = HIDDEN_PERIOD_MS
const CLEAR_MS = 60_000
const MEDIAN_MS = 600_000
/** Past alarms that stay listed. */
const MAX_PAST = 20

export interface Alarm extends Omit<Condition, 'holdSeconds'> {
  /** UTC ms. */
  readonly raisedAt: number
  readonly isAcknowledged: boolean
}

export interface PastAlarm extends Alarm {
  readonly endedAt: number
}

export interface AlarmsState {
  /** Problems first, each group newest first. */
  readonly active: readonly Alarm[]
  /** Newest first. */
  readonly past: readonly PastAlarm[]
}

interface AlarmsDeps {
  readonly clock: Clock
  readonly settings: AlarmSettingsStore
  readonly miner: ReturnType<typeof createMinerStore>
  readonly fleet: ReturnType<typeof createFleetStore>
  readonly queries: Pick<Queries, 'history'>
}

/** Watches nothing before `watch`. */
export function createAlarms(deps: AlarmsDeps) {
  const { clock, settings } = deps
  const store = createStore<AlarmsState>(() => ({ active: [], past: [] }))
  const memory = new AlarmMemory()
  const seen = new Map<string, Seen>()

  const look = (): void => {
    const now = clock.now()
    const found = alarmConditions(
      inputOf(deps, memory, now, (id) => seen.get(id)?.raisedAt != null),
      settings.getState(),
    )
    const before = store.getState()
    const past = follow(seen, found, now)
    const acknowledged = new Set(settings.getState().acknowledged)
    const active = listed(seen, acknowledged)
    if (!isSame(before.active, active) || past.length > 0)
      store.setState({ active, past: [...past, ...before.past].slice(0, MAX_PAST) })
    forget(settings, past)
  }

  const acknowledge = (ids: readonly string[]): void => {
    settings.setState(({ acknowledged }) => ({ acknowledged: [...new Set([...acknowledged, ...ids])] }))
    look()
  }

  const watch = (): Disposable => {
    const all = new Disposables()
    const state = { timer: null as Disposable | null }
    const pace = (): void => {
      state.timer?.dispose()
      state.timer = clock.setInterval(look, isInSight() ? LOOK_MS : HIDDEN_LOOK_MS)
    }
    pace()
    all.defer(onSightChange(pace))
    all.defer(() => state.timer?.dispose())
    all.add(clock.setInterval(() => void askMedians(deps, memory), MEDIAN_MS))
    return all
  }

  return { store, settings, acknowledge, watch, look, askMedians: () => askMedians(deps, memory) }
}

interface Seen {
  condition: Condition
  readonly since: number
  raisedAt: number | null
  /** When the condition last held. */
  lastAt: number
}

function inputOf(
  { miner, fleet }: AlarmsDeps,
  memory: AlarmMemory,
  now: number,
  isActive: AlarmInput['isActive'],
): AlarmInput {
  const devices = miner.getState().devices?.devices ?? []
  const rigs = fleet.getState().rigs?.rigs ?? []
  memory.addDevices(devices, now)
  return {
    devices,
    rigs,
    status: miner.getState().status,
    medianOf: (device) => memory.median(device),
    recentShares: (index) => {
      const device = devices.find((one) => one.index === index)
      return device === undefined ? null : memory.recentShares(device)
    },
    isActive,
  }
}

/** Takes the current conditions; returns the alarms that just ended. */
function follow(seen: Map<string, Seen>, found: readonly Condition[], now: number): readonly PastAlarm[] {
  for (const condition of found) {
    const known = seen.get(condition.id) ?? { condition, since: now, raisedAt: null, lastAt: now }
    known.condition = condition
    known.lastAt = now
    if (known.raisedAt === null && now - known.since >= condition.holdSeconds * 1000) known.raisedAt = now
    seen.set(condition.id, known)
  }
  const isTrue = new Set(found.map(({ id }) => id))
  const ended: PastAlarm[] = []
  for (const [id, { condition, raisedAt, lastAt }] of seen) {
    if (isTrue.has(id) || (raisedAt !== null && now - lastAt < CLEAR_MS)) continue
    seen.delete(id)
    if (raisedAt !== null) ended.push({ ...shown(condition), raisedAt, endedAt: lastAt, isAcknowledged: true })
  }
  return ended
}

function shown({ id, kind, level, route, values }: Condition): Omit<Condition, 'holdSeconds'> {
  return { id, kind, level, route, values }
}

function listed(seen: ReadonlyMap<string, Seen>, acknowledged: ReadonlySet<string>): readonly Alarm[] {
  const all = [...seen.values()].flatMap(({ condition, raisedAt }) =>
    raisedAt === null ? [] : [{ ...shown(condition), raisedAt, isAcknowledged: acknowledged.has(condition.id) }],
  )
  const order = { problem: 0, attention: 1 } as const
  return all.sort((a, b) => order[a.level] - order[b.level] || b.raisedAt - a.raisedAt)
}

/** An alarm that is over may be announced again next time. */
function forget(settings: AlarmSettingsStore, past: readonly PastAlarm[]): void {
  const { acknowledged } = settings.getState()
  const left = acknowledged.filter((id) => !past.some((alarm) => alarm.id === id))
  if (left.length !== acknowledged.length) settings.setState({ acknowledged: left })
}

function isSame(before: readonly Alarm[], after: readonly Alarm[]): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}

/** The usual hashrate of each device, from its history of a day. */
async function askMedians({ miner, queries }: AlarmsDeps, memory: AlarmMemory): Promise<void> {
  for (const { index } of miner.getState().devices?.devices ?? []) {
    try {
      memory.setHistory(index, (await queries.history(index, 'hashrate', '24h')).values)
    } catch {
      // Without history there is no usual rate; the next round tries again.
    }
  }
}

export const selectUnseen = ({ active }: AlarmsState): readonly Alarm[] =>
  active.filter(({ isAcknowledged }) => !isAcknowledged)
