// What is wrong, according to everything that was read.
import { useCallback, useState, useSyncExternalStore } from 'react'
import { useAlarms, useApp, useEnvironment, useMiner, useNode, useNow, useSigner } from './environment'
import { type HealthFinding, type HealthSummary, healthFindings, healthSummary, isHealthKnown } from './health'

export interface Health {
  readonly findings: readonly HealthFinding[]
  readonly summary: HealthSummary
  /** False while too little is known to say that everything is all right. */
  readonly isKnown: boolean
}

export function useHealth(): Health {
  const app = useApp((state) => state)
  const miner = useMiner((state) => state)
  const node = useNode((state) => state)
  const signer = useSigner((state) => state)
  const now = useNow()
  const alarms = useAlarms((state) => state.active)
  const input = { app, miner, node, signer, alarms, now }
  const findings = healthFindings(input)
  return { findings, summary: healthSummary(findings, miner), isKnown: isHealthKnown(input) }
}

/** True once enough is known to summarize the state: parts that can wait are rendered after that. */
export function useIsHealthKnown(): boolean {
  const { app, shown } = useEnvironment().stores
  const [state] = useState({ isKnown: false })
  const isKnown = useCallback(() => {
    const read = { app: app.getState(), miner: shown.miner.getState(), node: shown.node.getState() }
    state.isKnown ||= isHealthKnown(read)
    return state.isKnown
  }, [app, shown, state])
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = [app.subscribe(listener), shown.miner.subscribe(listener), shown.node.subscribe(listener)]
      return () => {
        for (const stop of stops) stop()
      }
    },
    [app, shown],
  )
  return useSyncExternalStore(subscribe, isKnown)
}
