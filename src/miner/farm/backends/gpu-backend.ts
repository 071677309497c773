// GPUs behind one driver, CUDA or OpenCL, as devices of the farm.
import { hasCode } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import type { Gpu, GpuDriver, GpuDriverOptions, GpuFacts, GpuKind, GpuShape } from '../../../native/gpu-port'
import type { XhashEngine } from '../../../native/xhash-port'
import { cacheBytes, datasetBytes } from '../../../xhash/sizes'
import { MinerError } from '../../errors'
import type {
  DetectedDevice,
  DeviceBackend,
  DeviceJob,
  DeviceLaunch,
  DeviceSink,
  MiningDevice,
  PrepareOptions,
} from '../device-backend'
import { GpuTuner } from './gpu-tuner'
import type { GpuTuningStore } from './gpu-tuning'

const NO_TUNING: GpuTuningStore = { find: async () => null, keep: async () => undefined }

export interface GpuBackendOptions {
  readonly kind: GpuKind
  /** the driver's own numbers of the devices that are used; none: every GPU, but no processor */
  readonly indices: readonly number[]
  /** processors behind OpenCL are used without being named, too */
  readonly processors?: boolean
  /** How to launch, as the user fixed it; null: devices are tuned. */
  readonly shape: FixedShape | null
  readonly driver?: GpuDriverOptions
}

/** What the user fixed of a launch. */
export interface FixedShape {
  /** work items of a group; null: the device's own */
  readonly groupSize: number | null
  /** groups of a launch; null: as many as take the right time */
  readonly groups: number | null
}

export interface GpuBackendDeps {
  readonly engine: XhashEngine
  readonly clock: Clock
  readonly log: Logger
  /** absent: what was tuned is forgotten */
  readonly tuning?: GpuTuningStore
  /** a driver that is asked before; what it drives is left to it */
  readonly preferred?: GpuBackend
}

export class GpuBackend implements DeviceBackend {
  #found: readonly GpuFacts[] = []
  #absence: string | null = null

  constructor(
    private readonly options: GpuBackendOptions,
    private readonly deps: GpuBackendDeps,
  ) {}

  get kind(): GpuKind {
    return this.options.kind
  }

  get absence(): string | null {
    return this.#absence
  }

  /** Those of the last detect. */
  get found(): readonly GpuFacts[] {
    return this.#found
  }

  async detect(signal: AbortSignal): Promise<readonly DetectedDevice[]> {
    const { kind } = this.options
    this.#found = []
    this.#absence = null
    const driver = await this.deps.engine.gpus?.open(kind, this.options.driver)
    signal.throwIfAborted()
    if (driver === undefined) return []
    if ('absent' in driver) {
      this.#absence = driver.absent
      this.deps.log.debug('no driver', { kind, reason: driver.absent })
      return []
    }
    const all = await driver.list()
    signal.throwIfAborted()
    const used = [...all.entries()].filter(([index, facts]) => this.#isUsed(index, facts))
    this.#found = used.map(([, facts]) => facts)
    return used.map(([index, facts]) => this.#detected(driver, index, facts))
  }

  #isUsed(index: number, facts: GpuFacts): boolean {
    const { indices, processors = false } = this.options
    const isNamed = indices.includes(index)
    if (facts.isCpu ? !isNamed && !processors : indices.length > 0 && !isNamed) return false
    return !this.#isPreferredElsewhere(facts)
  }

  /** The same card seen by another driver. OpenCL of cards that do not tell their address is known by its vendor. */
  #isPreferredElsewhere({ pci, vendor }: GpuFacts): boolean {
    const others = this.deps.preferred?.found ?? []
    if (pci !== '') return others.some((other) => other.pci === pci)
    return others.length > 0 && vendor.includes('NVIDIA')
  }

