// GPUs and drivers controlled by tests.
import type { Clock } from '../../base/time'
import type {
  Gpu,
  GpuActivity,
  GpuBuildOptions,
  GpuDriver,
  GpuDrivers,
  GpuFacts,
  GpuJob,
  GpuKind,
  GpuListener,
  GpuShape,
  GpuShapes,
} from '../../native/gpu-port'

/** Hashes by the clock, at the rate of its shape, since its creation. */
export class FakeGpuDevice implements Gpu {
  #shape: GpuShape = { groupSize: 128, variant: 0, batchHashes: 1_024 }
  #hashes = 0
  #since: number
  job: GpuJob | null = null
  /** the error that prepare fails with */
  fault: Error | null = null
  isClosed = false
  /** how long a shape is compiled when it is first set; it doesn't hash meanwhile */
  compileMs = 0
  #compiledAt = 0
  readonly #compiled = new Set<string>()
  batch: 'fixed' | 'timed' = 'timed'

  constructor(
    private readonly clock: Clock,
    private readonly rateOf: (shape: GpuShape) => number = () => 0,
    readonly listener: GpuListener | null = null,
  ) {
    this.#since = clock.monotonic()
  }

  async prepare(_epoch: number, { onProgress }: GpuBuildOptions): Promise<void> {
    if (this.fault !== null) throw this.fault
    onProgress(1)
  }

  async readItems(indices: Uint32Array): Promise<Uint8Array> {
    return new Uint8Array(indices.length * 64)
  }

  setJob(job: GpuJob): void {
    this.job = job
  }

  clearJob(): void {
    this.job = null
  }

  hashCount(): bigint {
    this.#count()
    return BigInt(Math.floor(this.#hashes))
  }

  activity(): GpuActivity {
    if (this.clock.monotonic() < this.#compiledAt) return 'compiling'
    return this.job === null ? 'idle' : 'searching'
  }

  shapes(): GpuShapes {
    return { current: this.#shape, variants: 2, groupSizes: [64, 128, 256] }
  }

  setShape(shape: GpuShape, batch: 'fixed' | 'timed'): void {
    this.#count()
    this.#shape = shape
    this.batch = batch
    const kernel = `${shape.variant} ${shape.groupSize}`
    if (this.#compiled.has(kernel)) return
    this.#compiled.add(kernel)
    this.#compiledAt = this.clock.monotonic() + this.compileMs
  }

  async close(): Promise<void> {
    this.isClosed = true
  }

  #count(): void {
    const now = this.clock.monotonic()
    this.#hashes += (Math.max(0, now - Math.max(this.#since, this.#compiledAt)) / 1_000) * this.rateOf(this.#shape)
    this.#since = now
  }
}

/** Drivers with the given devices; a kind without any is missing. */
export class FakeGpuDrivers implements GpuDrivers {
  readonly opened: FakeGpuDevice[] = []

  constructor(
    private readonly clock: Clock,
    private readonly devices: Partial<Record<GpuKind, readonly GpuFacts[]>>,
  ) {}

  async open(kind: GpuKind): Promise<GpuDriver | { readonly absent: string }> {
    const facts = this.devices[kind]
    if (facts === undefined) return { absent: 'no library' }
    return {
      kind,
      list: async () => facts,
      open: (_, listener) => {
        const gpu = new FakeGpuDevice(this.clock, () => 1_000, listener)
        this.opened.push(gpu)
        return gpu
      },
    }
  }
}

/** A card with 8 GiB. */
export function gpuFacts(over: Partial<GpuFacts> = {}): GpuFacts {
  return {
    name: 'Card',
    vendor: 'Maker',
    driver: '1.0',
    pci: '01:00.0',
    memoryBytes: 8 * 2 ** 30,
    computeUnits: 40,
    isCpu: false,
    ...over,
  }
}
