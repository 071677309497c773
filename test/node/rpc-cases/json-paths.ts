// Paths into JSON values (`result[0].logs.*.data`), and the first difference between two values.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
type Holder = Record<string, Json>

/** Everything at the path; `*` is any key or index, the empty path and `.` the whole. */
export function valuesAt(value: Json, path: string): Json[] {
  const keys = keysOf(path)
  if (keys.length === 0) return [value]
  const found: Json[] = []
  visit(value, keys, (holder, key) => {
    const there = holder[key]
    if (there !== undefined) found.push(there)
  })
  return found
}

/** Removes what is at the path; an array keeps its length. */
export function removeAt(value: Json, path: string): void {
  visit(value, keysOf(path), (holder, key) => {
    if (Array.isArray(holder)) holder[Number(key)] = null
    else delete holder[key]
  })
}

/** @param next undefined removes */
export function replaceAt(value: Json, path: string, next: Json | undefined): Json {
  const keys = keysOf(path)
  if (keys.length === 0) return next ?? null
  visit(value, keys, (holder, key) => {
    if (next === undefined) delete holder[key]
    else holder[key] = structuredClone(next)
  })
  return value
}

/** Where and how two values differ first; null if they don't. */
export function difference(want: Json, have: Json, at = '$'): string | null {
  if (Object.is(want, have)) return null
  if (!isHolder(want) || !isHolder(have) || Array.isArray(want) !== Array.isArray(have))
    return `${at}: want ${short(want)}, have ${short(have)}`
  const [wanted, had] = [want as Holder, have as Holder]
  for (const key of Object.keys(wanted))
    if (!Object.hasOwn(had, key)) return `${at}.${key}: missing, want ${short(wanted[key])}`
  for (const key of Object.keys(had))
    if (!Object.hasOwn(wanted, key)) return `${at}.${key}: unexpected ${short(had[key])}`
  for (const [key, value] of Object.entries(wanted)) {
    const found = difference(value, had[key] ?? null, `${at}.${key}`)
    if (found !== null) return found
  }
  return null
}

export function short(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 160 ? `${text.slice(0, 157)}...` : text
}

export function isHolder(value: Json): value is readonly Json[] | Holder {
  return typeof value === 'object' && value !== null
}

function visit(value: Json, keys: readonly string[], act: (holder: Holder, key: string) => void): void {
  const [key, ...deeper] = keys
  if (key === undefined || !isHolder(value)) return
  const holder = value as Holder
  for (const name of key === '*' ? Object.keys(holder) : [key]) {
    const next = holder[name]
    if (deeper.length === 0) {
      act(holder, name)
    } else if (next !== undefined) visit(next, deeper, act)
  }
}

function keysOf(path: string): string[] {
  return path
    .replace(/\[([^\]]*)\]/g, '.$1')
    .split('.')
    .filter((key) => key !== '' && key !== '$')
}
