// Loads the configuration of this call from this computer.

import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { messageOf } from '../base/errors'
import { isSystemCode } from '../base/system-code'
import type { Surroundings } from '../config/paths'
import { resolveConfig } from '../config/resolve'
import type { FileText, ResolvedConfig } from '../config/resolved-config'

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

/** A whole file as UTF-8; a missing one isn't an error. */
export function readText(path: string): FileText {
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch (error) {
    const isMissing = isSystemCode(error, 'ENOENT', 'ENOTDIR')
    return isMissing ? { missing: true } : { unreadable: messageOf(error) }
  }
}
