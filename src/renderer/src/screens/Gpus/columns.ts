// The columns of the device table: which are dropped first, which can be hidden, and how rows are sorted.

import type { DeviceView } from '../../../../contract/miner'
import type { TextKey } from '../../i18n/text'
import { efficiencyOf } from '../../state/stores/program-store'
import { type DeviceMoney, hottestCelsius } from './use-figures'

/** `always`; only in a `narrow` table; or from a width up: see the container queries. */
export type ColumnShown = 'always' | 'narrow' | 'money' | 'roomy' | 'wide' | 'widest'

export interface Column {
  readonly name:
    | 'device'
    | 'state'
    | 's60'
    | 'now'
    | 'm15'
    | 'lost24'
    | 'efficiency'
    | 'shares'
    | 'rejected'
    | 'wrong'
    | 'hottest'
    | 'temperatures'
    | 'fan'
    | 'power'
    | 'clocks'
    | 'margin'
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
  column('device', 'always', 'text'),
  column('state', 'always', 'text'),
  column('s60', 'always', 'rate'),
  column('now', 'widest', 'rate'),
  column('m15', 'widest', 'rate'),
  column('history', 'always', 'text'),
  column('lost24', 'money'),
  column('power', 'always'),
  column('efficiency', 'roomy'),
  column('hottest', 'narrow'),
  column('temperatures', 'wide'),
  column('fan', 'roomy'),
  column('clocks', 'widest'),
  column('shares', 'always'),
  column('rejected', 'wide'),
  column('wrong', 'always'),
  column('margin', 'money'),
]

export type ColumnName = Column['name']

/** Optional columns; the others tell rows apart. */
export const hideable: readonly ColumnName[] = [
  'm15',
  'history',
  'lost24',
  'power',
  'efficiency',
  'temperatures',
  'fan',
  'clocks',
  'shares',
  'rejected',
  'wrong',
  'margin',
]

type Shares = DeviceView['shares']

export const shareCounts = {
  shares: ({ accepted }: Shares) => accepted,
  rejected: ({ rejected }: Shares) => rejected,
  wrong: ({ failed }: Shares) => failed,
} as const

export function headingOf(name: ColumnName): TextKey {
  if (name === 's60') return 'ui.chart.hashrate'
  return name === 'rejected' ? 'ui.events.rejected' : `ui.gpus.${name}`
}

type Key = string | number | null

/** Sort keys; a column without one can't be sorted. */
const sortKeys: Readonly<Partial<Record<ColumnName, (device: DeviceView, money: DeviceMoney) => Key>>> = {
  device: (device) => device.index,
  state: (device) => device.state,
  now: (device) => device.hashrate.now,
  s60: (device) => device.hashrate.s60,
  m15: (device) => device.hashrate.m15,
  efficiency: efficiencyOf,
  shares: ({ shares }) => shareCounts.shares(shares),
  rejected: ({ shares }) => shareCounts.rejected(shares),
  wrong: ({ shares }) => shareCounts.wrong(shares),
  hottest: hottestCelsius,
  temperatures: hottestCelsius,
  fan: (device) => device.fanPercent,
  power: (device) => device.powerWatts,
  clocks: (device) => device.clockMhz.core,
  lost24: (_device, { lost }) => lost,
  margin: (_device, { margin }) => margin,
}

export interface Sorting {
  readonly column: ColumnName
  readonly isDescending: boolean
}

export function isSortable(column: ColumnName): boolean {
  return sortKeys[column] !== undefined
}

/** Unknown values come last in either direction; equal rows stay in the order of their indexes. */
export function sorted(
  devices: readonly DeviceView[],
  { column, isDescending }: Sorting,
  moneyOf: (device: DeviceView) => DeviceMoney,
): readonly DeviceView[] {
  const keyOf = sortKeys[column] ?? (() => null)
  const compare = (a: DeviceView, b: DeviceView): number => {
    const [first, second] = [keyOf(a, moneyOf(a)), keyOf(b, moneyOf(b))]
    if (first === null || second === null) return Number(first === null) - Number(second === null) || a.index - b.index
    const order =
      typeof first === 'number' && typeof second === 'number'
        ? first - second
        : String(first).localeCompare(String(second))
    return (isDescending ? -order : order) || a.index - b.index
  }
  return [...devices].sort(compare)
}
