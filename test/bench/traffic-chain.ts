// A chain of ordinary traffic, as files that every node can import with --fakepow. Built and started by
// tools/bench/import/traffic.mjs.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeChain } from './made-chain'

export interface TrafficChain {
  readonly blocks: number
  /** in each block, half transfers and half calls of a token */
  readonly transactions: number
}

/** Writes `genesis.json` and `chain.rlp` into `folder`. */
export async function writeTraffic(folder: string, chain: TrafficChain): Promise<void> {
  const made = await makeChain({ ...chain, xhash: null })
  writeFileSync(join(folder, 'genesis.json'), made.genesis)
  writeFileSync(join(folder, 'chain.rlp'), made.blocks)
}
