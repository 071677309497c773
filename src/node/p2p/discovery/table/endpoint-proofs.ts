// Which nodes have proven to be reachable at their endpoint. Only they get answers longer than their questions. Source:
// devp2p, discovery v4, endpoint proof
import type { Clock } from '../../../../base/time'
import { hostKey } from '../../../identity/ip-address'
import { BoundedMap } from '../../bounded-map'

const PROOF_MS = 24 * 3_600_000
const MAX_HOSTS = 1_024
/** One host with many keys must not evict the proofs of others. */
const MAX_PROOFS_OF_HOST = 64
/** Any key can ping us, so these get little memory. */
const MAX_PINGS = 2_048
/** Unanswered FindNodes after which the other side has probably lost our proof. */
const MAX_FAILURES = 5

/** Keyed by id and address, valid for 24 hours: a proof holds for that address only. */
export class EndpointProofs {
  readonly #pongAt = new BoundedMap<string, BoundedMap<string, number>>(MAX_HOSTS)
  readonly #pingAt = new BoundedMap<string, number>(MAX_PINGS)
  readonly #failures = new BoundedMap<string, number>(MAX_PINGS)

  constructor(private readonly clock: Clock) {}

  /** It answered our Ping: its endpoint is proven to us. */
  notePong(endpoint: string, host: string): void {
    const key = hostKey(host)
    const ofHost = this.#pongAt.use(key) ?? new BoundedMap<string, number>(MAX_PROOFS_OF_HOST)
    ofHost.set(endpoint, this.clock.now())
    this.#pongAt.set(key, ofHost)
  }

  /** It pinged us and got our Pong: our endpoint is proven to it. */
  notePing(endpoint: string): void {
    this.#pingAt.set(endpoint, this.clock.now())
    this.#failures.delete(endpoint)
  }

  noteFindNode(endpoint: string, isAnswered: boolean): void {
    if (isAnswered) this.#failures.delete(endpoint)
    else this.#failures.set(endpoint, (this.#failures.use(endpoint) ?? 0) + 1)
  }

  isProven(endpoint: string, host: string): boolean {
    return this.#isFresh(this.#pongAt.use(hostKey(host))?.use(endpoint))
  }

  /** Whether the other side should still accept our FindNode. */
  isProvenToIt(endpoint: string): boolean {
    return this.#isFresh(this.#pingAt.use(endpoint)) && (this.#failures.use(endpoint) ?? 0) < MAX_FAILURES
  }

  get size(): number {
    const proofs = [...this.#pongAt.values()].reduce((sum, ofHost) => sum + ofHost.size, 0)
    return proofs + this.#pingAt.size + this.#failures.size
  }

  #isFresh(at: number | undefined): boolean {
    return at !== undefined && this.clock.now() - at < PROOF_MS
  }
}
