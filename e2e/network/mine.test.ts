// Three nodes that mine at the same time, two built programs and one reference: they end on one head.
// HEADFRAME_NETWORK_SECONDS: for how long (default 10; e2e/network/full.mjs takes 300). Needs prlx in
// PEER_PROGRAMS (a folder).
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { toHex } from '../../src/base/hex'
import { TestWallet } from '../../src/node/testing/test-wallet'
import { IS_BUILT, temporaryFolder } from '../../test/cli/program'
import { HAS_PEER, referenceNode, until } from '../../test/node/p2p-nodes'
import { PATIENCE_MS } from '../../test/patience'
import { privateGenesis } from './genesis'
import { headOf, type OwnNode, ownNode } from './own-node'
import { Sealer } from './sealer'

const SECONDS = Number(process.env.HEADFRAME_NETWORK_SECONDS ?? 10)
const NETWORK_ID = 4715
const sleep = (ms: number): Promise<void> => new Promise((next) => setTimeout(next, ms))
const why = HAS_PEER ? '' : ' (skipped: prlx is not there)'
/** Long enough for a block to travel, short enough that two are sometimes found at the same time. */
const PAUSE_MS = { least: 100, most: 1_500 }

const PAY_MS = 1_000
const LOOK_MS = 100
const LOOKS = 100
const MAX_ROUNDS = 10

type Running = Pick<OwnNode, 'rpc' | 'enode'>

describe.skipIf(!IS_BUILT || !HAS_PEER)(`three mining nodes${why}`, () => {
  const folder = temporaryFolder()
  const ends: (() => Promise<unknown>)[] = []
  const rich = new TestWallet(1)
  const genesis = privateGenesis({ chainId: NETWORK_ID, difficulty: 8, rich: toHex(rich.address) })
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
    folder.remove()
  })

  const where = (name: string) => ({ genesis, networkId: NETWORK_ID, folder: join(folder.path, name) })
  async function ours(name: string, digit: string): Promise<OwnNode> {
    const more = ['--nodiscover', '--mine', '--miner.coinbase', `0x${digit.repeat(40)}`]
    const node = await ownNode({ ...where(name), more })
    ends.push(() => node.stop())
    return node
  }
  async function theirs(digit: string): Promise<Running> {
    const more = ['--mine', '--miner.threads', '0', '--miner.coinbase', `0x${digit.repeat(40)}`]
    const node = await referenceNode({ ...where('reference'), more })
    ends.push(() => node.stop())
    return node
  }

  it(
    `for ${SECONDS} s end on one head`,
    async () => {
      const nodes: readonly [Running, Running, Running] = await Promise.all([
        ours('one', 'a'),
        ours('two', 'b'),
        theirs('c'),
      ])
      await meet(nodes)
      const sealer = new Sealer()
      ends.push(() => sealer.close())
      const over = new AbortController()
      const working = Promise.all([
        pay(nodes, rich, over.signal),
        ...nodes.map((node) => mine(sealer, node, over.signal)),
      ])
      await Promise.race([working, sleep(SECONDS * 1_000)]).finally(() => over.abort())
      const [paid, ...found] = await working

      // Two heads with equal work coexist until the next block.
      let isOne = await endOnOneHead(nodes)
      for (let round = 0; round < MAX_ROUNDS && !isOne; round++) {
        await sealer.seal(nodes[0])
        isOne = await endOnOneHead(nodes)
      }
      expect(isOne).toBe(true)
      // If all of a node's blocks lost to others, its next one is on top of the common head.
      for (const node of await unheard(nodes)) {
        await sealer.seal(node)
        expect(await endOnOneHead(nodes)).toBe(true)
      }
      const miners = await minersOf(nodes[0])
      console.info(`blocks found ${found.join(' + ')}, on the chain ${JSON.stringify(miners)}, payments ${paid}`)
      expect(found.every((count) => count > 0)).toBe(true)
      expect(Object.keys(miners).length).toBe(nodes.length)
      for (const node of nodes) expect(await node.rpc('net_peerCount')).toBe('0x2')
      const counts = nodes.map((node) => node.rpc('eth_getTransactionCount', toHex(rich.address), 'latest'))
      expect(new Set(await Promise.all(counts)).size).toBe(1)
    },
    SECONDS * 1_000 + 2 * PATIENCE_MS,
  )
})

async function meet(nodes: readonly Running[]): Promise<void> {
  for (const [index, node] of nodes.entries())
    for (const other of nodes.slice(index + 1)) await node.rpc('admin_addPeer', other.enode)
  const met = async (): Promise<boolean> => {
    const counts = await Promise.all(nodes.map((node) => node.rpc('net_peerCount')))
    return counts.every((count) => Number(count) === nodes.length - 1)
  }
  await until('all have met', met, PATIENCE_MS)
}

/** False if they still differ after a while. */
async function endOnOneHead(nodes: readonly Running[]): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    const heads = await Promise.all(nodes.map((node) => headOf(node)))
    if (new Set(heads.map(({ hash }) => hash)).size === 1) return true
    await sleep(LOOK_MS)
  }
  return false
}

/** Until the signal; returns how many blocks it found. */
async function mine(sealer: Sealer, node: Running, signal: AbortSignal): Promise<number> {
  let found = 0
  while (!signal.aborted) {
    if (await sealer.seal(node, signal)) found++
    const pause = PAUSE_MS.least + Math.random() * (PAUSE_MS.most - PAUSE_MS.least)
    await sleep(pause)
  }
  return found
}

/** A payment per second, to the nodes in turn, until the signal; returns how many. */
async function pay(nodes: readonly Running[], wallet: TestWallet, signal: AbortSignal): Promise<number> {
  let nonce = 0n
  while (!signal.aborted) {
    const node = nodes[Number(nonce) % nodes.length]
    const { raw } = wallet.sign({ nonce, chainId: BigInt(NETWORK_ID) })
    await node?.rpc('eth_sendRawTransaction', toHex(raw))
    nonce++
    await sleep(PAY_MS)
  }
  return Number(nonce)
}

/** Those without a block on the chain. */
async function unheard(nodes: readonly Running[]): Promise<readonly Running[]> {
  const [first] = nodes
  const miners = first === undefined ? {} : await minersOf(first)
  const coinbases = await Promise.all(nodes.map((node) => node.rpc('eth_coinbase')))
  return nodes.filter((_, index) => miners[String(coinbases[index])] === undefined)
}

/** How many blocks of the chain each coinbase has. */
async function minersOf(node: Running): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const { number } = await headOf(node)
  for (let height = 1; height <= number; height++) {
    const block = await node.rpc('eth_getBlockByNumber', `0x${height.toString(16)}`, false)
    const miner = typeof block === 'object' && block !== null && 'miner' in block ? String(block.miner) : ''
    counts[miner] = (counts[miner] ?? 0) + 1
  }
  return counts
}
