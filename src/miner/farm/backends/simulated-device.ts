// A simulated device: searches its segment in short pieces with long pauses in between.
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'
import type { CpuSearch, XhashEngine } from '../../../native/xhash-port'
import { DatasetPair } from '../datasets/dataset-pair'
import type { SharedDatasets } from '../datasets/shared-datasets'
import type { DeviceJob, DeviceSink, Fault, MiningDevice, PrepareOptions } from '../device-backend'

/** Start-to-start interval of pieces; their number of nonces follows from how long they take. */
const PERIOD_MS = 250
const MIN_BITS = 3
const FIRST_BITS = 5
const MAX_BITS = 9
/** Recent pieces for which a late solution still finds its job. */
const KEPT_PIECES = 64

/** What the device uses. */
interface SimulatedDeviceDeps {
  readonly engine: XhashEngine
  readonly clock: Clock
  readonly datasets: SharedDatasets
  /** its share of one core, 0..1 */
  readonly share: () => number
  /** relative to stock settings: 1 */
  readonly speed: () => number
  /** @throws MinerError DEVICE_OUT_OF_MEMORY to simulate too little memory */
  readonly checkMemory: (epoch: number) => void
}

interface Piece {
  readonly token: number
  readonly bits: number
  readonly startedAt: number
}

/** One simulated device. */
export class SimulatedDevice implements MiningDevice {
  #search: CpuSearch | null = null
  #hashesBefore = 0n
  #job: DeviceJob | null = null
  #done = 0n
  #piece: Piece | null = null
  /** piece token -> job token */
  readonly #jobOf = new Map<number, number>()
  readonly #datasets: DatasetPair
  #nextToken = 1
  #bits = FIRST_BITS
  #timer: Disposable | null = null
  #isHung = false
  #isPreparing = false
  #isWrong = false

  constructor(
    private readonly sink: DeviceSink,
    private readonly deps: SimulatedDeviceDeps,
  ) {
    this.#datasets = new DatasetPair(deps.datasets)
  }

  /** 0..1 for the sensors */
  get load(): number {
    if (this.#isPreparing) return 0.6
    return this.#job === null || this.#isHung ? 0 : 1
  }

  async prepare(epoch: number, options: PrepareOptions): Promise<void> {
    if (this.#datasets.isReady(epoch)) this.clearJob()
    else await this.#drop()
    options.signal.throwIfAborted()
    this.deps.checkMemory(epoch)
    this.#isPreparing = true
    try {
      const dataset = await this.#datasets.take(epoch, options)
      options.signal.throwIfAborted()
      this.#search ??= this.#newSearch()
      this.#search.setDataset(dataset)
    } finally {
      this.#isPreparing = false
    }
  }

  async prepareAhead(epoch: number, options: PrepareOptions): Promise<void> {
    this.deps.checkMemory(epoch)
    await this.#datasets.buildNext(epoch, options)
  }

  setJob(job: DeviceJob): void {
    this.#rest()
    this.#job = job
    this.#done = 0n
    this.#nextPiece()
  }

  clearJob(): void {
    this.#rest()
    this.#job = null
  }

  hashCount(): bigint {
    return this.#hashesBefore + (this.#search?.hashCount() ?? 0n)
  }

  datasetBytes(): number | null {
    return this.#datasets.bytes
  }

  async close(): Promise<void> {
    await this.#drop()
    this.#datasets.dropAll()
  }

  suffer(fault: Fault): void {
    if (fault === 'hang') {
      this.#isHung = true
      this.#rest()
    }
    if (fault === 'error' || fault === 'out-of-memory') this.sink.failed(new Error(`simulated fault: ${fault}`))
    this.#isWrong = fault === 'wrong-result'
  }

  #nextPiece(): void {
    const job = this.#job
    const search = this.#search
    if (job === null || search === null || this.#isHung) return
    const { start, bits: segmentBits } = job.segment
    const left = (1n << BigInt(segmentBits)) - this.#done
    let bits = Math.min(this.#bits, segmentBits)
    while (1n << BigInt(bits) > left) bits--
    const token = this.#nextToken++
    this.#jobOf.set(token, job.token)
    this.#jobOf.delete(token - KEPT_PIECES)
    this.#piece = { token, bits, startedAt: this.deps.clock.monotonic() }
    const startNonce = BigInt.asUintN(64, start + this.#done)
    if (this.#isWrong) this.sink.solutionFound(job.token, startNonce)
    search.setJob({ token, sealHash: job.sealHash, target: job.target, startNonce, segmentBits: bits })
  }

  #pieceDone(token: number): void {
    const piece = this.#piece
    const job = this.#job
    if (piece?.token !== token || job === null || this.#isHung) return
    this.#piece = null
    this.#done += 1n << BigInt(piece.bits)
    if (this.#done >= 1n << BigInt(job.segment.bits)) {
      this.#job = null
      this.sink.segmentDone(job.token)
      return
    }
    const tookMs = this.deps.clock.monotonic() - piece.startedAt
    this.#adapt(tookMs)
    const period = PERIOD_MS / this.deps.speed()
    this.#timer = this.deps.clock.setTimeout(() => this.#nextPiece(), Math.max(1, period - tookMs))
  }

  /** Adapts the piece size so that pieces take their share of the period. */
  #adapt(tookMs: number): void {
    const budgetMs = PERIOD_MS * this.deps.share()
    if (tookMs > budgetMs) this.#bits = Math.max(MIN_BITS, this.#bits - 1)
    else if (tookMs < budgetMs / 3) this.#bits = Math.min(MAX_BITS, this.#bits + 1)
  }

  #rest(): void {
    this.#timer?.dispose()
    this.#timer = null
    this.#piece = null
    this.#search?.clearJob()
  }

  #newSearch(): CpuSearch {
    return this.deps.engine.createCpuSearch({
      threads: 1,
      onSolution: ({ token, nonce, mixDigest, result }) => {
        const job = this.#jobOf.get(token)
        if (job !== undefined && !this.#isHung) this.sink.solutionFound(job, nonce, { mixDigest, result })
      },
      onSegmentDone: (token) => this.#pieceDone(token),
    })
  }

  async #drop(): Promise<void> {
    this.clearJob()
    const search = this.#search
    if (search !== null) this.#hashesBefore += search.hashCount()
    this.#search = null
    await search?.close()
    this.#datasets.drop()
  }
}
