// What is not well, of everything that was read.
import { useAlarms, useApp, useMiner, useNode, useNow, useSigner } from './environment'
import { type HealthFinding, type HealthSummary, healthFindings, healthSummary, isHealthKnown } from './health'

export interface Health {
  readonly findings: readonly HealthFinding[]
  readonly summary: HealthSummary
  /** False while too little was read to say that everything is all right. */
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
