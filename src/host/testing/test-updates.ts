// For tests: updates of a program that runs from sources without an update host.
import { silentLogger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { Updates } from '../update/updates'

export function noUpdates(dataDir: string, clock: Clock): Updates {
  const own = { folder: dataDir, kind: null, isReplaceable: false }
  return new Updates(
    { check: 'manual', url: null, keyFile: null, running: '0.1.0', own, dataDir },
    { clock, log: silentLogger },
  )
}
