// The last N points of equal width on the wall clock: mean, minimum and maximum of each series; gaps are NaN.

/** How many points, and how far apart. */
export interface RingShape {
  readonly stepMs: number
  readonly points: number
  readonly series: number
}

/** Points of one series, oldest first. */
export interface RingSlice {
  /** UTC ms */
  readonly firstAt: number
  readonly values: (number | null)[]
  readonly min: (number | null)[]
  readonly max: (number | null)[]
}

/** Median of the values above 0 among the points with known neighbors: those at an end may stand for a second. */
export function usualValue(values: readonly (number | null)[], minPoints: number): number | null {
  const isKnown = (place: number): boolean => (values[place] ?? null) !== null
  const whole = values.filter((_, place) => isKnown(place - 1) && isKnown(place + 1))
  const sorted = whole.filter((value): value is number => value !== null && value > 0).sort((a, b) => a - b)
  return sorted.length < minPoints ? null : (sorted[Math.floor(sorted.length / 2)] ?? null)
}

/** Values of one slot are merged: mean, least and most. */
export class HistoryRing {
  /** one buffer for all parts: many rigs have tens of thousands of rings, and each buffer costs as much as a small ring */
  readonly #buffer: ArrayBuffer
  /** the point held by each slot: floor(time / stepMs); NaN when empty */
  readonly #slots: Float64Array
  /** per series and point: mean, min, max */
  readonly #means: Float32Array
  readonly #mins: Float32Array
  readonly #maxs: Float32Array
  readonly #counts: Uint16Array

  constructor(readonly shape: RingShape) {
    const { points, series } = shape
    const cells = points * series
    const { BYTES_PER_ELEMENT: slotBytes } = Float64Array
    const { BYTES_PER_ELEMENT: valueBytes } = Float32Array
    const valuesAt = points * slotBytes
    const countsAt = valuesAt + 3 * cells * valueBytes
    const values = (part: number): Float32Array =>
      new Float32Array(this.#buffer, valuesAt + part * cells * valueBytes, cells).fill(Number.NaN)
    this.#buffer = new ArrayBuffer(countsAt + cells * Uint16Array.BYTES_PER_ELEMENT)
    this.#slots = new Float64Array(this.#buffer, 0, points).fill(Number.NaN)
    this.#means = values(0)
    this.#mins = values(1)
    this.#maxs = values(2)
    this.#counts = new Uint16Array(this.#buffer, countsAt, cells)
  }

  /** @param at UTC ms; @param values one per series, null where unknown */
  record(at: number, values: readonly (number | null)[]): void {
    const { stepMs, points, series } = this.shape
    const slot = Math.floor(at / stepMs)
    const position = slot % points
    if (this.#slots[position] !== slot) this.#clear(position, slot)
    for (let i = 0; i < series; i++) {
      const value = values[i] ?? null
      if (value !== null && Number.isFinite(value)) this.#merge(i * points + position, value)
    }
  }

  /** The points up to that of `now`, oldest first. */
  slice(now: number, series: number): RingSlice {
    const { stepMs, points } = this.shape
    const first = Math.floor(now / stepMs) - points + 1
    const read = (from: Float32Array): (number | null)[] =>
      Array.from({ length: points }, (_, i) => {
        const position = (first + i) % points
        const value = this.#slots[position] === first + i ? from[series * points + position] : undefined
        return value === undefined || Number.isNaN(value) ? null : value
      })
    return { firstAt: first * stepMs, values: read(this.#means), min: read(this.#mins), max: read(this.#maxs) }
  }

  /** The whole content; `load` on a ring of the same shape restores it. */
  save(): Uint8Array {
    return new Uint8Array(this.#buffer.slice(0))
  }

  /** @param bytes exactly `byteLength`, from `save` */
  load(bytes: Uint8Array): void {
    new Uint8Array(this.#buffer).set(bytes)
  }

  get byteLength(): number {
    return this.#buffer.byteLength
  }

  #clear(position: number, slot: number): void {
    const { points, series } = this.shape
    this.#slots[position] = slot
    for (let i = 0; i < series; i++) {
      const cell = i * points + position
      this.#counts[cell] = 0
      this.#means[cell] = Number.NaN
      this.#mins[cell] = Number.NaN
      this.#maxs[cell] = Number.NaN
    }
  }

  #merge(cell: number, value: number): void {
    const count = (this.#counts[cell] ?? 0) + 1
    const mean = count === 1 ? value : (this.#means[cell] ?? 0)
    this.#counts[cell] = count
    this.#means[cell] = mean + (value - mean) / count
    this.#mins[cell] = count === 1 ? value : Math.min(this.#mins[cell] ?? value, value)
    this.#maxs[cell] = count === 1 ? value : Math.max(this.#maxs[cell] ?? value, value)
  }
}
