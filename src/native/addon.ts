// The addon's raw surface, as native/src/addon/ defines it. Only this folder calls it.
import type { GpuActivity, GpuFacts, GpuJob, GpuShape, GpuShapes } from './gpu-port'

// Handles are opaque: they own native memory, and dropping the last reference frees it as `release` does at once.

declare const handleKind: unique symbol
interface Handle<Kind extends string> {
  readonly [handleKind]: Kind
}
/** What light hashes are computed from: some ten MB per epoch. */
export type NativeCache = Handle<'cache'>
export type NativeDataset = Handle<'dataset'>
/** `ready` resolves when the build has finished and rejects when it was cancelled. */
type NativeDatasetBuild = Handle<'dataset-build'> & { readonly ready: Promise<NativeDataset> }
/** A CPU search: its threads and current job. */
export type NativeSearch = Handle<'search'>
/** NVIDIA's management library, loaded and initialized. */
type NativeNvml = Handle<'nvml'>
/** An opened GPU driver library (OpenCL or CUDA). */
export type NativeGpuDriver = Handle<'gpu-driver'>
/** One GPU and the native thread that drives it. */
export type NativeGpu = Handle<'gpu'>

/** GPU calls reject with errors that have a `kind`: out-of-memory, build, lost, other, cancelled. */
interface NativeGpuOptions {
  /** folder for compiled kernels; empty: no cache */
  readonly binaryFolder: string
  readonly onSolution: (token: number, nonce: bigint) => void
  readonly onSegmentDone: (token: number) => void
  readonly onFailed: (error: Error) => void
}

type Segment = Pick<GpuJob, 'startNonce' | 'segmentBits'>

/** One device's values; null where it does not report one. */
export interface NvmlReading {
  /** Celsius */
  readonly coreCelsius: number | null
  readonly memoryCelsius: number | null
  readonly fanPercent: number | null
  readonly powerWatts: number | null
  readonly powerLimitWatts: number | null
  readonly coreMhz: number | null
  readonly memoryMhz: number | null
}

/** The values of one knob: watts, MHz or percent. */
interface NvmlRange {
  readonly least: number
  readonly most: number
  /** null where the GPU decides, or where the library doesn't report it, as with locked clocks */
  readonly now: number | null
  /** the default; null where it isn't fixed */
  readonly usual: number | null
}

/** The adjustable settings of a device; null where it lacks a knob. */
export interface NvmlControls {
  /** unique to this GPU and stable across restarts; empty where the library doesn't report it */
  readonly identity: string
  /** watts */
  readonly power: NvmlRange | null
  /** MHz */
  readonly coreClock: NvmlRange | null
  /** MHz */
  readonly memoryClock: NvmlRange | null
  /** percent, all fans together */
  readonly fan: NvmlRange | null
}

/** Cache and dataset sizes of an epoch, bytes. */
interface NativeSizes {
  readonly cacheBytesInit: number
  readonly cacheBytesGrowth: number
  readonly datasetBytesInit: number
  readonly datasetBytesGrowth: number
}

/** The addon's functions, as JavaScript sees them. Optional ones are missing in older builds. */
export interface NativeAddon {
  /** increases when a signature here changes; the loader refuses other versions */
  readonly abi: number
  /** levels this processor supports, slowest first; always contains 'scalar' */
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
  /**
   * 64 bytes; null when the signature isn't valid for any key. @param digest 32 bytes @param signature r and s, 64
   * bytes @param id 0 to 3
   */
  recoverKey(digest: Uint8Array, signature: Uint8Array, id: number): Uint8Array | null
  /** The last 20 bytes of that key's keccak-256. */
  recoverAddress(digest: Uint8Array, signature: Uint8Array, id: number): Uint8Array | null
  /** @param items 97 bytes each: digest, r, s, recovery id @returns 21 bytes each: 1 and the signer, or zeros */
  recoverAddresses(items: Uint8Array): Uint8Array
  /** False for a high s as well. @param digest 32 bytes @param signature r and s, 64 bytes @param key 64 bytes */
  verifySignature(digest: Uint8Array, signature: Uint8Array, key: Uint8Array): boolean
  /** 32 bytes; null when either isn't a valid key. @param secret 32 bytes @param key 64 bytes */
  sharedX(secret: Uint8Array, key: Uint8Array): Uint8Array | null

