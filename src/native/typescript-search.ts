// The CPU device without the addon: one hash per step, in slices on the host's event loop. For the practice network.
import { bigintFromBytes } from '../base/bytes'
import { hashimotoFull } from '../xhash/hashimoto'
import { meetsTarget } from '../xhash/target'
import { checkJob } from './job-check'
import type { Slices } from './slices'
import type { CpuJob, CpuSearch, CpuSearchOptions, DatasetHandle } from './xhash-port'

const NONCE_MASK = 2n ** 64n - 1n

interface Progress {
  readonly job: CpuJob
  readonly target: bigint
  readonly end: bigint
  /** hashes done of this job, so the next nonce is startNonce + done */
  done: bigint
}

/** A single-threaded CPU search in TypeScript. */
export class TypescriptSearch implements CpuSearch {
  #words: Uint32Array | null = null
  #current: Progress | null = null
  #running = false
  #closed = false
  #hashes = 0n

  constructor(
    private readonly options: CpuSearchOptions,
    private readonly deps: { readonly slices: Slices; readonly wordsOf: (handle: DatasetHandle) => Uint32Array },
  ) {}

  setDataset(handle: DatasetHandle): void {
    this.#words = this.deps.wordsOf(handle)
    this.#current = null
  }

  setJob(job: CpuJob): void {
    checkJob(job)
    this.#current = { job, target: bigintFromBytes(job.target), end: 1n << BigInt(job.segmentBits), done: 0n }
    this.#run()
  }

  clearJob(): void {
    this.#current = null
  }

  hashCount(): bigint {
    return this.#hashes
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#current = null
    this.#words = null
  }

  #run(): void {
    if (this.#running || this.#words === null || this.#closed) return
    this.#running = true
    this.deps.slices.add(() => {
      this.#running = this.#step()
      return this.#running
    })
  }

  #step(): boolean {
    const current = this.#current
    const words = this.#words
    if (current === null || words === null) return false
    const { job, target, end } = current
    const nonce = (job.startNonce + current.done) & NONCE_MASK
    const hash = hashimotoFull(words, job.sealHash, nonce)
    current.done += 1n
    this.#hashes += 1n
    if (meetsTarget(hash.result, target)) this.options.onSolution({ token: job.token, nonce, ...hash })
    if (current.done < end) return true
    if (this.#current === current) this.#current = null
    this.options.onSegmentDone?.(job.token)
    return this.#current !== null
  }
}
