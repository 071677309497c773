// The nodes of the lab: ours, which mine, restart and have an adjustable clock; and prlx's, which follow.
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { bigintFromBytes } from '../../src/base/bytes'
import { toHex } from '../../src/base/hex'
import type { Logger } from '../../src/base/logger'
import { type Clock, systemClock } from '../../src/base/time'
import type { XhashMode } from '../../src/config/schema'
import { portTransport } from '../../src/host/workers/worker-environment'
import type { XhashEngine } from '../../src/native/xhash-engine'
import { nodeName, parseEnode } from '../../src/node/p2p/node-address'
import type { BannedNode } from '../../src/node/p2p/peer/bans'
import { serveChain } from '../../src/node/worker/serve-chain'
import { MADE_CHAIN_ID, madeGenesis } from '../node/made-blocks'
import { type MeetingNode, meetingNode, type ReferenceNode, referenceNode } from '../node/p2p-nodes'

export const LAB_NETWORK = Number(MADE_CHAIN_ID)

export interface LabHead {
  readonly number: number
  /** hex */
  readonly hash: string
}

export interface LabNode {
  readonly name: string
  readonly enode: string
  /** 128 hex digits */
  readonly id: string
  head(): Promise<LabHead>
  dial(enode: string): Promise<void>
  /** Ends the connection and stops dialing. */
  leave(enode: string): Promise<void>
  /** Peers that it currently rejects, and why. */
  bans(): readonly BannedNode[]
  stop(): Promise<void>
}

export interface OwnNodeOptions {
  readonly index: number
  readonly folder: string
  /** prlx knows only the full sizes. */
  readonly xhashMode: XhashMode
  /** Searches seals. */
  readonly engine: XhashEngine
  readonly log: Logger
}

export class OwnNode implements LabNode {
  readonly name: string
  #met: MeetingNode
  #offsetMs = 0

  private constructor(
    private readonly options: OwnNodeOptions,
    met: MeetingNode | null,
  ) {
    this.name = `ours ${options.index + 1}`
    if (met === null) throw new RangeError('a node of the lab is started first')
    this.#met = met
  }

  static async start(options: OwnNodeOptions): Promise<OwnNode> {
    const clock = steppingClock()
    const node = new OwnNode(options, await started(options, clock))
    clock.offset = () => node.#offsetMs
    return node
  }

  get met(): MeetingNode {
    return this.#met
  }

  get enode(): string {
    return this.#met.enode
  }

  get id(): string {
    return idOf(this.enode)
  }

  async head(): Promise<LabHead> {
    const head = this.#met.node.head()
    return { number: head?.number ?? 0, hash: toHex(head?.hash ?? new Uint8Array(32)) }
  }

  async dial(enode: string): Promise<void> {
    this.#met.p2p.addPeerAt(enode)
  }

  async leave(enode: string): Promise<void> {
    this.#met.p2p.removePeer(idOf(enode))
  }

  bans(): readonly BannedNode[] {
    return this.#met.p2p.bans()
  }

  setClock(stepMs: number): void {
    this.#offsetMs = stepMs
  }

  /** The same folder and key, another port. */
  async restart(): Promise<void> {
    await this.#met.node.stop()
    const clock = steppingClock()
    clock.offset = () => this.#offsetMs
    this.#met = await started(this.options, clock)
  }

  /** Mines one block on its head; false when it provided no work, or its head moved in the meantime. */
  async mine(): Promise<boolean> {
    const work = this.#met.node.currentWork()
    if (work === null) return false
    const target = bigintFromBytes(work.target)
    for (let nonce = 0n; ; nonce++) {
      const { mixDigest, result } = await this.options.engine.hashLight(0, work.sealHash, nonce)
      if (bigintFromBytes(result) > target) continue
      return (await this.#met.node.submitWork({ nonce, mixDigest, sealHash: work.sealHash })) === 'accepted'
    }
  }

  stop(): Promise<void> {
    return this.#met.node.stop()
  }
}

interface SteppingClock extends Clock {
  /** ms that it is ahead; only timestamps jump, durations don't. */
  offset: () => number
}

function steppingClock(): SteppingClock {
  const real = systemClock()
  const clock: SteppingClock = { ...real, offset: () => 0, now: () => real.now() + clock.offset() }
  return clock
}

async function started({ index, folder, xhashMode, log }: OwnNodeOptions, clock: Clock): Promise<MeetingNode> {
  const chain = () => {
    const { port1, port2 } = new MessageChannel()
    serveChain(portTransport(port2), { clock, log, searchFrom: import.meta.dirname })
    return portTransport(port1)
  }
  return meetingNode({
    folder: join(folder, `ours-${index}`),
    key: index + 1,
    genesis: madeGenesis(),
    networkId: LAB_NETWORK,
    xhashMode,
    maxPeers: 25,
    other: { clock, chain, log },
    changes: { coinbase: () => new Uint8Array(20).fill(index + 1) },
  })
}

export class TheirNode implements LabNode {
  private constructor(
    readonly name: string,
    private readonly reference: ReferenceNode,
  ) {}

  static async start(index: number, folder: string): Promise<TheirNode> {
    const options = { folder: join(folder, `theirs-${index}`), genesis: madeGenesis(), networkId: LAB_NETWORK }
    return new TheirNode(`prlx ${index + 1}`, await referenceNode(options))
  }

  get enode(): string {
    return this.reference.enode
  }

  get id(): string {
    return idOf(this.enode)
  }

  async head(): Promise<LabHead> {
    const block = await this.reference.rpc('eth_getBlockByNumber', 'latest', false)
    if (typeof block !== 'object' || block === null || !('hash' in block && 'number' in block))
      throw new TypeError('prlx has no head')
    return { number: Number(block.number), hash: String(block.hash) }
  }

  async dial(enode: string): Promise<void> {
    await this.reference.rpc('admin_addPeer', enode)
  }

  async leave(enode: string): Promise<void> {
    await this.reference.rpc('admin_removePeer', enode)
  }

  bans(): readonly BannedNode[] {
    return []
  }

  stop(): Promise<void> {
    return this.reference.stop()
  }
}

function idOf(enode: string): string {
  const read = parseEnode(enode)
  if (!read.ok) throw new Error(read.error)
  return nodeName(read.value.id)
}
