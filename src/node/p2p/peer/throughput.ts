// How much a peer delivers in a second, so that it is asked for what it can bring in the time we want to wait.

/** A new figure counts so much against the old ones. */
const WEIGHT = 0.3

/** A moving mean of items a second; a timeout halves it. */
export class Throughput {
  #perSecond: number

  /** @param start items a second that an unknown peer is believed to bring */
  constructor(start: number) {
    this.#perSecond = start
  }

  /** Items a second, as believed now. */
  get perSecond(): number {
    return this.#perSecond
  }

  /** Items to ask for, so that they take about `wantedMs`. */
  share(wantedMs: number, least: number, most: number): number {
    return Math.max(least, Math.min(most, Math.floor((this.#perSecond * wantedMs) / 1000)))
  }

  delivered(items: number, elapsedMs: number): void {
    const now = (items * 1000) / Math.max(1, elapsedMs)
    this.#perSecond = (1 - WEIGHT) * this.#perSecond + WEIGHT * now
  }

  /** A timeout: half of what was believed. */
  failed(): void {
    this.#perSecond /= 2
  }
}
