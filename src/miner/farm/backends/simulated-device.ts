// A simulated device: a CPU device whose search takes a share of one core, and that can be given faults.
import type { Clock } from '../../../base/time'
import type { XhashEngine } from '../../../native/xhash-port'
import type { SharedDatasets } from '../datasets/shared-datasets'
import type { DeviceJob, DeviceSink, Fault, PrepareOptions } from '../device-backend'
import { CpuDevice } from './cpu-backend'
import { PacedSearch, type Pacing } from './paced-search'

/** Start-to-start interval of pieces; their number of nonces follows from how long they take. */
const PERIOD_MS = 250
const MIN_BITS = 3
const FIRST_BITS = 5
const MAX_BITS = 9

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

/** Pieces that take a share of the period. */
class SharePacing implements Pacing {
  bits = FIRST_BITS

  constructor(
    private readonly deps: Pick<SimulatedDeviceDeps, 'share' | 'speed'>,
    readonly begun: () => void,
  ) {}

  restMs(tookMs: number | null): number {
    if (tookMs === null) return 0
    const budgetMs = PERIOD_MS * this.deps.share()
    if (tookMs > budgetMs) this.bits = Math.max(MIN_BITS, this.bits - 1)
    else if (tookMs < budgetMs / 3) this.bits = Math.min(MAX_BITS, this.bits + 1)
    return Math.max(1, PERIOD_MS / this.deps.speed() - tookMs)
  }
}

/** One simulated device. */
export class SimulatedDevice extends CpuDevice {
  #job: DeviceJob | null = null
  #isHung = false
  #isPreparing = false
  /** made-up hits so far; null: it doesn't make any up */
  #wrong: bigint | null = null

  constructor(
    private readonly told: DeviceSink,
    private readonly own: SimulatedDeviceDeps,
  ) {
    const { engine, clock, datasets } = own
    super(told, {
      threads: 1,
      engine,
      datasets,
      newSearch: ({ threads, onSolution, onSegmentDone }) => {
        const options = {
          threads,
          onSolution: (solution: Parameters<typeof onSolution>[0]) => {
            if (!this.#isHung) onSolution(solution)
          },
          onSegmentDone: (token: number) => {
            this.#job = null
            onSegmentDone?.(token)
          },
        }
        return new PacedSearch(engine, options, { pacing: new SharePacing(own, () => this.#makeUp()), clock })
      },
    })
  }

  /** 0..1 for the sensors */
  get load(): number {
    if (this.#isPreparing) return 0.6
    return this.#job === null || this.#isHung ? 0 : 1
  }

  override async prepare(epoch: number, options: PrepareOptions): Promise<void> {
    this.clearJob()
    this.own.checkMemory(epoch)
    this.#isPreparing = true
    try {
      await super.prepare(epoch, options)
    } finally {
      this.#isPreparing = false
    }
  }

  override async prepareAhead(epoch: number, options: PrepareOptions): Promise<void> {
    this.own.checkMemory(epoch)
    await super.prepareAhead(epoch, options)
  }

  override setJob(job: DeviceJob): void {
    this.#job = job
    if (!this.#isHung) super.setJob(job)
  }

  override clearJob(): void {
    this.#job = null
    super.clearJob()
  }

  suffer(fault: Fault): void {
    if (fault === 'hang') {
      this.#isHung = true
      super.clearJob()
    }
    if (fault === 'error' || fault === 'out-of-memory') this.told.failed(new Error(`simulated fault: ${fault}`))
    this.#wrong = fault === 'wrong-result' ? 0n : null
  }

  #makeUp(): void {
    if (this.#wrong === null || this.#job === null) return
    this.#wrong += 1n
    this.told.solutionFound(this.#job.token, BigInt.asUintN(64, this.#job.segment.start + this.#wrong))
  }
}
