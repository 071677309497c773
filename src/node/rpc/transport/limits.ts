// Client limits of one listener. Sizes and times are prlx's unless noted.

const MEBIBYTE = 1024 * 1024

export const TRANSPORT_LIMITS = {
  /** Maximum time for a request to arrive, and for an answer to be read further, ms. */
  ioTimeoutMs: 30_000,
  /** An idle connection is closed after this, ms. */
  idleTimeoutMs: 120_000,
  /** Connections per listener, remote address and local program. Our own limits. */
  maxConnections: 2_048,
  maxPerAddress: 512,
  maxPerProgram: 1_024,
  /** Bytes of all request bodies being read. Our own limit. */
  maxBodyBytes: 256 * MEBIBYTE,
  /** One WebSocket or IPC message, bytes. */
  maxMessageBytes: 15 * MEBIBYTE,
  /** Unanswered calls per WebSocket or IPC connection; more are read later. Our own limit. */
  maxCallsAtOnce: 64,
  /** Unsent bytes for a client that doesn't read; the next notice disconnects it. Our own limit. */
  maxUnreadBytes: 32 * MEBIBYTE,
  pingEveryMs: 60_000,
  pongWithinMs: 30_000,
}
export type TransportLimits = Readonly<typeof TRANSPORT_LIMITS>
