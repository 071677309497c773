// What one listener takes from its clients at most. Sizes and times are those of rpc.md 2 unless said otherwise.

export interface TransportLimits {
  /** A request must have arrived, and an answer must have been read further, within this, ms. */
  readonly ioTimeoutMs: number
  /** A connection without requests is closed after this, ms. */
  readonly idleTimeoutMs: number
  /** Connections of one listener. Own limit. */
  readonly mostConnections: number
  /** Bytes of all request bodies that are being read at the same time. Own limit. */
  readonly mostBodyBytes: number
  /** One WebSocket or IPC message, bytes. */
  readonly mostMessageBytes: number
  /** Calls of one WebSocket or IPC connection that wait for their answer; more are read later. Own limit. */
  readonly mostCallsAtOnce: number
  /** Bytes that wait for a client that does not read; one more notice and it is cut off. Own limit. */
  readonly mostUnreadBytes: number
  readonly pingEveryMs: number
  readonly pongWithinMs: number
}

const MEBIBYTE = 1024 * 1024

export const TRANSPORT_LIMITS: TransportLimits = {
  ioTimeoutMs: 30_000,
  idleTimeoutMs: 120_000,
  mostConnections: 2_048,
  mostBodyBytes: 256 * MEBIBYTE,
  mostMessageBytes: 15 * MEBIBYTE,
  mostCallsAtOnce: 64,
  mostUnreadBytes: 32 * MEBIBYTE,
  pingEveryMs: 60_000,
  pongWithinMs: 30_000,
}
