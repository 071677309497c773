// Reads the config file: TOML whose tables are our sections. Every error names the file and the line.
import { parse, TomlError } from 'smol-toml'
import { messageOf } from '../../base/errors'
import { CATALOG, type CatalogEntry } from '../catalog'
import { ConfigError } from '../errors'
import { nearest } from './nearest'

/** Far above any real file; parsing one this long and finding its lines would take minutes. */
const MAX_LENGTH = 1_000_000

/** One value of a config file. */
export interface TomlValue {
  readonly entry: CatalogEntry
  readonly value: unknown
  readonly file: string
  readonly line: number
  /** As spelled in the file, for messages. */
  readonly key: string
}

/** @param file as shown in messages @throws ConfigError CONFIG_FILE_SYNTAX, CONFIG_UNKNOWN_KEY */
export function parseToml(file: string, text: string): TomlValue[] {
  const tables = parseText(file, text)
  return Object.entries(tables).flatMap(([name, table]) => {
    const section = CATALOG.find((candidate) => candidate.name === name)
    const isTable = typeof table === 'object' && table !== null && !Array.isArray(table)
    if (section === undefined || !isTable) throw unknownKey(file, text, name)
    return Object.entries(table).map(([key, value]) => {
      const tomlKey = `${name}.${key}`
      const entry = section.entries.find((candidate) => candidate.tomlKey === tomlKey && isInFile(candidate))
      if (entry === undefined) throw unknownKey(file, text, tomlKey)
      return { entry, value, file, line: lineOf(text, tomlKey), key: tomlKey }
    })
  })
}

/** Whether a config file may hold the option. */
export function isInFile(entry: CatalogEntry): boolean {
  return entry.option.notInFile !== true
}

/** The tables of a file. @throws ConfigError CONFIG_FILE_SYNTAX, CONFIG_FILE_UNREADABLE when it is too large */
export function parseText(file: string, text: string): Record<string, unknown> {
  if (text.length > MAX_LENGTH) {
    const reason = `it has ${text.length} characters, and a config file at most ${MAX_LENGTH}`
    throw new ConfigError('CONFIG_FILE_UNREADABLE', { where: 'config file', file, reason })
  }
  try {
    return parse(text, { integersAsBigInt: false })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // The library's message continues with an excerpt; its first line says what is wrong.
    const reason = (messageOf(error).split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '')
    const { line, column } = error
    throw new ConfigError('CONFIG_FILE_SYNTAX', { file, line, column, reason }, { cause: error })
  }
}

function unknownKey(file: string, text: string, key: string): Error {
  const known = CATALOG.flatMap((section) => section.entries.filter(isInFile).map((entry) => entry.tomlKey))
  const sameName = known.find((candidate) => candidate.endsWith(`.${key}`))
  const near = sameName ?? nearest(key, [...known, ...CATALOG.map((section) => section.name)])
  return new ConfigError('CONFIG_UNKNOWN_KEY', { file, line: lineOf(text, key), key, nearest: near })
}

/** The line of `table.key` (or of a top-level key or table): the parser reports no positions. 1 when not found. */
export function lineOf(text: string, dotted: string): number {
  let table = ''
  for (const [index, line] of text.split('\n').entries()) {
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]/.exec(line)?.[1]
    if (header !== undefined) table = header.replace(/["'\s]/g, '')
    const key = /^\s*([A-Za-z0-9_."'-]+)\s*=/.exec(line)?.[1]?.replace(/["'\s]/g, '')
    const full = key === undefined ? table : table === '' ? key : `${table}.${key}`
    if (full === dotted || (header !== undefined && table.startsWith(`${dotted}.`))) return index + 1
    if (key !== undefined && full.startsWith(`${dotted}.`)) return index + 1
  }
  return 1
}
