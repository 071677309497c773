// The key worker for all users of keys here: the signer, the node's own accounts, the commands.
import { join } from 'node:path'
import type { Logger } from '../../base/logger'
import type { Transport } from '../../base/wire/define'
import { KeystoreError } from '../../signer/errors'
import { isKeyUseAllowed } from '../system/old-electron'
import type { TradesDeps } from '../trades-deps'
import { openKeyProcess } from '../workers/key-process'

/**
 * Starts one; after a lost one, another.
 * @param electron version of the running Electron; undefined in plain Node
 * @returns a function that throws KeystoreError KEYSTORE_OLD_ELECTRON when this network's keys may not be opened
 */
export function keyWorkers(
  { config, platform, clock }: TradesDeps,
  log: Logger,
  electron = process.versions.electron,
): () => Transport {
  const { network } = config.app
  const { chainId } = config.signer
  return () => {
    if (!isKeyUseAllowed(electron, { network, chainId }))
      throw new KeystoreError('KEYSTORE_OLD_ELECTRON', { version: electron ?? '' })
    return openKeyProcess({
      entry: join(platform.workerDir, 'key-worker.cjs'),
      searchFrom: platform.projectRoot,
      start: platform.startProcess,
      log,
      clock,
    })
  }
}
