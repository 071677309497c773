// The program's incidents as this page lists them: it judges, keeps and prices them, whether or not a page is open.
import { createStore } from 'zustand/vanilla'
import type { Disposable } from '../../../../base/disposable'
import type { IncidentView } from '../../../../contract/incidents'
import type { Backend } from '../../data/backend'

interface Listed<Level> {
  readonly id: string
  /** The incident's cause. */
  readonly kind: IncidentView['cause']
  readonly level: Level
  /** Where it can be fixed. */
  readonly route: string
  /** For the sentence `ui.alarm.<kind>`. */
  readonly values: IncidentView['values']
  /** UTC ms. */
  readonly raisedAt: number
  readonly isAcknowledged: boolean
  /** What it cost so far, what was done, and who was told. */
  readonly incident: IncidentView
}

export type Alarm = Listed<'attention' | 'problem'>

export interface PastAlarm extends Alarm {
  readonly endedAt: number
}

/** Planned: a pause, a DAG build, time off. */
export interface Note extends Listed<'note'> {
  /** Null: it lasts. */
  readonly endedAt: number | null
}

export interface AlarmsState {
  /** Problems first, each group newest first. */
  readonly active: readonly Alarm[]
  /** Ended in the last 24 hours, newest first. */
  readonly past: readonly PastAlarm[]
  /** Those that last, then those that are over. */
  readonly notes: readonly Note[]
}

/** Lists nothing before `watch`. */
export function createAlarms(backend: Pick<Backend, 'call' | 'on'>) {
  const store = createStore<AlarmsState>(() => ({ active: [], past: [], notes: [] }))
  const watch = (): Disposable =>
    backend.on('miner.incidents', ({ open, recent }) =>
      store.setState({
        active: open.flatMap(alarmOf),
        past: recent.flatMap((incident) =>
          alarmOf(incident).map((alarm) => ({ ...alarm, endedAt: incident.until ?? incident.since })),
        ),
        notes: [...open, ...recent].flatMap((incident) =>
          incident.level === 'note' ? [{ ...listed(incident), level: 'note', endedAt: incident.until }] : [],
        ),
      }),
    )
  const acknowledge = (ids: readonly string[]): void => {
    // Contact was lost, or this page may only look: the alarm stays as it is.
    backend.call('miner.incidentAcknowledge', { ids: [...ids] }).catch(() => undefined)
  }
  return { store, watch, acknowledge }
}

/** Nothing for what was planned. */
function alarmOf(incident: IncidentView): readonly Alarm[] {
  const { level } = incident
  return level === 'note' ? [] : [{ ...listed(incident), level }]
}

function listed(incident: IncidentView): Omit<Listed<never>, 'level'> {
  const { id, cause: kind, values, devices, since: raisedAt, acknowledgedAt } = incident
  const about = { ...values, devices: devices.length }
  return {
    id,
    kind,
    route: routeOf(incident),
    values: about,
    raisedAt,
    isAcknowledged: acknowledgedAt !== null,
    incident,
  }
}

/** Where an incident can be fixed. */
function routeOf({ cause, devices, pool, rig }: Pick<IncidentView, 'cause' | 'devices' | 'pool' | 'rig'>): string {
  const [device] = devices
  if (rig !== '') return `/rigs/${encodeURIComponent(rig)}`
  if (cause === 'record-unsaved') return '/settings/about'
  if (pool !== '') return '/pools'
  if (cause === 'no-work' || cause === 'no-share') return '/node'
  return device === undefined || devices.length > 1 ? '/gpus' : `/gpus/${device.index}`
}

export const selectUnseen = ({ active }: AlarmsState): readonly Alarm[] =>
  active.filter(({ isAcknowledged }) => !isAcknowledged)
