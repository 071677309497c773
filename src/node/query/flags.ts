// Signals between the host thread and a busy query worker, which reads no messages while it computes: for each running query a
// word that says "stop", and a word that counts the chunks the host has passed on.

/** Queries under way at once in a worker; more wait in the host. */
export const FLAG_COUNT = 64

/** Shared memory of one worker: two 32-bit words for each query. */
export function createFlags(): SharedArrayBuffer {
  return new SharedArrayBuffer(8 * FLAG_COUNT)
}

/** Both sides' view of the words. */
export class Flags {
  readonly #words: Int32Array

  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer)
  }

  /** Before a query is sent. */
  reset(flag: number): void {
    Atomics.store(this.#words, 2 * flag, 0)
    Atomics.store(this.#words, 2 * flag + 1, 0)
  }

  /** Ends the query, also one that waits for its chunks to be taken. */
  stop(flag: number): void {
    Atomics.store(this.#words, 2 * flag, 1)
    Atomics.add(this.#words, 2 * flag + 1, 1)
    Atomics.notify(this.#words, 2 * flag + 1)
  }

  isStopped(flag: number): boolean {
    return Atomics.load(this.#words, 2 * flag) === 1
  }

  /** One more chunk was passed on. */
  taken(flag: number): void {
    Atomics.add(this.#words, 2 * flag + 1, 1)
    Atomics.notify(this.#words, 2 * flag + 1)
  }

  /**
   * Blocks this thread until no more than `mostWaiting` of `sent` chunks are still on their way.
   * @returns false when nobody took any for `timeoutMs`, or the query was stopped
   */
  waitForRoom(flag: number, sent: number, room: { readonly maxWaiting: number; readonly timeoutMs: number }): boolean {
    for (;;) {
      if (this.isStopped(flag)) return false
      const taken = Atomics.load(this.#words, 2 * flag + 1)
      if (sent - taken <= room.maxWaiting) return true
      if (Atomics.wait(this.#words, 2 * flag + 1, taken, room.timeoutMs) === 'timed-out') return false
    }
  }
}
