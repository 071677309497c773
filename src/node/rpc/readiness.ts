// Why this node shouldn't be asked, for load balancers: `/health` and `/ready`.
import type { PeersPort } from '../ports/peers-port'
import type { BlockSummary } from '../worker/wire/shapes'

interface ReadinessDeps {
  /** Null before the chain is open, and after it was lost. */
  readonly head: () => BlockSummary | null
  /** Null = a network without peers. */
  readonly peers: PeersPort | null
  /** wall clock, ms */
  readonly now: () => number
}

/** Reasons for both paths; empty = none. Those of `ready` include why answers may be outdated. */
export interface Readiness {
  health(): readonly string[]
  ready(): readonly string[]
}

/** A head this old means that blocks don't arrive: twelve times the time between two. */
const STALE_MINUTES = 120

export function readinessOf({ head, peers, now }: ReadinessDeps): Readiness {
  const health = (): readonly string[] => (head() === null ? ['the chain is not open'] : [])
  const ready = (): readonly string[] => {
    const block = head()
    if (peers === null || block === null) return health()
    const sync = peers.syncing()
    const wrong = peers.wrongBlock()
    const minutes = Math.floor((now() / 1_000 - block.timestamp) / 60)
    return [
      ...(wrong === null ? [] : [wrong]),
      ...(sync === null ? [] : [`syncing: block ${sync.current} of ${sync.target}`]),
      ...(peers.count() === 0 ? ['no peers'] : []),
      ...(minutes > STALE_MINUTES ? [`the head, block ${block.number}, is ${ageText(minutes)} old`] : []),
    ]
  }
  return { health, ready }
}

/** Minutes below two days, then days. */
function ageText(minutes: number): string {
  return minutes < 2_880 ? `${minutes} minutes` : `${Math.floor(minutes / 1_440)} days`
}
