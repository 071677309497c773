// How many connections a listener holds, and whose: one program that opens many and sends nothing must not shut the others out.
import type { Socket } from 'node:net'
import { addressShare, type NameLocals } from './caller-share'

export interface ConnectionLimitOptions {
  /** Of all callers together. */
  readonly max: number
  /** Of one remote address that isn't this computer's own; of IPv6, of one /64. */
  readonly maxPerAddress: number
  /** Of one program on this computer, as far as the system tells whose connections are whose. */
  readonly maxPerProgram: number
}

interface Held {
  readonly socket: Socket
  /** The address, or the program where it is known; null: of this computer. */
  caller: string | null
  readonly isLocal: boolean
  /** The system was asked about it. */
  isAsked: boolean
  /** True while a request of it is being answered, or once it carries a long-lived channel. */
  isBusy: boolean
}

/**
 * Connections of one listener, oldest first. When there is no room, the longest idle connection of the caller that holds most
 * is closed; only when all of them are busy is the new one refused. A program on this computer that holds more than its share
 * loses what is over it as soon as the system has told whose they are: idle ones first, then those that came last.
 */
export class ConnectionLimit {
  readonly #held = new Map<Socket, Held>()
  #isAsking = false

  /** @param nameLocals null: nobody can tell, and all callers of this computer share its places */
  constructor(
    private readonly options: ConnectionLimitOptions,
    private readonly nameLocals: NameLocals | null = null,
  ) {}

  get size(): number {
    return this.#held.size
  }

  /** All connections. */
  sockets(): Iterable<Socket> {
    return this.#held.keys()
  }

  /** False: there was no room, and the socket has been closed. */
  admit(socket: Socket): boolean {
    const caller = addressShare(socket.remoteAddress)
    const isLocal = caller === null
    const { max, maxPerAddress } = this.options
    const isFull = this.#held.size >= max
    const overShare = !isLocal && this.#of(caller).length >= maxPerAddress
    if ((overShare || isFull) && !this.#makeRoom(overShare ? caller : null)) {
      socket.destroy()
      return false
    }
    this.#held.set(socket, { socket, caller, isLocal, isAsked: !isLocal, isBusy: false })
    socket.once('close', () => this.#held.delete(socket))
    if (isLocal) void this.#share()
    return true
  }

  /** A request has arrived whole, or a channel was opened: it isn't closed for others from now on. */
  busy(socket: Socket): void {
    const held = this.#held.get(socket)
    if (held !== undefined) held.isBusy = true
  }

  /** Its request was answered: the youngest of the idle ones. */
  idle(socket: Socket): void {
    const held = this.#held.get(socket)
    if (held === undefined) return
    held.isBusy = false
    this.#held.delete(socket)
    this.#held.set(socket, held)
  }

  #of(caller: string | null): Held[] {
    return [...this.#held.values()].filter((held) => held.caller === caller)
  }

  /** @param caller whose connection has to go; null: of the one with the most idle ones */
  #makeRoom(caller: string | null): boolean {
    const idle = [...this.#held.values()].filter((held) => !held.isBusy)
    const counts = countsOf(idle)
    const greatest = Math.max(0, ...counts.values())
    const victim = idle.find((held) =>
      caller === null ? counts.get(held.caller) === greatest : held.caller === caller,
    )
    if (victim === undefined) return false
    this.#close(victim)
    return true
  }

  /** Asks whose the connections from this computer are, once they are more than one program may have. */
  async #share(): Promise<void> {
    const { nameLocals } = this
    if (this.#isAsking || nameLocals === null) return
    this.#isAsking = true
    for (let unknown = this.#toAsk(); unknown.length > 0; unknown = this.#toAsk()) {
      for (const held of unknown) held.isAsked = true
      const names = await nameLocals(unknown.map(({ socket }) => socket)).catch(() => [])
      for (const [index, held] of unknown.entries()) held.caller = names[index] ?? null
      this.#closeOver()
    }
    this.#isAsking = false
  }

  /** None while all of this computer together stay within what one program may have. */
  #toAsk(): Held[] {
    if (this.#held.size <= this.options.maxPerProgram) return []
    const locals = [...this.#held.values()].filter(({ isLocal }) => isLocal)
    return locals.length > this.options.maxPerProgram ? locals.filter(({ isAsked }) => !isAsked) : []
  }

  /** What each program has over its share. */
  #closeOver(): void {
    const programs = [...this.#held.values()].filter(({ isLocal, caller }) => isLocal && caller !== null)
    for (const [caller, count] of countsOf(programs)) {
      if (count <= this.options.maxPerProgram) continue
      const theirs = this.#of(caller)
      const inTurn = [...theirs.filter(({ isBusy }) => !isBusy), ...theirs.filter(({ isBusy }) => isBusy).reverse()]
      for (const held of inTurn.slice(0, count - this.options.maxPerProgram)) this.#close(held)
    }
  }

  #close(held: Held): void {
    this.#held.delete(held.socket)
    held.socket.destroy()
  }
}

function countsOf(connections: readonly Held[]): ReadonlyMap<string | null, number> {
  const counts = new Map<string | null, number>()
  for (const { caller } of connections) counts.set(caller, (counts.get(caller) ?? 0) + 1)
  return counts
}
