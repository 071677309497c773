// A rate-limited search: the segment is searched in pieces with pauses in between. On a practice chain a full core of
// hashes is wasted, and the difficulty follows whatever rate there is.
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'
import type { CpuJob, CpuSearch, CpuSearchOptions, DatasetHandle, XhashEngine } from '../../../native/xhash-port'

/** The limit. */
export interface Pace {
  /** long-term average, once the credit is used up */
  readonly hashesPerSecond: number
  /** hashes at full speed after a pause */
  readonly credit: number
}

/** 2^12 nonces: a hundredth of a second on one thread with SIMD, so that the rate is even within a second. */
const PIECE_BITS = 12
/** Recent pieces for which a late solution still finds its job. */
const KEPT_PIECES = 64

interface Running {
  readonly job: CpuJob
  /** nonces of the segment already searched */
  done: bigint
  /** token of the current piece; null during a pause */
  piece: number | null
}

/** A CPU search with a rate limit. */
export class PacedSearch implements CpuSearch {
  readonly #search: CpuSearch
  /** Job tokens by piece token. */
  readonly #jobOf = new Map<number, number>()
  #nextToken = 1
  #running: Running | null = null
  #rest: Disposable | null = null
  #credit: number
  #countedAt: number

  constructor(
    engine: Pick<XhashEngine, 'createCpuSearch'>,
    private readonly options: CpuSearchOptions,
    private readonly deps: { readonly pace: Pace; readonly clock: Clock },
  ) {
    this.#credit = deps.pace.credit
    this.#countedAt = deps.clock.monotonic()
    this.#search = engine.createCpuSearch({
      threads: options.threads,
      onSolution: (solution) => {
        const token = this.#jobOf.get(solution.token)
        if (token !== undefined) options.onSolution({ ...solution, token })
      },
      onSegmentDone: (token) => this.#pieceDone(token),
    })
  }

  setDataset(handle: DatasetHandle): void {
    this.#stop()
    this.#search.setDataset(handle)
  }

  setJob(job: CpuJob): void {
    this.#stop()
    this.#running = { job, done: 0n, piece: null }
    this.#goOn()
  }

  clearJob(): void {
    this.#stop()
    this.#search.clearJob()
  }

  hashCount(): bigint {
    return this.#search.hashCount()
  }

  close(): Promise<void> {
    this.#stop()
    return this.#search.close()
  }

  #stop(): void {
    this.#rest?.dispose()
    this.#rest = null
    this.#running = null
  }

  /** Starts the next piece, immediately or when the rate allows it. */
  #goOn(): void {
    const { clock, pace } = this.deps
    const now = clock.monotonic()
    this.#credit = Math.min(pace.credit, this.#credit + ((now - this.#countedAt) * pace.hashesPerSecond) / 1_000)
    this.#countedAt = now
    if (this.#credit >= 0) this.#nextPiece()
    else {
      const restMs = Math.ceil((-this.#credit * 1_000) / pace.hashesPerSecond)
      this.#rest = clock.setTimeout(() => this.#goOn(), restMs)
    }
  }

  #nextPiece(): void {
    const running = this.#running
    if (running === null) return
    const { job, done } = running
    const left = (1n << BigInt(job.segmentBits)) - done
    let bits = Math.min(PIECE_BITS, job.segmentBits)
    while (1n << BigInt(bits) > left) bits--
    const token = this.#nextToken++
    this.#jobOf.set(token, job.token)
    this.#jobOf.delete(token - KEPT_PIECES)
    running.piece = token
    this.#credit -= 2 ** bits
    const startNonce = BigInt.asUintN(64, job.startNonce + done)
    this.#search.setJob({ ...job, token, startNonce, segmentBits: bits })
    running.done = done + (1n << BigInt(bits))
  }

  #pieceDone(token: number): void {
    const running = this.#running
    if (running === null || running.piece !== token) return
    running.piece = null
    const size = 1n << BigInt(running.job.segmentBits)
    if (running.done < size) this.#goOn()
    else {
      this.#stop()
      this.options.onSegmentDone?.(running.job.token)
    }
  }
}
