// The networks: ids, rules, proof-of-work sizes and genesis, each under one name.
import mainGenesis from '../../resources/genesis/main.json?raw'
import testGenesis from '../../resources/genesis/test.json?raw'
import { toBareHex, toHex } from '../base/hex'
import type { XhashMode } from '../config/schema'
import { XHASH_FULL, XHASH_PRACTICE, XHASH_TEST, type XhashParams } from '../xhash/params'
import { type ConsensusParams, MAIN_CONSENSUS, PRACTICE_CONSENSUS, TEST_CONSENSUS } from './consensus/params'
import { forksAtGenesis, readCustomGenesis } from './custom-genesis'
import { ChainError } from './errors'
import type { TimeFloor } from './miner-work/template'

/** One network. */
export interface NetworkSpec {
  readonly name: 'main' | 'test' | 'practice' | 'custom'
  readonly networkId: number
  readonly chainId: number
  readonly consensus: ConsensusParams
  readonly xhash: XhashParams
  /** Of block 0; null when the genesis belongs to the data directory. */
  readonly genesisHash: string | null
  /** Genesis file (JSON text); null when it is created at the first start. */
  readonly genesis: string | null
  /** The gas limit that templates move towards. */
  readonly gasLimitGoal: bigint
  readonly templateTimeFloor: TimeFloor
}

/** Templates of the public networks, and of custom ones. */
const TEMPLATES = { gasLimitGoal: 600_000_000n, templateTimeFloor: 'parent' } as const

const PRACTICE_NETWORK: NetworkSpec = {
  name: 'practice',
  networkId: 1337,
  chainId: 1337,
  consensus: PRACTICE_CONSENSUS,
  xhash: XHASH_PRACTICE,
  genesisHash: null,
  genesis: null,
  gasLimitGoal: 30_000_000n,
  templateTimeFloor: 'median',
}

const NETWORKS: Readonly<Record<Exclude<NetworkSpec['name'], 'custom'>, NetworkSpec>> = {
  main: {
    name: 'main',
    networkId: 2110,
    chainId: 2110,
    consensus: MAIN_CONSENSUS,
    xhash: XHASH_FULL,
    genesisHash: '0x96b239e015d50f5c3f11b80733e5f38c95882c072719507b7be1a59db4975457',
    genesis: mainGenesis,
    ...TEMPLATES,
  },
  test: {
    name: 'test',
    networkId: 2111,
    chainId: 2111,
    consensus: TEST_CONSENSUS,
    xhash: XHASH_FULL,
    genesisHash: '0xfc4e2a4f3476e50d58e2bffdf886eecc5398e548ad063222d0addee27dad1a0f',
    genesis: testGenesis,
    ...TEMPLATES,
  },
  practice: PRACTICE_NETWORK,
}

/** Proof-of-work sizes by mode of a custom network. */
const XHASH_OF_MODE: Readonly<Record<XhashMode, XhashParams>> = {
  full: XHASH_FULL,
  practice: XHASH_PRACTICE,
  test: XHASH_TEST,
}

/** What defines a custom network. */
export interface CustomSettings {
  /** Genesis file, JSON text. */
  readonly genesis: string
  readonly networkId: number
  readonly xhashMode: XhashMode
}

/** A network by name; `custom` defines the one of that name. @throws ChainError CHAIN_GENESIS_INVALID */
export function networkOf(name: NetworkSpec['name'], custom: CustomSettings | null): NetworkSpec {
  if (name !== 'custom') return NETWORKS[name]
  if (custom === null) throw new ChainError('CHAIN_GENESIS_INVALID', { reason: 'none given for a custom network' })
  const read = readCustomGenesis(custom.genesis)
  if (!read.ok) throw new ChainError('CHAIN_GENESIS_INVALID', { reason: read.error })
  return {
    name,
    networkId: custom.networkId,
    chainId: Number(read.value.chainId),
    consensus: read.value,
    xhash: XHASH_OF_MODE[custom.xhashMode],
    genesisHash: null,
    genesis: custom.genesis,
    ...TEMPLATES,
  }
}

/** What searches first: the CPU at its practice rate finds a block in seven minutes; a GPU needs a sixth of a second. */
const PRACTICE_DIFFICULTY = {
  none: 16_384n,
  paced: 131_072n,
  gpu: 8_388_608n,
  scalar: 131_072n,
  avx2: 524_288n,
  avx512: 524_288n,
}
/** What searches when a chain begins. */
export type PracticeSearcher = keyof typeof PRACTICE_DIFFICULTY
const PRACTICE_START_SECONDS = 1_761_678_000n
const PRACTICE_ENDOWMENT_WEI = 1_000_000n * 10n ** 18n

/** The genesis file (JSON text). @param address 20 bytes: has all funds @param searcher what will search */
export function practiceGenesis(address: Uint8Array, searcher: PracticeSearcher = 'paced'): string {
  const time = `0x${PRACTICE_START_SECONDS.toString(16)}`
  const { coinbaseMaturityBlocks, retargetIntervalBlocks, asertActivationHeight } = PRACTICE_CONSENSUS
  return JSON.stringify({
    config: {
      chainId: PRACTICE_NETWORK.chainId,
      ...forksAtGenesis(),
      xhash: { coinbaseMaturityBlocks, retargetIntervalBlocks, asertAnchorHeight: asertActivationHeight },
    },
    nonce: '0x0',
    timestamp: time,
    epochStartTime: time,
    extraData: toHex(new TextEncoder().encode('practice money has no worth')),
    gasLimit: `0x${PRACTICE_NETWORK.gasLimitGoal.toString(16)}`,
    difficulty: `0x${PRACTICE_DIFFICULTY[searcher].toString(16)}`,
    alloc: {
      '0000000000000000000000000000000000000042': { balance: '0x1' },
      [toBareHex(address)]: { balance: `0x${PRACTICE_ENDOWMENT_WEI.toString(16)}` },
    },
  })
}
