// The port for devices: CPU, OpenCL, CUDA and simulated ones alike.
import type { SensorSource } from '../sensors/reading'
import type { BackendKind } from '../stats/snapshot'
import type { NonceSegment } from './nonce-space'

/** A device's identity. */
export interface DeviceInfo {
  readonly name: string
  /** `01:00.0`, with a domain other than 0 `0001:01:00.0`; empty for a CPU */
  readonly pci: string
  readonly backend: BackendKind
  /** threads of a CPU device; null for others */
  readonly threads: number | null
}

/** A search job for a device. */
export interface DeviceJob {
  /** unique in this run; echoed in solutions */
  readonly token: number
  /** 32 bytes */
  readonly sealHash: Uint8Array
  /** 32 bytes, big-endian */
  readonly target: Uint8Array
  readonly segment: NonceSegment
}

/** The hash that the device computed for the nonce; mixDigest and result: 32 bytes each. */
export interface DeviceHash {
  readonly mixDigest: Uint8Array
  readonly result: Uint8Array
}

/** Callbacks of an open device. */
export interface DeviceSink {
  /** A hit by the device's count, with its hash if it computes one. May arrive late: see the token. */
  solutionFound(token: number, nonce: bigint, hash?: DeviceHash): void
  /** Every nonce of the segment was searched; the device idles until its next job. */
  segmentDone(token: number): void
  /** The device can't continue; it is closed and reopened, within the watchdog's limits. */
  failed(error: unknown): void
}

/** A GPU's launch size. */
export interface DeviceLaunch {
  /** work items per group */
  readonly groupSize: number
  /** hashes per launch */
  readonly batchHashes: number
}

/** Progress and cancellation of a dataset build. */
export interface PrepareOptions {
  /** 0..1 */
  readonly onProgress: (fraction: number) => void
  readonly signal: AbortSignal
}

/** An open device. A device that failed to prepare is unusable until the next prepare. */
export interface MiningDevice {
  /**
   * Drops job and dataset, then builds the dataset of `epoch`.
   * @throws DEVICE_OUT_OF_MEMORY when it doesn't fit; the signal's reason when aborted
   */
  prepare(epoch: number, options: PrepareOptions): Promise<void>
  /**
   * Builds the dataset of `epoch` beside the current one while the search continues: on a CPU it costs at most a tenth
   * of the rate; on a GPU both share it for the seconds of the build. A later `prepare` for that epoch then swaps
   * within milliseconds; an earlier one waits for the rest of the build, or begins its own. Returns immediately when it
   * already exists. Absent when the device can't.
   * @throws DEVICE_OUT_OF_MEMORY when both don't fit; the signal's reason when aborted
   */
  prepareAhead?(epoch: number, options: PrepareOptions): Promise<void>
  /** Replaces the job; takes effect within 100 ms and never blocks. */
  setJob(job: DeviceJob): void
  clearJob(): void
  /** hashes finished since it was opened; never decreases */
  hashCount(): bigint
  /** of the current dataset; null without one */
  datasetBytes(): number | null
  /** 64-byte items of its dataset, concatenated, to verify a build; absent where the engine itself makes datasets. */
  readItems?(indices: Uint32Array): Promise<Uint8Array>
  /** Its current launch size; absent when it doesn't launch in groups. */
  launch?(): DeviceLaunch | null
  /** Releases everything; no callbacks after it resolves. */
  close(): Promise<void>
}

/** Faults that a simulated device can be given; `none` ends lasting ones. */
const FAULTS = ['none', 'hang', 'error', 'overheat', 'sensor-lost', 'out-of-memory', 'wrong-result'] as const
/** A simulated fault. */
export type Fault = (typeof FAULTS)[number]

/** Core °C. Above `stop` the device pauses, at or below `start` it resumes. */
export interface TemperatureLimits {
  readonly stop: number
  readonly start: number
}

/** A device detected by a backend. */
export interface DetectedDevice {
  readonly info: DeviceInfo
  /** null: looked up by its PCI address */
  readonly sensors: SensorSource | null
  /** memory available for datasets; absent when unknown */
  readonly memoryBytes?: number
  /** driver and version, for display; absent when there is nothing to show */
  readonly driver?: string
  /** It computes on the CPU, shared with other programs: a low rate isn't its fault. */
  readonly onProcessor?: boolean
  /** Its driver compiles the kernels before the first dataset and at the first search. */
  readonly compiles?: boolean
  /** used when the user set none */
  readonly limits?: TemperatureLimits
  /** simulated devices only */
  readonly simulateFault?: (fault: Fault) => void
  open(sink: DeviceSink): MiningDevice
}

/** Detects and opens one kind of device. */
export interface DeviceBackend {
  readonly kind: BackendKind
  /** Why the last detect found no driver; null or absent: there is one, or none is needed. */
  readonly absence?: string | null
  /** The usable devices in a stable order; a missing driver is an empty list, not an error. */
  detect(signal: AbortSignal): Promise<readonly DetectedDevice[]>
}
