// A hashing port for tests: hashes are looked up, searches are driven by the test.
import type {
  BuildDatasetOptions,
  CpuJob,
  CpuSearch,
  CpuSearchOptions,
  DatasetHandle,
  XhashEngine,
  XhashResult,
} from '../../native/xhash-port'
import { XHASH_TEST } from '../../xhash/params'

interface PendingBuild {
  readonly epoch: number
  readonly options: BuildDatasetOptions
  finish(): void
  fail(error: unknown): void
}

/** The last byte of a result; all others are 0, so a target of 0..255 decides. */
type FakeHash = (epoch: number, sealHash: Uint8Array, nonce: bigint) => number

/** An engine controlled by the test. */
export class FakeEngine implements XhashEngine {
  readonly kind = 'typescript'
  readonly simd = 'none'
  readonly loadError = 'fake'
  readonly params = XHASH_TEST
  readonly searches: FakeSearch[] = []
  readonly prepared: number[] = []
  readonly released: number[] = []
  builds: PendingBuild[] = []
  /** false: builds wait in `builds` until the test finishes them */
  instantBuilds = true
  hash: FakeHash = () => 0

  async hashLight(epoch: number, sealHash: Uint8Array, nonce: bigint): Promise<XhashResult> {
    const result = new Uint8Array(32)
    result[31] = this.hash(epoch, sealHash, nonce)
    return { mixDigest: new Uint8Array(32).fill(7), result }
  }

  async prepareEpoch(epoch: number): Promise<void> {
    this.prepared.push(epoch)
  }

  /** Item i is 64 bytes of i mod 256. */
  async datasetItems(_epoch: number, indices: Uint32Array): Promise<Uint8Array> {
    return Uint8Array.from({ length: indices.length * 64 }, (_, at) => (indices[at >> 6] ?? 0) & 0xff)
  }

  buildDataset(epoch: number, options: BuildDatasetOptions): Promise<DatasetHandle> {
    const handle: DatasetHandle = { epoch, sizeBytes: 32_768, release: () => void this.released.push(epoch) }
    if (this.instantBuilds) return Promise.resolve(handle)
    return new Promise((resolve, reject) => {
      this.builds.push({ epoch, options, finish: () => resolve(handle), fail: reject })
      options.signal?.addEventListener('abort', () => reject(options.signal?.reason))
    })
  }

  createCpuSearch(options: CpuSearchOptions): FakeSearch {
    const search = new FakeSearch(options)
    this.searches.push(search)
    return search
  }

  /** The currently open search. */
  get search(): FakeSearch {
    const open = this.searches.find((search) => !search.closed)
    if (open === undefined) throw new Error('no search is open')
    return open
  }

  keccak256(): Uint8Array {
    return new Uint8Array(32)
  }

  async close(): Promise<void> {
    await Promise.all(this.searches.map((search) => search.close()))
  }
}

/** A search controlled by the test. */
export class FakeSearch implements CpuSearch {
  readonly jobs: CpuJob[] = []
  job: CpuJob | null = null
  dataset: DatasetHandle | null = null
  hashes = 0n
  closed = false

  constructor(readonly options: CpuSearchOptions) {}

  setDataset(handle: DatasetHandle): void {
    this.dataset = handle
    this.job = null
  }

  setJob(job: CpuJob): void {
    this.jobs.push(job)
    this.job = job
  }

  clearJob(): void {
    this.job = null
  }

  hashCount(): bigint {
    return this.hashes
  }

  async close(): Promise<void> {
    this.closed = true
    this.job = null
  }

  /** Reports a hit of the current job, or of `token`. */
  find(nonce: bigint, token = this.job?.token ?? 0): void {
    this.options.onSolution({ token, nonce, mixDigest: new Uint8Array(32), result: new Uint8Array(32) })
  }
}
