// Signals between the host thread and a busy query worker, which reads no messages while it computes: for each running
// query one word that means "stop", one that counts the chunks the host has forwarded, and one that says whether it has
// been started or taken back.

/** Concurrent queries per worker; more wait in the host. */
export const FLAG_COUNT = 64

const WORDS = 3
const STOP = 0
const TAKEN = 1
const PHASE = 2

const WAITING = 0
const STARTED = 1
const RECALLED = 2

/** Shared memory of one worker: three 32-bit words per query. */
export function createFlags(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * WORDS * FLAG_COUNT)
}

export class Flags {
  readonly #words: Int32Array

  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer)
  }

  /** Call it before a query is sent. */
  reset(flag: number): void {
    for (const word of [STOP, TAKEN, PHASE]) Atomics.store(this.#words, WORDS * flag + word, 0)
  }

  /** For the worker, before it runs a query. False when the query was taken back: then it must not run. */
  start(flag: number): boolean {
    return Atomics.compareExchange(this.#words, WORDS * flag + PHASE, WAITING, STARTED) === WAITING
  }

  /** Takes back a query that was sent. False when the worker has started it. */
  recall(flag: number): boolean {
    return Atomics.compareExchange(this.#words, WORDS * flag + PHASE, WAITING, RECALLED) === WAITING
  }

  /** Stops the query, even while it waits for its chunks to be taken. */
  stop(flag: number): void {
    Atomics.store(this.#words, WORDS * flag + STOP, 1)
    this.taken(flag)
  }

  isStopped(flag: number): boolean {
    return Atomics.load(this.#words, WORDS * flag + STOP) === 1
  }

  taken(flag: number): void {
    Atomics.add(this.#words, WORDS * flag + TAKEN, 1)
    Atomics.notify(this.#words, WORDS * flag + TAKEN)
  }

  /** Blocks until at most `maxWaiting` of `sent` chunks are in transit; false: none was taken in time, or it was stopped. */
  waitForRoom(flag: number, sent: number, room: { readonly maxWaiting: number; readonly timeoutMs: number }): boolean {
    for (;;) {
      if (this.isStopped(flag)) return false
      const taken = Atomics.load(this.#words, WORDS * flag + TAKEN)
      if (sent - taken <= room.maxWaiting) return true
      if (Atomics.wait(this.#words, WORDS * flag + TAKEN, taken, room.timeoutMs) === 'timed-out') return false
    }
  }
}
