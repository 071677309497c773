// For tests: the configuration of a run on a real data directory.
import { resolveConfig } from '../../config/resolve'
import type { ResolvedConfig } from '../../config/resolved-config'
import { readText } from '../settings/config-settings'

/** @throws ConfigError */
export function dataConfig(dir: string): ResolvedConfig {
  const surroundings = { platform: process.platform, environment: {}, homeDir: '/h', workingDir: '/' }
  return resolveConfig({ argv: ['run', '--datadir', dir], surroundings, readFile: readText, windowless: true })
}
