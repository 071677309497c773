// Compares a result with what a recording expects: exact JSON values, with the few wildcards of the vectors' README.

export type Bindings = Record<string, unknown>

/** `{{name}}` in texts, names and values. */
export function fill(value: unknown, bound: Bindings): unknown {
  if (typeof value === 'string') {
    return value.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => (name in bound ? String(bound[name]) : whole))
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, bound))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [String(fill(name, bound)), fill(inner, bound)]),
  )
}

/** Differences; none if it matches. Values under `$bind` are stored in `bound`. */
export function differences(wanted: unknown, given: unknown, bound: Bindings, at = '$'): readonly string[] {
  if (isRecord(wanted)) {
    const names = Object.keys(wanted)
    if (names.length > 0 && names.every((name) => name.startsWith('$'))) return wildcard(wanted, given, bound, at)
    if (!isRecord(given)) return [`${at}: want an object, got ${short(given)}`]
    const missing = names.filter((name) => !(name in given)).map((name) => `${at}.${name}: missing`)
    const foreign = Object.keys(given).filter((name) => !(name in wanted))
    const inner = names
      .filter((name) => name in given)
      .flatMap((name) => differences(wanted[name], given[name], bound, `${at}.${name}`))
    return [...missing, ...foreign.map((name) => `${at}.${name}: not expected, ${short(given[name])}`), ...inner]
  }
  if (Array.isArray(wanted)) {
    if (!Array.isArray(given)) return [`${at}: want an array, got ${short(given)}`]
    if (wanted.length !== given.length) return [`${at}: want ${wanted.length} entries, got ${short(given)}`]
    return wanted.flatMap((item, index) => differences(item, given[index], bound, `${at}[${index}]`))
  }
  const text = fill(wanted, bound)
  return Object.is(text, given) ? [] : [`${at}: want ${short(text)}, got ${short(given)}`]
}

function wildcard(
  wanted: Readonly<Record<string, unknown>>,
  given: unknown,
  bound: Bindings,
  at: string,
): readonly string[] {
  const out: string[] = []
  if (typeof wanted.$any === 'string' && wanted.$any !== kindOf(given)) out.push(`${at}: want a ${wanted.$any}`)
  if (typeof wanted.$re === 'string') {
    const pattern = String(fill(wanted.$re, bound))
    if (typeof given !== 'string' || !new RegExp(pattern).test(given))
      out.push(`${at}: want /${pattern}/, got ${short(given)}`)
  }
  if (Array.isArray(wanted.$oneOf) && !wanted.$oneOf.some((one) => differences(one, given, bound, at).length === 0)) {
    out.push(`${at}: want one of ${short(wanted.$oneOf)}, got ${short(given)}`)
  }
  if (typeof wanted.$bind === 'string') bound[wanted.$bind] = given
  return out
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
