// The columns of the device table, and which give way first where there is less room.

/** `always`, in every table but no card (`now`), only in a `narrow` one, or from a width on: see the container queries. */
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
  /** A hashrate: the head carries the unit that all cells share. */
  readonly isRate: boolean
  readonly shown: ColumnShown
}

function column(name: Column['name'], shown: ColumnShown, kind: 'text' | 'number' | 'rate' = 'number'): Column {
  return { name, shown, isNumber: kind !== 'text', isRate: kind === 'rate' }
}

/** In order; the column of actions follows without a heading. */
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
