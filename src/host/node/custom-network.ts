// The configured custom network, and the data directory's record of it: later starts need no genesis file.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode, messageOf, reasonOf } from '../../base/errors'
import type { Service } from '../../base/lifecycle'
import type { CustomRecord } from '../../config/custom-network'
import { ConfigError } from '../../config/errors'
import type { ResolvedConfig } from '../../config/resolved-config'
import { writeJson } from '../../files/json-file'
import { type NetworkSpec, networkOf } from '../../node/networks'
import { HostError } from '../errors'

/** @throws ConfigError CONFIG_GENESIS_INVALID */
export function networkSpec({ app, custom }: ResolvedConfig): NetworkSpec {
  try {
    return networkOf(app.network, custom)
  } catch (error) {
    if (custom === null || !hasCode(error, 'CHAIN_GENESIS_INVALID')) throw error
    const reason = messageOf(error).replace(/^genesis: /, '')
    throw new ConfigError('CONFIG_GENESIS_INVALID', { file: custom.file, reason }, { cause: error })
  }
}

/** Started once the chain is open: a network that the database rejects isn't recorded. Nothing on others. */
export class CustomNetworkRecord implements Service {
  readonly name = 'custom-network'

  constructor(private readonly config: Pick<ResolvedConfig, 'app' | 'custom'>) {}

  /** @throws HostError HOST_DATA_DIR_UNUSABLE */
  async start(): Promise<void> {
    const { app, custom } = this.config
    if (custom === null) return
    const { genesis, networkId, xhashMode } = custom
    const record: CustomRecord = { genesis, networkId, xhashMode }
    try {
      const folder = join(app.dataDir, 'custom')
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeJson(join(folder, 'network.json'), record)
    } catch (error) {
      throw new HostError('HOST_DATA_DIR_UNUSABLE', { dir: app.dataDir, reason: reasonOf(error) }, { cause: error })
    }
  }

  async stop(): Promise<void> {
    // Only a file; nothing to release.
  }
}
