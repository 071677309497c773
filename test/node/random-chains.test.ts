// Chains of random programs and transactions, made by the engine, compared with its oracle block by block, and judged by the
// reference node: it executes every block. Needs prlx in PEER_PROGRAMS (a folder).

import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bigintFromBytes } from '../../src/base/bytes'
import { toBareHex } from '../../src/base/hex'
import { keccak256 } from '../../src/node/codec/keccak'
import { createdAddress } from '../../src/node/execution/message'
import { addressBytes } from '../../src/node/execution/word'
import { createBlock, decodeBlock, encodeBlock } from '../../src/node/model/block'
import { ChainMaker } from '../bench/made-chain'
import { peerProgram } from '../peer-programs'
import { engineNamed } from './engines'
import { Chance } from './random/random-programs'
import { RandomTransactions } from './random/random-transactions'
import { newDataDir } from './vector-session'

const PEER = peerProgram('prlx')
/** RANDOM_CHAINS=100 in the environment makes so many; RANDOM_SEED sets where they begin. */
const CHAINS = Number(process.env.RANDOM_CHAINS ?? 2)
const FIRST = Number(process.env.RANDOM_SEED ?? 1)
/** Blocks of each chain. */
const BLOCKS = Number(process.env.RANDOM_BLOCKS ?? 20)
/** Chains that grow from one genesis: prlx starts once for all of them, and executes side chains as well. */
const GROUP = Number(process.env.RANDOM_GROUP ?? 2)
const RANGE = { gas: { least: 200_000, more: 800_000 }, leastPrice: 1 }

/** Chains from the genesis of `seed`, each of other transactions. */
class RandomGroup {
  readonly #programs: ReturnType<RandomTransactions['first']>
  readonly #contracts: Readonly<Record<string, object>>
  transactions = 0
  /** JSON text */
  genesis = ''

  constructor(private readonly seed: number) {
    this.#programs = new RandomTransactions(new Chance(seed), RANGE).first()
    this.#contracts = Object.fromEntries(
      this.#programs.map(({ address, code, number }) => {
        const word = number.toString(16).padStart(64, '0')
        const account = { balance: `0x${number}`, nonce: '0x1', code: `0x${toBareHex(code)}` }
        return [toBareHex(address), { ...account, storage: { [`0x${'0'.repeat(64)}`]: `0x${word}` } }]
      }),
    )
  }

  /** The RLP of each block. */
  async chain(index: number): Promise<readonly Uint8Array[]> {
    const random = new RandomTransactions(new Chance(this.seed * 1_000_003 + index), RANGE)
    for (const { address } of this.#programs) random.learn(address)
    const engine = engineNamed('both')(ChainMaker.params)
    const maker = await ChainMaker.open({ rich: random.wallets, contracts: this.#contracts, xhash: null, engine })
    this.genesis = maker.genesis
    const nonces = new Map(random.wallets.map((wallet) => [wallet, 0n]))
    const blocks: Uint8Array[] = []
    for (let number = 1; number <= BLOCKS; number++) {
      const candidates = Array.from({ length: random.chance.under(8) }, (_, sequence) => {
        const wallet = random.chance.of(random.wallets)
        const nonce = nonces.get(wallet) ?? 0n
        nonces.set(wallet, nonce + 1n)
        const tx = random.next(wallet, nonce)
        if (tx.to === null)
          random.learn(addressBytes(createdAddress(keccak256, bigintFromBytes(wallet.address), nonce)))
        return { tx, sender: wallet.address, local: true, sequence, arrivedAt: 0 }
      })
      this.transactions += candidates.length
      const bySender = random.wallets.map(({ address }) => candidates.filter(({ sender }) => sender === address))
      blocks.push(await maker.add(bySender.filter((list) => list.length > 0)))
    }
    return blocks
  }
}

/** With another state root. */
function falsified(encoded: Uint8Array): Uint8Array {
  const block = decodeBlock(encoded)
  if (!block.ok) throw new Error(block.error)
  const { header, transactions } = block.value
  return encodeBlock(createBlock({ ...header, stateRoot: keccak256(header.stateRoot) }, transactions))
}

/** What prlx says of the blocks in `files`, and the chain that it takes for the best. */
function judged(folder: string, files: readonly string[]) {
  const peer = (...words: string[]) =>
    spawnSync(PEER ?? '', ['--datadir', join(folder, 'peer'), ...words], { encoding: 'utf8', maxBuffer: 2 ** 30 })
  expect(peer('init', join(folder, 'genesis.json')).status).toBe(0)
  const { stderr } = peer('--fakepow', '--syncmode', 'full', '--nocompaction', 'import', ...files)
  const exported = join(folder, 'exported.rlp')
  expect(peer('export', exported, '1', String(BLOCKS)).status).toBe(0)
  return { faults: stderr.split('\n').filter((line) => line.includes('Import error')), best: readFileSync(exported) }
}

it.skipIf(PEER === null)(
  `random chains are prlx's, too${PEER === null ? ' (skipped: prlx is not there)' : ''}`,
  async () => {
    const counts = { chains: 0, blocks: 0, transactions: 0 }
    for (let seed = FIRST; counts.chains < CHAINS; seed++) {
      const folder = newDataDir()
      const group = new RandomGroup(seed)
      const files: string[] = []
      const chains: Uint8Array[] = []
      const write = (name: string, bytes: Uint8Array): void => {
        files.push(join(folder, name))
        writeFileSync(join(folder, name), bytes)
      }
      let last = new Uint8Array(0)
      for (let index = 0; index < Math.min(GROUP, CHAINS - counts.chains); index++) {
        const blocks = await group.chain(index)
        last = blocks.at(-1)?.slice() ?? last
        chains.push(Buffer.concat(blocks))
        write(`chain-${index}.rlp`, Buffer.concat(blocks))
      }
      write('false.rlp', falsified(last))
      writeFileSync(join(folder, 'genesis.json'), group.genesis)
      const { faults, best } = judged(folder, files)
      expect(faults, `chains from seed ${seed}`).toHaveLength(1)
      expect(faults[0]).toMatch(/false\.rlp.*invalid merkle root/)
      expect(chains.some((chain) => best.equals(chain))).toBe(true)
      rmSync(folder, { recursive: true, force: true })
      counts.chains += chains.length
      counts.blocks += chains.length * BLOCKS
      counts.transactions += group.transactions
      console.info(JSON.stringify(counts))
    }
    expect(counts.transactions).toBeGreaterThan(CHAINS * BLOCKS)
  },
)
