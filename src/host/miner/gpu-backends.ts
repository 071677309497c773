// The GPU backends enabled by the options. CUDA comes first: a GPU visible to both drivers uses it.
import { join } from 'node:path'
import type { ResolvedConfig } from '../../config/resolved-config'
import { type FixedShape, GpuBackend, type GpuBackendDeps } from '../../miner/farm/backends/gpu-backend'
import { GpuTuningFile } from '../../miner/farm/backends/gpu-tuning'
import { HistoryFile } from '../../miner/stats/history-file'
import type { XhashEngine } from '../../native/xhash-engine'
import type { TradesDeps } from '../trades-deps'

/** In device numbering order. */
export function gpuBackends({ config, clock, logs }: TradesDeps, engine: XhashEngine): readonly GpuBackend[] {
  const { gpu, app } = config
  const log = logs.logger.child({ module: 'gpu' })
  const tuning = new GpuTuningFile(new HistoryFile(join(app.dataDir, 'gpu-tuning.json')), log)
  const deps: GpuBackendDeps = { engine, clock, log, tuning }
  const isAsked = gpu.opencl || gpu.cuda
  const cuda = gpu.cuda || !isAsked ? cudaBackend(config, deps) : null
  if (!gpu.opencl && isAsked) return cuda === null ? [] : [cuda]
  return cuda === null ? [openclBackend(config, deps)] : [cuda, openclBackend(config, { ...deps, preferred: cuda })]
}

function cudaBackend({ gpu }: ResolvedConfig, deps: GpuBackendDeps): GpuBackend {
  const { cuDevices, cuSchedule } = gpu
  const shape = fixedShape(gpu.cuBlockSize, gpu.cuGridSize)
  return new GpuBackend({ kind: 'cuda', indices: cuDevices, shape, driver: { schedule: cuSchedule } }, deps)
}

function openclBackend({ gpu, app }: ResolvedConfig, deps: GpuBackendDeps): GpuBackend {
  const { clDevices, clCpu } = gpu
  const shape = fixedShape(gpu.clLocalWork, gpu.clGlobalWork)
  const driver = { binaryFolder: join(app.dataDir, 'gpu-kernels') }
  return new GpuBackend({ kind: 'opencl', indices: clDevices, processors: clCpu, shape, driver }, deps)
}

function fixedShape(groupSize: string | null, groups: number | null): FixedShape | null {
  if (groupSize === null && groups === null) return null
  return { groupSize: groupSize === null ? null : Number(groupSize), groups }
}
