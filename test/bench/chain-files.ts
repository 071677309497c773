// Generated chains as files that every node can import with --fakepow. Built and started by
// tools/bench/import/whole-programs.mjs.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytesOfHex } from '../../src/base/hex'
import { rlpSlices } from '../../src/node/codec/rlp'
import { type MadeChain, makeChain } from './made-chain'

const CONTRACT = 'bb'.repeat(20)

/** A chain whose blocks contain one expensive transaction each. */
export interface HostileChain {
  readonly blocks: number
  /** code of the called contract: hexadecimal, without 0x */
  readonly program: string
  /** gas of each transaction, which may use all of it */
  readonly gas: number
}

/** A chain of ordinary traffic. */
export interface TrafficChain {
  readonly blocks: number
  /** per block, half transfers and half calls of a token */
  readonly transactions: number
}

/** Writes `genesis.json` and `chain.rlp` into `folder`. */
export async function writeHostile(folder: string, { blocks, program, gas }: HostileChain): Promise<void> {
  const contracts = { [CONTRACT]: { balance: '0x0', code: `0x${program}` } }
  const call = { to: bytesOfHex(CONTRACT), gasLimit: BigInt(gas) }
  write(folder, await makeChain({ blocks, transactions: 1, xhash: null, contracts, call }))
}

/** Writes `genesis.json` and `chain.rlp` into `folder`, and the first `single` blocks as `single-00000.rlp` and so on. */
export async function writeTraffic(folder: string, chain: TrafficChain & { readonly single: number }): Promise<void> {
  const made = await makeChain({ ...chain, xhash: null })
  write(folder, made)
  let index = 0
  for (const block of rlpSlices(made.blocks)) {
    if (!block.ok || index === chain.single) break
    writeFileSync(join(folder, `single-${String(index++).padStart(5, '0')}.rlp`), block.value.encoded)
  }
}

function write(folder: string, { genesis, blocks }: MadeChain): void {
  writeFileSync(join(folder, 'genesis.json'), genesis)
  writeFileSync(join(folder, 'chain.rlp'), blocks)
}
