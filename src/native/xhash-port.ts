// The port through which the node verifies seals and the miner hashes on the CPU, whatever is behind it.
import type { XhashParams } from '../xhash/params'
import type { GpuDrivers, GpuJob } from './gpu-port'

/** Vector instructions of the native engine; all levels compute the same results. */
export type Simd = 'scalar' | 'avx2' | 'avx512'

/** mixDigest and result: 32 bytes each; result is a big-endian number to compare with a target */
export interface XhashResult {
  readonly mixDigest: Uint8Array
  readonly result: Uint8Array
}

/** A dataset in native memory (or in TypeScript's, small sizes only). Only the engine that built it can use it. */
export interface DatasetHandle {
  readonly epoch: number
  readonly sizeBytes: number
  /** Frees the memory once no search uses it anymore. Idempotent. */
  release(): void
}

/** A search job for a CPU device; its token is echoed in every solution. */
export type CpuJob = GpuJob

/** A nonce that meets its job's target. */
export interface CpuSolution extends XhashResult {
  readonly token: number
  readonly nonce: bigint
}

/** Threads and callbacks of a CPU search. */
export interface CpuSearchOptions {
  /** 1..256; the TypeScript engine always has one */
  readonly threads: number
  readonly onSolution: (solution: CpuSolution) => void
  /** the whole segment of the job with this token was searched; the search idles until the next job */
  readonly onSegmentDone?: (token: number) => void
}

/** A CPU device: threads that search one dataset for one job at a time. */
export interface CpuSearch {
  /** Replaces the dataset and drops the current job. */
  setDataset(handle: DatasetHandle): void
  /** Replaces the job; running threads pick it up within 10 ms. Without a dataset the job waits for one. */
  setJob(job: CpuJob): void
  /** Pauses: threads sleep until the next job. */
  clearJob(): void
  /** hashes finished since creation */
  hashCount(): bigint
  /** Ends the threads. No solutions are delivered after it resolves. Idempotent. */
  close(): Promise<void>
}

/** Options of a dataset build. */
export interface BuildDatasetOptions {
  readonly threads: number
  /** at most ten times a second, 0..1 */
  readonly onProgress?: (fraction: number) => void
  /** rejects with the signal's reason within about 50 ms */
  readonly signal?: AbortSignal
  /** build at background priority; default false */
  readonly inBackground?: boolean
}

/** Computes and searches proof-of-work hashes. */
export interface XhashEngine {
  readonly kind: 'native' | 'typescript'
  readonly simd: Simd | 'none'
  /** why native is missing, for the log; null when native */
  readonly loadError: string | null
  readonly params: XhashParams
  /** absent without the addon */
  readonly gpus?: GpuDrivers
  /** Verifies with the epoch's cache, which is built on first use and kept (the last three). Off the event loop. */
  hashLight(epoch: number, sealHash: Uint8Array, nonce: bigint): Promise<XhashResult>
  /** Builds the cache of `epoch` ahead of its first use. */
  prepareEpoch(epoch: number, signal?: AbortSignal): Promise<void>
  /** 64-byte items of the epoch's dataset, concatenated, from the cache. Blocks for 0.1 ms per item. */
  datasetItems(epoch: number, indices: Uint32Array): Promise<Uint8Array>
  buildDataset(epoch: number, options: BuildDatasetOptions): Promise<DatasetHandle>
  createCpuSearch(options: CpuSearchOptions): CpuSearch
  /** Ethereum's keccak-256 (not NIST padding), 32 bytes */
  keccak256(data: Uint8Array): Uint8Array
  /** Closes searches, cancels builds, frees caches. Idempotent; pending calls reject. */
  close(): Promise<void>
}

/** How the engine is chosen. */
export interface XhashEngineOptions {
  /** absolute folder from which the addon's file is searched upwards: see loader.ts */
  readonly searchFrom: string
  /** forces a level below the processor's best; for tests and benchmarks */
  readonly simd?: Simd
  readonly log?: (message: string) => void
}
