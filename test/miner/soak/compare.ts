// The miner's records compared with the pools': share by share, and sum by sum.
import type { Counts, MinerLog, PoolLog, SentShare } from './messages'

export interface Comparison {
  /** one line per difference; empty: the records agree */
  readonly faults: readonly string[]
  readonly counts: Counts
  /** shares that pools accepted though their answer never arrived: the miner counts them as lost */
  readonly takenUnheard: number
}

/** A pool's record of a share, by header and nonce; by the nonce alone if it didn't know the job. */
interface Kept {
  readonly verdict: string
  readonly reason: string
  /** the pool's answer means that it counts */
  readonly counts: boolean
}

const MAX_FAULTS = 20

export function compare(miner: MinerLog, pools: PoolLog): Comparison {
  const faults: string[] = []
  const kept = new Map<string, Kept[]>()
  for (const { judged, lateCounts } of pools.pools) {
    for (const { header, nonce, verdict, reason } of judged) {
      const name = header + nonce
      const counts = verdict === 'accepted' || (verdict === 'stale' && lateCounts)
      kept.set(name, [...(kept.get(name) ?? []), { verdict, reason, counts }])
      if (verdict === 'duplicate') faults.push(`${nonce}: a pool was sent it twice`)
    }
  }
  const counts = { accepted: 0, rejected: 0, failed: miner.counted.failed, stale: 0, lost: 0 }
  let takenUnheard = 0
  for (const share of miner.shares) {
    counts[share.verdict] += 1
    const name = [share.header + share.nonce, share.nonce].find((each) => kept.has(each)) ?? ''
    const entries = kept.get(name) ?? []
    kept.delete(name)
    const fault = faultOf(share, entries)
    if (fault !== null) faults.push(`${share.nonce}: ${fault}`)
    if (share.verdict === 'lost') takenUnheard += entries.filter((entry) => entry.counts).length
  }
  for (const name of kept.keys()) faults.push(`${name}: a pool has it, the miner does not know it`)
  const total = (sums: Counts): number => sums.accepted + sums.rejected + sums.stale + sums.lost
  if (total(counts) !== total(miner.counted) + miner.cutOff)
    faults.push(`${total(counts)} shares were settled, ${total(miner.counted)} counted and ${miner.cutOff} cut off`)
  for (const name of ['accepted', 'rejected', 'stale', 'lost'] as const) {
    const missing = counts[name] - miner.counted[name]
    if (missing < 0 || missing > miner.cutOff)
      faults.push(`${name}: ${counts[name]} settled, ${miner.counted[name]} counted`)
  }
  return { faults: faults.slice(0, MAX_FAULTS), counts, takenUnheard }
}

function faultOf({ verdict, reason }: SentShare, entries: readonly Kept[]): string | null {
  const words = entries.map((entry) => entry.verdict).join(', ') || 'nothing'
  const [only] = entries
  switch (verdict) {
    case 'accepted':
      return entries.length === 1 && only?.counts === true ? null : `accepted here, at the pools: ${words}`
    case 'rejected':
      return entries.length === 1 && only?.counts === false ? null : `rejected here (${reason}), at the pools: ${words}`
    case 'stale':
      return entries.length === 0 ? null : `not sent as stale, at the pools: ${words}`
    case 'lost':
      return entries.length <= 1 ? null : `lost here, at the pools: ${words}`
  }
}
