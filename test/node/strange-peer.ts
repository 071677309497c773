// A peer that sends what a test wants, and behaves honestly up to the Status.
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { systemClock } from '../../src/base/time'
import { parseEnode } from '../../src/node/p2p/node-address'
import { Connection } from '../../src/node/p2p/rlpx/connection'
import { publicKeyOf } from '../../src/node/p2p/rlpx/handshake'
import type { Capability } from '../../src/node/protocol/base-messages'
import { type ForkSchedule, forkIdAt, forkSchedule } from '../../src/node/protocol/fork-id'
import { CODES, encodeStatus, type Status } from '../../src/node/protocol/messages'
import { type MeetingNode, until } from './p2p-nodes'

export type Answerer = (peer: StrangePeer, payload: Uint8Array) => void

/** The node to connect to, and an honest peer's first messages to it. */
export interface Meeting {
  readonly enode: string
  readonly status: Status
}

export interface StrangePeerOptions {
  /** Its answers to messages of a code; it ignores others. */
  readonly on?: ReadonlyMap<number, Answerer>
  /** Offered after the chain protocol; default none. */
  readonly more?: readonly Capability[]
}

const FIRST_CODE = 0x10

export class StrangePeer {
  /** Received messages, by code. */
  readonly got = new Map<number, number>()
  /** Why it is over; null while it isn't. */
  ended: string | null = null

  private constructor(
    readonly connection: Connection,
    readonly socket: Socket,
  ) {
    connection.events.on('closed', ({ reason }) => {
      this.ended = reason
    })
  }

  /** Connected, and its Status sent; the other side's may not have come yet. */
  static async meet({ enode, status }: Meeting, options: StrangePeerOptions = {}): Promise<StrangePeer> {
    const read = parseEnode(enode)
    if (!read.ok) throw new Error(read.error)
    const staticKey = new Uint8Array(randomBytes(32))
    const socket = connect({ host: '127.0.0.1', port: read.value.tcpPort })
    const hello = {
      p2pVersion: 5,
      clientId: 'strange',
      listenPort: 0,
      nodeId: publicKeyOf(staticKey),
      capabilities: [{ name: 'parallax', version: 66 }, ...(options.more ?? [])],
    }
    const link = { staticKey, remoteId: read.value.id, hello, maxMessageBytes: 16 * 1024 * 1024 }
    const connection = new Connection(socket, link, { clock: systemClock(), randomBytes })
    const peer = new StrangePeer(connection, socket)
    await connection.open()
    peer.send(CODES.status, encodeStatus(status))
    connection.receive(({ code, payload }) => peer.#take(code - FIRST_CODE, payload, options.on))
    return peer
  }

  /** @param code of the capability */
  send(code: number, payload: Uint8Array): void {
    this.connection.send(FIRST_CODE + code, payload)
  }

  /** Resolves with the other side's reason. */
  async refused(): Promise<number> {
    await until('the other side ends it', () => this.ended !== null)
    const said = /reason (\d+)$/.exec(this.ended ?? '')
    if (said === null) throw new Error(`ended without a reason: ${this.ended}`)
    return Number(said[1])
  }

  #take(code: number, payload: Uint8Array, on: StrangePeerOptions['on']): void {
    this.got.set(code, (this.got.get(code) ?? 0) + 1)
    on?.get(code)?.(this, payload)
  }
}

/** With the node's own chain. */
export async function honestStatus(victim: MeetingNode, networkId: number): Promise<Status> {
  const genesis = await victim.node.reader.summary(0)
  const head = victim.node.head()
  if (genesis === null || head === null) throw new Error('no chain')
  const schedule: ForkSchedule = forkSchedule(genesis.hash, [])
  const forkId = forkIdAt(schedule, BigInt(head.number))
  return { networkId, totalDifficulty: head.totalDifficulty, head: head.hash, genesis: genesis.hash, forkId }
}
