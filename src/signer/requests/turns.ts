// Whose request is shown next. Nothing is refused because much is waiting: what is beyond the places stays in line, and the
// caller with the fewest shown requests comes next, so that one busy caller does not hold up the others.
import { QUEUE_LIMITS } from './queue-limits'

interface Line {
  /** Ids, oldest first, that may be shown. */
  readonly ready: string[]
  shown: number
}

interface Place {
  readonly key: string
  readonly length: number
  isShown: boolean
}

/** Counts and orders only; the queue shows what it names. */
export class Turns {
  readonly #places = new Map<string, Place>()
  /** By caller; the one whose turn was longest ago is first. */
  readonly #lines = new Map<string, Line>()
  #length = 0
  #shown = 0
  #shownLength = 0

  get size(): number {
    return this.#places.size
  }

  /** Whether there is not even a place in line for a content of so many characters. */
  isFull(length: number): boolean {
    return this.#places.size >= QUEUE_LIMITS.open || this.#length + length > QUEUE_LIMITS.openLength
  }

  /** Keeps a place, before the request may be shown. @param key of the caller */
  add(id: string, key: string, length: number): void {
    this.#places.set(id, { key, length, isShown: false })
    this.#length += length
  }

  /** From now on it may be shown. */
  ready(id: string): void {
    const place = this.#places.get(id)
    if (place === undefined) return
    const line = this.#lines.get(place.key) ?? { ready: [], shown: 0 }
    line.ready.push(id)
    this.#lines.set(place.key, line)
  }

  isShown(id: string): boolean {
    return this.#places.get(id)?.isShown === true
  }

  end(id: string): void {
    const place = this.#places.get(id)
    if (place === undefined) return
    this.#places.delete(id)
    this.#length -= place.length
    const line = this.#lines.get(place.key)
    if (line === undefined) return
    if (place.isShown) {
      this.#shown -= 1
      this.#shownLength -= place.length
      line.shown -= 1
    } else {
      const at = line.ready.indexOf(id)
      if (at >= 0) line.ready.splice(at, 1)
    }
    if (line.shown === 0 && line.ready.length === 0) this.#lines.delete(place.key)
  }

  /** The request that is shown from now on; null when none waits or all places are taken. */
  next(): string | null {
    if (this.#shown >= QUEUE_LIMITS.shown) return null
    const line = this.#lineOfNext()
    const id = line?.[1].ready[0]
    const place = id === undefined ? undefined : this.#places.get(id)
    if (line === null || id === undefined || place === undefined) return null
    // One alone is always shown, however long it is.
    if (this.#shown > 0 && this.#shownLength + place.length > QUEUE_LIMITS.shownLength) return null
    const [key, { ready, shown }] = line
    this.#lines.delete(key)
    this.#lines.set(key, { ready: ready.slice(1), shown: shown + 1 })
    place.isShown = true
    this.#shown += 1
    this.#shownLength += place.length
    return id
  }

  #lineOfNext(): readonly [string, Line] | null {
    let best: readonly [string, Line] | null = null
    for (const each of this.#lines) {
      const [, { ready, shown }] = each
      if (ready.length === 0 || shown >= QUEUE_LIMITS.shownPerCaller) continue
      if (best === null || shown < best[1].shown) best = each
    }
    return best
  }
}
