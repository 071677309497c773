// The columns of the device table: which are dropped first when space is short, which can be hidden, and how rows are
// sorted.

import type { DeviceView } from '../../../../contract/miner'
import { efficiencyOf } from '../../state/stores/miner-store'
import { hottestCelsius } from './figures'

/**
 * `always`; in every table but no card (`now`); only in a `narrow` one; or from a width up: see the container queries.
 */
export type ColumnShown = 'always' | 'now' | 'narrow' | 'roomy' | 'wide' | 'widest'

export interface Column {
  readonly name:
    | 'index'
    | 'name'
    | 'state'
    | 'now'
    | 's60'
    | 'm15'
    | 'efficiency'
    | 'shares'
    | 'hottest'
    | 'temperatures'
    | 'fan'
    | 'power'
    | 'clocks'
    | 'history'
  readonly isNumber: boolean
  /** A hashrate: the heading has the unit that all cells share. */
  readonly isRate: boolean
  readonly shown: ColumnShown
}

function column(name: Column['name'], shown: ColumnShown, kind: 'text' | 'number' | 'rate' = 'number'): Column {
  return { name, shown, isNumber: kind !== 'text', isRate: kind === 'rate' }
}

/** In display order; the actions column follows without a heading. */
export const columns: readonly Column[] = [
  column('index', 'always', 'text'),
  column('name', 'always', 'text'),
  column('state', 'always', 'text'),
  column('now', 'now', 'rate'),
  column('s60', 'always', 'rate'),
  column('m15', 'widest', 'rate'),
  column('efficiency', 'roomy'),
  column('shares', 'always'),
  column('hottest', 'narrow'),
  column('temperatures', 'wide'),
  column('fan', 'roomy'),
  column('power', 'always'),
  column('clocks', 'widest'),
  column('history', 'always', 'text'),
]

export type ColumnName = Column['name']

/** Optional columns; the others tell rows apart. */
export const hideable: readonly ColumnName[] = [
  'm15',
  'efficiency',
  'shares',
  'temperatures',
  'fan',
  'power',
  'clocks',
  'history',
]

type Key = string | number | null

/** Sort keys; a column without one can't be sorted. */
const sortKeys: Readonly<Partial<Record<ColumnName, (device: DeviceView) => Key>>> = {
  index: (device) => device.index,
  name: (device) => device.name,
  state: (device) => device.state,
  now: (device) => device.hashrate.now,
  s60: (device) => device.hashrate.s60,
  m15: (device) => device.hashrate.m15,
  efficiency: efficiencyOf,
  shares: (device) => device.shares.accepted,
  hottest: hottestCelsius,
  temperatures: hottestCelsius,
  fan: (device) => device.fanPercent,
  power: (device) => device.powerWatts,
  clocks: (device) => device.clockMhz.core,
}

export interface Sorting {
  readonly column: ColumnName
  readonly isDescending: boolean
}

export function isSortable(column: ColumnName): boolean {
  return sortKeys[column] !== undefined
}

/** Unknown values come last in either direction; equal rows stay in the order of their indexes. */
export function sorted(devices: readonly DeviceView[], { column, isDescending }: Sorting): readonly DeviceView[] {
  const keyOf = sortKeys[column] ?? (() => null)
  const compare = (a: DeviceView, b: DeviceView): number => {
    const [first, second] = [keyOf(a), keyOf(b)]
    if (first === null || second === null) return Number(first === null) - Number(second === null) || a.index - b.index
    const order =
      typeof first === 'number' && typeof second === 'number'
        ? first - second
        : String(first).localeCompare(String(second))
    return (isDescending ? -order : order) || a.index - b.index
  }
  return [...devices].sort(compare)
}
