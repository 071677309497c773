// prlx and ours as each other's peers, on a private chain with real seals.
// Needs prlx in PEER_PROGRAMS (a folder).
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bigintFromBytes, bytesFromBigint } from '../../src/base/bytes'
import { bytesOfHex, toHex } from '../../src/base/hex'
import { createXhashEngine, type XhashEngine } from '../../src/native/xhash-engine'
import { forksAtGenesis } from '../../src/node/custom-genesis'
import type { NodeService } from '../../src/node/node-service'
import { nodeName, parseEnode } from '../../src/node/p2p/node-address'
import { TestWallet } from '../../src/node/testing/test-wallet'
import { XHASH_FULL } from '../../src/xhash/params'
import { HAS_PEER, meetingNode, type ReferenceNode, referenceNode, until } from './p2p-nodes'
import { newFolder } from './practice-node'

const VECTORS = join(import.meta.dirname, '..', 'vectors', 'rpc')
const BLOCKS = 42
const LONG_MS = 240_000
const rich = new TestWallet(1)
const BY_HASH = 'eth_getTransactionByHash'

interface Network {
  readonly genesis: string
  readonly networkId: number
  readonly chainId: bigint
  /** Arguments of prlx. */
  readonly more: readonly string[]
}

const KNOWN: Network = {
  genesis: readFileSync(join(VECTORS, 'genesis.json'), 'utf8'),
  networkId: 3110,
  chainId: 3110n,
  more: [],
}
/** A few light hashes per block. */
const MINED: Network = {
  networkId: 4712,
  chainId: 4712n,
  // It would check our seals of its work with the whole dataset, and build that; our node checks each of them.
  more: ['--mine', '--miner.threads', '0', '--miner.noverify', '--miner.coinbase', `0x${'c1'.repeat(20)}`],
  genesis: JSON.stringify({
    config: {
      chainId: 4712,
      ...forksAtGenesis(),
      xhash: { coinbaseMaturityBlocks: 3, retargetIntervalBlocks: 8, asertAnchorHeight: 12 },
    },
    nonce: '0x1',
    timestamp: '0x69054d80',
    epochStartTime: '0x69054d80',
    extraData: '0x01',
    gasLimit: '0x1c9c380',
    difficulty: '0x8',
    alloc: {
      '0000000000000000000000000000000000000042': { balance: '0x1' },
      [toHex(rich.address).slice(2)]: { balance: '0xde0b6b3a76400000' },
    },
  }),
}

