// Genesis files of private networks that prlx accepts too: with every fork at the first block.
import { forksAtGenesis } from '../../src/node/custom-genesis'

export interface PrivateNetwork {
  readonly chainId: number
  /** Of the first block: expected hashes. */
  readonly difficulty: number
  /** Account that holds coins, `0x` and 40 hex digits. */
  readonly rich: string
}

/** JSON text. ASERT from block 12 on. */
export function privateGenesis({ chainId, difficulty, rich }: PrivateNetwork): string {
  return JSON.stringify({
    config: {
      chainId,
      ...forksAtGenesis(),
      xhash: { coinbaseMaturityBlocks: 3, retargetIntervalBlocks: 8, asertAnchorHeight: 12 },
    },
    nonce: '0x1',
    timestamp: '0x69054d80',
    epochStartTime: '0x69054d80',
    extraData: '0x01',
    gasLimit: '0x1c9c380',
    difficulty: `0x${difficulty.toString(16)}`,
    alloc: { [rich.slice(2)]: { balance: '0xde0b6b3a7640000000' } },
  })
}