  #detected(driver: GpuDriver, index: number, facts: GpuFacts): DetectedDevice {
    const { kind, shape } = this.options
    return {
      info: { name: facts.name, pci: facts.pci, backend: kind, threads: null },
      sensors: null,
      onProcessor: facts.isCpu,
      compiles: true,
      memoryBytes: facts.memoryBytes,
      driver: `${kind === 'cuda' ? 'CUDA' : 'OpenCL'} ${facts.driver}`,
      open: (sink) => new GpuDevice({ driver, index, facts, shape }, sink, this.deps),
    }
  }
}

interface GpuDeviceOptions {
  readonly driver: GpuDriver
  readonly index: number
  readonly facts: GpuFacts
  readonly shape: FixedShape | null
}

class GpuDevice implements MiningDevice {
  readonly #gpu: Gpu
  readonly #tuner: GpuTuner | null
  #datasetBytes: number | null = null

  constructor(
    private readonly options: GpuDeviceOptions,
    sink: DeviceSink,
    private readonly deps: GpuBackendDeps,
  ) {
    const { driver, index, facts, shape } = options
    this.#gpu = driver.open(index, {
      onSolution: (token, nonce) => sink.solutionFound(token, nonce),
      onSegmentDone: (token) => {
        this.#tuner?.rest()
        sink.segmentDone(token)
      },
      onFailed: (error) => {
        this.#tuner?.failed()
        sink.failed(error)
      },
    })
    // Other programs share a processor: what is measured on it says little.
    const isTuned = shape === null && !facts.isCpu
    const { clock, log, tuning = NO_TUNING } = deps
    const identity = { kind: driver.kind, name: facts.name, driver: facts.driver }
    this.#tuner = isTuned ? new GpuTuner(this.#gpu, identity, { clock, log, tuning }) : null
  }

  async prepare(epoch: number, { onProgress, signal }: PrepareOptions): Promise<void> {
    const { params } = this.deps.engine
    const neededBytes = datasetBytes(params, epoch)
    this.#tuner?.rest()
    this.#datasetBytes = null
    try {
      await this.#gpu.prepare(epoch, { onProgress, signal })
    } catch (error: unknown) {
      if (!hasCode(error, 'DEVICE_GPU_MEMORY')) throw error
      const needed = { neededBytes: neededBytes + cacheBytes(params, epoch), freeBytes: this.options.facts.memoryBytes }
      throw new MinerError('DEVICE_OUT_OF_MEMORY', needed, { cause: error })
    }
    this.#datasetBytes = neededBytes
    this.#fixShape()
    await this.#tuner?.prepared(neededBytes)
  }

  setJob({ token, sealHash, target, segment }: DeviceJob): void {
    this.#gpu.setJob({ token, sealHash, target, startNonce: segment.start, segmentBits: segment.bits })
    this.#tuner?.work()
  }

  clearJob(): void {
    this.#tuner?.rest()
    this.#gpu.clearJob()
  }

  hashCount(): bigint {
    return this.#gpu.hashCount()
  }

  datasetBytes(): number | null {
    return this.#datasetBytes
  }

  launch(): DeviceLaunch | null {
    return this.#gpu.shapes()?.current ?? null
  }

  readItems(indices: Uint32Array): Promise<Uint8Array> {
    return this.#gpu.readItems(indices)
  }

  async close(): Promise<void> {
    this.#tuner?.rest()
    this.#datasetBytes = null
    await this.#gpu.close()
  }

  #fixShape(): void {
    const { shape } = this.options
    const shapes = this.#gpu.shapes()
    if (shape === null || shapes === null) return
    this.#gpu.setShape(shapeOf(shape, shapes.current), shape.groups === null ? 'timed' : 'fixed')
  }
}

/** Whole groups, as many as were asked for, up to what one launch may have. */
function shapeOf(fixed: FixedShape, { groupSize: own, variant, batchHashes }: GpuShape): GpuShape {
  const groupSize = fixed.groupSize ?? own
  const wished = fixed.groups ?? Math.max(1, Math.floor(batchHashes / groupSize))
  return { groupSize, variant, batchHashes: Math.min(wished, 2 ** 28 / groupSize) * groupSize }
}
