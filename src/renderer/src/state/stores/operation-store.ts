// The mining operation, as last read: its pools, rigs, incidents and reports.
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { IncidentRulesView, IncidentView } from '../../../../contract/incidents'
import type { DayReportView, PoolHeadView, PoolsView, PoolView } from '../../../../contract/pools'
import type { RigsView, RigView } from '../../../../contract/rigs'
import type { Backend } from '../../data/backend'

/** What lasts, problems first; and what ended in the last day, newest first. */
export interface IncidentsView {
  readonly open: readonly IncidentView[]
  readonly recent: readonly IncidentView[]
}

export interface OperationState {
  readonly pools: PoolsView | null
  readonly rigs: RigsView | null
  readonly poolHead: PoolHeadView | null
  /** Newest first. */
  readonly reports: readonly DayReportView[]
  readonly incidents: IncidentsView | null
  readonly incidentRules: IncidentRulesView | null
}

export const createOperationStore = () =>
  createStore<OperationState>(() => ({
    pools: null,
    rigs: null,
    poolHead: null,
    reports: [],
    incidents: null,
    incidentRules: null,
  }))

/** This program mines nothing itself and monitors others. */
export const selectIsMonitor = ({ rigs }: OperationState): boolean => rigs !== null && !rigs.mining && rigs.isEditable

/** Rigs that don't answer, or haven't yet. */
export const selectSilentRigs = ({ rigs }: OperationState): number =>
  rigs?.rigs.filter(({ online }) => !online).length ?? 0

export const selectPools = (state: OperationState): readonly PoolView[] => state.pools?.pools ?? []

export const selectRig =
  (name: string) =>
  (state: OperationState): RigView | undefined =>
    state.rigs?.rigs.find((rig) => rig.name === name)

/** The hottest sensor of any GPU of a rig in °C; null if none is reported (the public API reports 0 then). */
export function hottestOfRig({ figures }: Pick<RigView, 'figures'>): number | null {
  const known = (figures?.gpus ?? []).flatMap(({ temperature }) => Object.values(temperature).filter((one) => one > 0))
  return known.length === 0 ? null : Math.max(...known)
}

/** Hashes per second per watt, for GPUs whose power is known; null if a rig reports no power. */
export function efficiencyOfRig({ figures }: Pick<RigView, 'figures'>): number | null {
  const metered = (figures?.gpus ?? []).filter(({ powerWatts }) => powerWatts > 0)
  const watts = metered.reduce((total, { powerWatts }) => total + powerWatts, 0)
  return watts <= 0 ? null : metered.reduce((total, { hashrate }) => total + hashrate.s60, 0) / watts
}

export type ChangeRules = (rules: IncidentRulesView) => IncidentRulesView

/** One save after the other, each changing what is in force then; a failed one leaves it. */
export function createRuleSaves(backend: Pick<Backend, 'call'>, operation: StoreApi<OperationState>) {
  const last: { saved: Promise<unknown> } = { saved: Promise.resolve() }
  const saveOne = async (change: ChangeRules): Promise<void> => {
    const { incidentRules } = operation.getState()
    if (incidentRules === null) return
    const rules = change(incidentRules)
    const put = (kept: IncidentRulesView): void => operation.setState({ incidentRules: kept })
    try {
      await backend.call('miner.incidentRulesSave', rules)
      put(rules)
    } catch (error: unknown) {
      backend.call('miner.incidentRules', {}).then(put, () => undefined) // without contact, the next one reads them
      throw error
    }
  }
  return (change: ChangeRules): Promise<void> => {
    const saved = last.saved.then(() => saveOne(change))
    last.saved = saved.catch(() => undefined) // told to who saved it
    return saved
  }
}
