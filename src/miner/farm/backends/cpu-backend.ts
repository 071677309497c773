// The CPU as one device with N threads, through the hashing port.
import type { Clock } from '../../../base/time'
import type { CpuSearch, CpuSearchOptions, XhashEngine } from '../../../native/xhash-port'
import type { SensorSource } from '../../sensors/reading'
import { DatasetPair } from '../datasets/dataset-pair'
import { SharedDatasets } from '../datasets/shared-datasets'
import type {
  DetectedDevice,
  DeviceBackend,
  DeviceInfo,
  DeviceJob,
  DeviceSink,
  MiningDevice,
  PrepareOptions,
} from '../device-backend'
import { deviceName } from './device-name'
import { type Pace, PacedSearch, RatePacing } from './paced-search'

interface CpuBackendOptions {
  /** the processor's name for display */
  readonly name: string
  /** 1..256; null: the CPU doesn't mine */
  readonly threads: number | null
  readonly sensors: SensorSource | null
  /** of the computer; absent: unknown */
  readonly memoryBytes?: number
  /** absent: unlimited */
  readonly paced?: Paced
}

interface Paced {
  readonly pace: Pace
  readonly clock: Clock
}

/** The backend of the CPU device. */
export class CpuBackend implements DeviceBackend {
  readonly kind = 'cpu'
  #threads: number | null

  /** @param datasets shared with other devices in the same memory */
  constructor(
    private readonly options: CpuBackendOptions,
    private readonly engine: XhashEngine,
    private readonly datasets = new SharedDatasets(engine, { threads: options.threads ?? 1 }),
  ) {
    this.#threads = options.threads
  }

  /** Applies when the device is next opened. @param threads 1..256; null: the CPU is no longer among the devices */
  setThreads(threads: number | null): void {
    this.#threads = threads
  }

  async detect(): Promise<readonly DetectedDevice[]> {
    if (this.#threads === null) return []
    const { name, sensors, memoryBytes, paced } = this.options
    const { kind, simd } = this.engine
    const threads = (): number => this.#threads ?? 1
    const info: DeviceInfo = {
      name: deviceName(name),
      pci: '',
      backend: 'cpu',
      get threads() {
        return threads()
      },
    }
    const newSearch = (options: CpuSearchOptions): CpuSearch => {
      if (paced === undefined) return this.engine.createCpuSearch(options)
      const { pace, clock } = paced
      return new PacedSearch(this.engine, options, { pacing: new RatePacing(pace, clock), clock })
    }
    const open = (sink: DeviceSink): MiningDevice =>
      new CpuDevice(sink, { threads: threads(), engine: this.engine, datasets: this.datasets, newSearch })
    return [
      {
        info,
        sensors,
        onProcessor: true,
        driver: `${kind} (${simd})`,
        ...(memoryBytes !== undefined && { memoryBytes }),
        open,
      },
    ]
  }
}

/** What a device in main memory uses. */
export interface CpuDeviceDeps {
  readonly threads: number
  readonly engine: XhashEngine
  readonly datasets: SharedDatasets
  readonly newSearch: (options: CpuSearchOptions) => CpuSearch
}

/** A device that hashes on the processor. */
export class CpuDevice implements MiningDevice {
  #search: CpuSearch | null = null
  /** of closed searches */
  #hashesBefore = 0n
  readonly #datasets: DatasetPair

  constructor(
    private readonly sink: DeviceSink,
    private readonly deps: CpuDeviceDeps,
  ) {
    this.#datasets = new DatasetPair(deps.datasets)
  }

  async prepare(epoch: number, options: PrepareOptions): Promise<void> {
    const { engine } = this.deps
    const { signal } = options
    // Released first, so that two datasets are never in memory at once unless both already exist.
    if (!this.#datasets.isReady(epoch)) await this.#dropSearch()
    signal.throwIfAborted()
    await engine.prepareEpoch(epoch, signal)
    const dataset = await this.#datasets.take(epoch, options)
    signal.throwIfAborted()
    this.#search ??= this.deps.newSearch({
      threads: this.deps.threads,
      onSolution: ({ token, nonce, mixDigest, result }) => this.sink.solutionFound(token, nonce, { mixDigest, result }),
      onSegmentDone: (token) => this.sink.segmentDone(token),
    })
    this.#search.setDataset(dataset)
  }

  async prepareAhead(epoch: number, options: PrepareOptions): Promise<void> {
    await this.deps.engine.prepareEpoch(epoch, options.signal)
    await this.#datasets.buildNext(epoch, options)
  }

  setJob({ token, sealHash, target, segment }: DeviceJob): void {
    this.#search?.setJob({ token, sealHash, target, startNonce: segment.start, segmentBits: segment.bits })
  }

  clearJob(): void {
    this.#search?.clearJob()
  }

  hashCount(): bigint {
    return this.#hashesBefore + (this.#search?.hashCount() ?? 0n)
  }

  datasetBytes(): number | null {
    return this.#datasets.bytes
  }

  async close(): Promise<void> {
    await this.#dropSearch()
    this.#datasets.dropAll()
  }

  async #dropSearch(): Promise<void> {
    const search = this.#search
    if (search !== null) this.#hashesBefore += search.hashCount()
    this.#search = null
    await search?.close()
    this.#datasets.drop()
  }
}
