// Paths into the data directory that somebody wrote down, and that would lead nowhere once it was moved.
import { isAbsolute } from 'node:path'
import { ENTRIES } from '../../config/catalog'
import type { ResolvedConfig } from '../../config/resolved-config'
import { isBelow } from './folder-tree'

/** Of one call, and written anew at each start. */
const NO_MATTER: readonly string[] = ['app.dataDir', 'app.readyFile']

/**
 * Names of the options that name the data directory itself: in full in the config file, or from outside of it.
 * @param textInFile what the config file says of an option; null = nothing
 */
export function namedPaths(config: ResolvedConfig, textInFile: (key: string) => string | null): readonly string[] {
  const sections: Readonly<Record<string, unknown>> = { ...config }
  return ENTRIES.filter((entry) => {
    const { kind = 'default' } = config.sources[entry.key] ?? {}
    if (entry.option.type.isPath !== true || kind === 'default' || NO_MATTER.includes(entry.key)) return false
    const section = sections[entry.section]
    const value = typeof section === 'object' && section !== null ? Reflect.get(section, entry.property) : null
    const isInside = [value].flat().some((path) => typeof path === 'string' && isBelow(config.app.dataDir, path))
    // A relative path of the config file starts where that file is, and goes with it.
    return isInside && (kind !== 'file' || !isRelative(textInFile(entry.key)))
  }).map(({ option }) => `--${option.flag}`)
}

function isRelative(text: string | null): boolean {
  return text !== null && !isAbsolute(text) && !text.startsWith('~')
}
