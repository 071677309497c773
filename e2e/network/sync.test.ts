// The built program and prlx sync one chain from each other, then follow each other's blocks,
// transactions and reorgs. HEADFRAME_NETWORK_BLOCKS: length of the chain (default 200; e2e/network/full.mjs takes
// 2000). Needs prlx in PEER_PROGRAMS (a folder).
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toHex } from '../../src/base/hex'
import { createXhashEngine } from '../../src/native/xhash-engine'
import { TestWallet } from '../../src/node/testing/test-wallet'
import { XHASH_FULL } from '../../src/xhash/params'
import { makeChain } from '../../test/bench/made-chain'
import { IS_BUILT, temporaryFolder } from '../../test/cli/program'
import { HAS_PEER, referenceNode, until } from '../../test/node/p2p-nodes'
import { PATIENCE_MS } from '../../test/patience'
import { headOf, type OwnNode, ownNode } from './own-node'
import { Sealer } from './sealer'

const BLOCKS = Number(process.env.HEADFRAME_NETWORK_BLOCKS ?? 200)
/** Per test; what it waits for inside says more if it doesn't come. */
const TEST_MS = 3 * PATIENCE_MS
const NETWORK_ID = 4714
const COINBASE = `0x${'c2'.repeat(20)}`
const MINES = ['--mine', '--miner.coinbase', COINBASE]
const why = HAS_PEER ? '' : ' (skipped: prlx is not there)'

type Running = Pick<OwnNode, 'rpc' | 'enode'>

describe.skipIf(!IS_BUILT || !HAS_PEER)(`the built program and prlx${why}`, () => {
  const folder = temporaryFolder()
  const sealer = new Sealer()
  const ends: (() => Promise<unknown>)[] = [() => sealer.close()]
  const made = { genesis: '', file: join(folder.path, 'chain.rlp') }
  const running: { ours: Running | null; theirs: Running | null } = { ours: null, theirs: null }
  const wallet = new TestWallet(200)

  const both = (): { readonly ours: Running; readonly theirs: Running } => {
    const { ours, theirs } = running
    if (ours === null || theirs === null) throw new Error('a sync before this one failed')
    return { ours, theirs }
  }
  const agree = async (): Promise<boolean> => {
    const [a, b] = await Promise.all([headOf(both().ours), headOf(both().theirs)])
    return a.hash === b.hash
  }
  const payment = (nonce: bigint) => wallet.sign({ nonce, value: 1_000n })

  beforeAll(async () => {
    const xhash = createXhashEngine(XHASH_FULL, { searchFrom: import.meta.dirname })
    const chain = await makeChain({ blocks: BLOCKS, transactions: 2, xhash, alsoRich: [wallet] })
    await xhash.close()
    writeFileSync(made.file, chain.blocks)
    made.genesis = chain.genesis
  }, TEST_MS)
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
    folder.remove()
  })

  it(
    `takes ${BLOCKS} blocks from it`,
    async () => {
      const where = { genesis: made.genesis, networkId: NETWORK_ID }
      const giver = await referenceNode({ ...where, folder: join(folder.path, 'giver'), blocks: made.file })
      try {
        const more = ['--nodiscover', ...MINES]
        const files = { 'static-nodes.json': [giver.enode] }
        const ours = await ownNode({ ...where, folder: join(folder.path, 'ours'), more, files })
        ends.push(() => ours.stop())
        await until('synced', async () => (await headOf(ours)).number === BLOCKS, PATIENCE_MS)
        expect((await headOf(ours)).hash).toBe((await headOf(giver)).hash)
        expect(await ours.rpc('eth_syncing')).toBe(false)
        running.ours = ours
      } finally {
        await giver.stop()
      }
    },
    TEST_MS,
  )

  it(
    `gives ${BLOCKS} blocks to a fresh one`,
    async () => {
      const where = { genesis: made.genesis, networkId: NETWORK_ID }
      // With room for only one, it doesn't wait for more peers before it syncs.
      const more = ['--mine', '--miner.threads', '0', '--miner.coinbase', COINBASE, '--maxpeers', '1']
      const theirs = await referenceNode({ ...where, folder: join(folder.path, 'theirs'), more })
      ends.push(() => theirs.stop())
      running.theirs = theirs
      // That room is for one that it dials; trusted peers may dial it.
      await theirs.rpc('admin_addTrustedPeer', both().ours.enode)
      await theirs.rpc('admin_addPeer', both().ours.enode)
      await until('synced', async () => (await headOf(theirs)).number === BLOCKS, PATIENCE_MS)
      expect(await agree()).toBe(true)
    },
    TEST_MS,
  )

  it(
    'follows its blocks and transactions, and is followed',
    async () => {
      const { ours, theirs } = both()
      const turns = [
        [ours, theirs],
        [theirs, ours],
      ] as const
      for (const [turn, [from, to]] of turns.entries()) {
        const { raw, hash } = payment(BigInt(turn))
        await from.rpc('eth_sendRawTransaction', toHex(raw))
        const known = async (): Promise<boolean> => (await to.rpc('eth_getTransactionByHash', toHex(hash))) !== null
        await until('its transaction came', known, PATIENCE_MS)
        const mined = async (): Promise<boolean> => (await to.rpc('eth_getTransactionReceipt', toHex(hash))) !== null
        while (!(await mined())) {
          await sealer.seal(from)
          await until('followed', agree, PATIENCE_MS)
        }
      }
      expect((await headOf(ours)).number).toBeGreaterThanOrEqual(BLOCKS + 2)
    },
    TEST_MS,
  )

  it.each(['ours', 'theirs'] as const)(
    'switches to the heavier branch if it is %s',
    async (winner) => {
      const { ours, theirs } = both() // theirs dialed ours in the first case, ours theirs in the second
      const other = winner === 'ours' ? 'theirs' : 'ours'
      // The one that dialed goes first, or it dials again before it is asked; asked again, since a dial may be under way.
      const parted = async (): Promise<boolean> => {
        await both()[other].rpc('admin_removePeer', both()[winner].enode)
        await both()[winner].rpc('admin_removePeer', both()[other].enode)
        return (await ours.rpc('net_peerCount')) === '0x0'
      }
      await until('parted', parted, PATIENCE_MS)
      for (const [node, blocks] of [
        [both()[other], 1],
        [both()[winner], 3],
      ] as const)
        for (let i = 0; i < blocks; i++) await sealer.seal(node)
      const [lost, kept] = [await headOf(both()[other]), await headOf(both()[winner])]
      expect(lost.hash).not.toBe(kept.hash)

      await ours.rpc('admin_addPeer', theirs.enode)

      await until('one branch', agree, PATIENCE_MS)
      expect((await headOf(both()[other])).hash).toBe(kept.hash)
    },
    TEST_MS,
  )
})
