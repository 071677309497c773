// Selects monitored rigs: by name, by group, by labels, or all of them.
import type { RigLabels } from '../../config/values/rig-address'
import { hasLabels, isInGroup } from '../api/rigs-query'

/** Names, groups and labels as given; empty: not narrowed by them. */
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

/** Why nothing may be done: the selection, or a part of it, means no rig. */
export interface SelectionFault {
  readonly fault: string
}

/** Distinct names in list order, followed by names that aren't monitored, so that the caller can be told. */
export function selectRigs(
  watched: readonly Named[],
  selection: RigSelection,
): readonly [string, ...string[]] | SelectionFault {
  if (isEmptySelection(selection)) return { fault: 'name what is meant by rigs, groups or labels, or say all: true' }
  const { rigs, groups, labels, all } = selection
  const nowhere = groups.find((group) => !watched.some((rig) => isInGroup(rig, [group])))
  if (nowhere !== undefined) return { fault: `no rig is in the group ${nowhere}` }
  const names = new Set(rigs)
  const isWide = all || (names.size === 0 && groups.length === 0)
  const isMeant = (rig: Named): boolean => isWide || names.has(rig.name) || isInGroup(rig, groups)
  const found = watched.filter((rig) => isMeant(rig) && hasLabels(rig, labels)).map(({ name }) => name)
  const known = new Set(watched.map(({ name }) => name))
  const [first, ...others] = [...found, ...[...names].filter((name) => !known.has(name))]
  return first === undefined ? { fault: 'no rig has these labels' } : [first, ...others]
}
