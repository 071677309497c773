// Pending requests of discovery. A packet counts as an answer only from exactly the endpoint asked.
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'
import type { Packet } from './packets'

/** An expected answer and its interpretation. */
interface Expected<K extends Packet['kind'], T> {
  /** Endpoint: id@host|port. */
  readonly from: string
  readonly kind: K
  readonly timeoutMs: number
  /** What the packet means to this request; `pass` = not an answer to it, `more` = part of one, keep waiting. */
  readonly take: (packet: Extract<Packet, { kind: K }>) => { readonly done: T } | 'more' | 'pass'
  /** The result on timeout. */
  readonly late: () => T
}

interface Waiting {
  readonly kind: Packet['kind']
  readonly offer: (packet: Packet) => boolean
  readonly cancel: () => void
}

const MAX_WAITING = 1_024

/** Open requests by endpoint. Each ends either by its answer or by its timeout. */
export class Requests {
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #hosts = new Map<string, number>()
  #count = 0

  constructor(private readonly clock: Clock) {}

  get size(): number {
    return this.#count
  }

  /** True when another request has to wait. */
  get isFull(): boolean {
    return this.#count >= MAX_WAITING
  }

  /** Resolves with what `take` makes of the answer, or with `late()` on timeout or `cancelAll`. */
  expect<K extends Packet['kind'], T>({ from, kind, timeoutMs, take, late }: Expected<K, T>): Promise<T> {
    return new Promise((resolve) => {
      let timer: Disposable | null = null
      const finish = (value: T): void => {
        timer?.dispose()
        this.#remove(from, waiting)
        resolve(value)
      }
      const waiting: Waiting = {
        kind,
        cancel: () => finish(late()),
        offer: (packet) => {
          // `offer` has already compared the kinds.
          const outcome = take(packet as Extract<Packet, { kind: K }>)
          if (outcome === 'pass') return false
          if (outcome !== 'more') finish(outcome.done)
          return true
        },
      }
      timer = this.clock.setTimeout(waiting.cancel, timeoutMs)
      this.#waiting.set(from, [...(this.#waiting.get(from) ?? []), waiting])
      this.#count++
      this.#hosts.set(hostOf(from), (this.#hosts.get(hostOf(from)) ?? 0) + 1)
    })
  }

  /** Whether any answer from that host is pending. */
  awaitsHost(host: string): boolean {
    return (this.#hosts.get(host) ?? 0) > 0
  }

  /** Passes a packet to the first request it answers; false when there is none. */
  offer(from: string, packet: Packet): boolean {
    const candidates = this.#waiting.get(from) ?? []
    return candidates.some((waiting) => waiting.kind === packet.kind && waiting.offer(packet))
  }

  cancelAll(): void {
    for (const waiting of [...this.#waiting.values()].flat()) waiting.cancel()
  }

  #remove(from: string, waiting: Waiting): void {
    const rest = (this.#waiting.get(from) ?? []).filter((other) => other !== waiting)
    this.#count--
    const left = (this.#hosts.get(hostOf(from)) ?? 1) - 1
    if (left === 0) this.#hosts.delete(hostOf(from))
    else this.#hosts.set(hostOf(from), left)
    if (rest.length === 0) this.#waiting.delete(from)
    else this.#waiting.set(from, rest)
  }
}

function hostOf(endpoint: string): string {
  return endpoint.slice(endpoint.indexOf('@') + 1, endpoint.lastIndexOf('|'))
}
