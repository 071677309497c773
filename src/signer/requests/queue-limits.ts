// How much may wait for a person at once, and how often a password may be tried.

export const QUEUE_LIMITS = {
  /** Requests that are open at once, shown or in line. */
  open: 1_000,
  /** Of all their contents together, characters: one call may bring 5 MiB, kept raw and as data. */
  openLength: 48 * 1024 * 1024,
  /** What is shown at once, and put before rules and the line-based UI; the rest is in line. */
  shown: 192,
  /** So many payments of one caller can be looked at as one table; four such callers leave no place empty. */
  shownPerCaller: 48,
  /** Every change sends all that is shown to the user interface. Characters. */
  shownLength: 16 * 1024 * 1024,
  tries: 3,
  /** Wait before the first, second and third try, ms. */
  tryDelaysMs: [0, 1_000, 3_000],
} as const
