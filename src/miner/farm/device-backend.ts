// The port behind which devices are driven: the CPU now, OpenCL, CUDA and simulated devices the same way.
import type { SensorSource } from '../sensors/reading'
import type { BackendKind } from '../snapshot'
import type { NonceSegment } from './nonce-space'

export interface DeviceInfo {
  readonly name: string
  /** `01:00.0`, with a domain other than 0 `0001:01:00.0`; empty for a CPU */
  readonly pci: string
  readonly backend: BackendKind
  /** threads of a CPU device; null for others */
  readonly threads: number | null
}

/** What a device searches. */
export interface DeviceJob {
  /** unlike any other in this run; echoed in solutions */
  readonly token: number
  /** 32 bytes */
  readonly sealHash: Uint8Array
  /** 32 bytes, big-endian */
  readonly target: Uint8Array
  readonly segment: NonceSegment
}

/** What the device computed beside the nonce; mixDigest and result: 32 bytes each. */
export interface DeviceHash {
  readonly mixDigest: Uint8Array
  readonly result: Uint8Array
}

export interface DeviceSink {
  /** A nonce that the device believes to be a hit, with its hash where it gives one. May come late: see the token. */
  solutionFound(token: number, nonce: bigint, hash?: DeviceHash): void
  /** Every nonce of the segment was searched; the device idles until its next job. */
  segmentDone(token: number): void
  /** The device cannot go on; it is closed and opened again, within the limits of the watchdog. */
  failed(error: unknown): void
}

/** What a GPU computes at once. */
export interface DeviceLaunch {
  /** work items of a group */
  readonly groupSize: number
  /** hashes of a launch */
  readonly batchHashes: number
}

export interface PrepareOptions {
  /** 0..1 */
  readonly onProgress: (fraction: number) => void
  readonly signal: AbortSignal
}

/** An open device. A device that failed to prepare is unusable until the next prepare. */
export interface MiningDevice {
  /**
   * Drops job and dataset, then builds the dataset of `epoch`.
   * @throws DEVICE_OUT_OF_MEMORY when it does not fit; the signal's reason when aborted
   */
  prepare(epoch: number, options: PrepareOptions): Promise<void>
  /**
   * Builds the dataset of `epoch` beside the current one while the search goes on: at the cost of a tenth of its rate at
   * most on a processor, shared by both for the seconds of the build on a GPU. The next `prepare` of that epoch swaps then
   * within milliseconds; one that comes earlier waits for the rest of the build, or begins its own. At once when it is there already. Absent where a device cannot.
   * @throws DEVICE_OUT_OF_MEMORY when both do not fit; the signal's reason when aborted
   */
  prepareAhead?(epoch: number, options: PrepareOptions): Promise<void>
  /** Replaces the job; takes effect within 100 ms and never blocks. */
  setJob(job: DeviceJob): void
  clearJob(): void
  /** hashes finished since it was opened; never falls */
  hashCount(): bigint
  /** of the current dataset; null without one */
  datasetBytes(): number | null
  /**
   * Items of 64 bytes of the dataset it holds, joined, so that it can be checked after the build. Devices whose dataset
   * the engine itself made need none.
   */
  readItems?(indices: Uint32Array): Promise<Uint8Array>
  /** How it is launched at present; absent where it is not launched in groups. */
  launch?(): DeviceLaunch | null
  /** Releases everything; nothing is reported after it resolves. */
  close(): Promise<void>
}

/** What a simulated device can be told to suffer; `none` ends what lasts. */
export const FAULTS = ['none', 'hang', 'error', 'overheat', 'sensor-lost', 'out-of-memory', 'wrong-result'] as const
export type Fault = (typeof FAULTS)[number]

/** Celsius of the core. Over `stop` the device pauses, at or under `start` it goes on. */
export interface TemperatureLimits {
  readonly stop: number
  readonly start: number
}

/** One device that a backend found. */
export interface DetectedDevice {
  readonly info: DeviceInfo
  /** null: those of its PCI address are looked for */
  readonly sensors: SensorSource | null
  /** memory that datasets can be put in; absent where it is not known */
  readonly memoryBytes?: number
  /** what drives it, with its version, for people; absent where there is nothing to say */
  readonly driver?: string
  /** It computes on the processor, whose time other programs may take: a low rate isn't a fault of it. */
  readonly onProcessor?: boolean
  /** Its kernels are compiled by the driver, before the first dataset and at the first search. */
  readonly compiles?: boolean
  /** kept where the user set none */
  readonly limits?: TemperatureLimits
  /** of simulated devices only */
  readonly simulateFault?: (fault: Fault) => void
  open(sink: DeviceSink): MiningDevice
}

export interface DeviceBackend {
  readonly kind: BackendKind
  /** Why the last detect found no driver; null or absent: there is one, or none is needed. */
  readonly absence?: string | null
  /** The devices that can be used, in a stable order; an absent driver is an empty list, not an error. */
  detect(signal: AbortSignal): Promise<readonly DetectedDevice[]>
}
