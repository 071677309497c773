// A chain whose blocks hold one dear transaction each, as files that every node can import with --fakepow.
// Built and started by tools/bench/gas/hostile.mjs.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytesOfHex } from '../../src/base/hex'
import { makeChain } from './made-chain'

const CONTRACT = 'bb'.repeat(20)

export interface HostileChain {
  readonly blocks: number
  /** what the called contract runs: hexadecimal, without 0x */
  readonly program: string
  /** of each transaction, which may use it up */
  readonly gas: number
}

/** Writes `genesis.json` and `chain.rlp` into `folder`. */
export async function writeChain(folder: string, { blocks, program, gas }: HostileChain): Promise<void> {
  const contracts = { [CONTRACT]: { balance: '0x0', code: `0x${program}` } }
  const call = { to: bytesOfHex(CONTRACT), gasLimit: BigInt(gas) }
  const made = await makeChain({ blocks, transactions: 1, xhash: null, contracts, call })
  writeFileSync(join(folder, 'genesis.json'), made.genesis)
  writeFileSync(join(folder, 'chain.rlp'), made.blocks)
}
