// The chains of the sync bench, as files that every node can import: sealed for the full sizes, so that prlx
// accepts them. Built and started by tools/bench/sync.mjs.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createXhashEngine } from '../../src/native/xhash-engine'
import { XHASH_FULL } from '../../src/xhash/params'
import { makeChain } from './made-chain'

export interface SyncChain {
  readonly blocks: number
  /** transactions per block */
  readonly transactions: number
}

/** Writes `genesis.json` and `chain.rlp`. @param native folder where the search for the addon starts */
export async function writeChain(folder: string, chain: SyncChain, native: string): Promise<void> {
  const xhash = createXhashEngine(XHASH_FULL, { searchFrom: native })
  try {
    const { genesis, blocks } = await makeChain({ ...chain, xhash })
    writeFileSync(join(folder, 'genesis.json'), genesis)
    writeFileSync(join(folder, 'chain.rlp'), blocks)
  } finally {
    await xhash.close()
  }
}
