// Datasets in main memory, for the CPU and every simulated device: each epoch's is built once for all users, counted
// once, and freed with its last user.
import { untilAborted } from '../../../base/on-abort'
import type { DatasetHandle, XhashEngine } from '../../../native/xhash-port'
import { cacheBytes, datasetBytes } from '../../../xhash/sizes'
import { MinerError } from '../../errors'
import type { PrepareOptions } from '../device-backend'

/** Memory reserved for the rest of the computer when an optional dataset is built. */
const AHEAD_RESERVE_BYTES = 512 * 2 ** 20

interface SharedDatasetsOptions {
  /** building threads, 1..256 */
  readonly threads: number
  /** bytes available without swapping; null: unknown. Default: never known */
  readonly freeBytes?: () => number | null
}

interface HoldOptions extends PrepareOptions {
  /** optional: built with spare processor time, and only when memory is plentiful */
  readonly isAhead?: boolean
}

interface Entry {
  readonly building: Promise<DatasetHandle>
  readonly abort: AbortController
  readonly listeners: Set<PrepareOptions['onProgress']>
  users: number
}

/** A dataset held until `release`. */
export interface HeldDataset {
  readonly handle: DatasetHandle
  /** Idempotent. */
  release(): void
}

/** The datasets of one computer, reference-counted. */
export class SharedDatasets {
  readonly #entries = new Map<number, Entry>()

  constructor(
    private readonly engine: Pick<XhashEngine, 'buildDataset' | 'params'>,
    private readonly options: SharedDatasetsOptions,
  ) {}

  /** @throws MinerError DEVICE_OUT_OF_MEMORY, the signal's reason when aborted, and what the engine throws */
  async hold(epoch: number, { onProgress, signal, isAhead = false }: HoldOptions): Promise<HeldDataset> {
    signal.throwIfAborted()
    const entry = this.#entries.get(epoch) ?? this.#begin(epoch, isAhead)
    entry.users += 1
    entry.listeners.add(onProgress)
    try {
      const handle = await untilAborted(entry.building, signal)
      let isHeld = true
      const release = (): void => {
        if (isHeld) this.#leave(epoch, entry)
        isHeld = false
      }
      return { handle, release }
    } catch (error: unknown) {
      this.#leave(epoch, entry)
      throw error
    } finally {
      entry.listeners.delete(onProgress)
    }
  }

  #begin(epoch: number, isAhead: boolean): Entry {
    this.#checkRoom(epoch, isAhead)
    const abort = new AbortController()
    const listeners = new Set<PrepareOptions['onProgress']>()
    const onProgress = (fraction: number): void => {
      for (const listener of listeners) listener(fraction)
    }
    // Half of the threads, so that searches on all cores lose at most a tenth.
    const threads = isAhead ? Math.ceil(this.options.threads / 2) : this.options.threads
    const building = this.engine.buildDataset(epoch, {
      threads,
      onProgress,
      signal: abort.signal,
      inBackground: isAhead,
    })
    const entry: Entry = { building, abort, listeners, users: 0 }
    this.#entries.set(epoch, entry)
    return entry
  }

  /** Datasets of other epochs are freed as soon as their devices move on, so they only delay an ahead-of-time build. */
  #checkRoom(epoch: number, isAhead: boolean): void {
    const { params } = this.engine
    const free = this.options.freeBytes?.() ?? null
    if (free === null) return
    const others = [...this.#entries.keys()].reduce((sum, each) => sum + datasetBytes(params, each), 0)
    const freeBytes = isAhead ? Math.max(0, free - AHEAD_RESERVE_BYTES) : free + others
    const neededBytes = datasetBytes(params, epoch) + cacheBytes(params, epoch)
    if (freeBytes < neededBytes) throw new MinerError('DEVICE_OUT_OF_MEMORY', { neededBytes, freeBytes })
  }

  #leave(epoch: number, entry: Entry): void {
    entry.users -= 1
    if (entry.users > 0) return
    if (this.#entries.get(epoch) === entry) this.#entries.delete(epoch)
    entry.abort.abort(new Error('nobody needs this DAG any more'))
    entry.building.then(
      (handle) => handle.release(),
      () => undefined, // its waiters got the error
    )
  }
}
