// A search with pauses: the segment is searched in pieces. On a practice chain a full core of hashes is wasted, and the
// difficulty follows whatever rate there is.
import type { Disposable } from '../../../base/disposable'
import { TokenBucket } from '../../../base/limits/token-bucket'
import type { Clock } from '../../../base/time'
import type { CpuJob, CpuSearch, CpuSearchOptions, DatasetHandle, XhashEngine } from '../../../native/xhash-port'

/** How large pieces are, and how long the search rests between them. */
export interface Pacing {
  /** of the next piece: it has up to 2^bits nonces */
  readonly bits: number
  begun(hashes: number): void
  /** Rest before the next piece, ms. @param tookMs of the one that is done; null: a new job, or after a rest */
  restMs(tookMs: number | null): number
}

/** A rate limit. */
export interface Pace {
  /** long-term average, once the credit is used up */
  readonly hashesPerSecond: number
  /** hashes at full speed after a pause */
  readonly credit: number
}

/** Keeps to a rate. */
export class RatePacing implements Pacing {
  /** 2^12 nonces: a hundredth of a second on one thread with SIMD, so that the rate is even within a second */
  readonly bits = 12
  readonly #credit: TokenBucket

  constructor({ hashesPerSecond, credit }: Pace, clock: Clock) {
    this.#credit = new TokenBucket({ perSecond: hashesPerSecond, burst: credit }, clock)
  }

  begun(hashes: number): void {
    this.#credit.charge(hashes)
  }

  restMs(): number {
    return this.#credit.charge(0)
  }
}

/** Recent pieces for which a late solution still finds its job. */
const KEPT_PIECES = 64

interface Running {
  readonly job: CpuJob
  /** nonces of the segment already searched, or being searched */
  done: bigint
  /** null during a pause */
  piece: { readonly token: number; readonly startedAt: number } | null
}

/** A CPU search in pieces. */
export class PacedSearch implements CpuSearch {
  readonly #search: CpuSearch
  /** piece token -> job token */
  readonly #jobOf = new Map<number, number>()
  #nextToken = 1
  #running: Running | null = null
  #rest: Disposable | null = null

  constructor(
    engine: Pick<XhashEngine, 'createCpuSearch'>,
    private readonly options: CpuSearchOptions,
    private readonly deps: { readonly pacing: Pacing; readonly clock: Clock },
  ) {
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
    this.#goOn(null)
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

  #goOn(tookMs: number | null): void {
    const restMs = this.deps.pacing.restMs(tookMs)
    if (restMs === 0) this.#nextPiece()
    else this.#rest = this.deps.clock.setTimeout(() => this.#goOn(null), restMs)
  }

  #nextPiece(): void {
    const running = this.#running
    if (running === null) return
    const { job, done } = running
    const { pacing, clock } = this.deps
    const left = (1n << BigInt(job.segmentBits)) - done
    let bits = Math.min(pacing.bits, job.segmentBits)
    while (1n << BigInt(bits) > left) bits--
    const token = this.#nextToken++
    this.#jobOf.set(token, job.token)
    this.#jobOf.delete(token - KEPT_PIECES)
    running.piece = { token, startedAt: clock.monotonic() }
    pacing.begun(2 ** bits)
    const startNonce = BigInt.asUintN(64, job.startNonce + done)
    this.#search.setJob({ ...job, token, startNonce, segmentBits: bits })
    running.done = done + (1n << BigInt(bits))
  }

  #pieceDone(token: number): void {
    const running = this.#running
    if (running === null || running.piece?.token !== token) return
    const tookMs = this.deps.clock.monotonic() - running.piece.startedAt
    running.piece = null
    if (running.done < 1n << BigInt(running.job.segmentBits)) this.#goOn(tookMs)
    else {
      this.#stop()
      this.options.onSegmentDone?.(running.job.token)
    }
  }
}
