// Signals between the host thread and a busy query worker, which reads no messages while it computes: for each running
// query one word that means "stop", and one that counts the chunks the host has forwarded.

/** Concurrent queries per worker; more wait in the host. */
export const FLAG_COUNT = 64

/** Shared memory of one worker: two 32-bit words per query. */
export function createFlags(): SharedArrayBuffer {
  return new SharedArrayBuffer(8 * FLAG_COUNT)
}

/** Both sides' view of the words. */
export class Flags {
  readonly #words: Int32Array

  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer)
  }

  /** Call it before a query is sent. */
  reset(flag: number): void {
    Atomics.store(this.#words, 2 * flag, 0)
    Atomics.store(this.#words, 2 * flag + 1, 0)
  }

  /** Stops the query, even while it waits for its chunks to be taken. */
  stop(flag: number): void {
    Atomics.store(this.#words, 2 * flag, 1)
    Atomics.add(this.#words, 2 * flag + 1, 1)
    Atomics.notify(this.#words, 2 * flag + 1)
  }

  isStopped(flag: number): boolean {
    return Atomics.load(this.#words, 2 * flag) === 1
  }

  /** Another chunk was forwarded. */
  taken(flag: number): void {
    Atomics.add(this.#words, 2 * flag + 1, 1)
    Atomics.notify(this.#words, 2 * flag + 1)
  }

  /**
   * Blocks this thread until at most `mostWaiting` of `sent` chunks are in transit.
   * @returns false when none was taken for `timeoutMs`, or the query was stopped
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
