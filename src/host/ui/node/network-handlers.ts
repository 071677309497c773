// Peers for the UI: connections, bans, sync progress, and the calls that change them.
import type { Disposable } from '../../../base/disposable'
import { toBareHex, toHex } from '../../../base/hex'
import { Disposables } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import type { PeersView, PeerView, SyncView } from '../../../contract/network'
import type { HeadChange, NetworkLayer, NodeService, PeerFacts } from '../../../node/node-service'
import { HostError } from '../../errors'
import { topic, type UiTopic, uiCalls } from '../ui-handlers'

const RATE_WINDOW_MS = 60_000
const WORK_WINDOW_MS = 600_000
/** A rate over less time is meaningless. */
const MIN_MS = 2_000
const APART_MS = 60_000
/** Fraction of the greater one. */
const AGREE_WITHIN = 0.3

type SyncEstimateView = Pick<SyncView, 'blocksPerSecond' | 'gasPerSecond' | 'remaining'>

export class SyncEstimate {
  #samples: { readonly at: number; readonly height: number; readonly gas: number }[] = []
  #estimates: { readonly at: number; readonly endsAt: number }[] = []
  #gas = 0

  constructor(private readonly clock: Clock) {}

  /** Call it for executed blocks. */
  worked(gas: number): void {
    this.#gas += gas
  }

  /** Call it about once a second while a sync runs. */
  reached(height: number, highest: number): void {
    const at = this.clock.monotonic()
    const last = this.#samples[this.#samples.length - 1]
    if (last !== undefined && height < last.height) this.forget()
    this.#samples = [
      ...this.#samples.filter((sample) => at - sample.at <= WORK_WINDOW_MS),
      { at, height, gas: this.#gas },
    ]
    const rate = this.#rates(WORK_WINDOW_MS)?.blocks ?? 0
    if (rate <= 0) return
    const endsAt = at + (Math.max(0, highest - height) * 1_000) / rate
    this.#estimates = [...this.#estimates.filter((one) => at - one.at <= 2 * APART_MS), { at, endsAt }]
  }

  /** Call it when no sync runs. */
  forget(): void {
    this.#samples = []
    this.#estimates = []
  }

  view(): SyncEstimateView {
    const rates = this.#rates(RATE_WINDOW_MS)
    return {
      blocksPerSecond: rates?.blocks ?? null,
      gasPerSecond: rates?.gas ?? null,
      remaining: this.#remaining(),
    }
  }

  #remaining(): SyncEstimateView['remaining'] {
    const now = this.clock.monotonic()
    const latest = this.#estimates[this.#estimates.length - 1]
    const before = this.#estimates.filter((one) => now - one.at >= APART_MS).pop()
    if (latest === undefined || before === undefined) return null
    const [a, b] = [latest, before].map(({ endsAt }) => Math.max(0, endsAt - now) / 1_000)
    if (a === undefined || b === undefined) return null
    const [least, most] = a < b ? [a, b] : [b, a]
    return most - least > AGREE_WITHIN * most ? null : { least, most }
  }

  #rates(windowMs: number): { readonly blocks: number; readonly gas: number } | null {
    const last = this.#samples[this.#samples.length - 1]
    const first = this.#samples.find(({ at }) => last !== undefined && last.at - at <= windowMs)
    if (first === undefined || last === undefined || last.at - first.at < MIN_MS) return null
    const seconds = (last.at - first.at) / 1_000
    return { blocks: (last.height - first.height) / seconds, gas: (last.gas - first.gas) / seconds }
  }
}

/** Bytes, latency and sync figures change without an event. */
const LOOK_AGAIN_MS = 1_000
const BAN_MS = 24 * 60 * 60 * 1_000
const BANNED_BY_HAND = 'refused by hand'

interface NetworkPartDeps {
  /** Null when this run has no node. */
  readonly node: NodeService | null
  readonly clock: Clock
}

/** @throws HostError HOST_SERVICE_OFF from each call while there is no network layer */
export function networkCalls({ node }: NetworkPartDeps) {
  const layer = (): NetworkLayer => {
    const network = node?.network() ?? null
    if (network === null) throw new HostError('HOST_SERVICE_OFF', { service: 'network layer' })
    return network
  }
  return uiCalls({
    'node.addPeer': ({ enode }) => layer().addPeerAt(enode),
    'node.removePeer': ({ id }) => layer().removePeer(id),
    'node.trustPeer': ({ id, isTrusted }) => layer().trust(id, isTrusted),
    'node.banPeer': ({ id }) => layer().ban(id, BANNED_BY_HAND, BAN_MS),
    'node.liftBan': ({ id }) => layer().liftBan(id),
  })
}

