// Memory for unsent data over all connections: many peers that ask and don't read must not exhaust it. Above the limit,
// the one with most unsent data is disconnected.

/** One connection's share of the budget. */
export interface OutputShare {
  /** Call it after a write. */
  written(): void
  leave(): void
}

interface Holder {
  /** Bytes at this moment. */
  readonly unsent: () => number
  readonly cut: () => void
}

/** Counts unsent bytes in Node's sockets; exceeding the limit closes the largest holder. */
export class OutputBudget {
  readonly #holders = new Set<Holder>()

  constructor(private readonly maxBytes: number) {}

  /** Unsent bytes in total. */
  get total(): number {
    let total = 0
    for (const { unsent } of this.#holders) total += unsent()
    return total
  }

  /** @param holder `cut` ends the connection */
  join(holder: Holder): OutputShare {
    this.#holders.add(holder)
    return {
      written: () => {
        while (this.total > this.maxBytes && this.#cutGreatest());
      },
      leave: () => this.#holders.delete(holder),
    }
  }

  #cutGreatest(): boolean {
    let greatest: Holder | null = null
    for (const holder of this.#holders) if (greatest === null || holder.unsent() > greatest.unsent()) greatest = holder
    if (greatest === null) return false
    this.#holders.delete(greatest)
    greatest.cut()
    return true
  }
}
