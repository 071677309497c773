// The network layer's settings out of the configuration.
import { bytesOfHex } from '../base/hex'
import type { ResolvedConfig } from '../config/resolved-config'
import type { P2pSettings } from '../node/node-service'

/** Null for a start without peers: by default the practice network, with --fakepow, and for commands that only work on the chain. */
export function p2pSettings({ p2p, chain, command }: ResolvedConfig): P2pSettings | null {
  const isService = command === 'run' || command === 'node'
  // A node that takes any seal must not hear others.
  if (!isService || p2p.maxPeers === 0 || chain.fakePow) return null
  const { addr, port, maxPeers, nodeKeyFile, nodeKeyHex } = p2p
  return {
    listen: { host: addr, port },
    maxPeers,
    nodeKey: nodeKeyHex === null ? null : bytesOfHex(nodeKeyHex.reveal(), 32),
    nodeKeyFile,
    discovery: p2p,
  }
}
