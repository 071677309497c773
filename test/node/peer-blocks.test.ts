// Block files between us and prlx, both ways, with real seals on a chain of our own genesis: it imports
// what we mined, we import what it mined, and both write the same bytes. Needs prlx in PEER_PROGRAMS
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bigintFromBytes, bytesFromBigint } from '../../src/base/bytes'
import { bytesOfHex, toHex } from '../../src/base/hex'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { createXhashEngine, type XhashEngine } from '../../src/native/xhash-engine'
import { forksAtGenesis } from '../../src/node/custom-genesis'
import { buildTemplate } from '../../src/node/miner-work/template'
import { createBlock, encodeBlock } from '../../src/node/model/block'
import { sealHash } from '../../src/node/model/header'
import { recoverSender } from '../../src/node/model/sender'
import { TestWallet } from '../../src/node/testing/test-wallet'
import { candidateQueue } from '../../src/node/txpool/tx-pool'
import { closeSession, openSession } from '../../src/node/worker/chain-session'
import { openSchema } from '../../src/node/worker/wire/chain-wire'
import { XHASH_FULL } from '../../src/xhash/params'
import { targetOfDifficulty } from '../../src/xhash/target'
import { call, IS_BUILT } from '../cli/program'
import { freePort } from '../free-port'
// (a folder).
import { ask } from '../json-rpc'
import { linkPeerCaches, peerProgram } from '../peer-programs'
import { newDataDir, PASSIVE_CHAIN } from './vector-session'

const PEER = peerProgram('prlx') ?? 'prlx'
const CHAIN_ID = 4711n
/** Over a retarget at 8 and into ASERT at 12. */
const BLOCKS = 14
/** A few light hashes per block. */
const DIFFICULTY = '0x8'
const COINBASE = new Uint8Array(20).fill(0xc1)

const rich = new TestWallet(1)
const GENESIS = JSON.stringify({
  config: {
    chainId: Number(CHAIN_ID),
    ...forksAtGenesis(),
    xhash: { coinbaseMaturityBlocks: 3, retargetIntervalBlocks: 8, asertAnchorHeight: 12 },
  },
  nonce: '0x1',
  timestamp: '0x69054d80',
  epochStartTime: '0x69054d80',
  extraData: '0x01',
  gasLimit: '0x1c9c380',
  difficulty: DIFFICULTY,
  alloc: {
    '0000000000000000000000000000000000000042': { balance: '0x1' },
    [toHex(rich.address).slice(2)]: { balance: '0xde0b6b3a76400000' },
  },
})

const reason = peerProgram('prlx') === null ? 'prlx is not there' : !IS_BUILT ? 'not built' : null

/** First nonce that meets the difficulty, found with the light cache. */
async function findSeal(engine: XhashEngine, hash: Uint8Array, target: bigint) {
  for (let nonce = 0n; ; nonce++) {
    const { mixDigest, result } = await engine.hashLight(0, hash, nonce)
    if (bigintFromBytes(result) <= target) return { nonce, mixDigest }
  }
}

function payment(nonce: bigint) {
  const to = new Uint8Array(20).fill(Number(nonce % 5n) + 1)
  return rich.sign({ nonce, to, value: 1_000n + nonce, chainId: CHAIN_ID, ...(nonce % 3n === 1n ? { type: 1 } : {}) })
}

