// Hashing sizes for soaks, in the types of the miner and of the pools.
import { XHASH_PRACTICE, type XhashParams } from '../../../src/xhash/params'
import { type PoolSizes, PRACTICE_SIZES } from '../pool-sim/independent-xhash'

export type SizeName = 'practice' | 'small'

interface Sizes {
  readonly params: XhashParams
  readonly pool: PoolSizes
  /** hashes per share: some four a second of an idle core */
  readonly difficulty: number
}

const SMALL: PoolSizes = { cache: [16_384, 1_024], dataset: [1_048_576, 65_536] }

const SIZES: Readonly<Record<SizeName, Sizes>> = {
  practice: { params: XHASH_PRACTICE, pool: PRACTICE_SIZES, difficulty: 400_000 },
  small: {
    params: {
      ...XHASH_PRACTICE,
      cacheBytesInit: SMALL.cache[0],
      cacheBytesGrowth: SMALL.cache[1],
      datasetBytesInit: SMALL.dataset[0],
      datasetBytesGrowth: SMALL.dataset[1],
    },
    pool: SMALL,
    difficulty: 250_000,
  },
}

/** @param name from a command line */
export function sizesOf(name: string | undefined): Sizes {
  return SIZES[name === 'small' ? 'small' : 'practice']
}
