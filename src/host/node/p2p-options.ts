// The network layer's settings from the configuration.
import { bytesOfHex } from '../../base/hex'
import type { ResolvedConfig } from '../../config/resolved-config'
import type { P2pSettings } from '../../node/node-options'

type P2pValues = ResolvedConfig['p2p']

/** @param entry `NUMBER=HASH`, in the option's form */
function requiredBlock(entry: string) {
  const [number = '', hash = ''] = entry.split('=')
  return { number: BigInt(number), hash: bytesOfHex(hash, 32) }
}

function checkpointOf({ checkpoint, checkpointSigner }: P2pValues) {
  if (checkpoint === null || checkpointSigner === null) return null
  return { file: checkpoint, signer: bytesOfHex(checkpointSigner, 20) }
}

/**
 * Null for a run without peers: by default the practice network, with --fakepow, and for commands that only work on the
 * chain.
 */
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
    required: { blocks: p2p.requiredBlocks.map(requiredBlock), checkpoint: checkpointOf(p2p) },
    discovery: p2p,
  }
}
