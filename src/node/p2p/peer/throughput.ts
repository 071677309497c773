// Measures a peer's throughput, so that each request asks for what it can deliver in the time we want to wait.

/** Weight of a new sample. */
const WEIGHT = 0.3

/** Moving average of items per second; a timeout halves it. */
export class Throughput {
  #perSecond: number

  /** @param start assumed items per second of an unknown peer */
  constructor(start: number) {
    this.#perSecond = start
  }

  /** Estimated items per second. */
  get perSecond(): number {
    return this.#perSecond
  }

  /** Number of items to request so that they take about `wantedMs`. */
  share(wantedMs: number, least: number, most: number): number {
    return Math.max(least, Math.min(most, Math.floor((this.#perSecond * wantedMs) / 1000)))
  }

  delivered(items: number, elapsedMs: number): void {
    const now = (items * 1000) / Math.max(1, elapsedMs)
    this.#perSecond = (1 - WEIGHT) * this.#perSecond + WEIGHT * now
  }

  /** After a timeout: halves the estimate. */
  failed(): void {
    this.#perSecond /= 2
  }
}
