// Cards for farm tests, with a driver controlled by the test.
import type {
  DeviceBackend,
  DeviceInfo,
  DeviceJob,
  DeviceSink,
  MiningDevice,
  PrepareOptions,
} from '../farm/device-backend'

/** A card whose driver is controlled by the test. */
export class FakeCard implements MiningDevice {
  hashes = 0n
  job: DeviceJob | null = null
  prepared: number[] = []
  closed = 0
  items: (indices: Uint32Array) => Uint8Array = goodItems
  build: (options: PrepareOptions) => Promise<void> = async () => undefined
  ending: () => Promise<void> = async () => undefined

  constructor(readonly sink: DeviceSink) {}

  async prepare(epoch: number, options: PrepareOptions): Promise<void> {
    this.prepared.push(epoch)
    await this.build(options)
  }
  setJob(job: DeviceJob): void {
    this.job = job
  }
  clearJob(): void {
    this.job = null
  }
  hashCount(): bigint {
    return this.hashes
  }
  datasetBytes(): number {
    return 64 * 1_000
  }
  async readItems(indices: Uint32Array): Promise<Uint8Array> {
    return this.items(indices)
  }
  async close(): Promise<void> {
    this.closed += 1
    await this.ending()
  }
}

/** As computed by the fake engine. */
export function goodItems(indices: Uint32Array): Uint8Array {
  return Uint8Array.from({ length: indices.length * 64 }, (_, at) => (indices[at >> 6] ?? 0) & 0xff)
}

/** A backend of fake cards. */
export class FakeCards implements DeviceBackend {
  readonly kind = 'cuda'
  /** all that were opened, in order */
  readonly opened: FakeCard[] = []

  constructor(
    private readonly count: number,
    private readonly shape: (card: FakeCard, position: number) => void = () => undefined,
    private readonly memoryBytes: number | null = null,
    private readonly compiles = false,
  ) {}

  async detect() {
    return Array.from({ length: this.count }, (_, position) => {
      const info: DeviceInfo = { name: 'card', pci: `0${position + 1}:00.0`, backend: 'cuda', threads: null }
      const open = (sink: DeviceSink): MiningDevice => {
        const card = new FakeCard(sink)
        this.shape(card, position)
        this.opened.push(card)
        return card
      }
      return {
        info,
        sensors: null,
        open,
        compiles: this.compiles,
        ...(this.memoryBytes === null ? {} : { memoryBytes: this.memoryBytes }),
      }
    })
  }
}
