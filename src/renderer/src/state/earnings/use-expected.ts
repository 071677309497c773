// What this start earns on a mean day, from the work that counts and the own node's view of the network.

import { useMiner, useNode } from '../environment'
import { expectedPerDay } from './earnings'

export interface Expected {
  /** Null while it cannot be said. */
  readonly wei: bigint | null
  /** What it was worked out from. */
  readonly hashrate: number | null
}

/** Of a block, in wei. The genesis block pays nobody: what the next one pays isn't known from it. */
export function useSubsidy(): string | null {
  return useNode(({ blocks }) => blocks?.find(({ number }) => number > 0)?.subsidy ?? null)
}

/** From accepted work where there is enough of it, else from what is computed. */
export function useExpectedPerDay(): Expected {
  const hashrate = useMiner(({ status }) => status?.hashrate.effective ?? status?.hashrate.m15 ?? null)
  const networkDifficulty = useNode(({ head }) => (head?.nextDifficulty == null ? null : Number(head.nextDifficulty)))
  const subsidy = useSubsidy()
  const spacingSeconds = useNode(({ head }) => head?.targetSpacingSeconds ?? null)
  return { wei: expectedPerDay({ hashrate, networkDifficulty, subsidy, spacingSeconds }), hashrate }
}
