// What our own node's chain reveals about a pool: whether it finds most blocks, is behind, or works on another chain.
// Pure: blocks and jobs in, a warning for the operator out.
import { BoundedMap } from '../../base/limits/bounded-map'

interface ChainBlock {
  readonly number: number
  /** 20 bytes, hex; the coinbase */
  readonly miner: string
}

interface PoolJobSeen {
  /** identifies the pool */
  readonly pool: string
  /** 32 bytes, hex */
  readonly sealHash: string
  readonly epoch: number
  /** null when the dialect doesn't report it */
  readonly height: number | null
}

/** Number of blocks over which a pool's share is computed. */
export const WINDOW_BLOCKS = 1_008
const MIN_BLOCKS = 144
const MAX_PART = 0.5
const CLEAR_PART = 0.45
/** Job headers by which a block can be recognized. */
const KEPT_HEADERS = 512
const KEPT_MINERS = 4_096
/** Distance between a pool's job and our head beyond chance. */
const MAX_APART = 10

interface Latest extends PoolJobSeen {
  /** our head when this header arrived; null when there was none */
  readonly headThen: number | null
}

/** Watches all pools that gave work. */
export class PoolWatch {
  readonly #miners = new Map<number, string>()
  /** job header -> pool, oldest first */
  readonly #headers = new BoundedMap<string, string>(KEPT_HEADERS)
  /** coinbase -> pool, oldest first */
  readonly #poolOf = new BoundedMap<string, string>(KEPT_MINERS)
  #head: number | null = null
  #latest: Latest | null = null
  /** there is no work: the latest job is old because no new one was given */
  #isIdle = false
  /** the pool whose share is warned about */
  #tooBig: string | null = null

  /** @param epochLength in blocks */
  constructor(private readonly epochLength: number) {}

  jobGiven(job: PoolJobSeen): void {
    this.#isIdle = false
    const isNew = this.#latest?.sealHash !== job.sealHash || this.#latest.pool !== job.pool
    if (isNew) this.#latest = { ...job, headThen: this.#head }
    this.#headers.set(job.sealHash, job.pool)
  }

  /** Makes no statement about the pool's work until the next job. */
  workLost(): void {
    this.#isIdle = true
  }

  /** Blocks of the chain, lowest first, the last one its head. */
  blocksJoined(blocks: readonly ChainBlock[]): void {
    for (const { number, miner } of blocks) {
      this.#miners.set(number, miner)
      this.#head = number
    }
    for (const number of this.#miners.keys())
      if (this.#head !== null && number <= this.#head - WINDOW_BLOCKS) this.#miners.delete(number)
  }

  blocksLeft(blocks: readonly Pick<ChainBlock, 'number'>[]): void {
    for (const { number } of blocks) this.#miners.delete(number)
  }

  /** Whether this header was a pool's job; the block's coinbase is then that pool's. */
  sealSeen(sealHash: string, miner: string): void {
    const pool = this.#headers.get(sealHash)
    if (pool !== undefined) this.#poolOf.set(miner, pool)
  }

  /** The pool that gave out this header as a job; null: unknown. */
  poolOfHeader(sealHash: string): string | null {
    return this.#headers.get(sealHash) ?? null
  }

  /** Coinbases of this pool's blocks, hex. */
  coinbasesOf(pool: string): readonly string[] {
    return [...this.#poolOf].flatMap(([miner, of]) => (of === pool ? [miner] : []))
  }

  /** True while a block could be recognized. */
  get knowsHeaders(): boolean {
    return this.#headers.size > 0
  }

  /** For the operator; empty when all is well or unknown. @param isHeadFresh false: our own chain may be behind */
  warning(pool: string, isHeadFresh: boolean): string {
    return (isHeadFresh ? this.#chainFault(pool) : '') || this.#partFault(pool)
  }

  #chainFault(pool: string): string {
    const head = this.#head
    const latest = this.#latest
    if (head === null || this.#isIdle || latest?.pool !== pool) return ''
    const { height, epoch, headThen } = latest
    const behind = height === null ? head - (headThen ?? head) : head + 1 - height
    const isAhead = -behind >= MAX_APART
    if (isAhead || !this.#isNear(epoch, head - Math.max(behind, 0))) {
      const works = height === null ? `in epoch ${epoch}` : `at height ${height}, epoch ${epoch}`
      const own = `at height ${head}, epoch ${Math.floor(head / this.epochLength)}`
      return `This pool works ${works}, the chain of your own node is ${own}: one of them follows another chain.`
    }
    if (behind < MAX_APART) return ''
    return `This pool is ${behind} blocks behind the chain of your own node. Consider another pool.`
  }

  /** Whether the chain has this epoch within some blocks of `height`. */
  #isNear(epoch: number, height: number): boolean {
    const epochOf = (at: number): number => Math.floor(Math.max(0, at) / this.epochLength)
    return epoch >= epochOf(height - MAX_APART) && epoch <= epochOf(height + MAX_APART)
  }

  #partFault(pool: string): string {
    const seen = this.#miners.size
    const own = [...this.#miners.values()].filter((miner) => this.#poolOf.get(miner) === pool).length
    const part = seen === 0 ? 0 : own / seen
    const limit = this.#tooBig === pool ? CLEAR_PART : MAX_PART
    const isTooBig = seen >= MIN_BLOCKS && (this.#tooBig === pool ? part >= limit : part > limit)
    this.#tooBig = isTooBig ? pool : null
    if (!isTooBig) return ''
    const percent = Math.round(part * 100)
    return `This pool found ${percent}% of the last ${seen} blocks. Consider another pool.`
  }
}
