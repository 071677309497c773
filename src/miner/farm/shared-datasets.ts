// One dataset for every simulated device that asks for the same epoch: built once, freed with its last user.
import type { DatasetHandle, XhashEngine } from '../../native/xhash-port'
import type { PrepareOptions } from './device-backend'

interface Entry {
  readonly building: Promise<DatasetHandle>
  readonly abort: AbortController
  readonly listeners: Set<PrepareOptions['onProgress']>
  users: number
}

/** A dataset that is held until `release`. */
export interface HeldDataset {
  readonly handle: DatasetHandle
  /** Idempotent. */
  release(): void
}

export class SharedDatasets {
  readonly #entries = new Map<number, Entry>()

  constructor(private readonly engine: Pick<XhashEngine, 'buildDataset'>) {}

  /** @throws the signal's reason when aborted, and what the engine throws */
  async hold(epoch: number, { onProgress, signal }: PrepareOptions): Promise<HeldDataset> {
    signal.throwIfAborted()
    const entry = this.#entries.get(epoch) ?? this.#begin(epoch)
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

  #begin(epoch: number): Entry {
    const abort = new AbortController()
    const listeners = new Set<PrepareOptions['onProgress']>()
    const onProgress = (fraction: number): void => {
      for (const listener of listeners) listener(fraction)
    }
    const building = this.engine.buildDataset(epoch, { threads: 1, onProgress, signal: abort.signal })
    const entry: Entry = { building, abort, listeners, users: 0 }
    this.#entries.set(epoch, entry)
    return entry
  }

  #leave(epoch: number, entry: Entry): void {
    entry.users -= 1
    if (entry.users > 0) return
    if (this.#entries.get(epoch) === entry) this.#entries.delete(epoch)
    entry.abort.abort(new Error('nobody needs this dataset any more'))
    entry.building.then(
      (handle) => handle.release(),
      () => undefined, // whoever waited for it was told
    )
  }
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
