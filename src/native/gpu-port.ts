// The port for GPUs, whatever driver is behind it. A missing driver isn't an error: many computers have no GPU.

export type GpuKind = 'cuda' | 'opencl'

/** What a driver reports about a device without opening it. */
export interface GpuFacts {
  readonly name: string
  readonly vendor: string
  /** the driver's version */
  readonly driver: string
  /** `01:00.0`, with a domain other than 0 `0001:01:00.0`; empty where the driver doesn't report it */
  readonly pci: string
  readonly memoryBytes: number
  readonly computeUnits: number
  /** a CPU exposed through OpenCL */
  readonly isCpu: boolean
}

/** How a search is launched. */
export interface GpuShape {
  /** work items per group: a power of two in 16..1024 */
  readonly groupSize: number
  /** which of the device's kernels; all find the same nonces */
  readonly variant: number
  /** nonces per launch, groupSize..2^28 */
  readonly batchHashes: number
  /** target launch time when the size is adaptive, 1..200 ms; absent: the default, two launches in under 30 ms */
  readonly batchMs?: number
}

/** Drivers compile for minutes without reporting progress: silence while `compiling` doesn't mean that it hangs. */
export type GpuActivity = 'idle' | 'compiling' | 'building' | 'searching'

/** The launch shapes a device supports. */
export interface GpuShapes {
  /** in use; the batch size adapts to the measured batch time */
  readonly current: GpuShape
  /** number of kernels */
  readonly variants: number
  /** sizes worth trying */
  readonly groupSizes: readonly number[]
}

/** A search job for a GPU. */
export interface GpuJob {
  /** increases by one per job; up to 2^53 - 1 */
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

/** Callbacks of an open GPU. */
export interface GpuListener {
  /** The first 64 bits of the nonce's result are at or below the target's: the caller must verify the full result. */
  onSolution(token: number, nonce: bigint): void
  onSegmentDone(token: number): void
  /** @param error NativeError DEVICE_GPU_…; the device has stopped and must be closed */
  onFailed(error: unknown): void
}

/** Of a dataset on the GPU. */
export interface GpuBuildOptions {
  /** 0..1 */
  readonly onProgress: (fraction: number) => void
  readonly signal: AbortSignal
}

/** An open device. */
export interface Gpu {
  /**
   * Drops job and dataset, then builds the dataset of `epoch` on the device. A desktop drawn by this GPU stays usable.
   * @throws NativeError DEVICE_GPU_MEMORY, DEVICE_GPU_BUILD, DEVICE_GPU_LOST, DEVICE_GPU_FAULT; the signal's reason
   * when aborted
   */
  prepare(epoch: number, options: GpuBuildOptions): Promise<void>
  /** 64-byte items of its dataset, concatenated. @throws as prepare */
  readItems(indices: Uint32Array): Promise<Uint8Array>
  /** Replaces the job; returns immediately. */
  setJob(job: GpuJob): void
  clearJob(): void
  /** hashes finished since it was opened */
  hashCount(): bigint
  activity(): GpuActivity
  /** null before the first prepare */
  shapes(): GpuShapes | null
  /** Sets the launch shape. @param batch `fixed` keeps the batch size, `timed` adapts it to the measured batch time */
  setShape(shape: GpuShape, batch: 'fixed' | 'timed'): void
  /** No callbacks after the call. Resolves when the driver has released the device: never, if it hangs. */
  close(): Promise<void>
}

/** One GPU driver (OpenCL or CUDA). */
export interface GpuDriver {
  readonly kind: GpuKind
  /** In a stable order. @throws NativeError DEVICE_DRIVER_SILENT */
  list(): Promise<readonly GpuFacts[]>
  /** @param index position in `list` */
  open(index: number, listener: GpuListener): Gpu
}

/** How a driver is opened; each absent: as usual. */
export interface GpuDriverOptions {
  /** folder for compiled kernels, absolute, created when missing; absent: no cache */
  readonly binaryFolder?: string
  /** the driver library, a name that the system resolves or a file; absent: the system's default */
  readonly library?: string
  /** maximum bytes of one buffer (OpenCL); absent: what the device reports */
  readonly allocationLimit?: number
  /** how CUDA waits for its devices; default `sync`, which sleeps */
  readonly schedule?: CudaSchedule
}

/** Indexes are the addon's numbers. */
export const CUDA_SCHEDULES = ['auto', 'spin', 'yield', 'sync'] as const
/** How CUDA waits for a device. */
type CudaSchedule = (typeof CUDA_SCHEDULES)[number]

/** Opens GPU drivers by kind. */
export interface GpuDrivers {
  /** The driver, or why there is none. @throws NativeError DEVICE_DRIVER_SILENT */
  open(kind: GpuKind, options?: GpuDriverOptions): Promise<GpuDriver | { readonly absent: string }>
}
