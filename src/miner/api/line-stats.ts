// The two statistics methods of the line RPC, in exactly the form that tools of the family parse: unknown sensors are 0.
import type { NonceLayout } from '../farm/farm'
import type { Summary, SummaryGpu } from './summary'

const WHOLE = 1_000
const GIB = 2 ** 30

/** What the summary lacks. Without a share, seconds count from the start. */
export interface MinerDetail {
  readonly epochChanges: number
  readonly secondsSinceShare: number
  readonly deviceSecondsSinceShare: readonly number[]
  /** [resume at, stop at] in Celsius; null without temperature limits */
  readonly temperatureLimits: readonly [number, number] | null
}

/** What both methods are made from. */
export interface StatsInput {
  readonly summary: Summary
  readonly detail: MinerDetail
  readonly nonces: NonceLayout
  /** of this computer */
  readonly hostName: string
  /** memory available to the CPU device */
  readonly hostMemoryBytes: number
}

/** miner_getstat1: nine strings. */
export function stat1({ summary }: Pick<StatsInput, 'summary'>): readonly string[] {
  const { miner, hashrate, shares, gpus, pool } = summary
  const kilo = (rate: number): number => Math.round(rate / WHOLE)
  return [
    `${miner.name}-${miner.version}`,
    String(Math.floor(miner.uptime / 60)),
    `${kilo(hashrate.now)};${shares.accepted};${shares.rejected}`,
    gpus.map((gpu) => kilo(gpu.hashrate.now)).join(';'),
    '0;0;0',
    gpus.map(() => 'off').join(';'),
    gpus.map((gpu) => `${Math.round(gpu.temperature.core)};${Math.round(gpu.fan)}`).join(';'),
    pool.host,
    `${shares.failed};${pool.switches};0;0`,
  ]
}

/** miner_getstatdetail */
export function statDetail(input: StatsInput): object {
  const { summary, detail, hostName } = input
  const { miner, hashrate, pool, shares } = summary
  return {
    connection: { connected: pool.connected, switches: pool.switches, uri: pool.url },
    devices: summary.gpus.map((gpu) => deviceDetail(gpu, input)),
    host: { name: hostName, runtime: miner.uptime, version: `${miner.name}-${miner.version}` },
    mining: {
      difficulty: pool.difficulty,
      epoch: pool.epoch,
      epoch_changes: detail.epochChanges,
      hashrate: hexRate(hashrate.now),
      shares: [shares.accepted, shares.rejected, shares.failed, detail.secondsSinceShare],
    },
    monitors: detail.temperatureLimits === null ? null : { temperatures: [...detail.temperatureLimits] },
  }
}

/** 16 digits, most significant first. */
export function hexNonce(nonce: bigint): string {
  return `0x${BigInt.asUintN(64, nonce).toString(16).padStart(16, '0')}`
}

function deviceDetail(gpu: SummaryGpu, { detail, nonces, hostMemoryBytes }: StatsInput): object {
  const segment = nonces.segments[gpu.index] ?? { start: nonces.start, bits: nonces.bits }
  const { accepted, rejected, failed } = gpu.shares
  const isCpu = gpu.backend === 'cpu'
  return {
    _index: gpu.index,
    _mode: modeOf(gpu.backend),
    hardware: {
      name: isCpu ? `${gpu.name} ${(hostMemoryBytes / GIB).toFixed(2)} GB` : gpu.name,
      pci: gpu.pci,
      sensors: [Math.round(gpu.temperature.core), Math.round(gpu.fan), gpu.power],
      type: isCpu ? 'CPU' : 'GPU',
    },
    mining: {
      hashrate: hexRate(gpu.hashrate.now),
      paused: gpu.paused,
      pause_reason: gpu.paused ? gpu.pause_reason : null,
      segment: [hexNonce(segment.start), hexNonce(segment.start + (1n << BigInt(segment.bits)))],
      shares: [accepted, rejected, failed, detail.deviceSecondsSinceShare[gpu.index] ?? 0],
    },
  }
}

/** How a device is driven, in the family's spelling. */
export function modeOf(backend: string): 'CUDA' | 'OpenCL' | 'CPU' {
  if (backend === 'cuda') return 'CUDA'
  return backend === 'opencl' ? 'OpenCL' : 'CPU'
}

/** Whole H/s, at least 8 hex digits. */
function hexRate(rate: number): string {
  return `0x${BigInt(Math.max(0, Math.round(rate)))
    .toString(16)
    .padStart(8, '0')}`
}
