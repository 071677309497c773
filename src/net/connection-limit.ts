// How many connections a listener holds, and for whom: a program that opens many must not shut the others out.
import type { Socket } from 'node:net'
import { addressShare, type NameLocals } from './caller-share'

/** Limits of one listener. */
interface ConnectionLimitOptions {
  /** All callers together. */
  readonly max: number
  /** Per remote address; for IPv6, per /64. */
  readonly maxPerAddress: number
  /** Per local program, where the system reports which program owns a connection. */
  readonly maxPerProgram: number
}

interface Held {
  readonly socket: Socket
  /** The address, or the program where known; null: local, not yet known. */
  caller: string | null
  readonly isLocal: boolean
  /** Whether the system was queried for it. */
  isAsked: boolean
  /** True while one of its requests is being answered, or once it carries a long-lived channel. */
  isBusy: boolean
}

/**
 * Connections of one listener, oldest first. When the limit is reached, the longest idle connection of the caller with
 * most connections is closed; the new one is refused only when all are busy. A local program above its share loses the
 * excess as soon as the system has reported the owners: idle ones first, then the newest.
 */
export class ConnectionLimit {
  readonly #held = new Map<Socket, Held>()
  #isAsking = false

  /** @param nameLocals null: local programs can't be told apart and share the limit */
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

  /** False: the limit was reached, and the socket has been closed. */
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

  /** A complete request has arrived, or a channel was opened: from now on it isn't closed to make room. */
  busy(socket: Socket): void {
    const held = this.#held.get(socket)
    if (held !== undefined) held.isBusy = true
  }

  /** Its request was answered: it becomes the most recent idle one. */
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

  /** @param caller whose connection to close; null: that of the caller with most idle ones */
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

  /** Queries the owners of local connections once there are more than one program may have. */
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

  /** None as long as all local programs together stay within one program's share. */
  #toAsk(): Held[] {
    if (this.#held.size <= this.options.maxPerProgram) return []
    const locals = [...this.#held.values()].filter(({ isLocal }) => isLocal)
    return locals.length > this.options.maxPerProgram ? locals.filter(({ isAsked }) => !isAsked) : []
  }

  /** Closes what each program has above its share. */
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
