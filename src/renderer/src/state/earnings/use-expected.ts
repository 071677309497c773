// What this miner earns on an average day, from the work that counts and our node's view of the network.

import type { MinerStatusView } from '../../../../contract/miner'
import { useMiner, useNode } from '../environment'
import { selectNextDifficulty } from '../stores/node-store'
import { type EarningInput, expectedPerDay } from './earnings'

interface Expected {
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

/**
 * From the hashes computed. Accepted work over a quarter of an hour is mostly luck: for a solo miner it is a block or
 * nothing.
 */
export function useExpectedPerDay(): Expected {
  const hashrate = useMiner(({ status }) => computedRate(status?.hashrate))
  const networkDifficulty = useNode(selectNextDifficulty)
  const subsidy = useSubsidy()
  const spacingSeconds = useNode(({ head }) => head?.targetSpacingSeconds ?? null)
  const given = { hashrate, networkDifficulty, subsidy, spacingSeconds }
  return { wei: expectedPerDay(given), hashrate, given }
}

/** H/s of the longest period that is known. */
function computedRate(rate: MinerStatusView['hashrate'] | undefined): number | null {
  return rate?.m15 ?? rate?.s60 ?? rate?.now ?? null
}
