// Which devices computed right so often that their solutions need no check on the CPU (`--noeval`).

/** Good ones in a row that earn it. */
const GOOD_IN_A_ROW = 100

export class DeviceTrust {
  readonly #good = new Map<number, number>()

  /** @param isWanted the user asked for it; else no device is ever trusted */
  constructor(private readonly isWanted: boolean) {}

  isEarned(device: number): boolean {
    return this.isWanted && (this.#good.get(device) ?? 0) >= GOOD_IN_A_ROW
  }

  /** What the CPU found. */
  checked(device: number, isGood: boolean): void {
    this.#good.set(device, isGood ? (this.#good.get(device) ?? 0) + 1 : 0)
  }
}
