// Builds the next epoch's dataset beside the one in use (`--dag-double`).
import { messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import type { DetectedDevice, MiningDevice } from '../device-backend'
import type { BuildQueue } from './build-queue'
import type { DatasetPreparer } from './dataset-preparer'

interface AheadBuildDeps {
  readonly index: number
  readonly detected: DetectedDevice
  readonly log: Logger
  readonly gate: BuildQueue
  readonly datasets: DatasetPreparer
}

interface Running {
  readonly epoch: number
  readonly abort: AbortController
  isReady: boolean
}

/** The ahead-of-time build of one device. */
export class AheadBuild {
  #wanted: number | null = null
  #running: Running | null = null

  constructor(private readonly deps: AheadBuildDeps) {}

  want(epoch: number): void {
    this.#wanted = epoch
  }

  isReady(epoch: number): boolean {
    return this.#running?.epoch === epoch && this.#running.isReady
  }

  /** The device searches the dataset of epoch `current`: starts the requested build if it is next. */
  begin(device: MiningDevice, current: number): void {
    const epoch = this.#wanted
    if (epoch !== current + 1 || this.#running?.epoch === epoch) return
    this.drop()
    const running: Running = { epoch, abort: new AbortController(), isReady: false }
    this.#running = running
    this.#run(running, device, current).catch((error: unknown) => {
      if (running.abort.signal.aborted) return
      // Not retried: the device builds it when the epoch begins.
      const { log, index } = this.deps
      log.info('next DAG cannot be built ahead', { device: index, epoch, reason: messageOf(error) })
    })
  }

  /** The device continues with the dataset of `epoch`: drops a build for any other epoch. */
  keepOnly(epoch: number): void {
    if (this.#running?.epoch !== epoch) this.drop()
  }

  /** Cancels a running build; a finished one stays in the device. */
  pause(): void {
    if (this.#running?.isReady === false) this.drop()
  }

  drop(): void {
    this.#running?.abort.abort(new Error('next DAG no longer needed'))
    this.#running = null
  }

  async #run(running: Running, device: MiningDevice, current: number): Promise<void> {
    const { index, detected, log, gate, datasets } = this.deps
    const { epoch, abort } = running
    const isBuilt = await gate.runAhead(async () => {
      abort.signal.throwIfAborted()
      return datasets.prepareAhead({ detected, device, epoch }, current, abort.signal)
    })
    if (!isBuilt || abort.signal.aborted) return
    running.isReady = true
    log.info('next DAG ready', { device: index, epoch })
  }
}
