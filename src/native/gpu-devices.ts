// GPUs through the addon: drivers found at run time, and their devices as objects.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf } from '../base/errors'
import { untilAborted } from '../base/on-abort'
import type { XhashParams } from '../xhash/params'
import { datasetBytes } from '../xhash/sizes'
import type { NativeAddon, NativeCache, NativeGpu, NativeGpuDriver } from './addon'
import { NativeError } from './errors'
import {
  CUDA_SCHEDULES,
  type Gpu,
  type GpuActivity,
  type GpuBuildOptions,
  type GpuDriver,
  type GpuDriverOptions,
  type GpuDrivers,
  type GpuFacts,
  type GpuJob,
  type GpuKind,
  type GpuListener,
  type GpuShape,
  type GpuShapes,
} from './gpu-port'
import { checkEpoch, checkJob } from './job-check'

const PROGRESS_MS = 100
/** The first driver call may have to power up a GPU; anything longer is a driver that hangs. */
const DRIVER_LIMIT_MS = 30_000

const LIBRARIES: Readonly<Record<string, string>> = {
  linux: 'libOpenCL.so.1',
  win32: 'OpenCL.dll',
  darwin: '/System/Library/Frameworks/OpenCL.framework/OpenCL',
}

interface GpuDevicesDeps {
  readonly addon: NativeAddon
  readonly params: XhashParams
  /** the cache of an epoch, built on first use */
  readonly cacheOf: (epoch: number) => Promise<NativeCache>
  /** absolute folder from which resources/ is searched upwards */
  readonly searchFrom: string
}

/** The GPU drivers of the addon, with every device that is open. */
export class NativeGpuDrivers implements GpuDrivers {
  readonly #open = new Set<NativeGpuDevice>()

  constructor(private readonly deps: GpuDevicesDeps) {}

  async open(kind: GpuKind, options: GpuDriverOptions = {}): Promise<GpuDriver | { readonly absent: string }> {
    const folder = resourceFolder(this.deps.searchFrom, kind)
    if (folder === null) return { absent: `resources/${kind} is missing` }
    const opening = this.#load(kind, folder, options).then(
      (driver) => ({ driver }),
      (error: unknown) => ({ absent: messageOf(error) }),
    )
    const opened = await answered(opening, kind)
    if ('absent' in opened) return opened
    return new NativeDriver(kind, { ...this.deps, driver: opened.driver, options, open: this.#open })
  }

  /** Asks every open device to close; one that hangs is left to the addon. */
  closeAll(): void {
    for (const gpu of this.#open) void gpu.close()
  }

  #load(kind: GpuKind, folder: string, options: GpuDriverOptions): Promise<NativeGpuDriver> {
    const { addon } = this.deps
    const { library, allocationLimit = 0, schedule = 'sync' } = options
    if (kind === 'cuda') return addon.openCuda(library ?? '', folder, CUDA_SCHEDULES.indexOf(schedule))
    const source = readFileSync(join(folder, 'xhash.cl'), 'utf8')
    return addon.openOpencl(library ?? LIBRARIES[process.platform] ?? 'libOpenCL.so', source, allocationLimit)
  }
}

interface DriverDeps extends GpuDevicesDeps {
  readonly driver: NativeGpuDriver
  readonly options: GpuDriverOptions
  readonly open: Set<NativeGpuDevice>
}

class NativeDriver implements GpuDriver {
  constructor(
    readonly kind: GpuKind,
    private readonly deps: DriverDeps,
  ) {}

  list(): Promise<readonly GpuFacts[]> {
    return answered(this.deps.addon.listGpus(this.deps.driver), this.kind)
  }

  open(index: number, listener: GpuListener): Gpu {
    const gpu = new NativeGpuDevice(index, listener, this.deps)
    this.deps.open.add(gpu)
    return gpu
  }
}

class NativeGpuDevice implements Gpu {
  readonly #gpu: NativeGpu
  #closing: Promise<void> | null = null