export function networkTopics(deps: NetworkPartDeps): readonly UiTopic[] {
  const numbers = new HeadNumbers(deps)
  const estimate = new SyncEstimate(deps.clock)
  return [
    topic('node.peers', {
      read: () => peersView(deps, numbers),
      watch: (changed) =>
        watch(deps, changed, 'peersChanged', (layer) => layer.peers().length + layer.bans().length > 0),
    }),
    topic('node.sync', {
      read: () => syncView(deps, estimate),
      watch: (changed) =>
        new Disposables(
          watch(deps, changed, 'syncChanged', (layer) => follow(layer, estimate) || isNoteworthy(layer)),
          deps.node?.events.on('headChanged', ({ added }) => estimate.worked(gasOf(added))),
        ),
    }),
  ]
}

/** True while a sync runs. Call it once a second. */
function follow(layer: NetworkLayer, estimate: SyncEstimate): boolean {
  const { phase, currentBlock, highestBlock } = layer.progress()
  if (phase === 'idle') {
    estimate.forget()
    return false
  }
  if (phase !== 'finding-ancestor') estimate.reached(currentBlock, highestBlock)
  return true
}

/** What is worth reporting even while no sync runs. */
function isNoteworthy(layer: NetworkLayer): boolean {
  const { behindMs, mayBeCutOff, split, wrongBlock } = layer.health()
  return behindMs > 0 || mayBeCutOff || split !== null || wrongBlock !== null
}

function gasOf(blocks: HeadChange['added']): number {
  return blocks.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0)
}

function watch(
  { node, clock }: NetworkPartDeps,
  changed: () => void,
  event: 'peersChanged' | 'syncChanged',
  isMoving: (layer: NetworkLayer) => boolean,
): Disposable {
  if (node === null) return new Disposables()
  let wasMoving = false
  const look = (): void => {
    const network = node.network()
    const isNow = network !== null && isMoving(network)
    if (isNow || wasMoving) changed()
    wasMoving = isNow
  }
  return new Disposables(node.events.on(event, changed), clock.setInterval(look, LOOK_AGAIN_MS))
}

async function peersView({ node, clock }: NetworkPartDeps, numbers: HeadNumbers): Promise<PeersView> {
  const network = node?.network() ?? null
  const self = network?.identity() ?? null
  const takenAt = clock.now()
  if (network === null || self === null) return { self: null, maxPeers: 0, peers: [], bans: [], takenAt }
  return {
    self: { id: network.ownName, enode: self.enode, enr: self.enr },
    maxPeers: network.maxPeers,
    peers: await Promise.all(network.facts().map((peer) => peerView(peer, numbers))),
    bans: network
      .bans()
      .map(({ name, reason, endsInMs }) => ({ id: name, reason, endsAt: takenAt + Math.round(endsInMs) })),
    takenAt,
  }
}

async function peerView(peer: PeerFacts, numbers: HeadNumbers): Promise<PeerView> {
  const { name, clientName, capabilities, head, totalDifficulty, joinedAt } = peer
  return {
    id: name,
    enode: peer.enode,
    host: peer.host,
    port: peer.port,
    client: clientName,
    direction: peer.isInbound ? 'inbound' : 'outbound',
    isTrusted: peer.isTrusted,
    isStatic: peer.isStatic,
    capabilities: [...capabilities],
    head: { hash: toHex(head), number: await numbers.of(head), totalDifficulty: totalDifficulty.toString() },
    latencyMs: peer.latencyMs,
    bytesIn: peer.bytesIn,
    bytesOut: peer.bytesOut,
    connectedAt: joinedAt,
  }
}

function syncView({ node, clock }: NetworkPartDeps, estimate: SyncEstimate): SyncView {
  const network = node?.network() ?? null
  const takenAt = clock.now()
  if (network !== null) {
    const { phase, startingBlock, currentBlock, highestBlock, headersDone, bodiesDone, peersUsed, peer } =
      network.progress()
    const heights = { startingBlock, currentBlock, highestBlock, headersDone, bodiesDone }
    const health = healthView(network)
    return { phase, ...heights, ...estimate.view(), peersUsed, peer, health, takenAt }
  }
  return {
    phase: 'off',
    startingBlock: 0,
    currentBlock: 0,
    highestBlock: 0,
    headersDone: 0,
    bodiesDone: 0,
    blocksPerSecond: null,
    gasPerSecond: null,
    remaining: null,
    peersUsed: 0,
    peer: null,
    takenAt,
  }
}

function healthView(network: NetworkLayer): NonNullable<SyncView['health']> {
  const { behindMs, ...state } = network.health()
  return { ...state, behindSeconds: Math.floor(behindMs / 1000) }
}

const MAX_NUMBERS = 256

/** Peers identify their heads by hash; the number is known for blocks that we have. */
class HeadNumbers {
  readonly #numbers = new Map<string, number>()

  constructor(private readonly deps: NetworkPartDeps) {}

  async of(hash: Uint8Array): Promise<number | null> {
    const key = toBareHex(hash)
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = (await this.deps.node?.reader.summary(hash))?.number ?? null
    if (number === null) return null
    if (this.#numbers.size >= MAX_NUMBERS) this.#numbers.clear()
    this.#numbers.set(key, number)
    return number
  }
}
