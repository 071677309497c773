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

export interface DeviceSink {
  /** A nonce that the device believes to be a hit. May come late: see the token. */
  solutionFound(token: number, nonce: bigint): void
  /** Every nonce of the segment was searched; the device idles until its next job. */
  segmentDone(token: number): void
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
  /** Replaces the job; takes effect within 100 ms and never blocks. */
  setJob(job: DeviceJob): void
  clearJob(): void
  /** hashes finished since it was opened; never falls */
  hashCount(): bigint
  /** of the current dataset; null without one */
  datasetBytes(): number | null
  /** Releases everything; nothing is reported after it resolves. */
  close(): Promise<void>
}

/** One device that a backend found. */
export interface DetectedDevice {
  readonly info: DeviceInfo
  readonly sensors: SensorSource | null
  open(sink: DeviceSink): MiningDevice
}

export interface DeviceBackend {
  readonly kind: BackendKind
  /** The devices that can be used, in a stable order; an absent driver is an empty list, not an error. */
  detect(signal: AbortSignal): Promise<readonly DetectedDevice[]>
}
