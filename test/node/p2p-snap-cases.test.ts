// prlx's own suite for state requests, over a chain of this network: ranges with their bounds and proofs,
// codes, trie nodes by odd paths. Each answer is checked by itself; with prlx in PEER_PROGRAMS (a
// folder), both must agree.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyMerkleRangeProof } from '@ethereumjs/mpt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bigintFromBytes, bytesFromBigint, compareBytes } from '../../src/base/bytes'
import { bytesOfHex, toHex } from '../../src/base/hex'
import { createXhashEngine } from '../../src/native/xhash-engine'
import { keccak256 } from '../../src/node/codec/keccak'
import { decodeRlp, encodeRlp, type RlpItem, rlpInteger } from '../../src/node/codec/rlp'
import { EMPTY_CODE_HASH } from '../../src/node/execution/account'
import { decodeBlock } from '../../src/node/model/block'
import { DISCONNECT } from '../../src/node/protocol/base-messages'
import { PARALLAX } from '../../src/node/protocol/messages'
import { SNAP_CAPABILITIES, SNAP_CODES } from '../../src/node/protocol/snap-messages'
import { EMPTY_TRIE_ROOT } from '../../src/node/trie/trie'
import { XHASH_FULL } from '../../src/xhash/params'
import { makeChain } from '../bench/made-chain'
import { HAS_PEER, type MeetingNode, meetingNode, type ReferenceNode, referenceNode, until } from './p2p-nodes'
import { newFolder } from './practice-node'
import { splitBlocks } from './split-blocks'
import { honestStatus, StrangePeer } from './strange-peer'

const NETWORK = 1337
/** Enough that states leave the window. */
const BLOCKS = 200
const LONG_MS = 240_000
const ZERO: Uint8Array = new Uint8Array(32)
const LAST: Uint8Array = new Uint8Array(32).fill(0xff)
const NOTHING = new Uint8Array(0)
const [SNAP = { name: 'parallax-snap', version: 1 }] = SNAP_CAPABILITIES

/** Codes of different lengths, so that byte limits fall between them. */
const CODES = Array.from({ length: 12 }, (_, at) => new Uint8Array(40 * (at + 1)).fill(at + 1))
const CODE_HASHES = CODES.map((code) => keccak256(code))
const addressOf = (at: number): string => `${'00'.repeat(18)}c0${at.toString(16).padStart(2, '0')}`
/** Of the first contract; the second has `MANY_SLOTS`, the others none. */
const FEW_SLOTS = 3
const MANY_SLOTS = 400
const contractKey = (at: number): Uint8Array => keccak256(bytesOfHex(addressOf(at)))
const slotsOf = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [word(at), word(at + 1)]))
const word = (value: number): string => toHex(bytesFromBigint(BigInt(value), 32))
const contracts = Object.fromEntries(
  CODES.map((code, at) => [
    addressOf(at),
    { balance: '0x0', code: toHex(code), storage: slotsOf(at === 0 ? FEW_SLOTS : at === 1 ? MANY_SLOTS : 0) },
  ]),
)

const step = (key: Uint8Array, by: bigint): Uint8Array => bytesFromBigint(bigintFromBytes(key) + by, 32)

/** Sends one node one request after another. */
class Asker {
  readonly #waiting: ((answer: readonly RlpItem[] | null) => void)[] = []

