// Probabilities for the pool panels. Pure.

/** Standard deviations that hold 95% of values. */
export const Z = 1.96

interface Share {
  /** 0..1, with the ends of its 95% interval (Wilson's, which stays within 0..1 even for few blocks). */
  readonly share: number
  readonly low: number
  readonly high: number
}

export interface Finder extends Share {
  /** Lower case. */
  readonly address: string
  readonly blocks: number
}

/** Who found these blocks, most blocks first. @param miners one address per block, any case */
export function findersOf(miners: readonly string[]): readonly Finder[] {
  const counts = new Map<string, number>()
  for (const miner of miners) counts.set(miner.toLowerCase(), (counts.get(miner.toLowerCase()) ?? 0) + 1)
  return [...counts]
    .map(([address, blocks]) => ({ address, blocks, ...shareOf(blocks, miners.length) }))
    .sort((a, b) => b.blocks - a.blocks)
}

/** What this many hits out of `count` say about the true share. @param count at least 1 */
export function shareOf(hits: number, count: number): Share {
  const share = hits / count
  const spread = Z * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2))
  const middle = share + Z ** 2 / (2 * count)
  const scale = 1 + Z ** 2 / count
  return { share, low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) }
}
