// What can go wrong while nodes are looked for. Codes are public: never rename one, add a new one.
import { defineErrors } from '../../../base/errors'

export const DiscoveryError = defineErrors({
  P2P_UDP_LISTEN_FAILED: (d: { host: string; port: number; reason: string }) =>
    `discovery cannot listen on UDP ${d.host}:${d.port}: ${d.reason}; choose another --port, or --nodiscover`,
  P2P_NAT_FAILED: (d: { gateway: string; reason: string }) => `${d.gateway} maps no port: ${d.reason}`,
  P2P_BOOTNODE: (d: { reason: string }) => `--bootnodes: ${d.reason}`,
  P2P_DNS_TREE: (d: { tree: string; reason: string }) => `node list ${d.tree}: ${d.reason}`,
})
