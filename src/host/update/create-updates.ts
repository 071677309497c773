// Updates of the running program, as configured.
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { ResolvedConfig } from '../../config/resolved-config'
import type { Platform } from '../system/platform'
import { ownPackage } from './own-package'
import { Updates } from './updates'

export function buildUpdates(
  { update, app }: ResolvedConfig,
  { version: running, projectRoot }: Platform,
  deps: { readonly clock: Clock; readonly log: Logger },
): Updates {
  const { check, url, keyFile } = update
  return new Updates({ check, url, keyFile, running, own: ownPackage(projectRoot), dataDir: app.dataDir }, deps)
}
