// Whose request is displayed next. Nothing is rejected merely because much is waiting: the excess stays queued, and the
// caller with the fewest displayed requests is next, so that one busy caller doesn't delay the others.
import { QUEUE_LIMITS } from './queue-limits'

interface Line {
  /** Ids, oldest first, that may be displayed. */
  readonly ready: string[]
  shown: number
}

interface Place {
  readonly key: string
  readonly length: number
  isShown: boolean
}

/** Counts and orders only; the queue displays what it returns. */
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

  /** Whether the queue has no room for a content of this many characters. */
  isFull(length: number): boolean {
    return this.#places.size >= QUEUE_LIMITS.open || this.#length + length > QUEUE_LIMITS.openLength
  }

  /** Reserves a slot, before the request may be displayed. @param key of the caller */
  add(id: string, key: string, length: number): void {
    this.#places.set(id, { key, length, isShown: false })
    this.#length += length
  }

  /** From now on it may be displayed. */
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

  /** The request to display next; null when none waits or all slots are taken. */
  next(): string | null {
    if (this.#shown >= QUEUE_LIMITS.shown) return null
    const line = this.#lineOfNext()
    const id = line?.[1].ready[0]
    const place = id === undefined ? undefined : this.#places.get(id)
    if (line === null || id === undefined || place === undefined) return null
    // A single one is always displayed, however long it is.
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
