// The effective settings as a config file of our own: from another program's file, or a long command line.
import { Secret } from '../base/secret'
import { CATALOG, type CatalogEntry } from './catalog'
import { settingOf } from './describe'
import type { ResolvedConfig } from './resolved-config'
import { tomlSource } from './sources/edit-toml'
import { isInFile } from './sources/parse-toml'

/** Options that apply to one call only. */
const OF_CALL: readonly string[] = ['app.configFile', 'app.readyFile']

/** TOML with everything that isn't a default. Secrets, and options not allowed in a file, appear as comments. */
export function configToml(config: ResolvedConfig): string {
  const isGiven = ({ key }: CatalogEntry): boolean => (config.sources[key]?.kind ?? 'default') !== 'default'
  const lines = CATALOG.flatMap(({ name, entries }) => {
    const given = entries.filter((entry) => isGiven(entry) && !OF_CALL.includes(entry.key))
    const keys = given.filter(isInFile).map((entry) => keyLine(entry, config))
    const typed = given.filter((entry) => !isInFile(entry)).map((entry) => typedLine(entry, config))
    return [...typed, ...(keys.length === 0 ? [] : ['', `[${name}]`, ...keys])]
  })
  return ['# The settings that differ from the defaults, by headframe dumpconfig.', ...lines, ''].join('\n')
}

function typedLine(entry: CatalogEntry, config: ResolvedConfig): string {
  const value = settingOf(config, entry)
  const words = entry.option.type.form === 'switch' ? '' : ` ${comment(value === null ? '' : String(value))}`
  return `# only on the command line or in the environment: --${entry.option.flag}${words}`
}

function keyLine(entry: CatalogEntry, config: ResolvedConfig): string {
  const key = entry.tomlKey.slice(entry.section.length + 1)
  const source = sourceOf(entry, settingOf(config, entry))
  return source === null ? `# ${key} is a secret and left out` : `${key} = ${source}`
}

/** Null for a secret, and for lists that hold one. */
function sourceOf({ option }: CatalogEntry, value: unknown): string | null {
  const { type } = option
  if (value instanceof Secret || option.secret === true) return null
  if (Array.isArray(value)) {
    const words = value.map((each) => type.format([each]))
    return words.some((word) => word.includes('***')) ? null : tomlSource(words)
  }
  return typeof value === 'boolean' || typeof value === 'number'
    ? plainOrText(option.type, value)
    : tomlSource(type.format(value))
}

/** A time is stored as a number and written with its unit. */
function plainOrText(type: CatalogEntry['option']['type'], value: boolean | number): string {
  return type.form === 'switch' || type.form === 'number' ? String(value) : tomlSource(type.format(value))
}

/** User input can't end the comment. */
function comment(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
