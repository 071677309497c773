// Whether blocks that were found for a pool become blocks: a share that also meets the network's target has to appear on the
// chain. Pure: shares and blocks in, counts of each pool and a sentence for the operator out.
import { z } from 'zod'

/** Blocks on top of the share's height after which its block is missing. */
const DEPTH = 10
/** Shares that wait for the chain, and blocks that are counted once; the oldest go. */
const MAX_WAITING = 64
const MAX_SEEN = 512
const MAX_HEIGHTS = 2_048
const MAX_POOLS = 256
const LARGEST = 2n ** 256n - 1n
/** One block in so many loses its race on a chain of ten minutes a block: a share of missing ones below it says nothing. */
const RACES = 20

/** A share that the pool accepted. */
export interface FoundShare {
  /** names the pool */
  readonly pool: string
  /** 32 bytes, hex */
  readonly sealHash: string
  /** the final hash as a number */
  readonly result: bigint
  /** of the block that it would be */
  readonly height: number
}

const countsSchema = z.object({
  /** blocks of the chain whose header this pool gave out as a job */
  won: z.number().int().nonnegative(),
  /** of ours that met the network's target: on the chain, and not on it */
  appeared: z.number().int().nonnegative(),
  missing: z.number().int().nonnegative(),
})
export type HonestyCounts = z.infer<typeof countsSchema>

/** What is kept over restarts: counts by pool. */
export const honestySchema = z.record(z.string().max(300), countsSchema)

const NONE: HonestyCounts = { won: 0, appeared: 0, missing: 0 }

export class PoolHonesty {
  #counts = new Map<string, HonestyCounts>()
  #waiting: FoundShare[] = []
  /** seal hash of blocks that were counted, oldest first */
  readonly #seen = new Set<string>()
  /** difficulty that the chain asked for, by height, oldest first */
  readonly #asked = new Map<number, bigint>()

  /** @param kept from `counts` of an earlier run */
  constructor(kept: Readonly<Record<string, HonestyCounts>> = {}) {
    this.#counts = new Map(Object.entries(kept).slice(-MAX_POOLS))
  }

  /** Whether it was a block is decided by the difficulty that the chain has at its height. */
  shareFound(share: FoundShare): void {
    // A pool may publish the block before it answers for the share.
    if (this.#seen.has(share.sealHash)) {
      if (this.#isBlock(share)) this.#add(share.pool, 'appeared')
      return
    }
    this.#waiting = [...this.#waiting, share].slice(-MAX_WAITING)
  }

  /** @param difficulty that the block at this height had to meet */
  heightReached(number: number, difficulty: bigint): void {
    this.#asked.delete(number)
    this.#asked.set(number, difficulty)
    const [oldest] = this.#asked.keys()
    if (this.#asked.size > MAX_HEIGHTS && oldest !== undefined) this.#asked.delete(oldest)
  }

  /** A block of the chain. @param pool whose job its header was; null: of none */
  blockSeen(sealHash: string, pool: string | null): void {
    const own = this.#waiting.find((share) => share.sealHash === sealHash)
    const of = own?.pool ?? pool
    if (of === null || this.#seen.has(sealHash)) return
    this.#seen.add(sealHash)
    const [oldest] = this.#seen
    if (this.#seen.size > MAX_SEEN && oldest !== undefined) this.#seen.delete(oldest)
    this.#add(of, 'won')
    // Another miner of the same pool may have sealed the same header: only a hash under the target is a block of ours.
    const ours = this.#waiting.filter((share) => share.sealHash === sealHash)
    if (ours.some((share) => this.#isBlock(share))) this.#add(of, 'appeared')
    this.#waiting = this.#waiting.filter((share) => share.sealHash !== sealHash)
  }

  /** Blocks went by that nobody looked at: nothing can be said of shares that wait. */
  blinded(): void {
    this.#waiting = []
  }

  /** Decides shares whose height lies deep enough. @param head height of the chain. @returns true where one is missing */
  settle(head: number): boolean {
    const due = this.#waiting.filter(({ height }) => head >= height + DEPTH)
    if (due.length === 0) return false
    this.#waiting = this.#waiting.filter((share) => !due.includes(share))
    const missing = due.filter((share) => this.#isBlock(share))
    for (const { pool } of missing) this.#add(pool, 'missing')
    return missing.length > 0
  }

  /** For the operator; empty while no more is missing than races are lost. */
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

  /** By pool, for the file. */
  counts(): Readonly<Record<string, HonestyCounts>> {
    return Object.fromEntries(this.#counts)
  }

  /** False where the height is not known: then nothing is claimed. */
  #isBlock({ height, result }: FoundShare): boolean {
    const difficulty = this.#asked.get(height)
    return difficulty !== undefined && difficulty > 0n && result <= LARGEST / difficulty
  }

  #add(pool: string, name: keyof HonestyCounts): void {
    const counts = this.of(pool)
    this.#counts.delete(pool)
    this.#counts.set(pool, { ...counts, [name]: counts[name] + 1 })
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > MAX_POOLS && oldest !== undefined) this.#counts.delete(oldest)
  }
}
