// Client limits of one listener. Sizes and times are the reference's unless noted.

/** The limits. */
export interface TransportLimits {
  /** Maximum time for a request to arrive, and for an answer to be read further, ms. */
  readonly ioTimeoutMs: number
  /** An idle connection is closed after this, ms. */
  readonly idleTimeoutMs: number
  /** Connections per listener. Our own limit. */
  readonly maxConnections: number
  /** Connections per remote address. Our own limit. */
  readonly maxPerAddress: number
  /** Connections per local program. Our own limit. */
  readonly maxPerProgram: number
  /** Bytes of all request bodies being read. Our own limit. */
  readonly maxBodyBytes: number
  /** One WebSocket or IPC message, bytes. */
  readonly maxMessageBytes: number
  /** Unanswered calls per WebSocket or IPC connection; more are read later. Our own limit. */
  readonly maxCallsAtOnce: number
  /** Unsent bytes for a client that doesn't read; the next notice disconnects it. Our own limit. */
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
