// The port through which the node checks seals and the miner hashes on the CPU, whatever is behind it.
import type { XhashParams } from '../xhash/params'
import type { GpuDrivers } from './gpu-port'

/** Vector instructions of the native engine; all levels give the same bits. */
export type Simd = 'scalar' | 'avx2' | 'avx512'

/** mixDigest and result: 32 bytes each; result is a big-endian number to compare with a target */
export interface XhashResult {
  readonly mixDigest: Uint8Array
  readonly result: Uint8Array
}

/** A whole dataset in native memory (or in TypeScript's, small sizes only). Usable by the engine that built it. */
export interface DatasetHandle {
  readonly epoch: number
  readonly sizeBytes: number
  /** Frees the memory once no search uses it any more. Idempotent. */
  release(): void
}

export interface CpuJob {
  /** grows by one per job; echoed in every solution; up to 2^53 - 1 */
  readonly token: number
  /** 32 bytes */
  readonly sealHash: Uint8Array
  /** 32 bytes, big-endian; a result <= target is a hit */
  readonly target: Uint8Array
  /** the segment is [startNonce, startNonce + 2^segmentBits), modulo 2^64 */
  readonly startNonce: bigint
  /** 0..63 */
  readonly segmentBits: number
}

export interface CpuSolution extends XhashResult {
  readonly token: number
  readonly nonce: bigint
}

export interface CpuSearchOptions {
  /** 1..256; the TypeScript engine has one whatever is asked */
  readonly threads: number
  readonly onSolution: (solution: CpuSolution) => void
  /** the whole segment of the job with this token was searched; the search idles until the next job */
  readonly onSegmentDone?: (token: number) => void
}

/** A CPU device: threads that search one dataset for one job at a time. */
export interface CpuSearch {
  /** Replaces the dataset and drops the current job. */
  setDataset(handle: DatasetHandle): void
  /** Replaces the job; running threads take it up in under 10 ms. Without a dataset the job waits for one. */
  setJob(job: CpuJob): void
  /** Pause: threads sleep until the next job. */
  clearJob(): void
  /** hashes finished since creation */
  hashCount(): bigint
  /** Ends the threads. No solution is delivered after it resolves. Idempotent. */
  close(): Promise<void>
}

export interface BuildDatasetOptions {
  readonly threads: number
  /** at most ten times a second, 0..1 */
  readonly onProgress?: (fraction: number) => void
  /** rejects with the signal's reason within 50 ms or so */
  readonly signal?: AbortSignal
  /** built with what everything else leaves of the processor; the default is false */
  readonly inBackground?: boolean
}

export interface XhashEngine {
  readonly kind: 'native' | 'typescript'
  readonly simd: Simd | 'none'
  /** why native is missing, for the loud log; null when native */
  readonly loadError: string | null
  readonly params: XhashParams
  /** absent without the addon */
  readonly gpus?: GpuDrivers
  /** Light check from the epoch's cache, which is built on first use and kept (the last three). Off the event loop. */
  hashLight(epoch: number, sealHash: Uint8Array, nonce: bigint): Promise<XhashResult>
  /** Builds the cache of `epoch` ahead of its first use. */
  prepareEpoch(epoch: number, signal?: AbortSignal): Promise<void>
  /** Items of 64 bytes of the epoch's dataset, joined, from the cache. Blocks for a tenth of a millisecond an item. */
  datasetItems(epoch: number, indices: Uint32Array): Promise<Uint8Array>
  buildDataset(epoch: number, options: BuildDatasetOptions): Promise<DatasetHandle>
  createCpuSearch(options: CpuSearchOptions): CpuSearch
  /** Ethereum's keccak-256 (not NIST padding), 32 bytes */
  keccak256(data: Uint8Array): Uint8Array
  /** Closes searches, cancels builds, frees caches. Idempotent; pending calls reject. */
  close(): Promise<void>
}

export interface XhashEngineOptions {
  /** absolute folder from which the addon's file is looked for, upwards: see loader.ts */
  readonly searchFrom: string
  /** forces a level below the best one that the processor has; for tests and benches */
  readonly simd?: Simd
  readonly log?: (message: string) => void
}
