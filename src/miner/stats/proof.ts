// Whether the time without an accepted share can still be chance: hashes find shares as a Poisson process.

/** Shares due on average, from which finding none has a probability below 0.001. Source: Poisson, P(0) = e^-mean */
export const IMPROBABLE_SHARES = -Math.log(0.001)

/** Sums up the shares that the hashes since the last accepted one find on average. */
export class ProofWatch {
  expected = 0

  /** @param hashes computed since the last call; @param difficulty of their job, in expected hashes per share */
  worked(hashes: number, difficulty: number): void {
    if (hashes > 0 && difficulty > 0) this.expected += hashes / difficulty
  }

  /** A share was accepted, or the count begins. */
  reset(): void {
    this.expected = 0
  }
}
