// Converts a pool's message to a job for the farm, or to the reason why not. An invalid job never reaches a device.
import { fromHex, toHex } from '../../../base/hex'
import { XHASH_FULL } from '../../../xhash/params'
import { nextSeedHash } from '../../../xhash/seed'
import { difficultyOfTarget } from '../../difficulty'
import type { Extranonce, Job } from '../../work-source'

// Maps a job's seed hash to its epoch: the one part of a job that a pool can't get wrong unnoticed.

/** The epoch of the block at this height. */
export function epochAt(height: number): number {
  return Math.floor(height / XHASH_FULL.epochLength)
}

/** Last epoch searched for a seed: the end of the size tables. */
export const LAST_EPOCH = 32_639
/** Seeds computed before yielding: some 5 ms. */
const SLICE = 400

/** The table of seeds, extended on demand and shared by all pools. */
export class SeedEpochs {
  readonly #epochs = new Map<string, number>()
  #newest: Uint8Array = new Uint8Array(32)

  /** @param yieldTurn resolves after other work ran, for example in the next turn of the event loop */
  constructor(private readonly yieldTurn: () => Promise<void>) {
    this.#epochs.set(toHex(this.#newest), 0)
  }

  /** Null when no epoch has this seed. @param seed 32 bytes */
  async find(seed: Uint8Array): Promise<number | null> {
    const name = toHex(seed)
    for (;;) {
      const known = this.#epochs.get(name)
      if (known !== undefined) return known
      if (this.#epochs.size > LAST_EPOCH) return null
      this.#grow()
      await this.yieldTurn()
    }
  }

  #grow(): void {
    for (let made = 0; made < SLICE && this.#epochs.size <= LAST_EPOCH; made++) {
      this.#newest = nextSeedHash(this.#newest)
      this.#epochs.set(toHex(this.#newest), this.#epochs.size)
    }
  }
}

/** A job as parsed by its dialect. */
export interface JobFields {
  readonly jobId: string
  /** hex of 32 bytes, `0x` optional */
  readonly sealHash: unknown
  /** hex of 32 bytes, `0x` optional; or the epoch itself if the dialect sends that */
  readonly seed: { readonly hash: unknown } | { readonly epoch: number }
  /** 32 bytes, big-endian; null: unreadable */
  readonly target: Uint8Array | null
  readonly height: number | null
  readonly extranonce: Extranonce | null
  readonly cleanJobs: boolean
}

/** A job that can be worked on. */
export interface UsableJob {
  readonly job: Job
  readonly warning: string | null
}

type JobOutcome =
  | UsableJob
  /** `seed`: it belongs to no epoch of this chain */
  | { readonly fault: string; readonly seed: boolean }

/** @param seedHashOf seed hash (32 bytes) of an epoch */
export class JobMaker {
  constructor(
    private readonly epochs: SeedEpochs,
    private readonly seedHashOf: (epoch: number) => Uint8Array,
  ) {}

  async make(fields: JobFields): Promise<JobOutcome> {
    const sealHash = hash32(fields.sealHash)
    if (sealHash === null) return { fault: 'the header is not 32 bytes of hex', seed: false }
    const { target, height, extranonce, cleanJobs, jobId } = fields
    if (await this.#isSwapped(sealHash, fields.seed))
      return { fault: "seed and header are swapped, as in NiceHash's dialect: use stratum2+tcp", seed: false }
    if (target === null) return { fault: 'the target is not a number in 1..2^256-1', seed: false }
    const named = await this.#epochOf(fields.seed)
    if (named === null) return { fault: 'the seed belongs to no epoch of this chain', seed: true }
    const { epoch, seedHash } = named
    const difficulty = difficultyOfTarget(target)
    const job = { jobId, sealHash, seedHash, epoch, target, height, difficulty, extranonce, cleanJobs }
    const byHeight = height === null ? epoch : epochAt(height)
    const warning = byHeight === epoch ? null : `height ${height} is of epoch ${byHeight}, the seed of epoch ${epoch}`
    return { job, warning }
  }

  /** What stands for the header is a seed, and what stands for the seed is none. */
  async #isSwapped(sealHash: Uint8Array, seed: JobFields['seed']): Promise<boolean> {
    if ('epoch' in seed) return false
    const seedHash = hash32(seed.hash)
    if (seedHash !== null && (await this.epochs.find(seedHash)) !== null) return false
    return (await this.epochs.find(sealHash)) !== null
  }

  async #epochOf(seed: JobFields['seed']): Promise<{ epoch: number; seedHash: Uint8Array } | null> {
    if ('epoch' in seed) return { epoch: seed.epoch, seedHash: this.seedHashOf(seed.epoch) }
    const seedHash = hash32(seed.hash)
    const epoch = seedHash === null ? null : await this.epochs.find(seedHash)
    return seedHash === null || epoch === null ? null : { epoch, seedHash }
  }
}

/** 32 bytes from exactly 64 hex digits, `0x` optional; else null. */
export function hash32(text: unknown): Uint8Array | null {
  if (typeof text !== 'string') return null
  const bytes = fromHex(text)
  return bytes !== null && bytes.length === 32 ? bytes : null
}

/** A block height in `0x` hex or bare hex digits; null when missing or invalid. */
export function hexHeight(text: unknown): number | null {
  const digits = typeof text === 'string' ? /^(?:0x)?([0-9a-fA-F]{1,13})$/i.exec(text)?.[1] : undefined
  return digits === undefined ? null : Number.parseInt(digits, 16)
}

/** Extranonce of 0..7 bytes in bare hex (`0x` is tolerated): null for none; undefined when invalid. */
export function parseExtranonce(text: unknown): Extranonce | null | undefined {
  if (text === undefined || text === null || text === '') return null
  const bytes = typeof text === 'string' ? fromHex(text) : null
  if (bytes === null || bytes.length > 7) return undefined
  return bytes.length === 0
    ? null
    : { bits: bytes.length * 8, prefix: BigInt(`0x${Buffer.from(bytes).toString('hex')}`) }
}
