// Finds the launch shape with the best hashrate while a GPU mines: tries each other shape briefly, alternating with the
// best one so far, which is kept; first kernels and group sizes, then the launch duration. A clearly worse shape is
// abandoned immediately.

import type { Disposable } from '../../../base/disposable'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import type { Gpu, GpuShapes } from '../../../native/gpu-port'
import { BATCH_LENGTHS_MS, type GpuTuningStore, type TunedShape, tuningKey } from './gpu-tuning'

/** Before the first measurement: clocks and temperatures settle. */
const WARM_UP_MS = 15_000
/** Not measured: launches with the previous shape finish. */
const SETTLE_MS = 1_000
/** Time before deciding whether a measurement is worth continuing. */
const GLANCE_MS = 500
const MOMENT_MS = 3_000
/** A shape below this fraction of the best rate is abandoned then. */
const HOPELESS = 0.8
/** Smaller gains are within noise. */
const GAIN = 1.01

interface GpuTunerDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly tuning: GpuTuningStore
}

interface Trial {
  readonly rivals: TunedShape[]
  /** launch durations still to be tried with the best shape */
  lengths: readonly number[]
  best: TunedShape
  /** the best shape's last rate; null before its first measurement */
  bestRate: number | null
}

/** Tunes one GPU. */
export class GpuTuner {
  #key: string | null = null
  #trial: Trial | null = null
  #timer: Disposable | null = null
  #done = false
  /** as last requested: the device applies it with its next launch; null: its own default */
  #inUse: TunedShape | null = null

  constructor(
    private readonly gpu: Pick<Gpu, 'activity' | 'hashCount' | 'shapes' | 'setShape'>,
    private readonly identity: Parameters<typeof tuningKey>[0],
    private readonly deps: GpuTunerDeps,
  ) {}

  /** A dataset is ready: uses the stored result for its size, or starts tuning. */
  async prepared(datasetBytes: number): Promise<void> {
    this.rest()
    const key = tuningKey(this.identity, datasetBytes)
    if (key === this.#key) return
    this.#key = key
    const known = await this.deps.tuning.find(key)
    const isOffered = known !== null && candidates(this.gpu.shapes()).some((shape) => isKernel(shape, known))
    this.#done = isOffered
    if (isOffered) this.#use(known)
  }

  work(): void {
    if (this.#done || this.#key === null || this.#timer !== null) return
    this.#after(WARM_UP_MS, () => this.#begin())
  }

  /** The job is gone: the current measurement is void, and tuning starts over with the next job. */
  rest(): void {
    this.#timer?.dispose()
    this.#timer = null
    if (this.#trial !== null) this.#use(this.#trial.best)
    this.#trial = null
  }

  /**
   * The device failed. If it was trying a new shape, that may be the cause: the best one so far is kept, so that
   * reopening doesn't fail the same way.
   */
  failed(): void {
    const trial = this.#trial
    const isRival = trial !== null && this.#inUse !== null && !isSame(this.#inUse, trial.best)
    this.rest()
    if (!isRival || this.#key === null) return
    this.#done = true
    this.deps.log.warn('GPU failed during tuning, keeping the best work sizes so far', {
      device: this.identity.name,
    })
    void this.deps.tuning.keep(this.#key, trial.best)
  }

  #begin(): void {
    const shapes = this.gpu.shapes()
    if (shapes === null) return
    const { groupSize, variant } = shapes.current
    const best = this.#inUse ?? { groupSize, variant }
    const rivals = candidates(shapes).filter((shape) => !isKernel(shape, best))
    this.#trial = { rivals, lengths: BATCH_LENGTHS_MS, best, bestRate: null }
    this.#measureBest()
  }

  #measureBest(): void {
    const trial = this.#trial
    if (trial === null) return
    if (trial.rivals.length === 0) {
      const { groupSize, variant } = trial.best
      trial.rivals.push(...trial.lengths.map((batchMs) => ({ groupSize, variant, batchMs })))
      trial.lengths = []
    }
    if (trial.rivals.length === 0) {
      this.#end(trial)
      return
    }
    this.#measure(trial.best, null, (rate) => {
      trial.bestRate = rate
      this.#measureRival(trial)
    })
  }

  #measureRival(trial: Trial): void {
    const rival = trial.rivals.shift()
    if (rival === undefined) return
    this.#measure(rival, (trial.bestRate ?? 0) * HOPELESS, (rate) => {
      if (rate <= (trial.bestRate ?? 0) * GAIN) return this.#measureBest()
      // The best one may have had a bad measurement: it is only replaced when beaten before and after.
      this.#measure(trial.best, null, (again) => {
        if (rate > again * GAIN) trial.best = rival
        this.#measureBest()
      })
    })
  }

  /** @param least rate below which a short measurement is enough; null: none */
  #measure(shape: TunedShape, least: number | null, told: (rate: number) => void): void {
    const { clock } = this.deps
    this.#use(shape)
    this.#settle(() => {
      const hashes = this.gpu.hashCount()
      const startedAt = clock.monotonic()
      const rate = (): number =>
        (Number(this.gpu.hashCount() - hashes) * 1_000) / Math.max(1, clock.monotonic() - startedAt)
      this.#after(GLANCE_MS, () => {
        const glanced = rate()
        if (least !== null && glanced < least) return told(glanced)
        this.#after(MOMENT_MS - GLANCE_MS, () => told(rate()))
      })
    })
  }

  /** A shape that is used for the first time may take its driver seconds to compile: that says nothing of its rate. */
  #settle(next: () => void): void {
    this.#after(SETTLE_MS, () => (this.gpu.activity() === 'compiling' ? this.#settle(next) : next()))
  }

  #end({ best }: Trial): void {
    const { log, tuning } = this.deps
    this.#trial = null
    this.#done = true
    this.#use(best)
    const { groupSize, variant: kernel, batchMs = 'usual' } = best
    log.info('GPU work sizes tuned', { device: this.identity.name, groupSize, kernel, batchMs })
    if (this.#key !== null) void tuning.keep(this.#key, best)
  }

  #use(shape: TunedShape): void {
    const { groupSize } = shape
    const current = this.gpu.shapes()?.current
    if (current === undefined || (this.#inUse !== null && isSame(this.#inUse, shape))) return
    this.#inUse = shape
    const groups = Math.max(1, Math.floor(current.batchHashes / groupSize))
    this.gpu.setShape({ ...shape, batchHashes: groups * groupSize }, 'timed')
  }

  #after(delayMs: number, next: () => void): void {
    this.#timer = this.deps.clock.setTimeout(() => {
      this.#timer = null
      next()
    }, delayMs)
  }
}

/** Every kernel with every group size that the device supports. */
function candidates(shapes: GpuShapes | null): TunedShape[] {
  if (shapes === null) return []
  const variants = Array.from({ length: shapes.variants }, (_, variant) => variant)
  return variants.flatMap((variant) => shapes.groupSizes.map((groupSize) => ({ groupSize, variant })))
}

function isKernel(a: TunedShape, b: TunedShape): boolean {
  return a.groupSize === b.groupSize && a.variant === b.variant
}

function isSame(a: TunedShape, b: TunedShape): boolean {
  return isKernel(a, b) && a.batchMs === b.batchMs
}
