// Incidents as the program reports them: what lasts, and what ended in the last day.
import { useMemo } from 'react'
import type { DeviceLevels, IncidentRulesView, IncidentView } from '../../../contract/incidents'
import type { DeviceView } from '../../../contract/miner'
import { useOperation } from './environment'
import type { OperationState } from './stores/program-store'

const NONE: readonly IncidentView[] = []

/** Those that last, problems first. */
export const selectOpen = ({ incidents }: OperationState): readonly IncidentView[] => incidents?.open ?? NONE

/** Those that ended in the last day, newest first. */
export const selectRecent = ({ incidents }: OperationState): readonly IncidentView[] => incidents?.recent ?? NONE

/** What wants to be seen: it lasts, it is more than a note, and nobody acknowledged it. */
export function isUnseen({ level, acknowledgedAt }: IncidentView): boolean {
  return level !== 'note' && acknowledgedAt === null
}

export const selectUnseenCount = (state: OperationState): number => selectOpen(state).filter(isUnseen).length

export function useIncidentSpans(): readonly IncidentView[] {
  const open = useOperation(selectOpen)
  const recent = useOperation(selectRecent)
  return useMemo(() => [...open, ...recent], [open, recent])
}

/** Causes that stop all income while they last. */
const fatal: ReadonlySet<IncidentView['cause']> = new Set(['no-work', 'pool-lost', 'pool-trouble'])

/** Since when nothing is earned because of a problem; null while something is. */
export function deadSince(open: readonly IncidentView[]): number | null {
  const found = open.filter(({ cause, level }) => level === 'problem' && fatal.has(cause))
  return found.length === 0 ? null : Math.min(...found.map(({ since }) => since))
}

/** When incidents begin: the rules as the program keeps them. Null while they aren't known, or aren't for this reader. */
export function useIncidentRules(): IncidentRulesView | null {
  return useOperation(({ incidentRules }) => incidentRules)
}

/** What identifies a device in the rules: it keeps its levels when its position in the list changes. */
export function deviceKey({ pci, index, name }: Pick<DeviceView, 'pci' | 'index' | 'name'>): string {
  return pci === '' ? `${index} ${name}` : pci
}

/** The levels of a device. @param device as `deviceKey` names it */
export function levelsOf(rules: IncidentRulesView, device: string): DeviceLevels {
  return (Object.hasOwn(rules.levels, device) ? rules.levels[device] : undefined) ?? rules.usualLevels
}

/** Null while the text isn't a valid number. */
export function readWhole(text: string, { min, max }: { readonly min: number; readonly max: number }): number | null {
  const value = /^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : null
}
