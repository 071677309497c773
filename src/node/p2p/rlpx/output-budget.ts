// What all connections together may have written that the other sides have not taken: many that ask and do not read must not cost
// the memory of a whole network. Over the limit, the one that left most goes.

/** One connection's part of the budget. */
export interface OutputShare {
  /** To be called after a write. */
  written(): void
  leave(): void
}

interface Holder {
  /** Bytes, as of now. */
  readonly unsent: () => number
  readonly cut: () => void
}

/** Counts what Node's sockets hold unsent; going over it closes the largest holder. */
export class OutputBudget {
  readonly #holders = new Set<Holder>()

  constructor(private readonly maxBytes: number) {}

  /** Bytes that wait now, of all. */
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
