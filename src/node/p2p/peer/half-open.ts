// Connections that were accepted and haven't shown yet who they are: whoever opens sockets and says nothing must not keep others out.
import { neighbourhood } from './address-rules'

/** What of a socket counts here. */
export interface Caller {
  destroy(): unknown
}

/** At most so many at once; over that, the oldest of the most crowded neighborhood is closed. */
export class HalfOpen<T extends Caller> {
  /** In the order in which they came: the key of their neighbourhood, or the address itself inside private networks. */
  readonly #callers = new Map<T, string>()

  constructor(private readonly most: number) {}

  get size(): number {
    return this.#callers.size
  }

  /** Takes a caller in. When there are too many, the oldest of the neighbourhood that has most of them is closed. */
  enter(caller: T, host: string): void {
    this.#callers.set(caller, neighbourhood(host) ?? host)
    if (this.#callers.size <= this.most) return
    const victim = this.#oldestOfMost()
    if (victim === null) return
    this.#callers.delete(victim)
    victim.destroy()
  }

  /** It is through its handshake, or gone. */
  leave(caller: T): void {
    this.#callers.delete(caller)
  }

  #oldestOfMost(): T | null {
    const counts = new Map<string, { count: number; readonly oldest: T }>()
    for (const [caller, place] of this.#callers) {
      const known = counts.get(place)
      if (known === undefined) counts.set(place, { count: 1, oldest: caller })
      else known.count++
    }
    const [crowd] = [...counts.values()].sort((a, b) => b.count - a.count)
    return crowd?.oldest ?? null
  }
}
