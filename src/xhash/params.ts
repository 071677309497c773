// Proof-of-work parameters that differ between networks: the epoch length and how fast sizes grow. Everything that
// computes a size, a seed or a hash takes one of these; there are no global settings.

/** The proof-of-work parameters of one network. */
export interface XhashParams {
  /** blocks per epoch */
  readonly epochLength: number
  /** bytes of the cache at epoch 0 before the prime rule, and bytes added per epoch */
  readonly cacheBytesInit: number
  readonly cacheBytesGrowth: number
  /** bytes of the dataset at epoch 0 before the prime rule, and bytes added per epoch */
  readonly datasetBytesInit: number
  readonly datasetBytesGrowth: number
  /** fixed sizes for every epoch (mode test) or null */
  readonly fixed: { readonly cacheBytes: number; readonly datasetBytes: number } | null
}

/** The main and test networks. Source: prlx consensus/xhash/algorithm.go; vectors chain/epochs.json */
export const XHASH_FULL: XhashParams = {
  epochLength: 720,
  cacheBytesInit: 2 ** 24,
  cacheBytesGrowth: 2 ** 17,
  datasetBytesInit: 2 ** 30,
  datasetBytesGrowth: 2 ** 23,
  fixed: null,
}

/** The practice network: 1/64 of the full sizes, the same prime rule, so that one core of a laptop can mine it. */
export const XHASH_PRACTICE: XhashParams = {
  epochLength: 720,
  cacheBytesInit: 2 ** 18,
  cacheBytesGrowth: 2 ** 11,
  datasetBytesInit: 2 ** 24,
  datasetBytesGrowth: 2 ** 17,
  fixed: null,
}

/** The reference engine's test mode: the same tiny sizes in every epoch, real seed hashes. */
export const XHASH_TEST: XhashParams = {
  epochLength: 720,
  cacheBytesInit: 1024,
  cacheBytesGrowth: 0,
  datasetBytesInit: 32768,
  datasetBytesGrowth: 0,
  fixed: { cacheBytes: 1024, datasetBytes: 32768 },
}

/** Epoch of a block height (whole part of height / epochLength). */
export function epochOfHeight(params: XhashParams, height: number): number {
  return Math.floor(height / params.epochLength)
}
