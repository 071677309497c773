// Finds, while a GPU mines, the launch shape with which it mines best: each other shape for a moment, between moments
// with the best one so far, which is what stays: first kernels and group sizes, then how long a launch takes. A shape that is clearly worse is left at once.

import type { Disposable } from '../../../base/disposable'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import type { Gpu, GpuShapes } from '../../../native/gpu-port'
import { BATCH_LENGTHS_MS, type GpuTuningStore, type TunedShape, tuningKey } from './gpu-tuning'

/** Before the first moment: clocks and temperatures settle. */
const WARM_UP_MS = 15_000
/** Not measured: what was launched with the shape before ends, and a kernel may be compiled. */
const SETTLE_MS = 1_000
/** Of a moment that is looked at: is it worth going on? */
const GLANCE_MS = 500
const MOMENT_MS = 3_000
/** A shape under this part of the best one's rate is left after a glance. */
const HOPELESS = 0.8
/** Smaller gains are noise. */
const GAIN = 1.01

export interface GpuTunerDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly tuning: GpuTuningStore
}

interface Trial {
  readonly rivals: TunedShape[]
  /** lengths of a launch that the best shape is still to be tried with */
  lengths: readonly number[]
  best: TunedShape
  /** the best one's, measured last; null before the first time */
  bestRate: number | null
}

export class GpuTuner {
  #key: string | null = null
  #trial: Trial | null = null
  #timer: Disposable | null = null
  #done = false
  /** as it was ordered last: the device takes it up with its next launch; null: its own default */
  #inUse: TunedShape | null = null

  constructor(
    private readonly gpu: Pick<Gpu, 'hashCount' | 'shapes' | 'setShape'>,
    private readonly identity: Parameters<typeof tuningKey>[0],
    private readonly deps: GpuTunerDeps,
  ) {}

  /** A dataset is there: what was found for its size before is used, else it is looked for. */
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

  /** The device has a job. */
  work(): void {
    if (this.#done || this.#key === null || this.#timer !== null) return
    this.#after(WARM_UP_MS, () => this.#begin())
  }

  /** It has none any more: a moment that runs says nothing, and everything is tried again at the next job. */
  rest(): void {
    this.#timer?.dispose()
    this.#timer = null
    if (this.#trial !== null) this.#use(this.#trial.best)
    this.#trial = null
  }

  /**
   * The device failed. Where it did so with a shape that was only tried, that shape may be why: the best one so far is
   * kept, so that the next opening of the device does not fail the same way.
   */
  failed(): void {
    const trial = this.#trial
    const isRival = trial !== null && this.#inUse !== null && !isSame(this.#inUse, trial.best)
    this.rest()
    if (!isRival || this.#key === null) return
    this.#done = true
    this.deps.log.warn('GPU failed while it was tuned, it stays with what is best so far', {
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
      // The best one may have had a bad moment: it is beaten when it is so from both sides.
      this.#measure(trial.best, null, (again) => {
        if (rate > again * GAIN) trial.best = rival
        this.#measureBest()
      })
    })
  }

  /** @param least a rate under which a glance is enough; null: none is */
  #measure(shape: TunedShape, least: number | null, told: (rate: number) => void): void {
    const { clock } = this.deps
    this.#use(shape)
    this.#after(SETTLE_MS, () => {
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

  #end({ best }: Trial): void {
    const { log, tuning } = this.deps
    this.#trial = null
    this.#done = true
    this.#use(best)
    const { groupSize, variant: kernel, batchMs = 'usual' } = best
    log.info('GPU is tuned', { device: this.identity.name, groupSize, kernel, batchMs })
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

/** Every kernel with every group size that the device offers. */
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
