// Changes one value in a config file's text and preserves everything else, comments included.
import type { CatalogEntry } from '../catalog'

/** A table heading: `[node]`. */
const HEADING = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/
/** Of one table among several: `[[pool.urls]]`. It ends the table before it, like any heading. */
const LIST_HEADING = /^\s*\[\[[^[\]]+\]\]\s*(?:#.*)?$/

/**
 * The text with `entry` set to `value` (TOML source), or removed when that is null. A multi-line value is replaced as a
 * whole. Tables can be written in more ways than are known here: parse the result, and compare, before using it.
 */
export function editToml(text: string, { section, tomlKey }: CatalogEntry, value: string | null): string {
  const key = tomlKey.slice(section.length + 1)
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
  const start = lines.findIndex((line) => headingOf(line) === section)
  const end = start < 0 ? lines.length : endOfTable(lines, start)
  const at = start < 0 ? -1 : lines.findIndex((line, index) => index > start && index < end && isKey(line, key))
  const line = value === null ? [] : [`${key} = ${value}`]
  if (at >= 0) lines.splice(at, spanOf(lines, at, end), ...line)
  else if (start >= 0) lines.splice(lastUsed(lines, start, end) + 1, 0, ...line)
  else if (value !== null) lines.push(...(lines.length === 0 ? [] : ['']), `[${section}]`, ...line)
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

/** A value as TOML source: numbers and booleans bare, everything else as a string or a list of strings. */
export function tomlSource(value: unknown): string {
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (Array.isArray(value)) return `[${value.map(tomlSource).join(', ')}]`
  return tomlString(String(value))
}

function tomlString(text: string): string {
  // JSON's escapes are valid TOML; TOML also requires DEL to be escaped.
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f')
}

function headingOf(line: string): string | null {
  return (
    HEADING.exec(line)?.[1]
      ?.trim()
      .replace(/^["']|["']$/g, '') ?? null
  )
}

function endOfTable(lines: readonly string[], start: number): number {
  const next = lines.findIndex((line, index) => index > start && (headingOf(line) !== null || LIST_HEADING.test(line)))
  return next < 0 ? lines.length : next
}

function isKey(line: string, key: string): boolean {
  const found = /^\s*("[^"]*"|'[^']*'|[A-Za-z0-9_-]+)\s*=/.exec(line)?.[1]
  return found?.replace(/^["']|["']$/g, '') === key
}

/** Lines of the value that begins at `at`: a list may continue until its closing bracket. */
function spanOf(lines: readonly string[], at: number, end: number): number {
  let depth = 0
  for (let index = at; index < end; index++) {
    const bare = (lines[index] ?? '').replace(/"(?:\\.|[^"\\])*"|'[^']*'/g, '""').replace(/#.*$/, '')
    depth += (bare.match(/\[/g)?.length ?? 0) - (bare.match(/\]/g)?.length ?? 0)
    if (depth <= 0) return index - at + 1
  }
  return end - at
}

/** A table's last line that isn't blank, so that new keys follow the others. */
function lastUsed(lines: readonly string[], start: number, end: number): number {
  for (let index = end - 1; index > start; index--) if ((lines[index] ?? '').trim() !== '') return index
  return start
}
