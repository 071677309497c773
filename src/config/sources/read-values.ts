// Reads one option's value from text or from TOML and makes its path absolute.
import type { CatalogEntry } from '../catalog'
import { ConfigError } from '../errors'
import { absolutePath, isBareName, type Surroundings } from '../paths'
import { windowsPathFault } from '../windows-path'
import type { TomlValue } from './parse-toml'

/** @param where the option as typed, or the variable @throws ConfigError CONFIG_VALUE_INVALID */
export function parsedText(entry: CatalogEntry, text: string, where: string, surroundings: Surroundings): unknown {
  const value = entry.option.type.parse(text)
  if (value === null) throw invalid(entry, where, text === '' ? 'an empty value' : text)
  return located(entry, value, { where, base: surroundings.workingDir, surroundings })
}

/** @param folder base of relative paths @throws ConfigError CONFIG_VALUE_INVALID */
export function tomlValue(found: TomlValue, folder: string, surroundings: Surroundings): unknown {
  const { entry, value, file, line, key } = found
  const typed = entry.option.type.fromToml(value)
  if (typed === null) throw invalid(entry, `${file}:${line}: ${key}`, tomlText(value))
  return located(entry, typed, { where: `${file}:${line}: ${key}`, base: folder, surroundings })
}

interface Place {
  /** The option as typed, the variable, or the line of the file. */
  readonly where: string
  /** Base of relative paths. */
  readonly base: string
  readonly surroundings: Surroundings
}

/** Paths are made absolute; `-` stands for standard output. @throws ConfigError CONFIG_VALUE_INVALID */
function located({ option }: CatalogEntry, value: unknown, { where, base, surroundings }: Place): unknown {
  const { isPath, bareInDataDir } = option.type
  if (isPath !== true || typeof value !== 'string' || value === '-' || value === '') return value
  const fault = surroundings.platform === 'win32' ? windowsPathFault(value) : null
  if (fault !== null) throw new ConfigError('CONFIG_VALUE_INVALID', { where, value, expected: fault })
  if (bareInDataDir === true && isBareName(value)) return value
  return absolutePath(value, base, surroundings)
}

function invalid(entry: CatalogEntry, where: string, value: string): Error {
  const shown = entry.option.secret === true || entry.option.type.isSecret === true ? '***' : value
  return new ConfigError('CONFIG_VALUE_INVALID', { where, value: shown, expected: entry.option.type.expected })
}

/** A value of a file, for messages. */
export function tomlText(value: unknown): string {
  if (typeof value === 'string') return `"${value}"`
  if (Array.isArray(value)) return `[${value.map(tomlText).join(', ')}]`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
