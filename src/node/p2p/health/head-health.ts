// Whether our head is the network's: what peers have shown to have, not what they claim, against what we have, and from how many
// networks we hear at all.
import { Emitter } from '../../../base/events'
import { Disposables } from '../../../base/lifecycle'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import type { ProvenBlock } from '../peer/peer'

/** What of a peer counts here. */
export interface HealthPeer {
  /** 128 hex digits */
  readonly name: string
  readonly proven: ProvenBlock | null
  /** Key of its wide neighbourhood; null inside private networks. */
  readonly region: string | null
}

/** What is compared: our head and the peers'. */
export interface HeadHealthDeps {
  readonly peers: () => readonly HealthPeer[]
  /** Null while the chain is not open. */
  readonly head: () => { readonly number: number; readonly totalDifficulty: bigint } | null
  readonly clock: Clock
  readonly log: Logger
}

/** The verdict, as JSON-RPC and the window show it. Durations in ms. */
export interface HeadHealthState {
  /** Height of the best block that a peer has for sure; null when none is heavier than ours. */
  readonly aheadNumber: number | null
  /** How long a peer has been ahead; 0 when none is. */
  readonly behindMs: number
  /** A peer has been ahead for 30 s: blocks that are mined now are most likely orphaned. */
  readonly isBehind: boolean
  /** Independent networks (/16, /32 of IPv6) that we have peers in; all private ones count as one. */
  readonly groups: number
  /** For 40 minutes there was no peer, or only peers of one network. */
  readonly mayBeCutOff: boolean
  /** Peers of two networks follow a chain that parts from ours deeper than blocks can be taken back; null = none do. */
  readonly split: ChainSplit | null
}

/** Peers follow a chain that parts from ours deeper than blocks can be taken back. */
export interface ChainSplit {
  /** Height of the last block in common; null where it is not known. */
  readonly height: number | null
  /** How many peers are on the other side. */
  readonly peers: number
}

const TICK_MS = 1_000
const BEHIND_MS = 30_000
const CUT_OFF_MS = 40 * 60_000

/** Looks at peers and head now and then, and tells when the verdict changes. */
export class HeadHealth {
  readonly events = new Emitter<{ changed: HeadHealthState }>()
  readonly #deps: HeadHealthDeps
  readonly #held = new Disposables()
  /** monotonic ms; null while nobody is ahead. */
  #aheadSince: number | null = null
  /** monotonic ms; null while peers of two networks are here. */
  #aloneSince: number | null = null
  #told: HeadHealthState | null = null
  /** Where the chains of peers part from ours, too deep to follow, by their names. */
  readonly #splits = new Map<string, number | null>()

  constructor(deps: HeadHealthDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#look()
    this.#held.add(this.#deps.clock.setInterval(() => this.#look(), TICK_MS))
  }

  stop(): void {
    this.#held.dispose()
  }

  /** A peer's chain parts from ours deeper than blocks can be taken back. @param height of the last block in common, where it is known */
  partsTooDeep(name: string, height: number | null): void {
    this.#splits.set(name, height)
  }

  state(): HeadHealthState {
    const now = this.#deps.clock.monotonic()
    const behindMs = this.#aheadSince === null ? 0 : now - this.#aheadSince
    return {
      aheadNumber: this.#best()?.number ?? null,
      behindMs,
      isBehind: behindMs >= BEHIND_MS,
      groups: groupsOf(this.#deps.peers()),
      mayBeCutOff: this.#aloneSince !== null && now - this.#aloneSince >= CUT_OFF_MS,
      split: this.#split(),
    }
  }

  #look(): void {
    const { clock, peers } = this.#deps
    const now = clock.monotonic()
    if (this.#best() === null) this.#aheadSince = null
    else this.#aheadSince ??= now
    // Nobody is cut off from a network of their own.
    const list = peers()
    const here = new Set(list.map(({ name }) => name))
    for (const name of this.#splits.keys()) if (!here.has(name)) this.#splits.delete(name)
    if (groupsOf(list) > 1 || isOwnNetwork(list)) this.#aloneSince = null
    else this.#aloneSince ??= now
    this.#tell(this.state())
  }

  /** One network alone is not believed: where a chain parts is a claim until the whole of it is checked. */
  #split(): ChainSplit | null {
    const all = this.#deps.peers()
    const apart = all.filter(({ name }) => this.#splits.has(name))
    if (apart.length === 0 || (groupsOf(apart) < 2 && !isOwnNetwork(all))) return null
    const heights = apart.flatMap(({ name }) => this.#splits.get(name) ?? [])
    return { height: heights.length === 0 ? null : Math.min(...heights), peers: apart.length }
  }

  #best(): { readonly number: number } | null {
    const own = this.#deps.head()
    if (own === null) return null
    let best: ProvenBlock | null = null
    for (const { proven } of this.#deps.peers())
      if (proven !== null && proven.total > (best?.total ?? own.totalDifficulty)) best = proven
    return best === null ? null : { number: Number(best.number) }
  }

  #tell(state: HeadHealthState): void {
    const { log } = this.#deps
    const before = this.#told
    const isSplit = state.split !== null
    const wasSplit = before !== null && before.split !== null
    const isNews =
      before?.isBehind !== state.isBehind || before.mayBeCutOff !== state.mayBeCutOff || isSplit !== wasSplit
    this.#told = state
    if (!isNews) return
    const { aheadNumber, behindMs, groups } = state
    if (state.isBehind && before?.isBehind !== true)
      log.warn('a peer has a heavier chain than this node', { peer: aheadNumber, seconds: Math.round(behindMs / 1000) })
    if (!state.isBehind && before?.isBehind === true) log.info('level with all peers again')
    if (state.mayBeCutOff && before?.mayBeCutOff !== true)
      log.warn('this node may be cut off: no peers, or only peers of one network, for 40 minutes', { groups })
    if (state.split !== null && !wasSplit)
      log.warn('peers follow a chain that parts from ours too deep to change over', { ...state.split })
    this.events.emit('changed', state)
  }
}

/** Peers inside private networks alone: somebody's own network. */
function isOwnNetwork(peers: readonly HealthPeer[]): boolean {
  return peers.length > 0 && peers.every(({ region }) => region === null)
}

function groupsOf(peers: readonly HealthPeer[]): number {
  return new Set(peers.map(({ region }) => region ?? 'private')).size
}
