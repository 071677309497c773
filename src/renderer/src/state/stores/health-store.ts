// What is wrong, by everything that was read: computed once for all that show it, reported when it changes.
import type { StoreApi } from 'zustand'
import { shallow } from 'zustand/shallow'
import type { IncidentView } from '../../../../contract/incidents'
import {
  type HealthFinding,
  type HealthInput,
  type HealthSummary,
  healthFindings,
  healthSummary,
  isHealthKnown,
  isUntold,
} from '../health'
import { keepSame } from '../in-sight'
import type { Ticker } from '../ticker'
import type { AppState, IncidentsView, MinerState, NodeState, OperationState } from './program-store'
import type { SignerState } from './signer-store'

export interface Health {
  readonly findings: readonly HealthFinding[]
  readonly summary: HealthSummary
  /** How many things are wrong: incidents, and findings that none of them tells. */
  readonly count: number
  /** False while too little is known to say that everything is all right. */
  readonly isKnown: boolean
}

/** As rendered: those of the miner and the node notify nobody while the page is frozen. */
interface HealthSources {
  readonly app: StoreApi<AppState>
  readonly miner: StoreApi<MinerState>
  readonly node: StoreApi<NodeState>
  readonly signer: StoreApi<SignerState>
  readonly operation: StoreApi<OperationState>
  readonly ticker: Ticker
}

const NONE: readonly IncidentView[] = []
const serious = new WeakMap<IncidentsView, readonly IncidentView[]>()

/** Those that last and are more than a note: the same array for the same report. */
function seriousOf(incidents: IncidentsView | null): readonly IncidentView[] {
  if (incidents === null) return NONE
  const known = serious.get(incidents) ?? incidents.open.filter(({ level }) => level !== 'note')
  serious.set(incidents, known)
  return known
}

/** Reads its sources while something is subscribed, and whenever it is asked. */
export function createHealthStore(sources: HealthSources): Pick<StoreApi<Health>, 'getState' | 'subscribe'> {
  const { app, miner, node, signer, operation, ticker } = sources
  const same = keepSame<Health>()
  const listeners = new Set<(now: Health, before: Health) => void>()
  const state: { last: Health | null; stops: readonly (() => void)[] } = { last: null, stops: [] }
  const computed: { of: HealthInput | null; health: Health | null } = { of: null, health: null }
  // Each component asks at each of its renders: nothing is computed again while nothing was read.
  const getState = (): Health => {
    const read = { app: app.getState(), miner: miner.getState(), node: node.getState() }
    const told = operation.getState().incidents
    const input = {
      ...read,
      signer: signer.getState(),
      incidents: seriousOf(told),
      areIncidentsTold: told !== null,
      now: ticker.now(),
    }
    if (computed.health !== null && shallow(input, computed.of)) return computed.health
    const findings = healthFindings(input)
    const summary = healthSummary(findings, input)
    const count = input.incidents.length + findings.length
    computed.of = input
    const isKnown = isHealthKnown(input) && (input.areIncidentsTold || isUntold(input))
    computed.health = same({ findings, summary, count, isKnown })
    return computed.health
  }
  const look = (): void => {
    const now = getState()
    const before = state.last ?? now
    state.last = now
    if (now === before) return
    for (const listener of [...listeners]) listener(now, before)
  }
  return {
    getState,
    subscribe: (listener) => {
      if (listeners.size === 0) {
        state.last = getState()
        state.stops = [app, miner, node, signer, operation, ticker].map((source) => source.subscribe(look))
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        for (const stop of state.stops) stop()
        state.stops = []
      }
    },
  }
}
