// A fresh reference node with its default flags syncs the state from us, and both give the same answers about one
// state. Needs prlx in PEER_PROGRAMS (a folder).
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { toHex } from '../../src/base/hex'
import { createXhashEngine } from '../../src/native/xhash-engine'
import { parseEnode } from '../../src/node/p2p/node-address'
import { TestWallet } from '../../src/node/testing/test-wallet'
import { XHASH_FULL } from '../../src/xhash/params'
import { makeChain } from '../bench/made-chain'
import { HAS_PEER, meetingNode, referenceNode, until } from './p2p-nodes'
import { newFolder } from './practice-node'
import { splitBlocks } from './split-blocks'

const NETWORK = 1337
const BLOCKS = 260
/** Served before prlx starts; the others follow once it has the state. */
const FIRST = 250
/** Ends what hangs: one core in thirty makes a minute's sync half an hour. */
const PATIENCE_MS = 1_800_000

async function chain() {
  const xhash = createXhashEngine(XHASH_FULL, { searchFrom: import.meta.dirname })
  try {
    return await makeChain({ blocks: BLOCKS, transactions: 8, xhash })
  } finally {
    await xhash.close()
  }
}

describe.skipIf(!HAS_PEER)(`syncing a state${HAS_PEER ? '' : ' (skipped: prlx is not there)'}`, () => {
  const folder = newFolder()
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
    rmSync(folder, { recursive: true, force: true })
  })

  it('a reference node with default flags gets head and state from us alone', {
    timeout: 3 * PATIENCE_MS,
  }, async () => {
    const { genesis, blocks } = await chain()
    const parts = [...splitBlocks(blocks)]
    const { node, p2p } = await meetingNode({ folder: join(folder, 'ours'), key: 1, genesis, networkId: NETWORK })
    ends.push(() => node.stop())
    await node.importBlocks(Buffer.concat(parts.slice(0, FIRST)))
    const fresh = await referenceNode({
      folder: join(folder, 'fresh'),
      genesis,
      networkId: NETWORK,
      syncMode: 'snap',
    })
    ends.push(() => fresh.stop())
    const { value } = expectOk(parseEnode(fresh.enode))
    const hasHead = (what: string, height: number) =>
      until(what, async () => Number(await fresh.rpc('eth_blockNumber')) === height, PATIENCE_MS, 250)

    p2p.addPeer(value)
    try {
      await hasHead('synced', FIRST)
    } catch (error: unknown) {
      throw new Error(fresh.log().slice(-6000), { cause: error })
    }
    expect(fresh.log()).toContain('Snap sync complete')
    // A node that executes the next blocks has the whole state that they need.
    await node.importBlocks(Buffer.concat(parts.slice(FIRST)))
    await hasHead('followed', BLOCKS)
    for (let index = 1; index <= 64; index++) {
      const { address } = new TestWallet(index)
      const own = await node.reader.account(address)
      expect(await fresh.rpc('eth_getBalance', toHex(address), 'latest')).toBe(`0x${own?.balance.toString(16)}`)
    }
    expect(p2p.peers().length).toBe(1)
  })
})

function expectOk<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string },
) {
  if (!result.ok) throw new Error(result.error)
  return result
}
