// The port without the addon: everything in TypeScript, in slices on the host's event loop. Slow, but good enough to
// verify single seals and to mine the practice network.

import { keccak_256 } from '@noble/hashes/sha3.js'
import { bigintFromBytes } from '../base/bytes'
import { untilAborted } from '../base/on-abort'
import { makeCacheSteps } from '../xhash/cache'
import { buildDatasetSteps, DatasetItemMaker } from '../xhash/dataset'
import { hashimotoFull, hashimotoLightSteps } from '../xhash/hashimoto'
import type { XhashParams } from '../xhash/params'
import { seedHash } from '../xhash/seed'
import { ITEM_WORDS } from '../xhash/sha3-item'
import { cacheBytes, datasetBytes } from '../xhash/sizes'
import { meetsTarget } from '../xhash/target'
import { linkedAbort } from './abort'
import { EpochCaches } from './epoch-caches'
import { NativeError } from './errors'
import { checkEpoch, checkJob, checkLightInput, checkThreads } from './job-check'
import { Slices } from './slices'
import type {
  BuildDatasetOptions,
  CpuJob,
  CpuSearch,
  CpuSearchOptions,
  DatasetHandle,
  XhashEngine,
  XhashResult,
} from './xhash-port'

const NONCE_MASK = 2n ** 64n - 1n

interface Progress {
  readonly job: CpuJob
  readonly target: bigint
  readonly end: bigint
  /** hashes done of this job, so the next nonce is startNonce + done */
  done: bigint
}

/** A single-threaded CPU search in TypeScript. */
class TypescriptSearch implements CpuSearch {
  #words: Uint32Array | null = null
  #current: Progress | null = null
  #running = false
  #closed = false
  #hashes = 0n

  constructor(
    private readonly options: CpuSearchOptions,
    private readonly deps: { readonly slices: Slices; readonly wordsOf: (handle: DatasetHandle) => Uint32Array },
  ) {}

  setDataset(handle: DatasetHandle): void {
    this.#words = this.deps.wordsOf(handle)
    this.#current = null
  }

  setJob(job: CpuJob): void {
    checkJob(job)
    this.#current = { job, target: bigintFromBytes(job.target), end: 1n << BigInt(job.segmentBits), done: 0n }
    this.#run()
  }

  clearJob(): void {
    this.#current = null
  }

  hashCount(): bigint {
    return this.#hashes
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#current = null
    this.#words = null
  }

  #run(): void {
    if (this.#running || this.#words === null || this.#closed) return
    this.#running = true
    this.deps.slices.add(() => {
      this.#running = this.#step()
      return this.#running
    })
  }

  #step(): boolean {
    const current = this.#current
    const words = this.#words
    if (current === null || words === null) return false
    const { job, target, end } = current
    const nonce = (job.startNonce + current.done) & NONCE_MASK
    const hash = hashimotoFull(words, job.sealHash, nonce)
    current.done += 1n
    this.#hashes += 1n
    if (meetsTarget(hash.result, target)) this.options.onSolution({ token: job.token, nonce, ...hash })
    if (current.done < end) return true
    if (this.#current === current) this.#current = null
    this.options.onSegmentDone?.(job.token)
    return this.#current !== null
  }
}

/** A dataset in a JavaScript buffer is limited: Electron's heap cage is 4 GiB, and larger builds take hours here. */
const DATASET_LIMIT_BYTES = 2 ** 28

class TypescriptDataset implements DatasetHandle {
  readonly sizeBytes: number

  constructor(
    readonly epoch: number,
    public words: Uint32Array | null,
  ) {
    this.sizeBytes = words?.byteLength ?? 0
  }

  release(): void {
    this.words = null
  }
}

class TypescriptEngine implements XhashEngine {
  readonly kind = 'typescript'
  readonly simd = 'none'
  readonly #slices = new Slices()
  readonly #closing = new AbortController()
  readonly #searches = new Set<CpuSearch>()
  readonly #caches: EpochCaches<Uint32Array>

  constructor(
    readonly params: XhashParams,
    readonly loadError: string,
  ) {
    this.#caches = new EpochCaches(
      (epoch) => this.#slices.run(makeCacheSteps(seedHash(epoch), cacheBytes(params, epoch)), this.#untilClosed()),
      () => undefined,
    )
  }

  async hashLight(epoch: number, sealHash: Uint8Array, nonce: bigint): Promise<XhashResult> {
    this.#assertOpen()
    checkLightInput(epoch, sealHash, nonce)
    const input = { datasetBytes: datasetBytes(this.params, epoch), sealHash: sealHash.slice(), nonce }
    const cache = await this.#caches.get(epoch)
    return this.#slices.run(hashimotoLightSteps(cache, input), this.#untilClosed())
  }

  async prepareEpoch(epoch: number, signal?: AbortSignal): Promise<void> {
    this.#assertOpen()
    checkEpoch(epoch)
    await untilAborted(this.#caches.get(epoch), signal)
  }

  async datasetItems(epoch: number, indices: Uint32Array): Promise<Uint8Array> {
    this.#assertOpen()
    checkEpoch(epoch)
    const maker = new DatasetItemMaker(await this.#caches.get(epoch))
    const words = new Uint32Array(indices.length * ITEM_WORDS)
    for (const [place, index] of indices.entries()) maker.write(index, words, place * ITEM_WORDS)
    return new Uint8Array(words.buffer)
  }

  async buildDataset(epoch: number, options: BuildDatasetOptions): Promise<DatasetHandle> {
    this.#assertOpen()
    checkEpoch(epoch)
    checkThreads(options.threads)
    const sizeBytes = datasetBytes(this.params, epoch)
    if (sizeBytes > DATASET_LIMIT_BYTES) {
      throw new NativeError('DEVICE_DATASET_TOO_BIG', { sizeBytes, limitBytes: DATASET_LIMIT_BYTES })
    }
    const cache = await untilAborted(this.#caches.get(epoch), options.signal)
    const stop = linkedAbort([this.#closing.signal, options.signal])
    try {
      const slices = { onProgress: options.onProgress, signal: stop.signal }
      const words = await this.#slices.run(buildDatasetSteps(cache, sizeBytes), slices)
      return new TypescriptDataset(epoch, words)
    } finally {
      stop.dispose()
    }
  }

  createCpuSearch(options: CpuSearchOptions): CpuSearch {
    this.#assertOpen()
    checkThreads(options.threads)
    const search = new TypescriptSearch(options, { slices: this.#slices, wordsOf: datasetWords })
    this.#searches.add(search)
    return search
  }

  keccak256(data: Uint8Array): Uint8Array {
    return keccak_256(data)
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#closing.abort(new NativeError('DEVICE_ENGINE_CLOSED', undefined))
    await Promise.all([...this.#searches].map((search) => search.close()))
    this.#searches.clear()
    this.#caches.clear()
  }

  #untilClosed(): { readonly signal: AbortSignal } {
    return { signal: this.#closing.signal }
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw new NativeError('DEVICE_ENGINE_CLOSED', undefined)
  }
}

/** @param loadError why the addon isn't used, for the log */
export function createTypescriptEngine(params: XhashParams, loadError: string): XhashEngine {
  return new TypescriptEngine(params, loadError)
}

function datasetWords(handle: DatasetHandle): Uint32Array {
  if (handle instanceof TypescriptDataset && handle.words !== null) return handle.words
  throw new NativeError('DEVICE_DATASET_FOREIGN', undefined)
}
