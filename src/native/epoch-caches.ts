// Keeps the caches of the last few epochs and builds each once, however many callers ask for it at the same time.

const KEPT = 3

/** `Cache` is a native handle or words; `free` is called when one is dropped. */
export class EpochCaches<Cache> {
  readonly #entries = new Map<number, Promise<Cache>>()

  constructor(
    private readonly build: (epoch: number) => Promise<Cache>,
    private readonly free: (cache: Cache) => void,
  ) {}

  /** The cache of `epoch`; beyond three, the least recently used is dropped. */
  get(epoch: number): Promise<Cache> {
    const known = this.#entries.get(epoch)
    if (known !== undefined) {
      this.#entries.delete(epoch)
      this.#entries.set(epoch, known)
      return known
    }
    const building = this.build(epoch)
    this.#entries.set(epoch, building)
    building.catch(() => {
      if (this.#entries.get(epoch) === building) this.#entries.delete(epoch)
    })
    this.#evict(KEPT)
    return building
  }

  clear(): void {
    this.#evict(0)
  }

  #evict(kept: number): void {
    for (const [epoch, entry] of this.#entries) {
      if (this.#entries.size <= kept) return
      this.#entries.delete(epoch)
      // Deferred, so that code that got this cache in the same turn has begun to use it (threads hold their own
      // reference).
      entry.then(
        (cache) => setImmediate(() => this.free(cache)),
        () => undefined,
      )
    }
  }
}
