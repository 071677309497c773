// All that lies between a device and a dataset that can be trusted: does it fit, is it right (miner.md B10).
import { hasCode } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { XhashEngine } from '../../native/xhash-port'
import { cacheBytes, datasetBytes } from '../../xhash/sizes'
import { MinerError } from '../errors'
import { checkDataset } from './dataset-check'
import type { DetectedDevice, MiningDevice, PrepareOptions } from './device-backend'

/** What drivers and kernels need beside dataset and cache. */
const RESERVE_BYTES = 64 * 2 ** 20

export interface DatasetPreparerDeps {
  readonly engine: XhashEngine
  /** 64 random bits */
  readonly random: () => bigint
  readonly log: Logger
}

export interface DatasetOrder {
  readonly detected: DetectedDevice
  readonly device: MiningDevice
  readonly epoch: number
}

export class DatasetPreparer {
  constructor(private readonly deps: DatasetPreparerDeps) {}

  /**
   * Builds and checks; a wrong dataset is built a second time.
   * @throws MinerError DEVICE_OUT_OF_MEMORY, DEVICE_DATASET_WRONG; the signal's reason when aborted; what the device throws
   */
  async prepare(order: DatasetOrder, options: PrepareOptions): Promise<void> {
    this.#checkMemory(order)
    try {
      await this.#attempt(order, options)
    } catch (error: unknown) {
      if (!hasCode(error, 'DEVICE_DATASET_WRONG')) throw error
      this.deps.log.warn('dataset is wrong, it is built once more', {
        epoch: order.epoch,
        device: order.detected.info.name,
      })
      await this.#attempt(order, options)
    }
  }

  async #attempt({ device, epoch }: DatasetOrder, options: PrepareOptions): Promise<void> {
    options.signal.throwIfAborted()
    await device.prepare(epoch, options)
    options.signal.throwIfAborted()
    await checkDataset(device, epoch, this.deps)
  }

  #checkMemory({ detected, epoch }: DatasetOrder): void {
    const { params } = this.deps.engine
    const freeBytes = detected.memoryBytes
    const neededBytes = datasetBytes(params, epoch) + cacheBytes(params, epoch) + RESERVE_BYTES
    if (freeBytes !== undefined && freeBytes < neededBytes)
      throw new MinerError('DEVICE_OUT_OF_MEMORY', { neededBytes, freeBytes })
  }
}
