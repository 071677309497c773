// What can go wrong between nodes and ends a connection, or the start of the network layer. Codes are public.
import { defineErrors } from '../../base/errors'

export const P2pError = defineErrors({
  P2P_LISTEN_FAILED: (d: { host: string; port: number; reason: string }) =>
    `peers cannot connect on ${d.host}:${d.port}: ${d.reason}; choose another --port`,
  P2P_DIAL_FAILED: (d: { reason: string }) => `no connection: ${d.reason}`,
  P2P_TIMEOUT: (d: { what: string; timeoutMs: number }) => `${d.what} did not come within ${d.timeoutMs} ms`,
  P2P_CLOSED: (d: { reason: string }) => `connection closed: ${d.reason}`,
  P2P_BAD_DATA: (d: { what: string; reason: string }) => `${d.what}: ${d.reason}`,
  P2P_REFUSED: (d: { reason: number }) => `the peer refused: reason ${d.reason}`,
})
