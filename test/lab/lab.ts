// The lab: our nodes and prlx's on the loopback interface, which mine while the network splits and heals,
// lies, floods, restarts and sets clocks. What counts is the time to one head, that no honest peer is banned, and
// memory.
import { randomBytes } from 'node:crypto'
import { createLogger, type Logger, type LogRecord } from '../../src/base/logger'
import { createXhashEngine, type XhashEngine } from '../../src/native/xhash-engine'
import { CODES, encodeHashes } from '../../src/node/protocol/messages'
import { XHASH_FULL, XHASH_TEST } from '../../src/xhash/params'
import { dice } from '../node/p2p-network'
import { until } from '../node/p2p-nodes'
import { honestStatus, StrangePeer } from '../node/strange-peer'
import { LAB_NETWORK, type LabNode, OwnNode, TheirNode } from './lab-node'
import type { Happening, HeadSight, PictureInput } from './picture'
import { type LabEvent, labScript } from './script'

export interface LabOptions {
  readonly folder: string
  readonly seed: number
  readonly ours: number
  /** Reference nodes; more than 0 needs its program. */
  readonly theirs: number
  readonly lengthMs: number
  readonly partitionMs: number
  /** Time between blocks of all nodes, on average. */
  readonly blockMs: number
  /** Events in order as they happen. */
  readonly tell?: (line: string) => void
}

export interface LabReport {
  readonly picture: PictureInput
  /** From each heal to the first moment with one head, ms. */
  readonly healedMs: readonly number[]
  /** From the end of the script to one head, ms. */
  readonly endedMs: number
  readonly height: number
  /** Honest nodes that an honest node rejected at some moment: `who: whom`. */
  readonly bans: readonly string[]
  /** Resident bytes of this process: the maximum in the second quarter of the run, and in the last. */
  readonly memory: { readonly early: number; readonly late: number }
}

const LOOK_MS = 100
/** Maximum time that one round of mining and checking counts for; more is a busy machine's delay. */
const MAX_ROUND_MS = 3 * LOOK_MS
const MEMORY_MS = 1_000
const ONE_HEAD_MS = 240_000
/** How long heads may differ before one more block is mined. */
const TIE_MS = 3_000
const LIARS = 3
const FLOOD_MESSAGES = 20
const HASHES = 4096

/** @throws Error if the nodes don't agree in time */
export async function runLab(options: LabOptions): Promise<LabReport> {
  const xhashMode = options.theirs > 0 ? 'full' : 'test'
  const engine = createXhashEngine(xhashMode === 'full' ? XHASH_FULL : XHASH_TEST, { searchFrom: import.meta.dirname })
  const lab = new Lab(options, engine)
  try {
    await lab.start(xhashMode)
    return await lab.run()
  } finally {
    await lab.stop()
    await engine.close()
  }
}

class Lab {
  readonly #own: OwnNode[] = []
  readonly #all: LabNode[] = []
  readonly #strangers: StrangePeer[] = []
  readonly #sights: HeadSight[] = []
  readonly #happenings: Happening[] = []
  /** Hashes, by node. */
  readonly #heads = new Map<number, string>()
  readonly #bans = new Set<string>()
  readonly #memory: { readonly atMs: number; readonly bytes: number }[] = []
  readonly #roll: (limit: number) => number
  readonly #healed: number[] = []
  #left: ReadonlySet<number> | null = null
  #start = 0
  #away: number | null = null
  #healedAt: number | null = null

  constructor(
    private readonly options: LabOptions,
    private readonly engine: XhashEngine,
  ) {
    this.#roll = dice(options.seed + 1)
  }

  async start(xhashMode: 'full' | 'test'): Promise<void> {
    const { folder, ours, theirs } = this.options
    for (let index = 0; index < ours; index++)
      this.#own.push(await OwnNode.start({ index, folder, xhashMode, engine: this.engine, log: this.#logOf(index) }))
    this.#all.push(...this.#own)
    for (let index = 0; index < theirs; index++) this.#all.push(await TheirNode.start(index, folder))
    await this.#link()
  }