  private constructor(private readonly peer: StrangePeer) {
    peer.connection.events.on('closed', () => {
      for (const done of this.#waiting.splice(0)) done(null)
    })
  }

  static async meet(enode: string, ours: MeetingNode): Promise<Asker> {
    const askers = new WeakMap<StrangePeer, Asker>()
    const take = (peer: StrangePeer, payload: Uint8Array): void => askers.get(peer)?.took(payload)
    const { accountRange, storageRanges, byteCodes, trieNodes } = SNAP_CODES
    const on = new Map(
      [accountRange, storageRanges, byteCodes, trieNodes].map((code) => [PARALLAX.length + code, take]),
    )
    const status = await honestStatus(ours, NETWORK)
    const peer = await StrangePeer.meet({ enode, status }, { on, more: [SNAP] })
    const asker = new Asker(peer)
    askers.set(peer, asker)
    return asker
  }

  /** What follows the request's id; null if the connection was ended for it. */
  ask(code: number, items: readonly RlpItem[]): Promise<readonly RlpItem[] | null> {
    const answer = new Promise<readonly RlpItem[] | null>((done) => this.#waiting.push(done))
    this.peer.send(PARALLAX.length + code, encodeRlp([rlpInteger(7), ...items]))
    return answer
  }

  refused(): Promise<number> {
    return this.peer.refused()
  }

  end(): void {
    this.peer.socket.destroy()
  }

  took(payload: Uint8Array): void {
    const decoded = decodeRlp(payload)
    if (!decoded.ok || decoded.value instanceof Uint8Array) throw new Error('no answer')
    expect(decoded.value[0]).toEqual(Uint8Array.of(7))
    this.#waiting.shift()?.(decoded.value.slice(1))
  }
}

const listOf = (item: RlpItem | undefined): readonly RlpItem[] => {
  if (item === undefined || item instanceof Uint8Array) throw new Error('not a list')
  return item
}
const bytesOf = (item: RlpItem | undefined): Uint8Array => (item instanceof Uint8Array ? item : encodeRlp(item ?? []))

interface Range {
  readonly keys: readonly Uint8Array[]
  readonly bodies: readonly Uint8Array[]
  readonly proof: readonly Uint8Array[]
}

function rangeOf(pairs: RlpItem | undefined, proof: RlpItem | undefined): Range {
  const entries = pairs === undefined ? [] : listOf(pairs).map((pair) => listOf(pair))
  return {
    keys: entries.map(([key]) => bytesOf(key)),
    bodies: entries.map(([, body]) => bytesOf(body)),
    proof: listOf(proof).map(bytesOf),
  }
}

/** As stored in the trie. */
function fullAccount(body: Uint8Array): Uint8Array {
  const decoded = decodeRlp(body)
  const [nonce = ZERO, balance = ZERO, root = ZERO, code = ZERO] = decoded.ok ? listOf(decoded.value) : []
  return encodeRlp([
    ...[nonce, balance, root.length === 0 ? EMPTY_TRIE_ROOT : root],
    code.length === 0 ? EMPTY_CODE_HASH : code,
  ])
}

/** The protocol guarantees no order of the proof's nodes. */
function comparable(answer: readonly RlpItem[] | null) {
  if (answer === null) return null
  const [items, proof] = answer
  return { items, proof: proof === undefined ? null : new Set(listOf(proof).map((node) => toHex(bytesOf(node)))) }
}

describe("states, requested as by prlx's suite", () => {
  const folder = newFolder()
  const ends: (() => unknown)[] = []
  let ours: MeetingNode
  let theirs: ReferenceNode | null = null
  /** State roots by height, without the genesis block's. */
  let roots: readonly Uint8Array[] = []
  let genesisRoot = ZERO
  let all: Range = { keys: [], bodies: [], proof: [] }

  /** Our node's answer, once it equals prlx's. */
  const ask = async (code: number, items: readonly RlpItem[]): Promise<readonly RlpItem[] | null> => {
    const [own, other] = await Promise.all(
      [ours.enode, theirs?.enode ?? null].map(async (enode) => {
        if (enode === null) return undefined
        const asker = await Asker.meet(enode, ours)
        const answer = await asker.ask(code, items)
        asker.end()
        return answer
      }),
    )
    if (own === undefined) throw new Error('our node was not asked')
    if (other !== undefined) expect(comparable(own)).toEqual(comparable(other))
    return own
  }
  const head = (): Uint8Array => roots.at(-1) ?? ZERO
  const accounts = async (root: Uint8Array, origin: Uint8Array, limit: Uint8Array, bytes: number): Promise<Range> => {
    const answer = await ask(SNAP_CODES.getAccountRange, [root, origin, limit, rlpInteger(bytes)])
    return rangeOf(answer?.[0], answer?.[1])
  }

  beforeAll(async () => {
    const xhash = createXhashEngine(XHASH_FULL, { searchFrom: import.meta.dirname })
    const { genesis, blocks } = await makeChain({ blocks: BLOCKS, transactions: 12, contracts, xhash })
    await xhash.close()
    roots = splitBlocks(blocks).map((block) => {
      const decoded = decodeBlock(block)
      if (!decoded.ok) throw new Error(decoded.error)
      return decoded.value.header.stateRoot
    })
    ours = await meetingNode({ folder: join(folder, 'ours'), key: 1, genesis, networkId: NETWORK })
    ends.push(() => ours.node.stop())
    genesisRoot = (await ours.node.reader.header(0))?.stateRoot ?? ZERO
    await ours.node.importBlocks(blocks)
    if (HAS_PEER) {
      const file = join(folder, 'chain.rlp')
      writeFileSync(file, blocks)
      const running = await referenceNode({
        folder: join(folder, 'theirs'),
        genesis,
        networkId: NETWORK,
        blocks: file,
      })
      theirs = running
      ends.push(() => running.stop())
    }
    let origin = ZERO
    for (let isMore = true; isMore; ) {
      const asker = await Asker.meet(ours.enode, ours)
      const answer = await asker.ask(SNAP_CODES.getAccountRange, [head(), origin, LAST, rlpInteger(8_000)])
      asker.end()
      const part = rangeOf(answer?.[0], answer?.[1])
      const last = part.keys.at(-1) ?? LAST
      const values = part.bodies.map(fullAccount)
      isMore = await verifyMerkleRangeProof(head(), origin, last, [...part.keys], values, [...part.proof])
      all = { ...all, keys: [...all.keys, ...part.keys], bodies: [...all.bodies, ...part.bodies] }
      origin = step(last, 1n)
    }
    // prlx prepares its ranges in the background.
    if (theirs !== null) {
      const { enode } = theirs
      await until('prlx has its ranges', async () => {
        const asker = await Asker.meet(enode, ours)
        const answer = await asker.ask(SNAP_CODES.getAccountRange, [head(), ZERO, LAST, rlpInteger(1)])
        asker.end()
        return listOf(answer?.[0]).length === 1
      })
    }
  }, LONG_MS)
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The rule in words: from the origin on, until the limit is reached or more bytes than requested are collected. */
  const expected = (origin: Uint8Array, limit: Uint8Array, bytes: number): readonly Uint8Array[] => {
    const found: Uint8Array[] = []
    let size = 0
    for (const [at, key] of all.keys.entries()) {
      if (compareBytes(key, origin) < 0) continue
      found.push(key)
      size += 32 + (all.bodies[at]?.length ?? 0)
      if (compareBytes(key, limit) >= 0 || size > bytes) break
    }
    return found
  }

  it(
    'account ranges end by bytes and by their limit, and each has a proof',
    async () => {
      const [first = ZERO, second = ZERO] = all.keys
      const before = step(first, -1n)
      const after = step(first, 1n)
      const cases: readonly (readonly [Uint8Array, Uint8Array, number, number?])[] = [
        ...[4_000, 3_000, 2_000, 1, 0].map((bytes) => [ZERO, LAST, bytes] as const),
        [before, after, 4_000, 2],
        [ZERO, before, 4_000, 1],
        [ZERO, ZERO, 4_000, 1],
        [first, LAST, 4_000],
        [after, LAST, 4_000],
        [second, second, 4_000, 1],
        [LAST, ZERO, 4_000, 0],
        [first, before, 4_000, 1],
        [first, ZERO, 4_000, 1],
      ]
      for (const [origin, limit, bytes, count] of cases) {
        const found = await accounts(head(), origin, limit, bytes)
        expect(found.keys).toEqual(expected(origin, limit, bytes))
        if (count !== undefined) expect(found.keys).toHaveLength(count)
        const last = found.keys.at(-1) ?? null
        const values = found.bodies.map(fullAccount)
        await verifyMerkleRangeProof(head(), origin, last, [...found.keys], values, [...found.proof])
      }
      expect(all.keys.length).toBeGreaterThan(200)
    },
    LONG_MS,
  )

  it(
    'account ranges cover states that are kept, and no other root',
    async () => {
      const old = roots.at(-128) ?? ZERO
      const { keys, bodies, proof } = await accounts(old, ZERO, LAST, 4_000)
      await verifyMerkleRangeProof(old, ZERO, keys.at(-1) ?? ZERO, [...keys], bodies.map(fullAccount), [...proof])
      expect(keys.length).toBeGreaterThan(10)

      const [contract = ZERO] = [contractKey(1)]
      const at = all.keys.findIndex((key) => compareBytes(key, contract) === 0)
      const decoded = decodeRlp(all.bodies[at] ?? NOTHING)
      const storageRoot = decoded.ok ? bytesOf(listOf(decoded.value)[2]) : ZERO
      expect(storageRoot).toHaveLength(32)
      const unknown = new Uint8Array(32).fill(0x13)
      for (const root of [unknown, genesisRoot, storageRoot])
        expect(await accounts(root, ZERO, LAST, 4_000)).toEqual({ keys: [], bodies: [], proof: [] })
    },
    LONG_MS,
  )

  it(
    'slot ranges begin and end anywhere, and have a proof if some slots are omitted',
    async () => {
      const few = contractKey(0)
      const keys = Array.from({ length: FEW_SLOTS }, (_, at) => keccak256(bytesOfHex(word(at)))).sort(compareBytes)
      const [one = ZERO, two = ZERO] = keys
      const slots = async (of: readonly Uint8Array[], origin: Uint8Array, limit: Uint8Array, bytes = 500) => {
        const answer = await ask(SNAP_CODES.getStorageRanges, [head(), [...of], origin, limit, rlpInteger(bytes)])
        const lists = listOf(answer?.[0]).map((list) => listOf(list).map((pair) => bytesOf(listOf(pair)[0])))
        return { lists, proof: listOf(answer?.[1]).length }
      }
      const [first = ZERO, second = ZERO] = all.keys.filter((key) =>
        CODES.every((_, at) => compareBytes(key, contractKey(at)) !== 0),
      )

      expect(await slots([second, first], ZERO, LAST)).toEqual({ lists: [], proof: 0 })
      expect(await slots([few], ZERO, LAST)).toEqual({ lists: [keys], proof: 0 })
      expect((await slots([few], one, LAST)).lists).toEqual([keys])
      expect((await slots([few], step(one, 1n), LAST)).lists).toEqual([keys.slice(1)])
      expect((await slots([few], one, two)).lists).toEqual([keys.slice(0, 2)])
      expect((await slots([few], step(one, 1n), step(two, 1n))).lists).toEqual([keys.slice(1)])
      expect((await slots([few], NOTHING, NOTHING)).lists).toEqual([keys])
      const cut = await slots([few, contractKey(1), few], ZERO, LAST, 1_000)
      expect(cut.lists.map((list) => list.length > FEW_SLOTS)).toEqual([false, true])
      expect(cut.proof).toBeGreaterThan(0)
    },
    LONG_MS,
  )

  it(
    'codes come in the requested order, without unknown ones',
    async () => {
      const codes = async (hashes: readonly Uint8Array[], bytes: number): Promise<readonly Uint8Array[]> => {
        const answer = await ask(SNAP_CODES.getByteCodes, [[...hashes], rlpInteger(bytes)])
        return listOf(answer?.[0]).map(bytesOf)
      }
      const [smallest = ZERO] = CODE_HASHES
      expect(await codes([genesisRoot, head()], 10_000)).toEqual([])
      expect(await codes([genesisRoot, genesisRoot], 10_000)).toEqual([])
      expect(await codes([EMPTY_TRIE_ROOT], 10_000)).toEqual([])
      expect(await codes([EMPTY_CODE_HASH], 10_000)).toEqual([NOTHING])
      expect(await codes([EMPTY_CODE_HASH, EMPTY_CODE_HASH, EMPTY_CODE_HASH], 10_000)).toHaveLength(3)
      expect(await codes(CODE_HASHES, 10_000)).toEqual(CODES)
      for (const bytes of [1, 0]) expect(await codes(CODE_HASHES, bytes)).toEqual(CODES.slice(0, 1))
      expect(await codes([smallest, smallest, smallest, smallest], 1_000)).toHaveLength(4)
      expect(await codes([head(), ...CODE_HASHES, head()], 300)).toEqual(CODES.slice(0, 4))
    },
    LONG_MS,
  )

  it(
    'trie nodes come by their paths, empty where there is none',
    async () => {
      const nodes = async (root: Uint8Array, paths: readonly RlpItem[], bytes = 5_000) => {
        const answer = await ask(SNAP_CODES.getTrieNodes, [root, [...paths], rlpInteger(bytes)])
        return listOf(answer?.[0]).map((node) => keccak256(bytesOf(node)))
      }
      const [key = ZERO] = all.keys
      const upTo = Array.from({ length: 65 }, (_, length) => [compactPath(key, length)])
      const downwards = await nodes(head(), upTo)
      const depth = downwards.findIndex((hash) => compareBytes(hash, EMPTY_CODE_HASH) === 0)
      const top = Uint8Array.of(0)

      expect(await nodes(head(), [], 500)).toEqual([])
      expect(await nodes(head(), [[top], [Uint8Array.of(1), top]])).toEqual([head()])
      expect(await nodes(head(), [[new Uint8Array(54).map((_, at) => at % 9)]])).toEqual([EMPTY_CODE_HASH])
      expect(await nodes(genesisRoot, [[top], [Uint8Array.of(1), top]])).toEqual([])
      expect(depth).toBeGreaterThan(1)
      expect(downwards).toHaveLength(65)
      expect(downwards.slice(depth).every((hash) => compareBytes(hash, EMPTY_CODE_HASH) === 0)).toBe(true)
      expect(downwards[0]).toEqual(head())
      const mixed = await nodes(
        head(),
        [10, 1, 0].flatMap((at) => upTo.slice(at, at + 1)),
      )
      expect(mixed).toEqual([EMPTY_CODE_HASH, downwards[1], head()])
      const inStorage = await nodes(head(), [[contractKey(1), top, compactPath(contractKey(1), 60)], [top]])
      expect(inStorage).toHaveLength(3)
      expect(inStorage.slice(1)).toEqual([EMPTY_CODE_HASH, head()])
      expect(await nodes(head(), upTo, 100)).toEqual([head()])
    },
    LONG_MS,
  )

  it(
    'a set without any path ends the connection',
    async () => {
      const asker = await Asker.meet(ours.enode, ours)
      const answer = await asker.ask(SNAP_CODES.getTrieNodes, [head(), [[], [Uint8Array.of(0)]], rlpInteger(5_000)])

      expect(answer).toBeNull()
      expect(await asker.refused()).toBe(DISCONNECT.subprotocol)
    },
    LONG_MS,
  )
})

/** The first `length` nibbles of a key, as the path of a node that isn't a leaf. */
function compactPath(key: Uint8Array, length: number): Uint8Array {
  const nibbles = [...key].flatMap((byte) => [byte >> 4, byte & 15]).slice(0, length)
  const isOdd = length % 2 === 1
  const flagged = isOdd ? [1, ...nibbles] : [0, 0, ...nibbles]
  return Uint8Array.from(
    { length: flagged.length / 2 },
    (_, at) => 16 * (flagged[2 * at] ?? 0) + (flagged[2 * at + 1] ?? 0),
  )
}
