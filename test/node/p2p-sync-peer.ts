// A peer that follows a script: it serves a line of blocks over a real connection, honestly unless the script says
// otherwise.

import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { systemClock } from '../../src/base/time'
import { encodedList } from '../../src/node/codec/rlp'
import { nodeName } from '../../src/node/p2p/node-address'
import { exchangeStatus } from '../../src/node/p2p/peer/peer-server'
import { Connection } from '../../src/node/p2p/rlpx/connection'
import { publicKeyOf } from '../../src/node/p2p/rlpx/handshake'
import type { Capability } from '../../src/node/protocol/base-messages'
import { type ForkSchedule, forkSchedule } from '../../src/node/protocol/fork-id'
import {
  CODES,
  decodePaired,
  encodeAnswer,
  encodeNewBlock,
  type HeadersQuery,
  hashesOf,
  headersQueryOf,
} from '../../src/node/protocol/messages'
import type { Line } from './p2p-sync-chain'
import { SYNC_NETWORK, type SyncNode } from './p2p-sync-node'

/** Null = no answer. */
export type Answer = readonly Uint8Array[] | null | Promise<readonly Uint8Array[] | null>

export interface Script {
  /** Default: that of the line's head. */
  readonly totalDifficulty?: bigint
  /** Default: the line's head, 32 bytes. */
  readonly head?: Uint8Array
  readonly networkId?: number
  readonly schedule?: ForkSchedule
  /** From the Status on, sends byte by byte, one per this many ms. */
  readonly dripMs?: number
  /** Node key, 32 bytes; default: a new one. */
  readonly key?: Uint8Array
  /** Offered after the chain protocol; default none. */
  readonly more?: readonly Capability[]
  /** @param honest an honest node's answer */
  readonly headers?: (query: HeadersQuery, honest: readonly Uint8Array[]) => Answer
  readonly bodies?: (hashes: readonly Uint8Array[], honest: readonly Uint8Array[]) => Answer
}

const WIRE = 0x10

export class ScriptedPeer {
  readonly name: string
  /** Requests received. */
  readonly asked = { headers: 0, bodies: 0 }
  readonly #connection: Connection
  readonly #socket: Socket
  readonly #script: Script

  private constructor(
    parts: { readonly name: string; readonly connection: Connection; readonly socket: Socket },
    script: Script,
  ) {
    this.name = parts.name
    this.#connection = parts.connection
    this.#socket = parts.socket
    this.#script = script
  }

  /** Connected, with the Status exchanged. @throws P2pError if the node refuses it */
  static async meet(node: SyncNode, line: Line, script: Script = {}): Promise<ScriptedPeer> {
    const clock = systemClock()
    const staticKey = script.key ?? new Uint8Array(randomBytes(32))
    const nodeId = publicKeyOf(staticKey)
    const socket = connect({ host: '127.0.0.1', port: node.address.port })
    const hello = {
      p2pVersion: 5,
      clientId: 'scripted',
      listenPort: 0,
      nodeId,
      capabilities: [{ name: 'parallax', version: 66 }, ...(script.more ?? [])],
    }
    const options = { staticKey, remoteId: node.address.id, hello, maxMessageBytes: 1e7 }
    const connection = new Connection(socket, options, { clock, randomBytes })
    await connection.open()
    const { networkId = SYNC_NETWORK, totalDifficulty = line.head.total, head = line.head.hash } = script
    const schedule = script.schedule ?? forkSchedule(line.at(0).hash, [])
    const headNumber = line.head.header.number
    await exchangeStatus(connection, { networkId, totalDifficulty, head, headNumber, schedule }, clock)
    const peer = new ScriptedPeer({ name: nodeName(nodeId), connection, socket }, script)
    if (script.dripMs !== undefined) peer.#drip(script.dripMs)
    connection.receive(({ code, payload }) => {
      peer.#take(line, code - WIRE, payload).catch(() => peer.cut())
    })
    return peer
  }

  get isClosed(): boolean {
    return this.#connection.isClosed
  }

  /** Pulls the cable. */
  cut(): void {
    this.#socket.destroy()
  }

  /** @param code of the chain protocol, or beyond it */
  send(code: number, payload: Uint8Array): boolean {
    return this.#connection.send(WIRE + code, payload)
  }

  /** Sends a NewBlock with one of the line's blocks. */
  announce(line: Line, number: number, totalDifficulty: bigint): boolean {
    const { headerRlp, body } = line.at(number)
    const block = encodedList([headerRlp, body])
    return this.send(CODES.newBlock, encodeNewBlock({ block, totalDifficulty }))
  }

  #drip(periodMs: number): void {
    const socket = this.#socket
    const write = socket.write.bind(socket)
    let waiting: number[] = []
    const timer = setInterval(() => {
      const [next] = waiting
      if (next === undefined || socket.destroyed) return
      waiting = waiting.slice(1)
      write(Uint8Array.of(next))
    }, periodMs)
    socket.once('close', () => clearInterval(timer))
    socket.write = (chunk: Uint8Array | string): boolean => {
      if (chunk instanceof Uint8Array) waiting.push(...chunk)
      return true
    }
  }

  async #take(line: Line, code: number, payload: Uint8Array): Promise<void> {
    const paired =
      code === CODES.getBlockHeaders || code === CODES.getBlockBodies ? decodePaired('request', payload) : null
    if (paired === null || !paired.ok) return
    const { id, items } = paired.value
    if (code === CODES.getBlockHeaders) {
      const query = headersQueryOf(items)
      if (!query.ok) throw new Error(query.error)
      this.asked.headers++
      const honest = headersOf(line, query.value)
      const { headers } = this.#script
      const answer = await (headers === undefined ? honest : headers(query.value, honest))
      if (answer !== null) this.#connection.send(WIRE + CODES.blockHeaders, encodeAnswer(id, answer))
      return
    }
    const hashes = hashesOf('request', items)
    if (!hashes.ok) throw new Error(hashes.error)
    this.asked.bodies++
    const honest = bodiesOf(line, hashes.value)
    const { bodies } = this.#script
    const answer = await (bodies === undefined ? honest : bodies(hashes.value, honest))
    if (answer === null) return
    const wrapped = answer.map((body) => encodedList([body]))
    this.#connection.send(WIRE + CODES.blockBodies, encodeAnswer(id, wrapped))
  }
}

/** RLP of headers; only upwards and by exact hash, which is all that a sync requests. */
function headersOf(line: Line, { origin, amount, skip }: HeadersQuery): readonly Uint8Array[] {
  const start = origin instanceof Uint8Array ? line.find(origin) : Number(origin)
  const found: Uint8Array[] = []
  if (start === null) return found
  const step = Number(skip) + 1
  for (let at = start; at < line.blocks.length && found.length < Number(amount); at += step)
    found.push(line.at(at).headerRlp)
  return found
}

function bodiesOf(line: Line, hashes: readonly Uint8Array[]): readonly Uint8Array[] {
  return hashes.flatMap((hash) => {
    const at = line.find(hash)
    return at === null ? [] : [line.at(at).body]
  })
}
