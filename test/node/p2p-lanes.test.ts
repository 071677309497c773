// A block overtakes everything that strangers send. The chain worker's jobs for strangers are held back by hand here,
// so that nothing depends on its speed: the block must be imported while they are still pending.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { joinBytes } from '../../src/base/bytes'
import { toHex } from '../../src/base/hex'
import { encodedList, encodeRlp, rlpInteger } from '../../src/node/codec/rlp'
import type { P2pChain } from '../../src/node/p2p/network-parts'
import { CODES, PARALLAX } from '../../src/node/protocol/messages'
import { SNAP_CAPABILITIES, SNAP_CODES } from '../../src/node/protocol/snap-messages'
import { madeBlocks } from './made-blocks'
import { until } from './p2p-nodes'
import { type Line, lineOf } from './p2p-sync-chain'
import { headOf, type SyncNode, syncNode } from './p2p-sync-node'
import { type Script, ScriptedPeer } from './p2p-sync-peer'
import { newFolder } from './practice-node'

const OWN = 5
const STRANGERS = 3
const TRANSACTIONS = 50_000
const A_MESSAGE = 1_000
/** How many transactions are given to the chain at once. */
const AT_ONCE = 32
const REQUESTS = 20
const LONG_MS = 240_000

/** Holds calls back until `open`, and counts them. */
class Gate {
  readonly open: () => void
  readonly #opened: Promise<void>
  begun = 0
  underWay = 0
  mostUnderWay = 0

  constructor() {
    let open = (): void => undefined
    this.#opened = new Promise((resolve) => {
      open = resolve
    })
    this.open = open
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    this.begun++
    this.mostUnderWay = Math.max(this.mostUnderWay, ++this.underWay)
    await this.#opened
    return work().finally(() => this.underWay--)
  }
}

/** No key can have made its signature: no point of the curve has this x. */
function badTransaction(nonce: number): Uint8Array {
  const numbers = [BigInt(nonce), 10n ** 9n, 21_000n].map((value) => rlpInteger(value))
  const signature = [27n, 5n, 1n].map((value) => rlpInteger(value))
  return encodeRlp([...numbers, new Uint8Array(20).fill(7), rlpInteger(1n), new Uint8Array(0), ...signature])
}

describe('a block', () => {
  const folder = newFolder()
  const ends: (() => unknown)[] = []
  let line: Line
  let made = 0

  const open = async (between: (chain: P2pChain) => P2pChain): Promise<SyncNode> => {
    const node = await syncNode({ folder: join(folder, `node-${made++}`), between })
    ends.push(() => node.stop())
    return node
  }
  const give = async (node: SyncNode): Promise<void> => {
    const part = line.blocks.slice(1, OWN + 1).map(({ headerRlp, body }) => encodedList([headerRlp, body]))
    await node.chain.importBlocks(joinBytes(part))
    await until('given', () => node.head().number === OWN)
  }
  const meet = (node: SyncNode, script: Script = {}): Promise<ScriptedPeer> =>
    ScriptedPeer.meet(node, line, { head: line.at(OWN).hash, totalDifficulty: line.at(OWN).total, ...script })
  const isIn = (node: SyncNode, number: number) => (): boolean => headOf(node) === toHex(line.at(number).hash)

  beforeAll(async () => {
    const node = await open((chain) => chain)
    const [genesis = new Uint8Array(0)] = await node.chain.headers({ origin: 0n, amount: 1n, skip: 0n, reverse: false })
    line = lineOf(genesis, await madeBlocks({ count: OWN + 2, tag: 1, paidEvery: 0 }))
  })
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it(
    "doesn't wait for 50,000 transactions with bad signatures, whose senders are dropped after a handful each",
    async () => {
      const gate = new Gate()
      const given: number[] = []
      const node = await open((chain) => ({
        ...chain,
        addTransactions: (raws) => {
          given.push(raws.length)
          return gate.pass(() => chain.addTransactions(raws))
        },
      }))
      await give(node)
      const strangers: ScriptedPeer[] = []
      for (let at = 0; at < STRANGERS; at++) strangers.push(await meet(node))
      const honest = await meet(node)
      for (let sent = 0; sent < TRANSACTIONS; sent += A_MESSAGE) {
        const raws = Array.from({ length: A_MESSAGE }, (_, at) => badTransaction(sent + at))
        strangers[(sent / A_MESSAGE) % STRANGERS]?.send(CODES.transactions, encodedList(raws))
      }
      await until('the first are given to the chain', () => gate.begun > 0, LONG_MS)
      honest.announce(line, OWN + 1, line.at(OWN + 1).total)
      await until('the block', isIn(node, OWN + 1), LONG_MS)
      expect([gate.underWay, given]).toEqual([1, [AT_ONCE]])

      gate.open()
      await until('the strangers are dropped', () => strangers.every(({ isClosed }) => isClosed), LONG_MS)
      honest.announce(line, OWN + 2, line.at(OWN + 2).total)
      await until('the next block', isIn(node, OWN + 2), LONG_MS)

      expect(given).toEqual(Array.from({ length: STRANGERS }, () => AT_ONCE))
      expect(gate.mostUnderWay).toBe(1)
      expect(node.p2p.bans().map(({ reason }) => reason)).toEqual(
        Array.from({ length: STRANGERS }, () => `${AT_ONCE} transactions without a valid signature`),
      )
      expect(honest.isClosed).toBe(false)
    },
    LONG_MS,
  )

  it(
    "doesn't wait for state requests, which are answered one at a time for all callers",
    async () => {
      const gate = new Gate()
      const node = await open((chain) => ({
        ...chain,
        snap: (code, request) => gate.pass(() => chain.snap(code, request)),
      }))
      await give(node)
      const [genesis] = [line.at(0).header.stateRoot]
      const request = encodeRlp([
        ...[rlpInteger(1), genesis, new Uint8Array(32), new Uint8Array(32).fill(0xff)],
        rlpInteger(2 * 1024 * 1024),
      ])
      const strangers: ScriptedPeer[] = []
      for (let at = 0; at < STRANGERS; at++) strangers.push(await meet(node, { more: SNAP_CAPABILITIES.slice(0, 1) }))
      const honest = await meet(node)
      for (let sent = 0; sent < REQUESTS; sent++)
        for (const stranger of strangers) stranger.send(PARALLAX.length + SNAP_CODES.getAccountRange, request)
      await until('the first is given to the chain', () => gate.begun > 0, LONG_MS)
      honest.announce(line, OWN + 1, line.at(OWN + 1).total)
      await until('the block', isIn(node, OWN + 1), LONG_MS)
      expect([gate.underWay, gate.begun]).toEqual([1, 1])

      gate.open()
      await until('all are answered', () => gate.begun === STRANGERS * REQUESTS && gate.underWay === 0, LONG_MS)

      expect(gate.mostUnderWay).toBe(1)
      expect(strangers.some(({ isClosed }) => isClosed)).toBe(false)
    },
    LONG_MS,
  )
})