  /**
   * `begun` ** (2 ** (8 * exponent bytes)) * base ** exponent modulo the modulus, as long as the modulus: a long
   * exponent can be given in parts, highest first. Numbers are big-endian. Blocks the thread: the lengths bound its
   * work. @param begun empty: 1
   */
  modularPower?(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array, begun: Uint8Array): Uint8Array

  /**
   * Runs ten rounds of BLAKE2b's compression, `tens` times. Blocks: about 12 ns a round. x86-64 with AVX2 only.
   * @param words 256 bytes: 16 words of 8 bytes, little-endian, of the state, changed in place, then 16 of the message
   * @param tens up to 2^20 @throws TypeError for another length or number
   */
  blake2Rounds?(words: Uint8Array, tens: number): void

  /** CRC-32C (RFC 3720) of `data`. x86-64 with SSE4.2 only. */
  crc32c?(data: Uint8Array): number

  /**
   * Keccak-256 of many messages in one memory, several side by side where the processor has vector instructions. Blocks.
   * @param memory holds all that the next three name, up to 4 GiB
   * @param ranges where the messages are named: address and length of each in `memory`, 4 bytes little-endian each
   * @param count of messages, up to 2^20 @param hashes where 32 bytes per message are written, which must not overlap
   * the messages @param simd one of `simdLevels`; absent: the best
   * @throws RangeError when anything is outside `memory`, or all messages together are longer than it
   */
  keccakRanges?(memory: Uint8Array, ranges: number, count: number, hashes: number, simd?: string): void

  /**
   * scrypt's mixing (RFC 7914, scryptROMix) of each block of 128 * r bytes, on this thread or on the addon's pool.
   * x86-64 only. @param n a power of two, 2 to 2^24 @throws Error when memory can't be allocated
   */
  mixScrypt?(blocks: Uint8Array, n: number, r: number): Uint8Array
  mixScryptApart?(blocks: Uint8Array, n: number, r: number): Promise<Uint8Array>

  /**
   * Permanently denies this process, in all its threads, files, connections and other programs: Linux on x86-64 and
   * ARM64. Returns empty on success, else the reason.
   */
  confineProcess?(): string

  /**
   * Replaces this process's program by one that can't create an io_uring, on the same channels: see `confineProcess`.
   * Returns only on failure, with the reason.
   * @param program absolute path @param words its arguments, its own name first @param environment NAME=VALUE
   */
  restartWithoutRings?(program: string, words: readonly string[], environment: readonly string[]): string

  /**
   * Permanently keeps this process's memory out of core files and from debuggers of the same user: Linux, and core files
   * on macOS. Returns empty on success, else the reason.
   */
  denyDumps?(): string

  /**
   * Keeps these bytes out of the swap file. False beyond the system's limit for locked memory, and on Windows.
   * @param bytes with memory of their own that lives as long as the process
   */
  lockMemory?(bytes: Uint8Array): boolean

  /** The next three exist only in the Windows addon; see `WindowsSystem`. */
  protectFolder?(path: string): string
  protectPipe?(name: string): string
  processStart?(pid: number): bigint

  /**
   * Sends one datagram to a local socket. Returns empty on success, else the reason; never waits for a reader.
   * @param path an abstract name when it begins with `@`
   */
  sendNotice?(path: string, text: string): string

  /** Atomically swaps two paths of one file system. Returns empty on success, else the reason: Linux only. */
  exchangePaths?(one: string, other: string): string

  /**
   * Number of the process that connected to a local socket; 0 when the system doesn't say: Linux and macOS only.
   * @param fd of a connected socket of this process
   */
  peerProcess?(fd: number): number

  /**
   * Limits how many heaps the C library keeps for the threads of this process, `most` at least 1; threads that have one
   * keep it. False where it has no such limit (glibc only).
   */
  shareHeaps?(most: number): boolean

  /** On the addon's pool. `simd` empty = the best level; everything made from the cache uses the same. */
  createCache(seed: Uint8Array, bytes: number, simd: string): Promise<NativeCache>
  /** A cache with the given content (a multiple of 64 bytes), for tests with synthetic caches. */
  cacheFromBytes(content: Uint8Array, simd: string): NativeCache
  cacheContent(cache: NativeCache): Uint8Array
  /** 64-byte items at `indices`, concatenated. Blocks the thread: for tests and benchmarks. */
  datasetItems(cache: NativeCache, indices: Uint32Array): Uint8Array
  /** 64 bytes: mix digest, then result. On the addon's pool. */
  hashLight(cache: NativeCache, datasetBytes: number, sealHash: Uint8Array, nonce: bigint): Promise<Uint8Array>

