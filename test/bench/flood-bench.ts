// How long a block takes to get into a running node while strangers flood it: sent by one honest peer, reported by
// `newHeads`. Built and started by tools/bench/floods.mjs, which runs the node.
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { bigintFromBytes, joinBytes } from '../../src/base/bytes'
import { bytesOfHex, toHex } from '../../src/base/hex'
import { createXhashEngine } from '../../src/native/xhash-engine'
import { keccak256 } from '../../src/node/codec/keccak'
import { encodedList, encodeRlp, type RlpItem, rlpInteger } from '../../src/node/codec/rlp'
import { decodeBlock } from '../../src/node/model/block'
import { forkIdAt, forkSchedule } from '../../src/node/protocol/fork-id'
import { CODES, encodeNewBlock, PARALLAX, type Status } from '../../src/node/protocol/messages'
import { SNAP_CAPABILITIES, SNAP_CODES } from '../../src/node/protocol/snap-messages'
import { XHASH_FULL } from '../../src/xhash/params'
import { splitBlocks } from '../node/split-blocks'
import { StrangePeer } from '../node/strange-peer'
import { makeChain } from './made-chain'

/** Simultaneous strangers. */
const STRANGERS = 3
const TRANSACTIONS = 50_000
const A_MESSAGE = 500
/** State requests that each keeps pending. */
const WAITING = 4
const MAX_UNSENT = 1024 * 1024
const WARM_UP = 5
/** A peer's limit is 8 blocks a second. */
const BETWEEN_BLOCKS_MS = 130
/** Wait before a name that found no place is tried again. */
const AGAIN_MS = 20
const ARRIVAL_MS = 60_000
const LAST_KEY = new Uint8Array(32).fill(0xff)
const EVERYTHING = rlpInteger(2 * 1024 * 1024)
/** x of the curve's generator: a signature with it has a signer whatever the rest is. */
const ON_CURVE = BigInt('0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798')

export interface FloodChain {
  readonly blocks: number
  readonly transactions: number
  /** Accounts that hold coins and do nothing: they make up the state. */
  readonly accounts: number
  /** The node's initial blocks. */
  readonly first: number
}

/** Writes `genesis.json`, `first.rlp` and `rest.rlp`. @param native folder where the search for the addon starts */
export async function writeFloodChain(folder: string, chain: FloodChain, native: string): Promise<void> {
  const xhash = createXhashEngine(XHASH_FULL, { searchFrom: native })
  const alsoRich = Array.from({ length: chain.accounts }, (_, at) => ({
    address: keccak256(rlpInteger(BigInt(at + 1))).slice(12),
  }))
  try {
    const { genesis, blocks } = await makeChain({ ...chain, alsoRich, xhash })
    const parts = splitBlocks(blocks)
    writeFileSync(join(folder, 'genesis.json'), genesis)
    writeFileSync(join(folder, 'first.rlp'), joinBytes(parts.slice(0, chain.first)))
    writeFileSync(join(folder, 'rest.rlp'), joinBytes(parts.slice(chain.first)))
  } finally {
    await xhash.close()
  }
}

export interface FloodTarget {
  readonly enode: string
  readonly networkId: number
  /** `ws://HOST:PORT` */
  readonly url: string
  readonly genesis: Uint8Array
  /** Of the block before the first of `blocks`. */
  readonly head: {
    readonly hash: Uint8Array
    readonly number: number
    readonly total: bigint
    readonly root: Uint8Array
  }
  readonly blocks: string
  /** Of the node's process. */
  readonly pid: number
  /** File that calls `floodFromHere`: strangers must not slow down the measuring process. */
  readonly script: string
}

/** What strangers do in the meantime. */
export type FloodKind = 'quiet' | 'signatures' | 'penniless' | 'states'

export interface FloodFigures extends Done {
  /** From the message to `newHeads`, ms, one per block. */
  readonly ms: readonly number[]
  /**
   * CPU time of the node in that interval, including strangers, ms: how long it takes on an idle machine. NaN if
   * unknown.
   */
  readonly cpuMs: readonly number[]
}

/** Messages of the strangers, transactions or requests in them, and names used. */
interface Done {
  readonly messages: number
  readonly items: number
  readonly names: number
}

const NOTHING_DONE: Done = { messages: 0, items: 0, names: 0 }

/** A separate process with the strangers in it. */
class Strangers {
  readonly #child: ChildProcess

  constructor(script: string, kind: FloodKind, aim: FloodAim) {
    this.#child = fork(script, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' })
    this.#child.send({ kind, aim })
  }

  aim(aim: FloodAim): void {
    this.#child.send({ kind: null, aim })
  }