  async run(): Promise<LabReport> {
    const { lengthMs, ours, blockMs } = this.options
    const script = [...labScript({ ...this.options, nodes: this.#all.length, ours })]
    this.#start = performance.now()
    let nextBlock = 0
    let nextMemory = 0
    // A busy machine may be late: everything planned still happens, with as many blocks in between.
    while (this.#now() < lengthMs || script.length > 0) {
      const now = this.#now()
      while (script[0] !== undefined && script[0].atMs <= now) {
        const event = script.shift()
        if (event !== undefined) await this.#happen(event)
      }
      if (now >= nextBlock) {
        nextBlock = now + blockMs / 2 + this.#roll(blockMs)
        await this.#mine()
      }
      if (now >= nextMemory) {
        nextMemory = now + MEMORY_MS
        this.#memory.push({ atMs: now, bytes: process.memoryUsage.rss() })
      }
      await this.#look()
      await new Promise((next) => setTimeout(next, LOOK_MS))
      this.#start += Math.max(0, this.#now() - now - MAX_ROUND_MS)
    }
    return this.#ending()
  }

  async stop(): Promise<void> {
    for (const { socket } of this.#strangers) socket.destroy()
    for (const node of this.#all) await node.stop()
  }

  async #ending(): Promise<LabReport> {
    const { lengthMs } = this.options
    const from = this.#now()
    let minedAt = from
    // Two heads with equal work stay two until someone finds the next block, as on any chain.
    const isOneHead = async (): Promise<boolean> => {
      if (new Set(await this.#look()).size === 1) return true
      if (this.#now() - minedAt < TIE_MS) return false
      minedAt = this.#now()
      await this.#mine()
      return false
    }
    await until('one head at the end', isOneHead, ONE_HEAD_MS)
    const most = (first: number, last: number): number =>
      Math.max(0, ...this.#memory.filter(({ atMs }) => atMs >= first && atMs < last).map(({ bytes }) => bytes))
    return {
      picture: {
        names: this.#all.map(({ name }) => name),
        sights: this.#sights,
        happenings: this.#happenings,
        lengthMs: this.#now(),
      },
      healedMs: this.#healed,
      endedMs: this.#now() - from,
      height: this.#sights.at(-1)?.number ?? 0,
      bans: [...this.#bans],
      memory: { early: most(lengthMs / 4, lengthMs / 2), late: most((3 * lengthMs) / 4, lengthMs + 1) },
    }
  }

  /** A node's internal errors are reported; its warnings are caused by the lab. */
  #logOf(index: number): Logger {
    const write = ({ message, fields }: LogRecord): void =>
      this.options.tell?.(`ours ${index + 1}: ${message} ${JSON.stringify(fields)}`)
    return createLogger('lab', { minLevel: 'error', now: Date.now, sink: { write } })
  }

  /** Milliseconds of the lab's own time, in which no round is longer than MAX_ROUND_MS. */
  #now(): number {
    return performance.now() - this.#start
  }

  /** Records changes. @returns hashes of the heads of the running nodes */
  async #look(): Promise<readonly string[]> {
    const honest = new Set(this.#all.map(({ id }) => id))
    const hashes: string[] = []
    for (const [node, one] of this.#all.entries()) {
      if (node === this.#away) continue
      const { number, hash } = await one.head()
      hashes.push(hash)
      if (this.#heads.get(node) !== hash) this.#sights.push({ atMs: this.#now(), node, number, hash })
      this.#heads.set(node, hash)
      for (const banned of one.bans())
        if (honest.has(banned.name)) this.#bans.add(`${one.name}: ${banned.name.slice(0, 8)}, ${banned.reason}`)
    }
    if (this.#healedAt !== null && new Set(hashes).size === 1) {
      this.#healed.push(this.#now() - this.#healedAt)
      this.#healedAt = null
    }
    return hashes
  }

  /** On one of our nodes; what it finds builds on its own head, so that both halves grow. */
  async #mine(): Promise<void> {
    await this.#own[this.#roll(this.#own.length)]?.mine()
  }

  /** One block each, at once: a partition in which only one side finds blocks heals without a fork. */
  async #mineOnBothSides(left: readonly number[]): Promise<void> {
    const sides = [
      this.#own.filter((_, index) => left.includes(index)),
      this.#own.filter((_, index) => !left.includes(index)),
    ]
    for (const [first] of sides) if (first !== undefined) await until('a block of one half', () => first.mine())
  }

  async #happen(event: LabEvent): Promise<void> {
    const what = 'node' in event ? `${event.kind} ${this.#all[event.node]?.name}` : event.kind
    this.#happenings.push({ atMs: this.#now(), what })
    this.options.tell?.(`${(this.#now() / 1000).toFixed(1)} s: ${what}`)
    switch (event.kind) {
      case 'partition':
        this.#left = new Set(event.left)
        await this.#cut()
        await this.#mineOnBothSides(event.left)
        return
      case 'heal':
        this.#left = null
        this.#healedAt = this.#now()
        await this.#link()
        return
      case 'restart':
        await this.#restart(event.node)
        return
      case 'clock':
        this.#own[event.node]?.setClock(event.stepMs)
        return
      case 'liars':
        await this.#lie(event.node)
        return
      case 'flood':
        await this.#flood(event.node)
    }
  }

  #mayMeet(a: number, b: number): boolean {
    return this.#left === null || this.#left.has(a) === this.#left.has(b)
  }

  /** Every node knows every other, as far as the network is whole. Ours dial. */
  async #link(): Promise<void> {
    for (const [from, node] of this.#all.entries())
      for (const [to, other] of this.#all.entries())
        if (to > from && this.#mayMeet(from, to)) await node.dial(other.enode)
  }

  async #cut(): Promise<void> {
    for (const [from, node] of this.#all.entries())
      for (const [to, other] of this.#all.entries())
        if (to !== from && !this.#mayMeet(from, to)) await node.leave(other.enode)
  }

  async #restart(index: number): Promise<void> {
    const node = this.#own[index]
    if (node === undefined) return
    this.#away = index
    for (const other of this.#all) if (other !== node) await other.leave(node.enode)
    await node.restart()
    this.#away = null
    await this.#link()
  }

  /** They announce a chain that nobody has, and never answer. */
  async #lie(index: number): Promise<void> {
    const victim = this.#own[index]
    if (victim === undefined) return
    const status = await honestStatus(victim.met, LAB_NETWORK)
    const promise = { ...status, totalDifficulty: 2n ** 90n, head: new Uint8Array(randomBytes(32)) }
    for (let liar = 0; liar < LIARS; liar++)
      this.#strangers.push(await StrangePeer.meet({ enode: victim.enode, status: promise }))
  }

  async #flood(index: number): Promise<void> {
    const victim = this.#own[index]
    if (victim === undefined) return
    const peer = await StrangePeer.meet({ enode: victim.enode, status: await honestStatus(victim.met, LAB_NETWORK) })
    this.#strangers.push(peer)
    for (let message = 0; message < FLOOD_MESSAGES; message++) {
      const hashes = Array.from({ length: HASHES }, () => new Uint8Array(randomBytes(32)))
      peer.send(CODES.newPooledTransactionHashes, encodeHashes(hashes))
    }
  }
}