describe.skipIf(reason !== null)(`blocks exchanged with prlx${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  const folder = newDataDir()
  const inFolder = (name: string): string => join(folder, name)
  const genesis = inFolder('genesis.json')
  const engine = createXhashEngine(XHASH_FULL, { searchFrom: import.meta.dirname })
  beforeAll(() => writeFileSync(genesis, GENESIS))
  afterAll(async () => {
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const peer = (...args: string[]) => promisify(execFile)(PEER, args)
  const sameBytes = (first: string, second: string): boolean =>
    Buffer.compare(readFileSync(inFolder(first)), readFileSync(inFolder(second))) === 0

  /** Blocks with transactions, sealed for real, on our own chain; their RLP one after another. */
  async function mine(): Promise<Uint8Array> {
    const params = openSchema.parse({
      network: 'custom',
      custom: { genesis: GENESIS, networkId: 1, xhashMode: 'full' },
      genesis: null,
      folder: inFolder('mined'),
      ...PASSIVE_CHAIN,
    })
    const deps = { clock: systemClock(), log: silentLogger, searchFrom: import.meta.dirname }
    const session = await openSession(params, deps)
    const { chain, store, engine: execution } = session
    const parts: Uint8Array[] = []
    try {
      for (let number = 1; number <= BLOCKS; number++) {
        const signed = recoverSender(payment(BigInt(number - 1)), CHAIN_ID)
        if (!signed.ok) throw new Error(signed.error)
        const { block } = await buildTemplate({
          params: chain.params,
          head: chain.head,
          reads: chain.reads,
          state: store,
          engine: execution,
          coinbase: COINBASE,
          extraData: Uint8Array.of(number),
          gasLimitGoal: 30_000_000n,
          timeFloor: 'parent',
          // Some blocks fast, some slow, so that the difficulty moves both ways.
          nowSeconds: chain.head.header.timestamp + BigInt(number % 4 === 0 ? 3_000 : 200),
          candidates: candidateQueue([[{ ...signed.value, local: true, sequence: 0, arrivedAt: 0 }]]),
        })
        const { nonce, mixDigest } = await findSeal(
          engine,
          sealHash(block.header),
          targetOfDifficulty(block.header.difficulty),
        )
        const sealed = createBlock({ ...block.header, nonce, mixHash: mixDigest }, block.transactions)
        expect(await chain.importBlock(sealed)).toEqual({ kind: 'head' })
        parts.push(encodeBlock(sealed))
      }
      return Buffer.concat(parts)
    } finally {
      await closeSession(session)
    }
  }

  it('that we mined are accepted by it, seals and all, and exported by both to the same bytes', async () => {
    writeFileSync(inFolder('mined.rlp'), await mine())
    const peerDir = ['--datadir', inFolder('peer-takes')]

    linkPeerCaches(inFolder('peer-takes'))
    await peer(...peerDir, 'init', genesis)
    await peer(...peerDir, 'import', inFolder('mined.rlp'))
    await peer(...peerDir, 'export', inFolder('theirs.rlp'))
    const ours = ['--datadir', inFolder('ours')]
    expect((await call(['import', inFolder('mined.rlp'), '--genesis', genesis, ...ours])).code).toBe(0)
    expect((await call(['export', inFolder('ours.rlp'), ...ours])).code).toBe(0)

    expect(readFileSync(inFolder('theirs.rlp')).length).toBeGreaterThan(readFileSync(inFolder('mined.rlp')).length)
    expect(sameBytes('theirs.rlp', 'ours.rlp')).toBe(true)
  })

  it('that it mined from its own templates are accepted by us, and exported to the same bytes', async () => {
    const peerDir = ['--datadir', inFolder('peer-makes')]
    await peer(...peerDir, 'init', genesis)
    const node = await startPeer(peerDir, toHex(COINBASE))
    try {
      for (let number = 1; number <= BLOCKS; number++) await sealNext(node.rpc, engine, number)
    } finally {
      await node.stop()
    }
    await peer(...peerDir, 'export', inFolder('made.rlp'))
    const checking = ['--datadir', inFolder('peer-checks')]
    linkPeerCaches(inFolder('peer-checks'))
    await peer(...checking, 'init', genesis)
    await peer(...checking, 'import', inFolder('made.rlp'))
    await peer(...checking, 'export', inFolder('checked.rlp'))
    expect(sameBytes('made.rlp', 'checked.rlp')).toBe(true)

    const ours = ['--datadir', inFolder('takes')]
    const imported = await call(['import', inFolder('made.rlp'), '--genesis', genesis, ...ours])
    expect(imported.stdout).toMatch(new RegExp(`imported ${BLOCKS} blocks .+, 1 were known, head ${BLOCKS} 0x`))
    expect((await call(['export', inFolder('again.rlp'), ...ours])).code).toBe(0)

    expect(sameBytes('made.rlp', 'again.rlp')).toBe(true)
  })
})

type Rpc = (method: string, ...params: unknown[]) => Promise<unknown>

const workSchema = z.tuple([z.string(), z.string(), z.string()]).rest(z.unknown())

/** Takes prlx's work for `number`, with one of our transactions before it, and returns it sealed. */
async function sealNext(rpc: Rpc, engine: XhashEngine, number: number): Promise<void> {
  await rpc('eth_sendRawTransaction', toHex(payment(BigInt(number - 1)).raw))
  for (;;) {
    const head = Number(await rpc('eth_blockNumber'))
    if (head >= number) return
    const work = workSchema.safeParse(await rpc('eth_getWork').catch(() => null))
    if (!work.success) {
      await new Promise((done) => setTimeout(done, 50))
      continue
    }
    const [hash, , target] = work.data
    const { nonce, mixDigest } = await findSeal(engine, bytesOfHex(hash), BigInt(target))
    // It takes a block before it imports it: another seal meanwhile would be one block more.
    const isTaken = await rpc('eth_submitWork', toHex(bytesFromBigint(nonce, 8)), hash, toHex(mixDigest))
    while (isTaken === true && Number(await rpc('eth_blockNumber')) < number)
      await new Promise((done) => setTimeout(done, 20))
  }
}

async function startPeer(
  datadir: readonly string[],
  coinbase: string,
): Promise<{ readonly rpc: Rpc; stop(): Promise<void> }> {
  const port = await freePort()
  const args = [
    ...[...datadir, '--networkid', String(CHAIN_ID), '--nodiscover', '--maxpeers', '0', '--port', '0', '--ipcdisable'],
    ...['--bootnodes', '', '--http', '--http.port', String(port), '--http.api', 'eth', '--syncmode', 'full'],
    ...['--xhash.dagdir', `${datadir[1]}-dag`],
    // Here it would check seals with the whole dataset, and build that.
    ...['--mine', '--miner.threads', '0', '--miner.coinbase', coinbase, '--miner.noverify'],
  ]
  const child: ChildProcess = spawn(PEER, args, { stdio: 'ignore' })
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  const rpc: Rpc = async (method, ...params) => {
    const { result, error } = await ask(`http://127.0.0.1:${port}`, method, params)
    if (error !== undefined) throw new Error(error.message)
    return result
  }
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) child.kill('SIGINT')
    await ended
  }
  for (let tries = 0; ; tries++) {
    try {
      await rpc('eth_blockNumber')
      return { rpc, stop }
    } catch (error) {
      if (tries > 100 || child.exitCode !== null) {
        await stop()
        throw error
      }
      await new Promise((done) => setTimeout(done, 100))
    }
  }
}
