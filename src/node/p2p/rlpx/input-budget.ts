// Memory for incomplete frames over all connections: peers that announce much and stall must not exhaust it. Above the
// limit, the largest holder is disconnected.

/** One connection's share of the budget. */
export interface InputShare {
  /** @param bytes currently held */
  hold(bytes: number): void
  leave(): void
}

interface Holder {
  bytes: number
  readonly cut: () => void
}

/** Sum over all connections; exceeding it closes the largest holder. */
export class InputBudget {
  readonly #holders = new Set<Holder>()
  #total = 0

  constructor(private readonly maxBytes: number) {}

  /** Bytes held in total. */
  get total(): number {
    return this.#total
  }

  /** @param cut ends the connection, which then leaves the budget, now or later */
  join(cut: () => void): InputShare {
    const holder: Holder = { bytes: 0, cut }
    this.#holders.add(holder)
    return {
      hold: (bytes) => {
        if (!this.#holders.has(holder)) return
        this.#set(holder, bytes)
        while (this.#total > this.maxBytes && this.#cutGreatest());
      },
      leave: () => this.#remove(holder),
    }
  }

  #cutGreatest(): boolean {
    let greatest: Holder | null = null
    for (const holder of this.#holders) if (greatest === null || holder.bytes > greatest.bytes) greatest = holder
    if (greatest === null) return false
    this.#remove(greatest)
    greatest.cut()
    return true
  }

  #remove(holder: Holder): void {
    this.#set(holder, 0)
    this.#holders.delete(holder)
  }

  #set(holder: Holder, bytes: number): void {
    this.#total += bytes - holder.bytes
    holder.bytes = bytes
  }
}
