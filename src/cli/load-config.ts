// Loads the configuration of this call from this computer.

import { homedir } from 'node:os'
import type { Surroundings } from '../config/paths'
import { resolveConfig } from '../config/resolve'
import type { ResolvedConfig } from '../config/resolved-config'
import { readText } from '../host/settings/config-settings'

/** Platform, environment and folders of this process. */
export function processSurroundings(): Surroundings {
  return {
    platform: process.platform,
    environment: process.env,
    homeDir: homedir(),
    workingDir: process.cwd(),
  }
}

/** @throws ConfigError any CONFIG_ code */
export function loadConfig(options: {
  readonly argv: readonly string[]
  readonly surroundings: Surroundings
  /** True for an entry point that can't show windows. */
  readonly windowless: boolean
}): ResolvedConfig {
  return resolveConfig({ ...options, readFile: readText })
}
