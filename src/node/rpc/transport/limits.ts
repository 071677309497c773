// What one listener takes from its clients at most. Sizes and times are the reference's unless said otherwise.

export interface TransportLimits {
  /** A request must have arrived, and an answer must have been read further, within this, ms. */
  readonly ioTimeoutMs: number
  /** A connection without requests is closed after this, ms. */
  readonly idleTimeoutMs: number
  /** Connections of one listener. Own limit. */
  readonly maxConnections: number
  /** Of those, from one address that isn't this computer's. Own limit. */
  readonly maxPerAddress: number
  /** Of those, from one program on this computer. Own limit. */
  readonly maxPerProgram: number
  /** Bytes of all request bodies that are being read at the same time. Own limit. */
  readonly maxBodyBytes: number
  /** One WebSocket or IPC message, bytes. */
  readonly maxMessageBytes: number
  /** Calls of one WebSocket or IPC connection that wait for their answer; more are read later. Own limit. */
  readonly maxCallsAtOnce: number
  /** Bytes that wait for a client that does not read; one more notice and it is cut off. Own limit. */
  readonly maxUnreadBytes: number
  readonly pingEveryMs: number
  readonly pongWithinMs: number
}

const MEBIBYTE = 1024 * 1024

export const TRANSPORT_LIMITS: TransportLimits = {
  ioTimeoutMs: 30_000,
  idleTimeoutMs: 120_000,
  maxConnections: 2_048,
  maxPerAddress: 512,
  maxPerProgram: 1_024,
  maxBodyBytes: 256 * MEBIBYTE,
  maxMessageBytes: 15 * MEBIBYTE,
  maxCallsAtOnce: 64,
  maxUnreadBytes: 32 * MEBIBYTE,
  pingEveryMs: 60_000,
  pongWithinMs: 30_000,
}
