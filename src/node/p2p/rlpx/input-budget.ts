// What all connections together may hold of frames that have not come to their end: a peer that promises much and stalls must not cost
// the memory of a whole network. Over the limit, the one that holds most goes.

/** One connection's part of the budget. */
export interface InputShare {
  /** @param bytes held now */
  hold(bytes: number): void
  leave(): void
}

interface Holder {
  bytes: number
  readonly cut: () => void
}

/** Sum over all connections; going over it closes the largest holder. */
export class InputBudget {
  readonly #holders = new Set<Holder>()
  #total = 0

  constructor(private readonly maxBytes: number) {}

  /** Bytes held by all. */
  get total(): number {
    return this.#total
  }

  /** @param cut ends the connection; it leaves by that, now or later */
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