  constructor(
    index: number,
    listener: GpuListener,
    private readonly deps: DriverDeps,
  ) {
    this.#gpu = deps.addon.createGpu(deps.driver, index, {
      binaryFolder: deps.options.binaryFolder ?? '',
      onSolution: (token, nonce) => listener.onSolution(token, nonce),
      onSegmentDone: (token) => listener.onSegmentDone(token),
      onFailed: (error) => listener.onFailed(nativeError(error)),
    })
  }

  async prepare(epoch: number, { onProgress, signal }: GpuBuildOptions): Promise<void> {
    checkEpoch(epoch)
    const { addon, params, cacheOf } = this.deps
    this.clearJob()
    const cache = await untilAborted(cacheOf(epoch), signal)
    signal.throwIfAborted()
    const cancel = (): void => addon.cancelGpu(this.#gpu)
    const building = addon.prepareGpu(this.#gpu, cache, datasetBytes(params, epoch))
    signal.addEventListener('abort', cancel)
    const timer = setInterval(() => onProgress(addon.gpuProgress(this.#gpu)), PROGRESS_MS)
    try {
      await building
    } catch (error: unknown) {
      if (!signal.aborted) throw nativeError(error)
    } finally {
      clearInterval(timer)
      signal.removeEventListener('abort', cancel)
    }
    signal.throwIfAborted()
    onProgress(1)
  }

  readItems(indices: Uint32Array): Promise<Uint8Array> {
    return this.deps.addon.readGpuItems(this.#gpu, indices).catch((error: unknown) => {
      throw nativeError(error)
    })
  }

  setJob(job: GpuJob): void {
    checkJob(job)
    this.deps.addon.setGpuJob(this.#gpu, job.token, job.sealHash, job.target, job)
  }

  clearJob(): void {
    this.deps.addon.clearGpuJob(this.#gpu)
  }

  hashCount(): bigint {
    return this.deps.addon.gpuHashCount(this.#gpu)
  }

  activity(): GpuActivity {
    return this.deps.addon.gpuActivity(this.#gpu)
  }

  shapes(): GpuShapes | null {
    return this.deps.addon.gpuShapes(this.#gpu)
  }

  setShape(shape: GpuShape, batch: 'fixed' | 'timed'): void {
    this.deps.addon.setGpuShape(this.#gpu, shape, batch === 'fixed')
  }

  close(): Promise<void> {
    this.#closing ??= this.deps.addon.closeGpu(this.#gpu).then(() => void this.deps.open.delete(this))
    return this.#closing
  }
}

/** In an installed application kernels are beside the archive, where drivers can read them. */
function resourceFolder(searchFrom: string, kind: GpuKind): string | null {
  for (let folder = searchFrom; ; folder = dirname(folder)) {
    const candidate = join(folder.replace(/app\.asar(?=[\\/]|$)/, 'app.asar.unpacked'), 'resources', kind)
    if (existsSync(candidate)) return candidate
    if (dirname(folder) === folder) return null
  }
}

/** @throws NativeError DEVICE_DRIVER_SILENT after 30 seconds */
function answered<T>(question: Promise<T>, kind: GpuKind): Promise<T> {
  return new Promise((resolve, reject) => {
    const silent = (): void =>
      reject(new NativeError('DEVICE_DRIVER_SILENT', { kind, seconds: DRIVER_LIMIT_MS / 1_000 }))
    // The addon's calls don't keep the process alive; this timer does.
    const timer = setTimeout(silent, DRIVER_LIMIT_MS)
    question.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function nativeError(error: unknown): unknown {
  const text = messageOf(error)
  switch (error instanceof Error && 'kind' in error ? error.kind : null) {
    case 'out-of-memory':
      return new NativeError('DEVICE_GPU_MEMORY', { text })
    case 'build':
      return new NativeError('DEVICE_GPU_BUILD', { text })
    case 'lost':
      return new NativeError('DEVICE_GPU_LOST', { text })
    case 'other':
      return new NativeError('DEVICE_GPU_FAULT', { text })
    default:
      return error
  }
}
