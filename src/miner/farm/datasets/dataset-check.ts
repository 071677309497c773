// A device's dataset is compared with the light cache before it is searched.
import { equalBytes } from '../../../base/bytes'
import type { XhashEngine } from '../../../native/xhash-port'
import { MinerError } from '../../errors'
import type { MiningDevice } from '../device-backend'

const ITEMS = 64
const ITEM_BYTES = 64

/** What the check uses. */
export interface DatasetCheckDeps {
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
