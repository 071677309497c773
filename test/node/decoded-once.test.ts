// What of a block is decoded on its way from a peer to the database: counted by the engine that runs the code, over real
// connections and the wire to the chain worker.
import { rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { toHex } from '../../src/base/hex'
import { CODES, encodeNewBlockHashes } from '../../src/node/protocol/messages'
import { madeBlocks } from './made-blocks'
import { until } from './p2p-nodes'
import { type Line, lineOf } from './p2p-sync-chain'
import { headOf, type SyncNode, syncNode } from './p2p-sync-node'
import { ScriptedPeer } from './p2p-sync-peer'
import { newFolder } from './practice-node'

const LENGTH = 60
const COUNTED = ['decodeHeader', 'transactionsFrom', 'transactionRoot'] as const
type Counts = Record<(typeof COUNTED)[number], number>

describe('a block from a peer to the database', () => {
  const folder = newFolder()
  const inspector = new Session()
  const ends: (() => unknown)[] = []
  let line: Line
  let made = 0

  const open = async (): Promise<SyncNode> => {
    const node = await syncNode({ folder: join(folder, `node-${made++}`), limits: { tickMs: 100 } })
    ends.push(() => node.stop())
    return node
  }
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  /** Calls since the last time. */
  const counts = async (): Promise<Counts> => {
    const { result } = await inspector.post('Profiler.takePreciseCoverage')
    const functions = result.filter(({ url }) => url.includes('/src/node/model/')).flatMap((script) => script.functions)
    const callsOf = (name: string) =>
      functions
        .filter(({ functionName }) => functionName === name)
        .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0)
    return Object.fromEntries(COUNTED.map((name) => [name, callsOf(name)])) as Counts
  }

  beforeAll(async () => {
    const node = await open()
    const [genesis = new Uint8Array(0)] = await node.chain.headers({ origin: 0n, amount: 1n, skip: 0n, reverse: false })
    line = lineOf(genesis, await madeBlocks({ count: LENGTH, tag: 1, paidEvery: 1 }))
    await close()
    inspector.connect()
    await inspector.post('Profiler.enable')
    await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  })
  afterEach(close)
  afterAll(() => {
    inspector.disconnect()
    rmSync(folder, { recursive: true, force: true })
  })

  it('has its header, body and root read once when it is sent whole', async () => {
    const node = await open()
    const peer = await ScriptedPeer.meet(node, line.upTo(0))
    const seen: Counts[] = []
    for (const number of [1, 2, 3]) {
      await counts()
      peer.announce(line, number, line.at(number).total)
      await until('the head', () => headOf(node) === toHex(line.at(number).hash))
      seen.push(await counts())
    }

    expect(seen).toEqual([1, 2, 3].map(() => ({ decodeHeader: 1, transactionsFrom: 1, transactionRoot: 1 })))
  })

  it('has its header read once when it is announced and fetched', async () => {
    const node = await open()
    const peer = await ScriptedPeer.meet(node, line.upTo(1), { head: line.at(0).hash, totalDifficulty: 1n })
    await counts()
    peer.send(CODES.newBlockHashes, encodeNewBlockHashes([{ hash: line.at(1).hash, number: 1n }]))
    await until('the head', () => headOf(node) === toHex(line.at(1).hash))

    expect(await counts()).toMatchObject({ decodeHeader: 1, transactionsFrom: 1 })
  })

  it('has its header read once in a sync, but for those that show where the chains meet', async () => {
    const node = await open()
    await counts()
    await ScriptedPeer.meet(node, line)
    await until('the head', () => headOf(node) === toHex(line.head.hash))
    const { decodeHeader, transactionsFrom } = await counts()

    // Genesis is read from the database.
    expect(transactionsFrom - LENGTH).toBeLessThanOrEqual(1)
    expect(decodeHeader - LENGTH).toBeLessThan(8)
  })
})
