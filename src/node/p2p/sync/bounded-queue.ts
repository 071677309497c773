// Hands items from one running part to the next and makes the first wait when the second does not keep up.

export class BoundedQueue<T> {
  readonly #items: T[] = []
  #ended = false
  #error: unknown = null
  #wake: (() => void)[] = []

  constructor(private readonly most: number) {}

  /** Waits for room. @throws what `fail` was given */
  async push(item: T): Promise<void> {
    while (this.#items.length >= this.most && !this.#ended) await this.#change()
    this.#check()
    this.#items.push(item)
    this.#notify()
  }

  /** The next item; null after the end. @throws what `fail` was given */
  async take(): Promise<T | null> {
    while (this.#items.length === 0 && !this.#ended) await this.#change()
    this.#check()
    const item = this.#items.shift() ?? null
    this.#notify()
    return item
  }

  /** No more items will come. */
  end(): void {
    this.#ended = true
    this.#notify()
  }

  /** Both sides get `error` from now on. */
  fail(error: unknown): void {
    this.#error ??= error
    this.end()
  }

  #check(): void {
    if (this.#error !== null) throw this.#error
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve))
  }

  #notify(): void {
    const wake = this.#wake
    this.#wake = []
    for (const resolve of wake) resolve()
  }
}
