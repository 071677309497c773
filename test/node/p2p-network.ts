// A network of our own nodes in one process: real chains, real sockets on the loopback interface, and a count of every
// block body that is sent.
import { join } from 'node:path'
import { toHex } from '../../src/base/hex'
import type { Logger } from '../../src/base/logger'
import { decodeBlock } from '../../src/node/model/block'
import { nodeName, parseEnode } from '../../src/node/p2p/node-address'
import type { Peer } from '../../src/node/p2p/peer/peer'
import { CODES, decodeNewBlock, decodePaired, hashesOf } from '../../src/node/protocol/messages'
import { madeGenesis } from './made-blocks'
import { type MeetingNode, meetingNode, until } from './p2p-nodes'

const NETWORK = 4713
const MAX_AT_ONCE = 10
const LINK_MS = 240_000
const AGREE_MS = 240_000

/** Indexes of the two ends; the first dials. */
export type Link = readonly [number, number]

/** A body sent from one node to another, in a NewBlock or as an answer. */
export interface TravelledBody {
  readonly from: number
  readonly to: number
  /** hex */
  readonly block: string
  /** In an unsolicited NewBlock. */
  readonly isPushed: boolean
}

export interface NetworkOptions {
  readonly folder: string
  readonly count: number
  /** For the node at an index; default: none. */
  readonly log?: (index: number) => Logger
}

export class SimulatedNetwork {
  readonly nodes: readonly MeetingNode[]
  readonly #bodies: TravelledBody[] = []
  readonly #names: readonly string[]

  private constructor(nodes: readonly MeetingNode[]) {
    this.nodes = nodes
    this.#names = nodes.map(({ enode }) => nodeName(addressOf(enode).id))
    for (const [index, { p2p }] of nodes.entries()) {
      const seen = new WeakSet<Peer>()
      p2p.events.on('peersChanged', () => {
        for (const peer of p2p.peers()) {
          if (seen.has(peer)) continue
          seen.add(peer)
          peer.events.on('message', ({ code, payload }) => this.#count(index, peer, code, payload))
        }
      })
    }
  }

  static async start({ folder, count, log }: NetworkOptions): Promise<SimulatedNetwork> {
    const nodes: MeetingNode[] = []
    for (let index = 0; index < count; index++) {
      const where = join(folder, `node-${index}`)
      const own = {
        folder: where,
        key: index + 1,
        genesis: madeGenesis(),
        networkId: NETWORK,
        xhashMode: 'test',
      } as const
      nodes.push(await meetingNode(log === undefined ? own : { ...own, other: { log: log(index) } }))
    }
    return new SimulatedNetwork(nodes)
  }

  async stop(): Promise<void> {
    for (const { node } of this.nodes) await node.stop()
  }

  /** Resolves when all are up. A few at a time: all handshakes in one thread would slow each other down. */
  async connect(links: readonly Link[]): Promise<void> {
    for (let at = 0; at < links.length; at += MAX_AT_ONCE) {
      const part = links.slice(at, at + MAX_AT_ONCE)
      for (const [from, to] of part) this.#at(from).p2p.addPeer(addressOf(this.#at(to).enode))
      await until('the links are up', () => part.every((link) => this.#isUp(link)), LINK_MS)
    }
  }

  /** Ends the connections, with no redial; resolves when all are down. */
  async cut(links: readonly Link[]): Promise<void> {
    for (const [from, to] of links) this.#at(from).p2p.removePeer(this.#names[to] ?? '')
    const isDown = ([from, to]: Link): boolean => !this.#isUp([from, to]) && !this.#knows(to, from)
    await until('the links are down', () => links.every(isDown), LINK_MS)
  }

  /** A block mined by the node at `index`. @param block RLP */
  async make(index: number, block: Uint8Array): Promise<void> {
    const { refused } = await this.#at(index).node.importBlocks(block)
    if (refused !== null) throw new Error(`block refused: ${refused.reason}`)
  }

  /** Resolves when these nodes have the head with this hash (hex). */
  async agree(head: string, members: readonly number[] = this.nodes.map((_, index) => index)): Promise<void> {
    await until('one head', () => members.every((index) => this.headOf(index) === head), AGREE_MS)
  }

  /** hex */
  headOf(index: number): string {
    return toHex(this.#at(index).node.head()?.hash ?? new Uint8Array(0))
  }

  /** Since the start, in order. */
  bodies(): readonly TravelledBody[] {
    return this.#bodies
  }

  #at(index: number): MeetingNode {
    const node = this.nodes[index]
    if (node === undefined) throw new RangeError(`no node ${index}`)
    return node
  }

  #isUp([from, to]: Link): boolean {
    return this.#knows(from, to) && this.#knows(to, from)
  }

  #knows(index: number, other: number): boolean {
    return this.#at(index)
      .p2p.peers()
      .some(({ name }) => name === this.#names[other])
  }

  /** A NewBlock delivers a body; a request for bodies is answered with them, since every queried peer has them. */
  #count(index: number, peer: Peer, code: number, payload: Uint8Array): void {
    const other = this.#names.indexOf(peer.name)
    if (code === CODES.newBlock) {
      const message = decodeNewBlock(payload)
      const block = message.ok ? decodeBlock(message.value.block) : message
      if (block.ok) this.#bodies.push({ from: other, to: index, block: toHex(block.value.hash), isPushed: true })
    }
    if (code !== CODES.getBlockBodies) return
    const paired = decodePaired('request', payload)
    const hashes = paired.ok ? hashesOf('request', paired.value.items) : paired
    if (hashes.ok)
      this.#bodies.push(
        ...hashes.value.map((hash) => ({ from: index, to: other, block: toHex(hash), isPushed: false })),
      )
  }
}

/** A ring in which each of the nodes from `first` on also knows the one after the next: four links per node. */
export function ringLinks(first: number, count: number): Link[] {
  return Array.from({ length: count }, (_, index) => index).flatMap((index): Link[] => [
    [first + index, first + ((index + 1) % count)],
    [first + index, first + ((index + 2) % count)],
  ])
}

/** Numbers from 0 up to `limit`, the same every time (mulberry32). */
export function dice(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit)
  }
}

function addressOf(enode: string) {
  const read = parseEnode(enode)
  if (!read.ok) throw new Error(read.error)
  return read.value
}
