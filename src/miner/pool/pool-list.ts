// The pools in failover order, and which of them may be tried now.
import type { Clock } from '../../base/time'
import type { PoolUrl } from '../../config/values/pool-url'
import { MinerError } from '../errors'
import { LONGEST_REFUSED_MS, PoolEntry } from './pool-entry'

const MAX_POOLS = 64

/** The list of pools. */
export class PoolList {
  readonly entries: PoolEntry[]

  constructor(
    urls: readonly PoolUrl[],
    private readonly clock: Clock,
  ) {
    this.entries = urls.map((url) => new PoolEntry(url))
  }

  /** @throws MinerError POOL_INDEX */
  at(index: number): PoolEntry {
    const entry = this.entries[index]
    if (entry === undefined) throw new MinerError('POOL_INDEX', { index, count: this.entries.length })
    return entry
  }

  /** @param to position; default: the end. @throws MinerError POOL_DUPLICATE, POOL_LIST_FULL */
  add(url: PoolUrl, to = this.entries.length): PoolEntry {
    this.#refuseTwins(url, null)
    if (this.entries.length >= MAX_POOLS) throw new MinerError('POOL_LIST_FULL', { most: MAX_POOLS })
    const entry = new PoolEntry(url)
    this.entries.splice(to, 0, entry)
    return entry
  }

  /** What was learned about the previous address is dropped. @throws MinerError POOL_INDEX, POOL_DUPLICATE */
  replace(index: number, url: PoolUrl): PoolEntry {
    this.#refuseTwins(url, this.at(index))
    const entry = new PoolEntry(url)
    this.entries[index] = entry
    return entry
  }

  /** @throws MinerError POOL_INDEX */
  remove(index: number): void {
    this.at(index)
    this.entries.splice(index, 1)
  }

  /** Moves the pool at `index` to position `to`. @throws MinerError POOL_INDEX */
  move(index: number, to: number): void {
    const entry = this.at(index)
    this.at(to)
    this.entries.splice(index, 1)
    this.entries.splice(to, 0, entry)
  }

  /** The pool after `entry`, cyclic; null after the last of a list that ends there. */
  after(entry: PoolEntry, endsThere: boolean): PoolEntry | null {
    const next = this.entries[this.entries.indexOf(entry) + 1]
    return next ?? (endsThere ? null : (this.entries[0] ?? null))
  }

  /** `from` or the next usable one, cyclic; else the one left longest ago because it accepted nothing; else null. */
  usable(from: PoolEntry | null): PoolEntry | null {
    const now = this.clock.monotonic()
    const at = Math.max(0, from === null ? 0 : this.entries.indexOf(from))
    const order = [...this.entries.slice(at), ...this.entries.slice(0, at)]
    for (const entry of order) {
      if (entry.unusableUntil !== null && entry.unusableUntil <= now) entry.unusableUntil = null
    }
    const left = order.filter(({ isLeft }) => isLeft).sort((a, b) => (a.unusableUntil ?? 0) - (b.unusableUntil ?? 0))
    return order.find((entry) => entry.unusableUntil === null) ?? left[0] ?? null
  }

  /** `next`; while all others fail too, the one left longest ago because it accepted nothing: it answers, after all. */
  besides(failing: PoolEntry, next: PoolEntry): PoolEntry {
    const others = this.entries.filter((entry) => entry !== failing)
    if (others.some(({ unusableUntil, health }) => unusableUntil === null && health.tries === 0)) return next
    const left = others.filter(({ isLeft, unusableUntil }) => isLeft && unusableUntil !== null)
    const [longest] = left.sort((a, b) => (a.unusableUntil ?? 0) - (b.unusableUntil ?? 0))
    if (longest === undefined) return next
    longest.unusableUntil = null
    return longest
  }

  /** Milliseconds until one becomes usable, at least a second. */
  untilUsable(): number {
    const now = this.clock.monotonic()
    const ends = this.entries.map((entry) => entry.unusableUntil ?? now)
    return ends.length === 0 ? LONGEST_REFUSED_MS : Math.max(1_000, Math.min(...ends) - now)
  }

  #refuseTwins(url: PoolUrl, except: PoolEntry | null): void {
    if (this.entries.some((entry) => entry !== except && entry.url.plain === url.plain && entry.url.path === url.path))
      throw new MinerError('POOL_DUPLICATE', { url: url.masked })
  }

  /** Leaves the pool alone for so many ms. @param isLeft only because nothing was accepted there */
  refuse(entry: PoolEntry, ms: number, isLeft = false): void {
    entry.unusableUntil = this.clock.monotonic() + ms
    entry.isLeft = isLeft
  }
}
