// For tests: the dependencies of the settings calls, on a data directory that may not exist.
import { join } from 'node:path'
import { silentLogger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { resolveConfig } from '../../config/resolve'
import type { SettingsCallsDeps } from '../ui/settings-calls'
import { ViewLinks } from '../ui/view-links'

/** @param argv after `run --datadir DIR` */
export function settingsDeps(dir: string, clock: Clock, argv: readonly string[] = []): SettingsCallsDeps {
  const surroundings = { platform: 'linux', environment: {}, homeDir: '/h', workingDir: '/' }
  const readFile = () => ({ missing: true }) as const
  let drawn = 0
  const randomBytes = (length: number): Uint8Array => {
    drawn += 1
    return new Uint8Array(length).fill(drawn)
  }
  return {
    config: resolveConfig({ argv: ['run', '--datadir', dir, ...argv], surroundings, readFile, windowless: true }),
    settings: null,
    live: { take: async () => undefined },
    links: new ViewLinks({ file: join(dir, 'view-links.json'), clock, log: silentLogger, randomBytes }),
    watching: () => [],
    restart: null,
    buildHash: async () => '0123456789abcdef',
    randomBytes,
    log: silentLogger,
  }
}
