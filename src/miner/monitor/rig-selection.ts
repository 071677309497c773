// Which of the watched rigs somebody means: by name, by group, by labels, or all of them.
import type { RigLabels } from '../../config/values/rig-address'
import { hasLabels, isInGroup } from '../api/rigs-query'

export interface RigSelection {
  readonly rigs: readonly string[]
  readonly groups: readonly string[]
  /** Every one has to fit: they narrow what names and groups choose, or choose by themselves. */
  readonly labels: RigLabels
  readonly all: boolean
}

interface Named {
  readonly name: string
  readonly labels?: RigLabels
}

/** Nothing is chosen by it. */
export function isEmptySelection({ rigs, groups, labels, all }: RigSelection): boolean {
  return rigs.length === 0 && groups.length === 0 && Object.keys(labels).length === 0 && !all
}

/**
 * Names in the order of the list, each once; behind them names that nobody watches, so that whoever asked is told.
 * Without any choice: none.
 */
export function selectRigs(watched: readonly Named[], selection: RigSelection): readonly string[] {
  if (isEmptySelection(selection)) return []
  const { rigs, groups, labels, all } = selection
  const names = new Set(rigs)
  const isWide = all || (names.size === 0 && groups.length === 0)
  const isMeant = (rig: Named): boolean => isWide || names.has(rig.name) || isInGroup(rig, groups)
  const found = watched.filter((rig) => isMeant(rig) && hasLabels(rig, labels)).map(({ name }) => name)
  const known = new Set(watched.map(({ name }) => name))
  return [...found, ...[...names].filter((name) => !known.has(name))]
}
