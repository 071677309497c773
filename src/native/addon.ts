// The addon's raw surface, as native/src/addon/ defines it. Only this folder calls it.
import type { GpuActivity, GpuFacts, GpuShape, GpuShapes } from './gpu-port'

// Handles are opaque: they own native memory, and dropping the last reference frees it as `release` does at once.

declare const handleKind: unique symbol
interface Handle<Kind extends string> {
  readonly [handleKind]: Kind
}
export type NativeCache = Handle<'cache'>
export type NativeDataset = Handle<'dataset'>
/** `ready` resolves when the build has ended and rejects when it was cancelled. */
export type NativeDatasetBuild = Handle<'dataset-build'> & { readonly ready: Promise<NativeDataset> }
export type NativeSearch = Handle<'search'>
export type NativeNvml = Handle<'nvml'>
export type NativeGpuDriver = Handle<'gpu-driver'>
export type NativeGpu = Handle<'gpu'>

/** Errors that questions to a GPU reject with have a `kind`: out-of-memory, build, lost, other, cancelled. */
export interface NativeGpuOptions {
  /** folder for compiled kernels; empty: nothing is kept */
  readonly binaryFolder: string
  readonly onSolution: (token: number, nonce: bigint) => void
  readonly onSegmentDone: (token: number) => void
  readonly onFailed: (error: Error) => void
}

/** null where the device does not report it */
export interface NativeNvmlReading {
  readonly coreCelsius: number | null
  readonly memoryCelsius: number | null
  readonly fanPercent: number | null
  readonly powerWatts: number | null
  readonly powerLimitWatts: number | null
  readonly coreMhz: number | null
  readonly memoryMhz: number | null
}

/** watts, MHz or per cent; `now` null where the card decides or it cannot be told, `usual` null without a fixed one */
export interface NativeNvmlRange {
  readonly least: number
  readonly most: number
  readonly now: number | null
  readonly usual: number | null
}

/** null where the device or its driver has no such knob */
export interface NativeNvmlControls {
  /** empty where it is not told */
  readonly identity: string
  readonly power: NativeNvmlRange | null
  readonly coreClock: NativeNvmlRange | null
  readonly memoryClock: NativeNvmlRange | null
  readonly fan: NativeNvmlRange | null
}

export interface NativeSizes {
  readonly cacheBytesInit: number
  readonly cacheBytesGrowth: number
  readonly datasetBytesInit: number
  readonly datasetBytesGrowth: number
}

export interface NativeAddon {
  /** grows when a signature here changes; the loader refuses others */
  readonly abi: number
  /** levels this processor has, slowest first; always contains 'scalar' */
  readonly simdLevels: readonly string[]

  keccak256(data: Uint8Array): Uint8Array
  sha3_256(data: Uint8Array): Uint8Array
  sha3_512(data: Uint8Array): Uint8Array
  fnv1(a: number, b: number): number
  seedHash(epoch: number): Uint8Array
  cacheBytes(sizes: NativeSizes, epoch: number): number
  datasetBytes(sizes: NativeSizes, epoch: number): number

  /** @param secret 32 bytes */
  isSecretKey(secret: Uint8Array): boolean
  /** 64 bytes; null for what isn't a secret key of 32 bytes. */
  publicKey(secret: Uint8Array): Uint8Array | null
  /** 64 bytes; null when the 33 bytes aren't a point. */
  expandKey(compressed: Uint8Array): Uint8Array | null
  /** 65 bytes: r, s, parity; null for what isn't a secret key. @param digest 32 bytes @param secret 32 bytes */
  signDigest(digest: Uint8Array, secret: Uint8Array): Uint8Array | null
  /** 64 bytes; null when no key made it. @param digest 32 bytes @param signature r and s, 64 bytes @param id 0 to 3 */
  recoverKey(digest: Uint8Array, signature: Uint8Array, id: number): Uint8Array | null
  /** The last 20 bytes of that key's keccak-256. */
  recoverAddress(digest: Uint8Array, signature: Uint8Array, id: number): Uint8Array | null
  /** False for a high s too. @param digest 32 bytes @param signature r and s, 64 bytes @param key 64 bytes */
  verifySignature(digest: Uint8Array, signature: Uint8Array, key: Uint8Array): boolean
  /** 32 bytes; null when one of the two isn't a key. @param secret 32 bytes @param key 64 bytes */
  sharedX(secret: Uint8Array, key: Uint8Array): Uint8Array | null

  /**
   * `begun` ** (2 ** (8 * exponent bytes)) * base ** exponent modulo the modulus, as long as the modulus: a long exponent can be
   * given in parts, the highest first. Numbers are big-endian. Blocks: the lengths bound its work. Not in an addon built before it
   * came; all else is. @param begun empty: 1
   */
  modularPower?(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array, begun: Uint8Array): Uint8Array

  /**
   * scrypt's mixing (RFC 7914, scryptROMix) of each block of 128 * r bytes, on this thread or on one of the addon's. Only on x86-64,
   * and not in an addon built before it came. @param n a power of two, 2 to 2^24 @throws Error without memory
   */
  mixScrypt?(blocks: Uint8Array, n: number, r: number): Uint8Array
  mixScryptApart?(blocks: Uint8Array, n: number, r: number): Promise<Uint8Array>

  /**
   * Takes files, connections and other programs from this process, all its threads, for good: Linux on x86-64 and ARM64.
   * Empty when it holds, else why it does not. Not in an addon built before it came.
   */
  confineProcess?(): string

  /** These two are of Windows' addon alone; see `WindowsSystem`. */
  protectFolder?(path: string): string
  processStart?(pid: number): bigint