  async stop(): Promise<Done> {
    const told = new Promise<Done>((done) => this.#child.once('message', (message) => done(message as Done)))
    this.#child.send('stop')
    return told
  }
}

/** The other end of `Strangers`. */
export function floodFromHere(): void {
  let flood: Flood | null = null
  let aim: FloodAim | null = null
  process.on('message', (message: 'stop' | { readonly kind: FloodKind | null; readonly aim: FloodAim }) => {
    if (message === 'stop') {
      flood?.stop()
      process.send?.(flood?.done ?? NOTHING_DONE, () => process.exit(0))
      return
    }
    aim = message.aim
    if (message.kind === null) return
    flood = new Flood(message.kind, () => aim ?? message.aim)
    flood.start().catch((error: unknown) => {
      console.error(error)
      process.exit(1)
    })
  })
}

/** A node under observation, whose blocks arrive one by one. */
export class FloodWatch {
  readonly #blocks: Uint8Array[]
  readonly #waiting = new Map<string, (at: number) => void>()
  #root: Uint8Array
  #total: bigint

  private constructor(
    private readonly target: FloodTarget,
    private readonly socket: WebSocket,
  ) {
    this.#blocks = [...splitBlocks(new Uint8Array(readFileSync(target.blocks)))]
    this.#root = target.head.root
    this.#total = target.head.total
    socket.on('message', (data) => this.#told(String(data)))
  }

  static async open(target: FloodTarget): Promise<FloodWatch> {
    const socket = new WebSocket(target.url)
    await new Promise((done, failed) => socket.once('open', done).once('error', failed))
    const watch = new FloodWatch(target, socket)
    const subscribed = new Promise((done) => socket.once('message', done))
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
    await subscribed
    return watch
  }

  close(): void {
    this.socket.close()
  }

  /** Number of blocks during the flood; some before them aren't measured: the first ones fill caches. */
  async run(kind: FloodKind, count: number): Promise<FloodFigures> {
    const strangers = kind === 'quiet' ? null : new Strangers(this.target.script, kind, this.#aim())
    const honest = await StrangePeer.meet({ enode: this.target.enode, status: this.#status() })
    const ms: number[] = []
    const cpuMs: number[] = []
    try {
      for (let at = -WARM_UP; at < count; at++) {
        await sleep(BETWEEN_BLOCKS_MS)
        const took = await this.#blockOf(honest)
        strangers?.aim(this.#aim())
        if (at < 0) continue
        ms.push(took.ms)
        cpuMs.push(took.cpuMs)
      }
    } finally {
      honest.socket.destroy()
    }
    return { ms, cpuMs, ...((await strangers?.stop()) ?? NOTHING_DONE) }
  }

  #aim(): FloodAim {
    return { enode: this.target.enode, status: this.#status(), root: this.#root }
  }

  #status(): Status {
    const { genesis, networkId, head } = this.target
    const forkId = forkIdAt(forkSchedule(genesis, []), BigInt(head.number))
    return { networkId, totalDifficulty: head.total, head: head.hash, genesis, forkId }
  }

  async #blockOf(honest: StrangePeer): Promise<{ readonly ms: number; readonly cpuMs: number }> {
    const block = this.#blocks.shift()
    const decoded = block === undefined ? null : decodeBlock(block)
    if (block === undefined || decoded?.ok !== true) throw new Error('too few blocks were made')
    const { hash, header } = decoded.value
    this.#total += header.difficulty
    const arrived = new Promise<{ readonly at: number; readonly cpuMs: number }>((done, failed) => {
      const late = setTimeout(
        () => failed(new Error(`block ${header.number}: not within ${ARRIVAL_MS} ms`)),
        ARRIVAL_MS,
      )
      this.#waiting.set(toHex(hash), (at) => {
        clearTimeout(late)
        done({ at, cpuMs: cpuMsOf(this.target.pid) })
      })
    })
    const [sentAt, cpuBefore] = [performance.now(), cpuMsOf(this.target.pid)]
    honest.send(CODES.newBlock, encodeNewBlock({ block, totalDifficulty: this.#total }))
    const { at, cpuMs } = await arrived
    this.#root = header.stateRoot
    return { ms: at - sentAt, cpuMs: cpuMs - cpuBefore }
  }

  #told(text: string): void {
    const at = performance.now()
    const message: unknown = JSON.parse(text)
    const hash = /"hash":"(0x[0-9a-f]{64})"/.exec(JSON.stringify(message))?.[1] ?? ''
    this.#waiting.get(hash)?.(at)
    this.#waiting.delete(hash)
  }
}

/** All threads together (Linux only), ms. */
function cpuMsOf(pid: number): number {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    const runs = tasks.map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]))
    return runs.reduce((sum, ns) => sum + ns, 0) / 1e6
  } catch {
    return Number.NaN
  }
}

interface FloodAim {
  readonly enode: string
  readonly status: Status
  /** Of a state that is kept, 32 bytes. */
  readonly root: Uint8Array
}

class Flood {
  readonly done = { messages: 0, items: 0, names: 0 }
  #isOver = false

