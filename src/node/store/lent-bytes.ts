// Passing short byte arrays to native functions, which read them before they return.

/** V8 keeps typed arrays of up to this many bytes on its own heap. */
const HEAP_BYTES = 64

/**
 * Copies of short arrays in memory outside V8's heap, each valid until the next. Passing an array of V8's heap to the
 * library moves it out of there, which takes as long as the library's own work.
 */
export class LentBytes {
  readonly #views: readonly Uint8Array[]

  constructor() {
    const memory = new ArrayBuffer(HEAP_BYTES)
    this.#views = Array.from({ length: HEAP_BYTES + 1 }, (_, length) => new Uint8Array(memory, 0, length))
  }

  /** `bytes` itself when it is longer than what V8 keeps on its heap. */
  of(bytes: Uint8Array): Uint8Array {
    const view = this.#views[bytes.length]
    if (view === undefined) return bytes
    view.set(bytes)
    return view
  }
}
