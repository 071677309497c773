// Loads the configuration of this call from this computer.

import { homedir } from 'node:os'
import type { Surroundings } from '../config/paths'
import { resolveConfig, resolveDataDir } from '../config/resolve'
import type { ResolvedConfig } from '../config/resolved-config'
import { typedSecrets } from '../config/rules/typed-secrets'
import { fieldsOf } from '../config/values/pool-url'
import { readText } from '../host/settings/config-settings'
import type { CliCall } from './call'
import { asksForJson, noticeLine } from './exit-codes'

/** Platform, environment and folders of this process. */
export function processSurroundings(): Surroundings {
  return {
    platform: process.platform,
    environment: process.env,
    homeDir: homedir(),
    workingDir: process.cwd(),
  }
}

/** Typed secrets leave the process list: program name and command replace the arguments. @throws ConfigError */
export function loadConfig(options: {
  readonly argv: readonly string[]
  readonly surroundings: Surroundings
  /** True for an entry point that can't show windows. */
  readonly windowless: boolean
}): ResolvedConfig {
  const config = resolveConfig({ ...options, readFile: readText })
  // Others may have read them before, and where a system keeps the original text: hence the notices.
  const holdsPassword = options.argv.some((word) => (fieldsOf(word)?.password ?? '') !== '')
  const isHidden = holdsPassword || typedSecrets({ sources: config.sources, values: config }).length > 0
  if (isHidden) process.title = `headframe ${config.command}`
  return config
}

/** The configuration of a command's call; what was accepted without effect is said. @throws ConfigError any CONFIG_ code */
export function configOf(call: Pick<CliCall, 'argv' | 'world'>): ResolvedConfig {
  const { argv, world } = call
  const config = loadConfig({ argv, surroundings: world.surroundings, windowless: world.platform.headless })
  tellNotices(call, config.notices, config.app.logJson)
  return config
}

/** Only the data directory of a call, for commands that ask a running program. @throws ConfigError any CONFIG_ code */
export function dataDirOf(call: CliCall): string {
  const { argv, world } = call
  const { surroundings } = world
  const { dataDir, notices } = resolveDataDir({ argv, surroundings, windowless: true, readFile: readText })
  tellNotices(call, notices, asksForJson(argv, surroundings.environment))
  return dataDir
}

function tellNotices({ world }: Pick<CliCall, 'world'>, notices: readonly string[], json: boolean): void {
  for (const notice of notices) world.platform.standardError(noticeLine(notice, json))
}
