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
  /** See `sourceKey`. */
  readonly source: string
  readonly length: number
  isShown: boolean
}

interface Share {
  count: number
  length: number
}

/** Counts and orders only; the queue displays what it returns. */
export class Turns {
  readonly #places = new Map<string, Place>()
  /** By caller; the one whose turn was longest ago is first. */
  readonly #lines = new Map<string, Line>()
  /** What is open, by caller and by source. */
  readonly #shares = new Map<string, Share>()
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

  /**
   * Whether this caller has its share of the queue. What callers say of themselves doesn't enlarge it: those with
   * another name or origin, but from the same source, have twice the share together.
   */
  hasShare(key: string, source: string, length: number): boolean {
    const { openPerCaller, openLengthPerCaller } = QUEUE_LIMITS
    const isOver = (name: string, factor: number): boolean => {
      const share = this.#shares.get(name)
      if (share === undefined) return false
      return share.count >= factor * openPerCaller || share.length + length > factor * openLengthPerCaller
    }
    return isOver(`caller ${key}`, 1) || isOver(`source ${source}`, 2)
  }

  /** Reserves a slot, before the request may be displayed. @param key of the caller */
  add(id: string, key: string, length: number, source = key): void {
    this.#places.set(id, { key, source, length, isShown: false })
    this.#length += length
    this.#take(`caller ${key}`, 1, length)
    this.#take(`source ${source}`, 1, length)
  }

  #take(name: string, count: number, length: number): void {
    const share = this.#shares.get(name) ?? { count: 0, length: 0 }
    this.#shares.set(name, share)
    share.count += count
    share.length += length
    if (share.count === 0) this.#shares.delete(name)
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
    this.#take(`caller ${place.key}`, -1, -place.length)
    this.#take(`source ${place.source}`, -1, -place.length)
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
