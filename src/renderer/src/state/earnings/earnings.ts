// What mining earns on average. Pure; chance moves the real figures up or down.
import { WEI_PER_MICRO } from '../../../../base/units'

const DAY_S = 86_400
const MICRO_PER_LAX = 10n ** 6n
const ESTIMATE_DIGITS = 4

export interface EarningInput {
  /** Hashes per second that count: what was accepted, or what is computed now. */
  readonly hashrate: number | null
  /** Expected hashes for a block of the whole network. */
  readonly networkDifficulty: number | null
  /** wei per block. */
  readonly subsidy: string | null
  /** Seconds between blocks that the difficulty rule aims at; null while unknown. */
  readonly spacingSeconds: number | null
}

/** wei on an average day, to four digits and a millionth of a LAX; null while one of the three is unknown. */
export function expectedPerDay(input: EarningInput): bigint | null {
  const blocks = blocksPerDay(input)
  const { subsidy } = input
  if (blocks === null || subsidy === null) return null
  // The share of a block is a float, so the block is counted in millionths first; the product fits 2^53 in every
  // relevant case.
  const micro = BigInt(subsidy) / WEI_PER_MICRO
  return estimate(BigInt(Math.round(blocks * Number(micro))) * WEI_PER_MICRO)
}

/** Blocks found on an average day; null while hashrate or difficulty is unknown. */
export function blocksPerDay({ hashrate, networkDifficulty, spacingSeconds }: EarningInput): number | null {
  if (hashrate === null || networkDifficulty === null || networkDifficulty <= 0) return null
  // If our hashrate is the whole network's, more of it raises the difficulty: there is no more to find than the chain's
  // pace.
  const pace = spacingSeconds === null || spacingSeconds <= 0 ? Number.POSITIVE_INFINITY : DAY_S / spacingSeconds
  return Math.min(pace, (hashrate * DAY_S) / networkDifficulty)
}

/** Average seconds until this hashrate finds a share or block of this difficulty; null while unknown. */
export function expectedSeconds(difficulty: number | null, hashrate: number | null): number | null {
  if (difficulty === null || hashrate === null || hashrate <= 0) return null
  return difficulty / hashrate
}

/** Mean waits until a block is found with a probability of 10, 50 and 90%: -ln(1 - q). */
export const WAITS = [-Math.log(0.9), Math.LN2, Math.LN10] as const

/** wei to four digits and a millionth of a LAX: more digits would pretend a precision that chance doesn't allow. */
export function estimate(wei: bigint): bigint {
  const micro = wei / WEI_PER_MICRO
  const tooMany = String(micro).length - ESTIMATE_DIGITS
  if (tooMany <= 0) return micro * WEI_PER_MICRO
  const step = 10n ** BigInt(tooMany)
  return ((micro + step / 2n) / step) * step * WEI_PER_MICRO
}

/** What one LAX costs in the tariff's currency; null without earnings. */
export function costPerLax(costPerDay: number | null, weiPerDay: bigint | null): number | null {
  if (costPerDay === null || weiPerDay === null || weiPerDay <= 0n) return null
  return costPerDay / (Number(weiPerDay / WEI_PER_MICRO) / Number(MICRO_PER_LAX))
}
