// What is wrong, according to everything that was read.
import { useCallback, useState, useSyncExternalStore } from 'react'
import { useEnvironment } from './environment'
import { isHealthKnown } from './health'
import type { Health } from './stores/health-store'

export function useHealth(): Health {
  const { health } = useEnvironment().stores
  return useSyncExternalStore(health.subscribe, health.getState)
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
