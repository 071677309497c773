// Chains of random programs and transactions, made by the engine, compared with its oracle block by block, and judged by the
// reference node: it imports every block, and exports the same bytes. Needs the reference program in PEER_PROGRAMS (a folder).

import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { bigintFromBytes } from '../../src/base/bytes'
import { toBareHex } from '../../src/base/hex'
import { keccak256 } from '../../src/node/codec/keccak'
import { createdAddress } from '../../src/node/execution/message'
import { addressBytes } from '../../src/node/execution/word'
import { ChainMaker } from '../bench/made-chain'
import { peerProgram } from '../peer-programs'
import { engineNamed } from './engines'
import { Chance } from './random/random-programs'
import { RandomTransactions } from './random/random-transactions'
import { newDataDir } from './vector-session'

const PEER = peerProgram('prlx')
/** RANDOM_CHAINS=100 in the environment makes so many, of BLOCKS blocks each; RANDOM_SEED sets where they begin. */
const CHAINS = Number(process.env.RANDOM_CHAINS ?? 2)
const FIRST = Number(process.env.RANDOM_SEED ?? 1)
const BLOCKS = process.env.RANDOM_CHAINS === undefined ? 20 : 120
const RANGE = { gas: { least: 200_000, more: 800_000 }, leastPrice: 1 }

interface RandomChain {
  /** JSON text */
  readonly genesis: string
  /** RLP, one after another */
  readonly blocks: Uint8Array
  readonly transactions: number
}

async function randomChain(seed: number): Promise<RandomChain> {
  const random = new RandomTransactions(new Chance(seed), RANGE)
  const contracts = Object.fromEntries(
    random.first().map(({ address, code, number }) => {
      const word = number.toString(16).padStart(64, '0')
      const account = { balance: `0x${number}`, nonce: '0x1', code: `0x${toBareHex(code)}` }
      return [toBareHex(address), { ...account, storage: { [`0x${'0'.repeat(64)}`]: `0x${word}` } }]
    }),
  )
  const engine = engineNamed('both')(ChainMaker.params)
  const maker = await ChainMaker.open({ rich: random.wallets, contracts, xhash: null, engine })
  const nonces = new Map(random.wallets.map((wallet) => [wallet, 0n]))
  const parts: Uint8Array[] = []
  let transactions = 0
  for (let number = 1; number <= BLOCKS; number++) {
    const candidates = Array.from({ length: random.chance.under(8) }, (_, sequence) => {
      const wallet = random.chance.of(random.wallets)
      const nonce = nonces.get(wallet) ?? 0n
      nonces.set(wallet, nonce + 1n)
      const tx = random.next(wallet, nonce)
      if (tx.to === null) random.learn(addressBytes(createdAddress(keccak256, bigintFromBytes(wallet.address), nonce)))
      return { tx, sender: wallet.address, local: true, sequence, arrivedAt: 0 }
    })
    transactions += candidates.length
    const bySender = random.wallets.map(({ address }) => candidates.filter(({ sender }) => sender === address))
    parts.push(await maker.add(bySender.filter((list) => list.length > 0)))
  }
  return { genesis: maker.genesis, blocks: Buffer.concat(parts), transactions }
}

it.skipIf(PEER === null)(
  `random chains are the reference's, too${PEER === null ? ' (skipped: the reference node is not there)' : ''}`,
  async () => {
    const counts = { chains: 0, blocks: 0, transactions: 0 }
    for (let seed = FIRST; seed < FIRST + CHAINS; seed++) {
      const folder = newDataDir()
      const made = await randomChain(seed)
      const genesis = join(folder, 'genesis.json')
      const chain = join(folder, 'chain.rlp')
      const exported = join(folder, 'exported.rlp')
      const peer = (...words: string[]) =>
        promisify(execFile)(PEER ?? '', ['--datadir', join(folder, 'peer'), ...words])
      writeFileSync(genesis, made.genesis)
      writeFileSync(chain, made.blocks)
      await peer('init', genesis)
      await peer('--fakepow', '--syncmode', 'full', '--nocompaction', 'import', chain)
      await peer('export', exported, '1', String(BLOCKS))
      expect(readFileSync(exported).equals(made.blocks), `chain ${seed}`).toBe(true)
      rmSync(folder, { recursive: true, force: true })
      counts.chains++
      counts.blocks += BLOCKS
      counts.transactions += made.transactions
    }
    console.info(JSON.stringify(counts))
    expect(counts.transactions).toBeGreaterThan(CHAINS * BLOCKS)
  },
)
