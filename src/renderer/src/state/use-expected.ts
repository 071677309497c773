// What this start earns on a mean day, from the work that counts and the own node's view of the network.
import { expectedPerDay } from './earnings'
import { useMiner, useNode } from './environment'

export interface Expected {
  /** Null while it cannot be said. */
  readonly wei: bigint | null
  /** What it was worked out from. */
  readonly hashrate: number | null
}

/** From accepted work where there is enough of it, else from what is computed. */
export function useExpectedPerDay(): Expected {
  const hashrate = useMiner(({ status }) => status?.hashrate.effective ?? status?.hashrate.m15 ?? null)
  const networkDifficulty = useNode(({ head }) => (head?.nextDifficulty == null ? null : Number(head.nextDifficulty)))
  const subsidy = useNode(({ blocks }) => blocks?.[0]?.subsidy ?? null)
  return { wei: expectedPerDay({ hashrate, networkDifficulty, subsidy }), hashrate }
}