describe.skipIf(!HAS_PEER)(`peers with prlx${HAS_PEER ? '' : ' (skipped: it is not there)'}`, () => {
  const ends: (() => Promise<unknown>)[] = []
  const folder = newFolder()
  const inFolder = (name: string): string => join(folder, name)
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
    rmSync(folder, { recursive: true, force: true })
  })

  const ours = async (key: number, { genesis, networkId } = KNOWN) => {
    const met = await meetingNode({ folder: inFolder(`ours-${key}`), key, genesis, networkId })
    ends.push(() => met.node.stop())
    return met
  }
  const theirs = async (name: string, blocks?: string, { genesis, networkId, more } = KNOWN) => {
    const node = await referenceNode({
      folder: inFolder(name),
      genesis,
      networkId,
      more,
      ...(blocks === undefined ? {} : { blocks }),
    })
    ends.push(() => node.stop())
    return node
  }

  const headOf = async (reference: Awaited<ReturnType<typeof theirs>>): Promise<string> => {
    const block = await reference.rpc('eth_getBlockByNumber', 'latest', false)
    return typeof block === 'object' && block !== null && 'hash' in block ? String(block.hash) : ''
  }
  const ownHead = (node: Awaited<ReturnType<typeof ours>>['node']): string =>
    toHex(node.head()?.hash ?? new Uint8Array(0))
  const tail = (name: string): Uint8Array => new Uint8Array(readFileSync(join(VECTORS, name)))

  it('sync its chain', async () => {
    const reference = await theirs('gives', join(VECTORS, 'chain.rlp'))
    const { node, p2p, enode } = await ours(1)

    await reference.rpc('admin_addPeer', enode)
    await until('synced', () => node.head()?.number === BLOCKS)

    expect(ownHead(node)).toBe(await headOf(reference))
    expect(p2p.peers().length).toBe(1)
  })

  it('give it our chain, then our next blocks, and a heavier branch when we meet again', async () => {
    const reference = await theirs('takes')
    const { node, p2p } = await ours(2)
    const follows = (what: string) => until(what, async () => (await headOf(reference)) === ownHead(node), LONG_MS, 250)
    await node.importBlocks(tail('chain.rlp'))

    p2p.addPeer(addressOf(reference.enode))
    await follows('synced')
    await node.importBlocks(tail('tail-a.rlp'))
    await follows('followed')
    expect(p2p.peers().length).toBe(1)

    p2p.removePeer(nodeName(addressOf(reference.enode).id))
    await until('parted', () => p2p.peers().length === 0)
    await node.importBlocks(tail('tail-b.rlp'))
    p2p.addPeer(addressOf(reference.enode))
    await follows('changed the branch')
  })

  it("mine in turn, each on the other's blocks, including the other's transactions", async () => {
    const reference = await theirs('mines', undefined, MINED)
    const { node, p2p, enode } = await ours(3, MINED)
    const engine = createXhashEngine(XHASH_FULL, { searchFrom: import.meta.dirname })
    ends.push(() => engine.close())
    await node.setCoinbase(new Uint8Array(20).fill(0xc2))
    await reference.rpc('admin_addPeer', enode)
    await until('met', () => p2p.peers().length === 1)

    const agree = async (): Promise<boolean> => (await headOf(reference)) === ownHead(node)
    const isMined = async (hash: Uint8Array): Promise<boolean> =>
      ((await node.reader.transaction(hash))?.place ?? null) !== null
    const minedThere = async (hash: Uint8Array): Promise<boolean> => {
      const found = z.object({ blockNumber: z.string() }).safeParse(await reference.rpc(BY_HASH, toHex(hash)))
      return found.success
    }
    const sent: Uint8Array[] = []
    for (let round = 0; round < 3; round++) {
      await sealTheirs(reference, engine)
      await until('we followed', agree)
      const own = payment(BigInt(2 * round))
      await node.addTransaction(own.raw)
      await until('our transaction came', async () => (await reference.rpc(BY_HASH, toHex(own.hash))) !== null)
      await until('a block of ours has our transaction', async () => {
        await sealOurs(node, engine)
        return isMined(own.hash)
      })
      await until('it followed', agree)

      const theirs = payment(BigInt(2 * round + 1))
      await reference.rpc('eth_sendRawTransaction', toHex(theirs.raw))
      await until('its transaction came', async () => (await node.reader.transaction(theirs.hash)) !== null)
      sent.push(own.hash, theirs.hash)
    }
    const last = payment(5n).hash
    await until('a block has its last transaction', async () => {
      await sealTheirs(reference, engine)
      return minedThere(last)
    })
    await until('we followed to the end', agree)
    for (const hash of sent) expect([await isMined(hash), await minedThere(hash)]).toEqual([true, true])
    expect(node.head()?.number).toBeGreaterThanOrEqual(6)
    expect(p2p.peers().length).toBe(1)
  })
})

function payment(nonce: bigint) {
  return rich.sign({ nonce, to: new Uint8Array(20).fill(7), value: 1_000n + nonce, chainId: MINED.chainId })
}

async function findSeal(engine: XhashEngine, hash: Uint8Array, target: bigint) {
  for (let nonce = 0n; ; nonce++) {
    const { mixDigest, result } = await engine.hashLight(0, hash, nonce)
    if (bigintFromBytes(result) <= target) return { nonce, mixDigest }
  }
}

/**
 * One block by prlx. Only work on its present head is sealed, and only once: a second seal, found while the
 * first is still being stored, would be one block more.
 */
async function sealTheirs({ rpc }: ReferenceNode, engine: XhashEngine): Promise<void> {
  const before = BigInt(z.string().parse(await rpc('eth_blockNumber')))
  const isAccepted = async (): Promise<boolean> => {
    const work = z.array(z.string()).safeParse(await rpc('eth_getWork').catch(() => null))
    const [hash = '0x', , target = '0x0', number = '0x0'] = work.success ? work.data : []
    if (BigInt(number) !== before + 1n) return false
    const { nonce, mixDigest } = await findSeal(engine, bytesOfHex(hash), BigInt(target))
    return (await rpc('eth_submitWork', toHex(bytesFromBigint(nonce, 8)), hash, toHex(mixDigest))) === true
  }
  await until('prlx takes a seal', isAccepted)
  await until('its next block', async () => (await rpc('eth_blockNumber')) === `0x${(before + 1n).toString(16)}`)
}

/** A block with whatever waits in our pool. */
async function sealOurs(node: NodeService, engine: XhashEngine): Promise<void> {
  const height = (node.head()?.number ?? 0) + 1
  while ((node.head()?.number ?? 0) < height) {
    const work = node.currentWork()
    if (work === null || work.height !== height) {
      await new Promise((done) => setTimeout(done, 20))
      continue
    }
    const { nonce, mixDigest } = await findSeal(engine, work.sealHash, bigintFromBytes(work.target))
    await node.submitWork({ nonce, mixDigest, sealHash: work.sealHash })
  }
}

function addressOf(enode: string) {
  const read = parseEnode(enode)
  if (!read.ok) throw new Error(read.error)
  return read.value
}
