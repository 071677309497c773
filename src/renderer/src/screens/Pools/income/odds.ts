// Probability figures for the panels of pools. Pure.

/** After this many mean waits a block was found with a probability of 10, 50 and 90 %: -ln(1 - q). */
export const WAITS = [-Math.log(0.9), Math.LN2, Math.LN10] as const

/** Standard deviations that hold a value 19 times of 20. */
const Z = 1.96

export interface Share {
  /** 0..1, with the ends of its 95 % interval (Wilson's: it stays within 0..1 for few blocks, too). */
  readonly share: number
  readonly low: number
  readonly high: number
}

export interface Finder extends Share {
  /** Lower case. */
  readonly address: string
  readonly blocks: number
}

/** Who found these blocks, the most first. @param miners one address a block, any case */
export function findersOf(miners: readonly string[]): readonly Finder[] {
  const counts = new Map<string, number>()
  for (const miner of miners) counts.set(miner.toLowerCase(), (counts.get(miner.toLowerCase()) ?? 0) + 1)
  return [...counts]
    .map(([address, blocks]) => ({ address, blocks, ...shareOf(blocks, miners.length) }))
    .sort((a, b) => b.blocks - a.blocks)
}

/** What so many hits of so many say of the true share. @param count at least 1 */
export function shareOf(hits: number, count: number): Share {
  const share = hits / count
  const spread = Z * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2))
  const middle = share + Z ** 2 / (2 * count)
  const scale = 1 + Z ** 2 / count
  return { share, low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) }
}
