// Devices with enough consecutive correct solutions to skip the CPU check (`--noeval`).

/** Consecutive correct solutions required. */
const GOOD_IN_A_ROW = 100

/** Tracks which devices are trusted. */
export class DeviceTrust {
  readonly #good = new Map<number, number>()

  /** @param isWanted enabled by the user; otherwise no device is ever trusted */
  constructor(private readonly isWanted: boolean) {}

  isEarned(device: number): boolean {
    return this.isWanted && (this.#good.get(device) ?? 0) >= GOOD_IN_A_ROW
  }

  /** Records the result of a CPU check. */
  checked(device: number, isGood: boolean): void {
    this.#good.set(device, isGood ? (this.#good.get(device) ?? 0) + 1 : 0)
  }
}
