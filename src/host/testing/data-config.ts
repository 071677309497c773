// For tests: the configuration of a run on a real data directory.
import { readFileSync } from 'node:fs'
import { resolveConfig } from '../../config/resolve'
import type { FileText, ResolvedConfig } from '../../config/resolved-config'

/** @throws ConfigError */
export function dataConfig(dir: string): ResolvedConfig {
  const surroundings = { platform: process.platform, environment: {}, homeDir: '/h', workingDir: '/' }
  return resolveConfig({ argv: ['run', '--datadir', dir], surroundings, readFile: readText, windowless: true })
}

function readText(path: string): FileText {
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch {
    return { missing: true }
  }
}
