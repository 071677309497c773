// Figures of chance for the panels of pools. Pure.

/** After so many means of waiting a block was found with a chance of 10, 50 and 90 %: -ln(1 - q). */
export const WAITS = [-Math.log(0.9), Math.LN2, Math.LN10] as const

/** Standard deviations that hold a value 19 times of 20. */
const Z = 1.96

export interface Finder {
  readonly address: string
  readonly blocks: number
  /** 0..1, with the ends of its 95 % interval (Wilson's: it stays within 0..1 for few blocks, too). */
  readonly share: number
  readonly low: number
  readonly high: number
}

/** Who found these blocks, the most first. @param miners one address a block, any case */
export function findersOf(miners: readonly string[]): readonly Finder[] {
  const counts = new Map<string, number>()
  for (const miner of miners) counts.set(miner.toLowerCase(), (counts.get(miner.toLowerCase()) ?? 0) + 1)
  return [...counts]
    .map(([address, blocks]) => ({
      address,
      blocks,
      share: blocks / miners.length,
      ...interval(blocks, miners.length),
    }))
    .sort((a, b) => b.blocks - a.blocks)
}

function interval(hits: number, count: number): { readonly low: number; readonly high: number } {
  const share = hits / count
  const spread = Z * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2))
  const middle = share + Z ** 2 / (2 * count)
  const scale = 1 + Z ** 2 / count
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) }
}

export type Tip = 'on' | 'behind' | 'ahead' | 'none' | 'unknown'

export interface TipInput {
  /** Height that is searched for; null where the job does not tell it. */
  readonly job: number | null
  /** Of the own node; null without one. */
  readonly head: number | null
  readonly isConnected: boolean
}

/** A job of the tip searches the block after the head; a node that is a block behind its peers sees it one ahead. */
export function tipOf({ job, head, isConnected }: TipInput): Tip {
  if (!isConnected) return 'none'
  if (job === null || head === null) return 'unknown'
  if (job > head + 2) return 'ahead'
  return job >= head + 1 ? 'on' : 'behind'
}
