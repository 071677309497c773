// The port on top of the addon: handles in, promises out. Everything longer than microseconds runs on the addon's
// threads.
import { untilAborted } from '../base/on-abort'
import type { XhashParams } from '../xhash/params'
import { cacheBytes, datasetBytes } from '../xhash/sizes'
import { linkedAbort } from './abort'
import type { NativeAddon, NativeCache, NativeDataset, NativeSearch } from './addon'
import { EpochCaches } from './epoch-caches'
import { NativeError } from './errors'
import { NativeGpuDrivers } from './gpu-devices'
import { checkEpoch, checkJob, checkLightInput, checkThreads } from './job-check'
import type {
  BuildDatasetOptions,
  CpuJob,
  CpuSearch,
  CpuSearchOptions,
  DatasetHandle,
  Simd,
  XhashEngine,
  XhashResult,
} from './xhash-port'

const PROGRESS_MS = 100

class NativeDatasetHandle implements DatasetHandle {
  constructor(
    readonly epoch: number,
    readonly sizeBytes: number,
    private readonly addon: NativeAddon,
    public native: NativeDataset | null,
  ) {}

  release(): void {
    if (this.native !== null) this.addon.release(this.native)
    this.native = null
  }
}

class NativeCpuSearch implements CpuSearch {
  readonly #search: NativeSearch
  #closing: Promise<void> | null = null

  constructor(
    private readonly addon: NativeAddon,
    options: CpuSearchOptions,
    private readonly onClosed: (search: CpuSearch) => void,
  ) {
    this.#search = addon.createSearch(
      options.threads,
      (token, nonce, mixDigest, result) => {
        if (this.#closing === null) options.onSolution({ token, nonce, mixDigest, result })
      },
      (token) => {
        if (this.#closing === null) options.onSegmentDone?.(token)
      },
    )
  }

  setDataset(handle: DatasetHandle): void {
    if (!(handle instanceof NativeDatasetHandle) || handle.native === null) {
      throw new NativeError('DEVICE_DATASET_FOREIGN', undefined)
    }
    if (this.#closing === null) this.addon.setSearchDataset(this.#search, handle.native)
  }

  setJob(job: CpuJob): void {
    checkJob(job)
    if (this.#closing === null) this.addon.setSearchJob(this.#search, job.token, job.sealHash, job.target, job)
  }

  clearJob(): void {
    if (this.#closing === null) this.addon.clearSearchJob(this.#search)
  }

  hashCount(): bigint {
    return this.addon.searchHashCount(this.#search)
  }

  close(): Promise<void> {
    this.#closing ??= this.addon.closeSearch(this.#search).then(() => this.onClosed(this))
    return this.#closing
  }
}

class NativeEngine implements XhashEngine {
  readonly kind = 'native'
  readonly loadError = null
  readonly #closing = new AbortController()
  readonly #searches = new Set<CpuSearch>()
  readonly #caches: EpochCaches<NativeCache>
  readonly gpus: NativeGpuDrivers

  constructor(
    readonly params: XhashParams,
    private readonly addon: NativeAddon,
    readonly simd: Simd,
    searchFrom: string,
  ) {
    this.#caches = new EpochCaches(
      (epoch) => addon.createCache(addon.seedHash(epoch), cacheBytes(params, epoch), simd),
      (cache) => addon.release(cache),
    )
    this.gpus = new NativeGpuDrivers({ addon, params, searchFrom, cacheOf: (epoch) => this.#caches.get(epoch) })
  }

  async hashLight(epoch: number, sealHash: Uint8Array, nonce: bigint): Promise<XhashResult> {
    this.#assertOpen()
    checkLightInput(epoch, sealHash, nonce)
    const input = sealHash.slice() // the caller may reuse its buffer while the cache is built
    const cache = await this.#caches.get(epoch)
    this.#assertOpen()
    const hash = await this.addon.hashLight(cache, datasetBytes(this.params, epoch), input, nonce)
    return { mixDigest: hash.slice(0, 32), result: hash.slice(32) }
  }

  async prepareEpoch(epoch: number, signal?: AbortSignal): Promise<void> {
    this.#assertOpen()
    checkEpoch(epoch)
    await untilAborted(this.#caches.get(epoch), signal)
  }

  async datasetItems(epoch: number, indices: Uint32Array): Promise<Uint8Array> {
    this.#assertOpen()
    checkEpoch(epoch)
    const cache = await this.#caches.get(epoch)
    this.#assertOpen()
    return this.addon.datasetItems(cache, indices)
  }

  async buildDataset(epoch: number, options: BuildDatasetOptions): Promise<DatasetHandle> {
    this.#assertOpen()
    checkEpoch(epoch)
    checkThreads(options.threads)
    const stop = linkedAbort([this.#closing.signal, options.signal])
    try {
      const cache = await untilAborted(this.#caches.get(epoch), stop.signal)
      return await this.#buildFrom(cache, epoch, { ...options, signal: stop.signal })
    } finally {
      stop.dispose()
    }
  }

  async #buildFrom(
    cache: NativeCache,
    epoch: number,
    options: BuildDatasetOptions & { readonly signal: AbortSignal },
  ): Promise<DatasetHandle> {
    const { addon } = this
    const { onProgress, signal } = options
    const bytes = datasetBytes(this.params, epoch)
    const build = addon.startDataset(cache, bytes, options.threads, options.inBackground ?? false)
    const cancel = (): void => addon.cancelDataset(build)
    signal.addEventListener('abort', cancel)
    const timer = setInterval(() => onProgress?.(addon.datasetProgress(build)), PROGRESS_MS)
    try {
      const native = await build.ready
      if (signal.aborted) addon.release(native)
      else {
        onProgress?.(1)
        return new NativeDatasetHandle(epoch, bytes, addon, native)
      }
    } catch (error: unknown) {
      if (!signal.aborted) throw error
    } finally {
      clearInterval(timer)
      signal.removeEventListener('abort', cancel)
    }
    throw signal.reason
  }

  createCpuSearch(options: CpuSearchOptions): CpuSearch {
    this.#assertOpen()
    checkThreads(options.threads)
    const search = new NativeCpuSearch(this.addon, options, (closed) => this.#searches.delete(closed))
    this.#searches.add(search)
    return search
  }

  keccak256(data: Uint8Array): Uint8Array {
    return this.addon.keccak256(data)
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#closing.abort(new NativeError('DEVICE_ENGINE_CLOSED', undefined))
    this.gpus.closeAll()
    await Promise.all([...this.#searches].map((search) => search.close()))
    this.#caches.clear()
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw new NativeError('DEVICE_ENGINE_CLOSED', undefined)
  }
}

interface NativeEngineOptions {
  /** SIMD level; default the best the processor supports. An unsupported level falls back to the best. */
  readonly simd?: Simd | undefined
  /** absolute folder from which the GPU kernels (resources/) are searched upwards; default the working folder */
  readonly searchFrom?: string
}

/** The engine that runs on the addon; `loadError` is null. @param params sizes of the network's proof of work */
export function createNativeEngine(
  params: XhashParams,
  addon: NativeAddon,
  { simd, searchFrom = process.cwd() }: NativeEngineOptions = {},
): XhashEngine {
  return new NativeEngine(params, addon, chooseSimd(addon.simdLevels, simd), searchFrom)
}

function chooseSimd(available: readonly string[], asked: Simd | undefined): Simd {
  const levels = (['scalar', 'avx2', 'avx512'] as const).filter((level) => available.includes(level))
  if (asked !== undefined && levels.includes(asked)) return asked
  return levels.at(-1) ?? 'scalar'
}
