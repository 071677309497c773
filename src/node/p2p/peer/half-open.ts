// Accepted connections that haven't completed the handshake: opening sockets silently must not keep others out.
import { neighbourhood } from './address-rules'

/** What matters of a socket here. */
interface Caller {
  destroy(): unknown
}

/** Maximum count; above it, the oldest one of the most crowded neighborhood is closed. */
export class HalfOpen<T extends Caller> {
  /** In order of arrival: the neighborhood key, or the address itself inside private networks. */
  readonly #callers = new Map<T, string>()

  constructor(private readonly most: number) {}

  get size(): number {
    return this.#callers.size
  }

  /** Adds a connection. Above the maximum, closes the oldest one of the neighborhood that has most. */
  enter(caller: T, host: string): void {
    this.#callers.set(caller, neighbourhood(host) ?? host)
    if (this.#callers.size <= this.most) return
    const victim = this.#oldestOfMost()
    if (victim === null) return
    this.#callers.delete(victim)
    victim.destroy()
  }

  /** Its handshake completed, or it is gone. */
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
