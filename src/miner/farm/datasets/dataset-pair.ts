// The dataset a device searches, and the one of the next epoch if built ahead: both held from the shared ones.
import type { DatasetHandle } from '../../../native/xhash-port'
import type { PrepareOptions } from '../device-backend'
import type { HeldDataset, SharedDatasets } from './shared-datasets'

/** The current and the next dataset of a device. */
export class DatasetPair {
  #current: HeldDataset | null = null
  #next: HeldDataset | null = null

  constructor(private readonly shared: SharedDatasets) {}

  /** of the current dataset; null without one */
  get bytes(): number | null {
    return this.#current?.handle.sizeBytes ?? null
  }

  /** Whether the next dataset is that of `epoch`, and complete. */
  isReady(epoch: number): boolean {
    return this.#next?.handle.epoch === epoch
  }

  /** Builds the dataset of `epoch` beside the current one. @throws what `SharedDatasets.hold` throws */
  async buildNext(epoch: number, options: PrepareOptions): Promise<void> {
    if (this.isReady(epoch)) return
    this.#dropNext()
    const held = await this.shared.hold(epoch, { ...options, isAhead: true })
    const isTaken = this.#current?.handle.epoch === epoch
    if (options.signal.aborted || isTaken) held.release()
    else this.#next = held
    options.signal.throwIfAborted()
  }

  /** Makes the dataset of `epoch` the current one, at once if it is ready. @throws what `SharedDatasets.hold` throws */
  async take(epoch: number, options: PrepareOptions): Promise<DatasetHandle> {
    const next = this.isReady(epoch) ? this.#next : null
    if (next === null) this.#dropNext()
    else this.#next = null
    const held = next ?? (await this.shared.hold(epoch, options))
    this.#current?.release()
    this.#current = held
    return held.handle
  }

  /** Frees the current dataset; the next one stays. */
  drop(): void {
    this.#current?.release()
    this.#current = null
  }

  dropAll(): void {
    this.drop()
    this.#dropNext()
  }

  #dropNext(): void {
    this.#next?.release()
    this.#next = null
  }
}
