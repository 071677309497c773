// What this miner earns on an average day, from the work that counts and our node's view of the network.

import { useMiner, useNode } from '../environment'
import { selectNextDifficulty } from '../stores/node-store'
import { type EarningInput, expectedPerDay } from './earnings'

export interface Expected {
  /** Null while unknown. */
  readonly wei: bigint | null
  /** H/s that it was computed from. */
  readonly hashrate: number | null
  /** All values that it was computed from. */
  readonly given: EarningInput
}

/** wei per block. The genesis block pays nobody, so it doesn't tell what the next block pays. */
export function useSubsidy(): string | null {
  return useNode(({ blocks }) => blocks?.find(({ number }) => number > 0)?.subsidy ?? null)
}

/** From accepted work if there is enough of it, otherwise from the computed hashrate. */
export function useExpectedPerDay(): Expected {
  const hashrate = useMiner(({ status }) => status?.hashrate.effective ?? status?.hashrate.m15 ?? null)
  const networkDifficulty = useNode(selectNextDifficulty)
  const subsidy = useSubsidy()
  const spacingSeconds = useNode(({ head }) => head?.targetSpacingSeconds ?? null)
  const given = { hashrate, networkDifficulty, subsidy, spacingSeconds }
  return { wei: expectedPerDay(given), hashrate, given }
}