  /**
   * One datagram to a local socket. Empty when it was sent, else why not; never waits for a reader. Not in an addon built before it
   * came.
   * @param path with `@` first a name without a file
   */
  sendNotice?(path: string, text: string): string

  /**
   * Two paths of one file system change places in one step. Empty when they did, else why not: Linux only. Not in an addon built
   * before it came.
   */
  exchangePaths?(one: string, other: string): string

  /** Builds a cache on the addon's pool. `simd` empty = the best level; it stays with everything made from the cache. */
  createCache(seed: Uint8Array, bytes: number, simd: string): Promise<NativeCache>
  /** A cache of given content (bytes a multiple of 64), for tests with made-up caches. */
  cacheFromBytes(content: Uint8Array, simd: string): NativeCache
  cacheContent(cache: NativeCache): Uint8Array
  /** 64-byte items at `indices`, joined. Blocks: for tests and benches. */
  datasetItems(cache: NativeCache, indices: Uint32Array): Uint8Array
  /** 64 bytes: mix digest, then result. On the addon's pool. */
  hashLight(cache: NativeCache, datasetBytes: number, sealHash: Uint8Array, nonce: bigint): Promise<Uint8Array>

  /** Starts `threads` threads that fill a dataset, in the background below all other work. Throws when the memory is not to be had. */
  startDataset(cache: NativeCache, bytes: number, threads: number, inBackground?: boolean): NativeDatasetBuild
  /** 0..1 */
  datasetProgress(build: NativeDatasetBuild): number
  cancelDataset(build: NativeDatasetBuild): void
  datasetContent(dataset: NativeDataset, offset: number, bytes: number): Uint8Array
  /** The same memory searched with another level, for tests and benches; a handle of its own. */
  datasetWithSimd(dataset: NativeDataset, simd: string): NativeDataset
  /** 64 bytes: mix digest, then result. Blocks (microseconds). */
  hashFull(dataset: NativeDataset, sealHash: Uint8Array, nonce: bigint): Uint8Array

  createSearch(
    threads: number,
    onSolution: (token: number, nonce: bigint, mixDigest: Uint8Array, result: Uint8Array) => void,
    onSegmentDone: (token: number) => void,
  ): NativeSearch
  setSearchDataset(search: NativeSearch, dataset: NativeDataset): void
  setSearchJob(
    search: NativeSearch,
    token: number,
    sealHash: Uint8Array,
    target: Uint8Array,
    range: { readonly startNonce: bigint; readonly segmentBits: number },
  ): void
  clearSearchJob(search: NativeSearch): void
  searchHashCount(search: NativeSearch): bigint
  /** Resolves when its threads have ended; no callback comes after that. */
  closeSearch(search: NativeSearch): Promise<void>

  /** Loads and starts NVIDIA's management library. Rejects with the reason when there is none. */
  openNvml(path: string): Promise<NativeNvml>
  /**
   * Rejects when the device is unknown or lost; never settles when the driver hangs.
   * @param busId `00000000:01:00.0`
   */
  readNvml(nvml: NativeNvml, busId: string): Promise<NativeNvmlReading>

  /** What can be set of a device. Rejects as `readNvml`. */
  readNvmlControls(nvml: NativeNvml, busId: string): Promise<NativeNvmlControls>
  /** Sets one knob; null gives it back to the card. Rejects with the library's words. */
  setNvml(
    nvml: NativeNvml,
    busId: string,
    knob: Exclude<keyof NativeNvmlControls, 'identity'>,
    value: number | null,
  ): Promise<void>

  /** Rejects with the reason when there is no such library. The event loop is not kept alive. @param allocationLimit bytes, 0: none */
  openOpencl(library: string, source: string, allocationLimit: number): Promise<NativeGpuDriver>
  /** As openOpencl. @param library empty: the system's @param schedule place in CUDA_SCHEDULES */
  openCuda(library: string, ptxFolder: string, schedule: number): Promise<NativeGpuDriver>
  /** Never settles when the driver hangs. */
  listGpus(driver: NativeGpuDriver): Promise<readonly GpuFacts[]>
  /** Starts the device's thread; the device itself is opened by the first prepare. */
  createGpu(driver: NativeGpuDriver, index: number, options: NativeGpuOptions): NativeGpu
  prepareGpu(gpu: NativeGpu, cache: NativeCache, datasetBytes: number): Promise<void>
  cancelGpu(gpu: NativeGpu): void
  /** 0..1 */
  gpuProgress(gpu: NativeGpu): number
  /** 64-byte items, joined */
  readGpuItems(gpu: NativeGpu, indices: Uint32Array): Promise<Uint8Array>
  setGpuJob(
    gpu: NativeGpu,
    token: number,
    sealHash: Uint8Array,
    target: Uint8Array,
    range: { readonly startNonce: bigint; readonly segmentBits: number },
  ): void
  clearGpuJob(gpu: NativeGpu): void
  gpuHashCount(gpu: NativeGpu): bigint
  gpuActivity(gpu: NativeGpu): GpuActivity
  gpuShapes(gpu: NativeGpu): GpuShapes | null
  setGpuShape(gpu: NativeGpu, shape: GpuShape, isFixed: boolean): void
  /** Resolves when the driver has let go of the device; no callback comes after the call. */
  closeGpu(gpu: NativeGpu): Promise<void>

  /** Frees the native memory of a cache or dataset as soon as no thread uses it. */
  release(handle: NativeCache | NativeDataset): void
}

/** The curve's part of the addon. Lengths are checked by who calls it. */
export type CurveFunctions = Pick<
  NativeAddon,
  | 'isSecretKey'
  | 'publicKey'
  | 'expandKey'
  | 'signDigest'
  | 'recoverKey'
  | 'recoverAddress'
  | 'verifySignature'
  | 'sharedX'
>
