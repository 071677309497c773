// Sizes of cache and dataset per epoch: linear growth, then down to a prime number of items,
// so that taking an index modulo the item count spreads evenly.
import type { XhashParams } from './params'

/** bytes of one cache item and of one half dataset item */
export const ITEM_BYTES = 64
/** bytes of one dataset row, what one access of hashimoto reads: two items */
export const ROW_BYTES = 128

/**
 * Bytes of the cache of `epoch`.
 * Source: prlx consensus/xhash/algorithm.go (calcCacheSize); cases in test/vectors/chain/epochs.json
 */
export function cacheBytes(params: XhashParams, epoch: number): number {
  if (params.fixed !== null) return params.fixed.cacheBytes
  return largestPrimeCount(params.cacheBytesInit + params.cacheBytesGrowth * epoch, ITEM_BYTES)
}

/**
 * Bytes of the dataset of `epoch`.
 * Source: prlx consensus/xhash/algorithm.go (calcDatasetSize); cases in test/vectors/chain/epochs.json
 */
export function datasetBytes(params: XhashParams, epoch: number): number {
  if (params.fixed !== null) return params.fixed.datasetBytes
  return largestPrimeCount(params.datasetBytesInit + params.datasetBytesGrowth * epoch, ROW_BYTES)
}

function largestPrimeCount(limitBytes: number, unitBytes: number): number {
  let bytes = limitBytes - unitBytes
  while (!isPrime(bytes / unitBytes)) bytes -= 2 * unitBytes
  return bytes
}

function isPrime(n: number): boolean {
  if (n < 2) return false
  if (n % 2 === 0) return n === 2
  for (let divisor = 3; divisor * divisor <= n; divisor += 2) {
    if (n % divisor === 0) return false
  }
  return true
}
