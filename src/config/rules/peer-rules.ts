// Combined checks of the peer options.
import type { ConfigValues } from '../catalog'
import { ConfigError } from '../errors'

const conflict = (reason: string) => new ConfigError('CONFIG_CONFLICT', { reason })

/** Each is a request to every peer. */
const MAX_REQUIRED = 64

/** @throws ConfigError CONFIG_CONFLICT */
export function checkPeers({ p2p }: ConfigValues): void {
  const { checkpoint, checkpointSigner, requiredBlocks } = p2p
  if (checkpoint !== null && checkpointSigner === null)
    throw conflict('--checkpoint needs --checkpoint.signer ADDRESS: only a list signed by someone you trust is used')
  if (checkpoint === null && checkpointSigner !== null)
    throw conflict('--checkpoint.signer is for --checkpoint FILE: give the file or leave it out')
  if (requiredBlocks.length > MAX_REQUIRED)
    throw conflict(`--prl.requiredblocks names ${requiredBlocks.length} blocks; accepted: up to ${MAX_REQUIRED}`)
  const hashes = new Map<string, string>()
  for (const entry of requiredBlocks) {
    const [number = '', hash = ''] = entry.toLowerCase().split('=')
    const height = BigInt(number).toString()
    const other = hashes.get(height)
    if (other !== undefined && other !== hash)
      throw conflict(`--prl.requiredblocks names two hashes for block ${height}: give one`)
    hashes.set(height, hash)
  }
}
