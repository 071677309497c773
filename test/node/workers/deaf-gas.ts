/** A call with this gas makes the worker of deaf-query-worker.ts compute endlessly. */
export const DEAF_GAS = 1_234_567
