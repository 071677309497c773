// Whether blocks found for a pool appear on the chain: a share that also meets the network's target must. Pure: shares
// and blocks in, counts per pool and a warning for the operator out.

import { z } from 'zod'
import { BoundedMap } from '../../base/limits/bounded-map'
import { MAX_UINT256 } from '../../base/units'

/** Confirmations above the share's height after which its block counts as missing. */
const DEPTH = 10
/** Shares waiting for the chain, and counted blocks; the oldest are evicted. */
const MAX_WAITING = 64
const MAX_SEEN = 512
const MAX_HEIGHTS = 2_048
const MAX_POOLS = 256
/** One block in this many loses its race on a chain with ten-minute blocks: fewer missing ones mean nothing. */
const RACES = 20

interface FoundShare {
  /** identifies the pool */
  readonly pool: string
  /** 32 bytes, hex */
  readonly sealHash: string
  /** the final hash as a number */
  readonly result: bigint
  /** of the block it would be */
  readonly height: number
}

const countsSchema = z.object({
  /** chain blocks whose header this pool gave out as a job */
  won: z.number().int().nonnegative(),
  /** our shares that met the network's target: found on the chain, and missing */
  appeared: z.number().int().nonnegative(),
  missing: z.number().int().nonnegative(),
})
export type HonestyCounts = z.infer<typeof countsSchema>

/** Stored across restarts: counts by pool. */
export const honestySchema = z.record(z.string().max(300), countsSchema)

const NONE: HonestyCounts = { won: 0, appeared: 0, missing: 0 }

/** Counts of every pool. */
export class PoolHonesty {
  readonly #counts = new BoundedMap<string, HonestyCounts>(MAX_POOLS)
  #waiting: FoundShare[] = []
  /** seal hashes of counted blocks, oldest first */
  readonly #seen = new Set<string>()
  /** the chain's difficulty by height, oldest first */
  readonly #asked = new BoundedMap<number, bigint>(MAX_HEIGHTS)

  /** @param kept `counts` of an earlier run */
  constructor(kept: Readonly<Record<string, HonestyCounts>> = {}) {
    for (const [pool, counts] of Object.entries(kept)) this.#counts.set(pool, counts)
  }

  /** The chain's difficulty at its height decides whether it was a block. */
  shareFound(share: FoundShare): void {
    // A pool may publish the block before it answers the share.
    if (this.#seen.has(share.sealHash)) {
      if (this.#isBlock(share)) this.#add(share.pool, 'appeared')
      return
    }
    this.#waiting = [...this.#waiting, share].slice(-MAX_WAITING)
  }

  /** @param difficulty required of the block at this height */
  heightReached(number: number, difficulty: bigint): void {
    this.#asked.set(number, difficulty)
  }

  /** A block of the chain. @param pool whose job its header was; null: none */
  blockSeen(sealHash: string, pool: string | null): void {
    const own = this.#waiting.find((share) => share.sealHash === sealHash)
    const of = own?.pool ?? pool
    if (of === null || this.#seen.has(sealHash)) return
    this.#seen.add(sealHash)
    const [oldest] = this.#seen
    if (this.#seen.size > MAX_SEEN && oldest !== undefined) this.#seen.delete(oldest)
    this.#add(of, 'won')
    // Another miner of the same pool may have sealed the same header: only a hash below the target is our block.
    const ours = this.#waiting.filter((share) => share.sealHash === sealHash)
    if (ours.some((share) => this.#isBlock(share))) this.#add(of, 'appeared')
    this.#waiting = this.#waiting.filter((share) => share.sealHash !== sealHash)
  }

  /** Blocks passed unobserved: waiting shares can't be judged. */
  blinded(): void {
    this.#waiting = []
  }

  /** Judges shares whose height is deep enough. @param head height of the chain. @returns true when one is missing */
  settle(head: number): boolean {
    const due = this.#waiting.filter(({ height }) => head >= height + DEPTH)
    if (due.length === 0) return false
    this.#waiting = this.#waiting.filter((share) => !due.includes(share))
    const missing = due.filter((share) => this.#isBlock(share))
    for (const { pool } of missing) this.#add(pool, 'missing')
    return missing.length > 0
  }

  /** For the operator; empty while no more are missing than races are lost. */
  warning(pool: string): string {
    const { missing, appeared } = this.of(pool)
    const all = missing + appeared
    if (missing * RACES <= all) return ''
    const part = all === 1 ? 'A share of yours was a block' : `${missing} of ${all} shares of yours that were blocks`
    return all === 1
      ? `${part}, but it did not appear on your own node's chain: it lost a race, or this pool did not publish it.`
      : `${part} did not appear on your own node's chain: they lost a race, or this pool did not publish them.`
  }

  of(pool: string): HonestyCounts {
    return this.#counts.get(pool) ?? NONE
  }

  counts(): Readonly<Record<string, HonestyCounts>> {
    return Object.fromEntries(this.#counts)
  }

  /** False when the height is unknown: no claim is made then. */
  #isBlock({ height, result }: FoundShare): boolean {
    const difficulty = this.#asked.get(height)
    return difficulty !== undefined && difficulty > 0n && result <= MAX_UINT256 / difficulty
  }

  #add(pool: string, name: keyof HonestyCounts): void {
    const counts = this.of(pool)
    this.#counts.set(pool, { ...counts, [name]: counts[name] + 1 })
  }
}
