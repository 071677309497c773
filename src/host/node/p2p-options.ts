// The network layer's settings out of the configuration.
import { bytesOfHex } from '../../base/hex'
import type { ResolvedConfig } from '../../config/resolved-config'
import type { P2pSettings } from '../../node/node-service'

/** Null for a start without peers: by default the practice network, with --fakepow, and for commands that only work on the chain. */
export function p2pSettings(
  { p2p, chain, command }: ResolvedConfig,
  warn: (message: string) => void,
): P2pSettings | null {
  const isService = command === 'run' || command === 'node'
  if (!isService || p2p.maxPeers === 0) return null
  if (chain.fakePow) {
    warn('no peers: a node that accepts any proof of work (--fakepow) must not listen to others')
    return null
  }
  const { addr, port, maxPeers, nodeKeyFile, nodeKeyHex, minesBehind } = p2p
  return {
    listen: { host: addr, port },
    maxPeers,
    nodeKey: nodeKeyHex === null ? null : bytesOfHex(nodeKeyHex.reveal(), 32),
    nodeKeyFile,
    minesBehind,
    discovery: p2p,
  }
}
