// How much memory an epoch needs, and up to which epoch a device's memory suffices.

import type { XhashParams } from '../../../xhash/params'
import { cacheBytes, datasetBytes } from '../../../xhash/sizes'
import { LAST_EPOCH } from '../../pool/session/job-maker'

/** Memory for drivers and kernels besides dataset and cache. */
const RESERVE_BYTES = 64 * 2 ** 20

/** Dataset, cache and driver overhead, in bytes. */
export function neededBytes(params: XhashParams, epoch: number): number {
  return datasetBytes(params, epoch) + cacheBytes(params, epoch) + RESERVE_BYTES
}

/** The last epoch that fits; null: not even the first does. */
export function lastFittingEpoch(params: XhashParams, memoryBytes: number): number | null {
  const fits = (epoch: number): boolean => neededBytes(params, epoch) <= memoryBytes
  if (!fits(0)) return null
  let fitting = 0
  let beyond = LAST_EPOCH + 1
  while (beyond - fitting > 1) {
    const middle = (fitting + beyond) >> 1
    if (fits(middle)) fitting = middle
    else beyond = middle
  }
  return fitting
}
