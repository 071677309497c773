// How much may wait for a person at once, and how often a password may be tried.

export const QUEUE_LIMITS = {
  waitingPerCaller: 16,
  waiting: 64,
  /**
   * Of all waiting contents together, characters. One call may bring 5 MiB, shown raw and as data; every change sends
   * all of them to the user interface.
   */
  contentLength: 16 * 1024 * 1024,
  tries: 3,
  /** Wait before the first, second and third try, ms. */
  tryDelaysMs: [0, 1_000, 3_000],
} as const