  constructor(
    private readonly kind: FloodKind,
    private readonly aim: () => FloodAim,
  ) {}

  stop(): void {
    this.#isOver = true
  }

  async start(): Promise<void> {
    await Promise.all(Array.from({ length: STRANGERS }, () => this.#strangers()))
  }

  /** One after another: a dropped stranger returns under another name. */
  async #strangers(): Promise<void> {
    const messages = this.kind === 'states' ? [] : badMessages(this.kind)
    let next = 0
    while (!this.#isOver) {
      const peer = await this.#meet()
      if (peer === null) await sleep(AGAIN_MS)
      else {
        while (!this.#isOver && peer.ended === null) {
          await (peer.socket.writableLength > MAX_UNSENT || this.kind === 'states' ? sleep(5) : setImmediate())
          const message = messages[next++ % Math.max(1, messages.length)]
          if (message === undefined || peer.ended !== null || peer.socket.writableLength > MAX_UNSENT) continue
          peer.send(CODES.transactions, message)
          this.done.messages++
          this.done.items += A_MESSAGE
        }
        peer.socket.destroy()
      }
    }
  }

  async #meet(): Promise<StrangePeer | null> {
    const { enode, status } = this.aim()
    const on = new Map(SNAP_ANSWERS.map((code) => [code, (peer: StrangePeer) => this.#ask(peer)]))
    try {
      const peer = await StrangePeer.meet({ enode, status }, this.kind === 'states' ? { on, more: [SNAP] } : {})
      this.done.names++
      if (this.kind === 'states') for (let at = 0; at < WAITING; at++) this.#ask(peer)
      return peer
    } catch {
      return null // no place for it now
    }
  }

  #ask(peer: StrangePeer): void {
    if (this.#isOver || peer.ended !== null) return
    const { root } = this.aim()
    const [code, items] = stateRequest(root, this.done.messages)
    peer.send(PARALLAX.length + code, encodeRlp([rlpInteger(this.done.messages), ...items]))
    this.done.messages++
    this.done.items++
  }
}

const [SNAP = { name: 'parallax-snap', version: 1 }] = SNAP_CAPABILITIES
const SNAP_ANSWERS = [
  SNAP_CODES.accountRange,
  SNAP_CODES.storageRanges,
  SNAP_CODES.byteCodes,
  SNAP_CODES.trieNodes,
].map((code) => PARALLAX.length + code)

/** The most expensive of each kind in turn. */
function stateRequest(root: Uint8Array, turn: number): readonly [number, readonly RlpItem[]] {
  const anywhere = new Uint8Array(randomBytes(32))
  switch (turn % 3) {
    case 0:
      return [SNAP_CODES.getAccountRange, [root, anywhere, LAST_KEY, EVERYTHING]]
    case 1: {
      const paths = Array.from({ length: 1_024 }, () => [new Uint8Array([0, ...randomBytes(2)])])
      return [SNAP_CODES.getTrieNodes, [root, paths, EVERYTHING]]
    }
    default: {
      const accounts = Array.from({ length: 1_024 }, () => new Uint8Array(randomBytes(32)))
      return [SNAP_CODES.getStorageRanges, [root, accounts, new Uint8Array(0), new Uint8Array(0), EVERYTHING]]
    }
  }
}

/**
 * Messages of transactions that no pool accepts: half with signatures that have no signer, or all from accounts without
 * coins.
 */
function badMessages(kind: 'quiet' | 'signatures' | 'penniless'): readonly Uint8Array[] {
  const count = TRANSACTIONS / STRANGERS / A_MESSAGE
  return Array.from({ length: Math.ceil(count) }, () =>
    encodedList(
      Array.from({ length: A_MESSAGE }, () => badTransaction(kind === 'penniless' ? ON_CURVE : randomNumber())),
    ),
  )
}

const randomNumber = (): bigint => bigintFromBytes(new Uint8Array(randomBytes(31)))

function badTransaction(r: bigint): Uint8Array {
  const to = new Uint8Array(randomBytes(20))
  const numbers = [0n, 10n ** 9n, 21_000n].map((value) => rlpInteger(value))
  return encodeRlp([
    ...numbers,
    to,
    rlpInteger(1n),
    new Uint8Array(0),
    ...[27n, r, randomNumber()].map((value) => rlpInteger(value)),
  ])
}

/** Everything about a target except the addresses, from what the node reports about itself. */
export function targetHead(genesis: { readonly hash: string }, head: Readonly<Record<string, string>>) {
  const { hash = '', number = '', totalDifficulty = '', stateRoot = '' } = head
  return {
    genesis: bytesOfHex(genesis.hash),
    head: {
      hash: bytesOfHex(hash),
      number: Number(number),
      total: BigInt(totalDifficulty),
      root: bytesOfHex(stateRoot),
    },
  }
}
