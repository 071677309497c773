// Selects monitored rigs: by name, by group, by labels, or all of them.
import type { RigLabels } from '../../config/values/rig-address'
import { hasLabels, isInGroup } from '../api/rigs-query'

/** A selection. */
export interface RigSelection {
  readonly rigs: readonly string[]
  readonly groups: readonly string[]
  /** All must match: they narrow the selection by names and groups, or select by themselves. */
  readonly labels: RigLabels
  readonly all: boolean
}

interface Named {
  readonly name: string
  readonly labels?: RigLabels
}

/** Whether it selects nothing. */
export function isEmptySelection({ rigs, groups, labels, all }: RigSelection): boolean {
  return rigs.length === 0 && groups.length === 0 && Object.keys(labels).length === 0 && !all
}

/**
 * Distinct names in list order, followed by names that aren't monitored, so that the caller can be told. An empty
 * selection gives none.
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
