// What this miner earns on an average day, from the work that counts and our node's view of the network.

import { useMiner, useNode } from '../environment'
import { expectedPerDay } from './earnings'

export interface Expected {
  /** Null while unknown. */
  readonly wei: bigint | null
  /** The values it was computed from. */
  readonly hashrate: number | null
}

/** wei per block. The genesis block pays nobody, so it doesn't tell what the next block pays. */
export function useSubsidy(): string | null {
  return useNode(({ blocks }) => blocks?.find(({ number }) => number > 0)?.subsidy ?? null)
}

/** From accepted work if there is enough of it, otherwise from the computed hashrate. */
export function useExpectedPerDay(): Expected {
  const hashrate = useMiner(({ status }) => status?.hashrate.effective ?? status?.hashrate.m15 ?? null)
  const networkDifficulty = useNode(({ head }) => (head?.nextDifficulty == null ? null : Number(head.nextDifficulty)))
  const subsidy = useSubsidy()
  const spacingSeconds = useNode(({ head }) => head?.targetSpacingSeconds ?? null)
  return { wei: expectedPerDay({ hashrate, networkDifficulty, subsidy, spacingSeconds }), hashrate }
}
