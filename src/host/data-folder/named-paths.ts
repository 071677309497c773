// Configured paths into the data directory that would dangle after a move.
import { isAbsolute } from 'node:path'
import { ENTRIES } from '../../config/catalog'
import type { ResolvedConfig } from '../../config/resolved-config'
import { isBelow } from './folder-tree'

/** Valid for one call, or rewritten at each start. */
const NO_MATTER: readonly string[] = ['app.dataDir', 'app.readyFile']

/**
 * Names of options with absolute paths into the data directory: in the config file, or set outside of it.
 * @param textInFile an option's value in the config file; null = not set
 */
export function namedPaths(config: ResolvedConfig, textInFile: (key: string) => string | null): readonly string[] {
  const sections: Readonly<Record<string, unknown>> = { ...config }
  return ENTRIES.filter((entry) => {
    const { kind = 'default' } = config.sources[entry.key] ?? {}
    if (entry.option.type.isPath !== true || kind === 'default' || NO_MATTER.includes(entry.key)) return false
    const section = sections[entry.section]
    const value = typeof section === 'object' && section !== null ? Reflect.get(section, entry.property) : null
    const isInside = [value].flat().some((path) => typeof path === 'string' && isBelow(config.app.dataDir, path))
    // A relative path in the config file is relative to that file, and moves with it.
    return isInside && (kind !== 'file' || !isRelative(textInFile(entry.key)))
  }).map(({ option }) => `--${option.flag}`)
}

function isRelative(text: string | null): boolean {
  return text !== null && !isAbsolute(text) && !text.startsWith('~')
}
