// The port behind which GPUs are driven, whatever driver is behind it. Absent drivers aren't an error: computers without
// GPUs are common.

export const GPU_KINDS = ['cuda', 'opencl'] as const
export type GpuKind = (typeof GPU_KINDS)[number]

/** What a driver tells of a device without opening it. */
export interface GpuFacts {
  readonly name: string
  readonly vendor: string
  /** the driver's version */
  readonly driver: string
  /** `01:00.0`, with a domain other than 0 `0001:01:00.0`; empty where the driver does not tell */
  readonly pci: string
  readonly memoryBytes: number
  readonly computeUnits: number
  /** a processor behind OpenCL */
  readonly isCpu: boolean
}

/** How a search is launched. */
export interface GpuShape {
  /** work items of a group: a power of two in 16..1024 */
  readonly groupSize: number
  /** which of the device's kernels; all find the same */
  readonly variant: number
  /** nonces of one launch, groupSize..2^28 */
  readonly batchHashes: number
  /** what a launch may take where its size follows the time, 1..200 ms; absent: the usual, two of which end in under 30 ms */
  readonly batchMs?: number
}

/**
 * What a device is at. Drivers compile for seconds to minutes and tell nothing meanwhile: silence while `compiling` is no
 * sign of a device that hangs.
 */
export type GpuActivity = 'idle' | 'compiling' | 'building' | 'searching'

export interface GpuShapes {
  /** in use; the batch follows the time that batches take */
  readonly current: GpuShape
  /** how many kernels there are */
  readonly variants: number
  /** sizes that are worth trying */
  readonly groupSizes: readonly number[]
}

export interface GpuJob {
  /** grows by one per job; up to 2^53 - 1 */
  readonly token: number
  /** 32 bytes */
  readonly sealHash: Uint8Array
  /** 32 bytes, big-endian */
  readonly target: Uint8Array
  /** the segment is [startNonce, startNonce + 2^segmentBits), modulo 2^64 */
  readonly startNonce: bigint
  /** 0..63 */
  readonly segmentBits: number
}

export interface GpuListener {
  /** The first 64 bits of the nonce's result are at or under the target's: the whole is to be checked. */
  onSolution(token: number, nonce: bigint): void
  onSegmentDone(token: number): void
  /** @param error NativeError DEVICE_GPU_…; the device does nothing more and is to be closed */
  onFailed(error: unknown): void
}

export interface GpuBuildOptions {
  /** 0..1 */
  readonly onProgress: (fraction: number) => void
  readonly signal: AbortSignal
}

/** An open device. */
export interface Gpu {
  /**
   * Drops job and dataset, then builds the dataset of `epoch` on the device. A desktop that it draws stays usable.
   * @throws NativeError DEVICE_GPU_MEMORY, DEVICE_GPU_BUILD, DEVICE_GPU_LOST, DEVICE_GPU_FAULT; the signal's reason when aborted
   */
  prepare(epoch: number, options: GpuBuildOptions): Promise<void>
  /** Items of 64 bytes of its dataset, joined. @throws as prepare */
  readItems(indices: Uint32Array): Promise<Uint8Array>
  /** Replaces the job; returns at once. */
  setJob(job: GpuJob): void
  clearJob(): void
  /** hashes finished since it was opened */
  hashCount(): bigint
  activity(): GpuActivity
  /** null before the first prepare */
  shapes(): GpuShapes | null
  /** How to launch from now on. @param batch `fixed` keeps the batch's size, `timed` lets it follow the time that batches take */
  setShape(shape: GpuShape, batch: 'fixed' | 'timed'): void
  /** Nothing is reported after it was called. Resolves when the driver has let go of the device: never, where it hangs. */
  close(): Promise<void>
}

export interface GpuDriver {
  readonly kind: GpuKind
  /** In a stable order. @throws NativeError DEVICE_DRIVER_SILENT */
  list(): Promise<readonly GpuFacts[]>
  /** @param index place in `list` */
  open(index: number, listener: GpuListener): Gpu
}

export interface GpuDriverOptions {
  /** folder for compiled kernels, absolute, made when missing; absent: nothing is kept */
  readonly binaryFolder?: string
  /** the driver library, a name that the system finds or a file; absent: the system's usual one */
  readonly library?: string
  /** bytes that one buffer may have at most (OpenCL); absent: what the device says */
  readonly allocationLimit?: number
  /** how CUDA waits for its devices; default `sync`, which sleeps */
  readonly schedule?: CudaSchedule
}

/** In the order of the addon's numbers. */
export const CUDA_SCHEDULES = ['auto', 'spin', 'yield', 'sync'] as const
export type CudaSchedule = (typeof CUDA_SCHEDULES)[number]

export interface GpuDrivers {
  /** The driver, or why there is none. @throws NativeError DEVICE_DRIVER_SILENT */
  open(kind: GpuKind, options?: GpuDriverOptions): Promise<GpuDriver | { readonly absent: string }>
}
