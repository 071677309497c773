// The CPU as one device with N threads, driven through the hashing port.
import type { CpuSearch, DatasetHandle, XhashEngine } from '../../native/xhash-port'
import type { SensorSource } from '../sensors/reading'
import type {
  DetectedDevice,
  DeviceBackend,
  DeviceInfo,
  DeviceJob,
  DeviceSink,
  MiningDevice,
  PrepareOptions,
} from './device-backend'

export interface CpuBackendOptions {
  /** the processor's name as shown to the user */
  readonly name: string
  /** 1..256 */
  readonly threads: number
  readonly sensors: SensorSource | null
}

export class CpuBackend implements DeviceBackend {
  readonly kind = 'cpu'

  constructor(
    private readonly options: CpuBackendOptions,
    private readonly engine: XhashEngine,
  ) {}

  async detect(): Promise<readonly DetectedDevice[]> {
    const { name, threads, sensors } = this.options
    const info: DeviceInfo = { name, pci: '', backend: 'cpu', threads }
    return [{ info, sensors, open: (sink) => new CpuDevice(threads, this.engine, sink) }]
  }
}

class CpuDevice implements MiningDevice {
  #search: CpuSearch | null = null
  #dataset: DatasetHandle | null = null
  /** of searches that are closed */
  #hashesBefore = 0n

  constructor(
    private readonly threads: number,
    private readonly engine: XhashEngine,
    private readonly sink: DeviceSink,
  ) {}

  async prepare(epoch: number, { onProgress, signal }: PrepareOptions): Promise<void> {
    await this.#dropSearch() // first, so that two datasets never need memory at once
    signal.throwIfAborted()
    await this.engine.prepareEpoch(epoch, signal)
    const dataset = await this.engine.buildDataset(epoch, { threads: this.threads, onProgress, signal })
    if (signal.aborted) {
      dataset.release()
      throw signal.reason
    }
    this.#dataset = dataset
    this.#search = this.engine.createCpuSearch({
      threads: this.threads,
      onSolution: ({ token, nonce, mixDigest, result }) => this.sink.solutionFound(token, nonce, { mixDigest, result }),
      onSegmentDone: (token) => this.sink.segmentDone(token),
    })
    this.#search.setDataset(dataset)
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
    return this.#dataset?.sizeBytes ?? null
  }

  async close(): Promise<void> {
    await this.#dropSearch()
  }

  async #dropSearch(): Promise<void> {
    const search = this.#search
    const dataset = this.#dataset
    if (search !== null) this.#hashesBefore += search.hashCount()
    this.#search = null
    this.#dataset = null
    await search?.close()
    dataset?.release()
  }
}