  /** At background priority. Throws when the memory can't be allocated. */
  startDataset(cache: NativeCache, bytes: number, threads: number, inBackground?: boolean): NativeDatasetBuild
  /** 0..1 */
  datasetProgress(build: NativeDatasetBuild): number
  cancelDataset(build: NativeDatasetBuild): void
  datasetContent(dataset: NativeDataset, offset: number, bytes: number): Uint8Array
  /** The same memory searched with another SIMD level, for tests and benchmarks; a separate handle. */
  datasetWithSimd(dataset: NativeDataset, simd: string): NativeDataset
  /** 64 bytes: mix digest, then result. Blocks the thread (microseconds). */
  hashFull(dataset: NativeDataset, sealHash: Uint8Array, nonce: bigint): Uint8Array

  createSearch(
    threads: number,
    onSolution: (token: number, nonce: bigint, mixDigest: Uint8Array, result: Uint8Array) => void,
    onSegmentDone: (token: number) => void,
  ): NativeSearch
  setSearchDataset(search: NativeSearch, dataset: NativeDataset): void
  setSearchJob(search: NativeSearch, token: number, sealHash: Uint8Array, target: Uint8Array, range: Segment): void
  clearSearchJob(search: NativeSearch): void
  searchHashCount(search: NativeSearch): bigint
  /** Resolves when its threads have ended; no callbacks come after that. */
  closeSearch(search: NativeSearch): Promise<void>

  /** Loads and initializes NVIDIA's management library. Rejects with the reason when it isn't available. */
  openNvml(path: string): Promise<NativeNvml>
  /** Rejects when the device is unknown or lost; never settles if its driver hangs. @param busId `00000000:01:00.0` */
  readNvml(nvml: NativeNvml, busId: string): Promise<NvmlReading>

  /** The adjustable settings of a device. Rejects like `readNvml`. */
  readNvmlControls(nvml: NativeNvml, busId: string): Promise<NvmlControls>
  /** Sets one knob; null restores the default. Rejects with the library's message. */
  setNvml(
    nvml: NativeNvml,
    busId: string,
    knob: Exclude<keyof NvmlControls, 'identity'>,
    value: number | null,
  ): Promise<void>

  /**
   * Rejects with the reason when there is no such library. Doesn't keep the event loop alive. @param allocationLimit
   * bytes, 0: none
   */
  openOpencl(library: string, source: string, allocationLimit: number): Promise<NativeGpuDriver>
  /** Like openOpencl. @param library empty: the system's @param schedule index in CUDA_SCHEDULES */
  openCuda(library: string, ptxFolder: string, schedule: number): Promise<NativeGpuDriver>
  /** Never settles when the driver hangs. */
  listGpus(driver: NativeGpuDriver): Promise<readonly GpuFacts[]>
  /** Starts the device's thread; the first prepare opens the device itself. */
  createGpu(driver: NativeGpuDriver, index: number, options: NativeGpuOptions): NativeGpu
  prepareGpu(gpu: NativeGpu, cache: NativeCache, datasetBytes: number): Promise<void>
  cancelGpu(gpu: NativeGpu): void
  /** 0..1 */
  gpuProgress(gpu: NativeGpu): number
  /** 64-byte items, concatenated */
  readGpuItems(gpu: NativeGpu, indices: Uint32Array): Promise<Uint8Array>
  setGpuJob(gpu: NativeGpu, token: number, sealHash: Uint8Array, target: Uint8Array, range: Segment): void
  clearGpuJob(gpu: NativeGpu): void
  gpuHashCount(gpu: NativeGpu): bigint
  gpuActivity(gpu: NativeGpu): GpuActivity
  gpuShapes(gpu: NativeGpu): GpuShapes | null
  setGpuShape(gpu: NativeGpu, shape: GpuShape, isFixed: boolean): void
  /** Resolves when the driver has released the device; no callbacks come after the call. */
  closeGpu(gpu: NativeGpu): Promise<void>

  /** Frees the native memory of a cache or dataset as soon as no thread uses it. */
  release(handle: NativeCache | NativeDataset): void
}

/** The addon's curve functions. Callers check the lengths. */
export type CurveFunctions = Pick<
  NativeAddon,
  | 'isSecretKey'
  | 'publicKey'
  | 'expandKey'
  | 'signDigest'
  | 'recoverKey'
  | 'recoverAddress'
  | 'recoverAddresses'
  | 'verifySignature'
  | 'sharedX'
>
