// The genesis file of a configuration's network.
import { join } from 'node:path'
import type { ResolvedConfig } from '../../config/resolved-config'
import { storedGenesis } from '../../node/chain/open-chain'
import { hasChain, openLevelStore } from '../../node/store/level-store'
import { HostError } from '../errors'
import { networkSpec } from './custom-network'

/**
 * JSON text. Only the practice network's has to be read from its database.
 * @throws ConfigError CONFIG_GENESIS_INVALID, HostError HOST_NO_CHAIN, StoreError
 */
export async function genesisText(config: ResolvedConfig): Promise<string> {
  const { dataDir: dir, network } = config.app
  const known = networkSpec(config).genesis ?? config.custom?.genesis ?? null
  if (known !== null) return known
  const folder = join(dir, network, 'chain')
  const store = hasChain(folder) ? await openLevelStore(folder) : null
  const stored = store === null ? null : storedGenesis(store)
  await store?.close()
  if (stored === null) throw new HostError('HOST_NO_CHAIN', { dir, network })
  return stored
}
