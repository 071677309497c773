// How much may wait for the user at once, and how often a password may be tried.

export const QUEUE_LIMITS = {
  open: 1_000,
  /** Characters of all their contents: one call may have 5 MiB, stored raw and as data. */
  openLength: 48 * 1024 * 1024,
  /** Open requests of one program or page; of callers that can't be told apart by system facts, twice as many. */
  openPerCaller: 250,
  /** Characters of one caller's contents; its first request counts whatever its length. */
  openLengthPerCaller: 16 * 1024 * 1024,
  /** Displayed at once, and submitted to rules and the line-based UI; the rest is queued. */
  shown: 192,
  /** This many payments of one caller can be reviewed as a table; four such callers fill all slots. */
  shownPerCaller: 48,
  /** Every change sends everything displayed to the user interface. Characters. */
  shownLength: 16 * 1024 * 1024,
  tries: 3,
  /** Delay before the first, second and third attempt, ms. */
  tryDelaysMs: [0, 1_000, 3_000],
} as const
