// The key worker of whoever opens keys here: the signer, the node's own accounts, the commands.
import { join } from 'node:path'
import type { Logger } from '../../base/logger'
import type { Transport } from '../../base/wire/define'
import type { TradesDeps } from '../trades-deps'
import { openKeyProcess } from '../workers/key-process'

/** Opens one; after a lost one, another. */
export function keyWorkers({ config, platform, logs }: TradesDeps, log: Logger): () => Transport {
  return () =>
    openKeyProcess({
      entry: join(platform.workerDir, 'key-worker.cjs'),
      searchFrom: platform.projectRoot,
      start: platform.startProcess,
      log,
      sink: logs.sink,
      minLevel: config.app.logLevel,
    })
}
