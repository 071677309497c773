// A queue with round robin over callers: one with many requests doesn't delay the others.

interface Waiting<T> {
  readonly caller: string
  readonly item: T
}

/** Each caller's items stay in order. */
export class FairQueue<T> {
  /** Callers in order of their turns; each has at least one item. */
  readonly #lines = new Map<string, T[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Number of one caller's waiting items. */
  of(caller: string): number {
    return this.#lines.get(caller)?.length ?? 0
  }

  push({ caller, item }: Waiting<T>): void {
    const line = this.#lines.get(caller)
    if (line === undefined) this.#lines.set(caller, [item])
    else line.push(item)
    this.#size++
  }

  /** The oldest item of the caller whose turn it is; that caller moves to the end. */
  shift(): T | undefined {
    const [next] = this.#lines
    if (next === undefined) return undefined
    const [caller, line] = next
    const item = line.shift()
    this.#lines.delete(caller)
    if (line.length > 0) this.#lines.set(caller, line)
    this.#size--
    return item
  }

  /** False when it isn't queued. */
  remove({ caller, item }: Waiting<T>): boolean {
    const line = this.#lines.get(caller)
    const index = line?.indexOf(item) ?? -1
    if (line === undefined || index < 0) return false
    line.splice(index, 1)
    if (line.length === 0) this.#lines.delete(caller)
    this.#size--
    return true
  }

  /** Empties it. */
  drain(): T[] {
    const all = [...this.#lines.values()].flat()
    this.#lines.clear()
    this.#size = 0
    return all
  }
}
