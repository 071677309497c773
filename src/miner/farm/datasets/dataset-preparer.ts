// Everything between a device and a trustworthy dataset: it fits, and it is correct.
import { equalBytes } from '../../../base/bytes'
import { hasCode } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import type { XhashEngine } from '../../../native/xhash-port'
import { datasetBytes } from '../../../xhash/sizes'
import { MinerError } from '../../errors'
import type { DetectedDevice, MiningDevice, PrepareOptions } from '../device-backend'
import { neededBytes } from './dataset-memory'

// A device's dataset is compared with the light cache before it is searched.

const ITEMS = 64
const ITEM_BYTES = 64

interface DatasetCheckDeps {
  readonly engine: Pick<XhashEngine, 'datasetItems'>
  /** 64 random bits */
  readonly random: () => bigint
}

/**
 * Compares 64 random items. A device that can't return items is trusted.
 * @throws MinerError DEVICE_DATASET_WRONG, and what the device or the engine throws
 */
export async function checkDataset(
  device: Pick<MiningDevice, 'readItems' | 'datasetBytes'>,
  epoch: number,
  { engine, random }: DatasetCheckDeps,
): Promise<void> {
  const count = Math.floor((device.datasetBytes() ?? 0) / ITEM_BYTES)
  if (device.readItems === undefined || count === 0) return
  const indices = Uint32Array.from({ length: ITEMS }, () => Number(random() % BigInt(count)))
  const [own, expected] = await Promise.all([device.readItems(indices), engine.datasetItems(epoch, indices)])
  for (const [place, item] of indices.entries()) {
    const at = place * ITEM_BYTES
    const isSame = equalBytes(own.subarray(at, at + ITEM_BYTES), expected.subarray(at, at + ITEM_BYTES))
    if (!isSame) throw new MinerError('DEVICE_DATASET_WRONG', { epoch, item })
  }
}

interface DatasetPreparerDeps {
  readonly engine: XhashEngine
  /** 64 random bits */
  readonly random: () => bigint
  readonly log: Logger
}

interface DatasetOrder {
  readonly detected: DetectedDevice
  readonly device: MiningDevice
  readonly epoch: number
}

/** Prepares datasets on devices. */
export class DatasetPreparer {
  constructor(private readonly deps: DatasetPreparerDeps) {}

  /** Whether at least one device can hold the dataset of `epoch`. */
  hasRoom(devices: readonly DetectedDevice[], epoch: number): boolean {
    const bytes = neededBytes(this.deps.engine.params, epoch)
    return devices.some(({ memoryBytes = bytes }) => memoryBytes >= bytes)
  }

  /**
   * Builds and verifies; a wrong dataset is built a second time.
   * @throws MinerError DEVICE_OUT_OF_MEMORY, DEVICE_DATASET_WRONG; the signal's reason when aborted; what the device
   * throws
   */
  async prepare(order: DatasetOrder, options: PrepareOptions): Promise<void> {
    this.#checkRoom(order.detected, neededBytes(this.deps.engine.params, order.epoch))
    try {
      await this.#attempt(order, options)
    } catch (error: unknown) {
      if (!hasCode(error, 'DEVICE_DATASET_WRONG')) throw error
      this.deps.log.warn('DAG is wrong, building it again', {
        epoch: order.epoch,
        device: order.detected.info.name,
      })
      await this.#attempt(order, options)
    }
  }

  /**
   * Builds the dataset of the order's epoch beside the one in use (`--dag-double`); it is verified when it is taken
   * into use. False, with nothing done, when the device can't.
   * @param current the epoch of the dataset in use
   * @throws MinerError DEVICE_OUT_OF_MEMORY; the signal's reason when aborted; what the device throws
   */
  async prepareAhead(
    { detected, device, epoch }: DatasetOrder,
    current: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (device.prepareAhead === undefined) return false
    const { params } = this.deps.engine
    this.#checkRoom(detected, datasetBytes(params, current) + neededBytes(params, epoch))
    await device.prepareAhead(epoch, { signal, onProgress: () => undefined })
    return true
  }

  async #attempt({ device, epoch }: DatasetOrder, options: PrepareOptions): Promise<void> {
    options.signal.throwIfAborted()
    await device.prepare(epoch, options)
    options.signal.throwIfAborted()
    await checkDataset(device, epoch, this.deps)
  }

  #checkRoom({ memoryBytes }: DetectedDevice, bytes: number): void {
    if (memoryBytes !== undefined && memoryBytes < bytes)
      throw new MinerError('DEVICE_OUT_OF_MEMORY', { neededBytes: bytes, freeBytes: memoryBytes })
  }
}
