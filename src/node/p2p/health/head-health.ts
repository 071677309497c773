// Whether our head is the network's: compares what peers have proven to have, not what they claim, with what we have,
// and counts the networks our peers are in.
import { Emitter } from '../../../base/events'
import { Disposables } from '../../../base/lifecycle'
import type { NetworkParts } from '../network-parts'
import type { Peer, ProvenBlock } from '../peer/peer'

export type HealthPeer = Pick<Peer, 'name' | 'proven' | 'region'>

interface HeadHealthDeps extends Pick<NetworkParts, 'clock' | 'log'> {
  readonly peers: () => readonly HealthPeer[]
  /** Null while the chain isn't open. */
  readonly head: () => { readonly number: number; readonly totalDifficulty: bigint } | null
}

/** The result, as shown by JSON-RPC and the window. Durations in ms. */
export interface HeadHealthState {
  /** Height of the best block proven by a peer; null when none is heavier than ours. */
  readonly aheadNumber: number | null
  /** How long a peer has been ahead; 0 when none is. */
  readonly behindMs: number
  /** A peer has been ahead for 30 s: blocks mined now will most likely not stay in the chain. */
  readonly isBehind: boolean
  /** Independent networks (/16, /32 of IPv6) in which we have peers; all private ones count as one. */
  readonly groups: number
  /** For 40 minutes there were no peers, or only peers of one network. */
  readonly mayBeCutOff: boolean
  /** Peers of two networks follow a chain that forks from ours deeper than we can reorganize; null = none. */
  readonly split: ChainSplit | null
}

interface ChainSplit {
  /** Height of the last common block; null when unknown. */
  readonly height: number | null
  readonly peers: number
}

const TICK_MS = 1_000
const BEHIND_MS = 30_000
const CUT_OFF_MS = 40 * 60_000

/** Periodically compares peers and head, and reports changes. */
export class HeadHealth {
  readonly events = new Emitter<{ changed: HeadHealthState }>()
  readonly #held = new Disposables()
  /** monotonic ms; null while no peer is ahead */
  #aheadSince: number | null = null
  /** monotonic ms; null while there are peers of two networks */
  #aloneSince: number | null = null
  #told: HeadHealthState | null = null
  /** Forks of peers' chains that are too deep to follow, by peer name. */
  readonly #splits = new Map<string, number | null>()

  constructor(private readonly deps: HeadHealthDeps) {}

  start(): void {
    this.#look()
    this.#held.add(this.deps.clock.setInterval(() => this.#look(), TICK_MS))
  }

  stop(): void {
    this.#held.dispose()
  }

  /** A peer's chain forks from ours deeper than we can reorganize. @param height of the last common block, if known */
  partsTooDeep(name: string, height: number | null): void {
    this.#splits.set(name, height)
  }

  state(): HeadHealthState {
    const now = this.deps.clock.monotonic()
    const behindMs = this.#aheadSince === null ? 0 : now - this.#aheadSince
    const best = this.#best()
    return {
      aheadNumber: best === null ? null : Number(best.number),
      behindMs,
      isBehind: behindMs >= BEHIND_MS,
      groups: groupsOf(this.deps.peers()),
      mayBeCutOff: this.#aloneSince !== null && now - this.#aloneSince >= CUT_OFF_MS,
      split: this.#split(),
    }
  }

  #look(): void {
    const { clock, peers } = this.deps
    const now = clock.monotonic()
    if (this.#best() === null) this.#aheadSince = null
    else this.#aheadSince ??= now
    // A purely private network can't be cut off.
    const list = peers()
    const here = new Set(list.map(({ name }) => name))
    for (const name of this.#splits.keys()) if (!here.has(name)) this.#splits.delete(name)
    if (groupsOf(list) > 1 || isOwnNetwork(list)) this.#aloneSince = null
    else this.#aloneSince ??= now
    this.#tell(this.state())
  }

  /** A single network isn't trusted: where a chain forks is a claim until all of it is verified. */
  #split(): ChainSplit | null {
    const all = this.deps.peers()
    const apart = all.filter(({ name }) => this.#splits.has(name))
    if (apart.length === 0 || (groupsOf(apart) < 2 && !isOwnNetwork(all))) return null
    const heights = apart.flatMap(({ name }) => this.#splits.get(name) ?? [])
    return { height: heights.length === 0 ? null : Math.min(...heights), peers: apart.length }
  }

  /** The heaviest block proven by a peer that is heavier than our head. */
  #best(): ProvenBlock | null {
    const own = this.deps.head()
    if (own === null) return null
    let best: ProvenBlock | null = null
    for (const { proven } of this.deps.peers())
      if (proven !== null && proven.total > (best?.total ?? own.totalDifficulty)) best = proven
    return best
  }

  #tell(state: HeadHealthState): void {
    const { log } = this.deps
    const before = this.#told
    const wasSplit = before !== null && before.split !== null
    const isSame = before?.isBehind === state.isBehind && before.mayBeCutOff === state.mayBeCutOff
    this.#told = state
    if (isSame && wasSplit === (state.split !== null)) return
    const { aheadNumber, behindMs, groups } = state
    if (state.isBehind && before?.isBehind !== true)
      log.warn('a peer has a heavier chain than this node', { peer: aheadNumber, seconds: Math.round(behindMs / 1000) })
    if (!state.isBehind && before?.isBehind === true) log.info('caught up with all peers again')
    if (state.mayBeCutOff && before?.mayBeCutOff !== true)
      log.warn('this node may be cut off: no peers, or only peers of one network, for 40 minutes', { groups })
    if (state.split !== null && !wasSplit)
      log.warn('peers follow a chain that split from ours too deep to switch to', { ...state.split })
    this.events.emit('changed', state)
  }
}

/** All peers are inside private networks: someone's own test network. */
function isOwnNetwork(peers: readonly HealthPeer[]): boolean {
  return peers.length > 0 && peers.every(({ region }) => region === null)
}

function groupsOf(peers: readonly HealthPeer[]): number {
  return new Set(peers.map(({ region }) => region ?? 'private')).size
}
