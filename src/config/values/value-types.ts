// The value types of options: how each is read from text and from TOML, and the error for bad input.
import { fromHex, toHex } from '../../base/hex'
import { Secret } from '../../base/secret'
import { formatDecimal, parseDecimal } from '../../base/units'
import type { ValueType } from '../schema'

/** `true` or `false`; on the command line the bare option means true. */
export function flag(): ValueType<boolean> {
  const parse = (text: string): boolean | null => {
    if (/^(true|t|1|yes|on)$/i.test(text)) return true
    return /^(false|f|0|no|off)$/i.test(text) ? false : null
  }
  return {
    form: 'switch',
    placeholder: '',
    expected: 'true or false',
    parse,
    fromToml: (value) => (typeof value === 'boolean' ? value : null),
    format: String,
  }
}

/** An integer in a range, inclusive. */
export function integer(min: number, max: number, placeholder = 'N'): ValueType<number> {
  const check = (value: number): number | null =>
    Number.isSafeInteger(value) && value >= min && value <= max ? value : null
  return {
    form: 'number',
    placeholder,
    // No person means the largest exact number.
    expected: max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `in ${min}..${max}`,
    range: { min, max },
    parse: (text) => (/^-?\d{1,16}$/.test(text) ? check(Number(text)) : null),
    fromToml: (value) => (typeof value === 'number' ? check(value) : null),
    format: String,
  }
}

/** A name of letters, digits and `.`, `_`, `-`. */
export function profileName(): ValueType<string> {
  const parse = (text: string): string | null => (/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/.test(text) ? text : null)
  return {
    form: 'text',
    placeholder: 'NAME',
    expected: 'a name of at most 32 letters, digits and . _ -',
    parse,
    fromToml: (value) => (typeof value === 'string' ? parse(value) : null),
    format: (name) => name,
  }
}

/** A decimal number, `0.31` or `12`. */
export function decimal(min: number, max: number, placeholder = 'X'): ValueType<number> {
  const inRange = (value: number): number | null => (value >= min && value <= max ? value : null)
  return {
    form: 'text',
    placeholder,
    expected: `in ${min}..${max}, with a point before decimals`,
    parse: (text) => (/^\d{1,9}(\.\d{1,9})?$/.test(text) ? inRange(Number(text)) : null),
    fromToml: (value) => (typeof value === 'number' && Number.isFinite(value) ? inRange(value) : null),
    format: String,
  }
}

/** An integer in a range, inclusive, in decimal or as `0x` and hex digits. */
export function hexOrInteger(min: number, max: number, placeholder = 'N'): ValueType<number> {
  const plain = integer(min, max, placeholder)
  const parse = (text: string): number | null =>
    plain.parse(/^0x[0-9a-f]{1,13}$/i.test(text) ? Number(text).toString() : text)
  return { ...plain, expected: `${plain.expected}, decimal or 0x and hex digits`, parse }
}

/** A TCP port; 0 = any free one. */
export function port(): ValueType<number> {
  return integer(0, 65_535, 'PORT')
}

/** Wei: a decimal number up to 2^256-1; in TOML a string, or a number that is exact. */
export function wei(): ValueType<bigint> {
  const parse = (text: string): bigint | null => (/^\d{1,77}$/.test(text) ? BigInt(text) : null)
  return {
    form: 'text',
    placeholder: 'WEI',
    expected: 'a whole number of wei',
    parse,
    fromToml: (value) => (typeof value === 'string' || Number.isSafeInteger(value) ? parse(String(value)) : null),
    format: String,
  }
}

/** An amount of LAX with up to 18 decimals; the value is wei. */
export function coins(): ValueType<bigint> {
  return {
    form: 'text',
    placeholder: 'LAX',
    expected: 'an amount of LAX with at most 18 decimals',
    parse: (text) => parseDecimal(text),
    fromToml: (value) => (typeof value === 'string' || typeof value === 'number' ? parseDecimal(String(value)) : null),
    format: (value) => formatDecimal(value),
  }
}

/** A text that is kept as `parse` returns it, typed or from TOML. */
export function textType(
  placeholder: string,
  expected: string,
  parse: (text: unknown) => string | null,
): ValueType<string> {
  return { form: 'text', placeholder, expected, parse, fromToml: parse, format: (value) => value }
}

/** An `http://` or `https://` address, or the path of a local socket. */
export function signerAddress(): ValueType<string> {
  const parse = (text: unknown): string | null => {
    if (typeof text !== 'string' || text === '' || text.includes('\0')) return null
    if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text
    return /^https?:\/\/[^\s/@]+(\/\S*)?$/i.test(text) ? text : null
  }
  return textType('URL|IPC', 'an http address or the path of a socket', parse)
}

/** An `https://` address; plain `http://` for loopback only, for tests and mirrors. No user, no fragment. */
export function httpsAddress(): ValueType<string> {
  const plain = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?(?:\/[^\s#]*)?$/i
  const safe = /^https:\/\/[^\s/@#]+(?:\/[^\s#]*)?$/i
  const parse = (text: unknown): string | null =>
    typeof text === 'string' && text.length <= 2_000 && (safe.test(text) || plain.test(text)) && isUrl(text)
      ? text
      : null
  return textType('URL', 'an https address', parse)
}

function isUrl(text: string): boolean {
  try {
    return new URL(text).hostname !== ''
  } catch {
    return false
  }
}

/** One of the given words. */
export function choice<const W extends string>(words: readonly W[]): ValueType<W> {
  const parse = (text: unknown): W | null => words.find((word) => word === text) ?? null
  return {
    form: 'choice',
    placeholder: words.join('|'),
    expected: `one of ${words.join(', ')}`,
    choices: words,
    parse,
    fromToml: parse,
    format: (value) => value,
  }
}

/** A path of a file or folder. */
export function path(form: 'file' | 'folder', placeholder: string): ValueType<string> {
  const parse = (text: unknown): string | null =>
    typeof text === 'string' && text !== '' && !text.includes('\0') ? text : null
  return { form, placeholder, expected: 'a path', isPath: true, parse, fromToml: parse, format: (value) => value }
}

/** 1..512 visible ASCII characters without blanks; kept as a `Secret`. */
export function token(): ValueType<Secret> {
  const parse = (text: unknown): Secret | null =>
    typeof text === 'string' && /^[\x21-\x7e]{1,512}$/.test(text) ? new Secret(text) : null
  return {
    form: 'secret',
    placeholder: 'SECRET',
    expected: '1..512 visible ASCII characters without blanks',
    parse,
    fromToml: parse,
    format: String,
  }
}

/**
 * 40 hex digits, with `0x` or without, also in the braces in which prlx prints them. The value is `0x` and the digits as
 * typed.
 */
export function address(): ValueType<string> {
  const parse = (text: unknown): string | null => {
    const found = typeof text === 'string' ? /^(?:(?:0x)?([0-9a-f]{40})|\{([0-9a-f]{40})\})$/i.exec(text) : null
    return found === null ? null : `0x${found[1] ?? found[2]}`
  }
  return textType('ADDR', 'an address (0x and 40 hex digits)', parse)
}

/** Addresses, comma-separated; repeating the option adds to them. */
export function addresses(): ValueType<readonly string[]> {
  const one = address()
  const check = (texts: readonly unknown[]): readonly string[] | null => {
    const found = texts.flatMap((text) => (typeof text === 'string' ? (one.parse(text.trim()) ?? []) : []))
    return found.length === texts.length ? found : null
  }
  return {
    form: 'list',
    placeholder: 'ADDRS',
    expected: 'a comma list of addresses (0x and 40 hex digits each)',
    repeatable: true,
    parse: (text) => check(text.split(',')),
    fromToml: (value) =>
      typeof value === 'string' ? check(value.split(',')) : Array.isArray(value) ? check(value) : null,
    format: (value) => value.join(','),
    merge: (first, second) => [...first, ...second],
  }
}

/** A short text without control characters. */
export function shortText(most: number, placeholder: string): ValueType<string> {
  const parse = (text: unknown): string | null =>
    typeof text === 'string' && /^[^\p{Cc}\p{Cf}]+$/u.test(text) && [...text].length <= most ? text : null
  return textType(placeholder, `a text of at most ${most} characters`, parse)
}

/** Up to `most` bytes: `0x` hex, or text encoded as UTF-8. The value is `0x` hex. */
export function shortData(most: number): ValueType<string> {
  const parse = (text: unknown): string | null => {
    if (typeof text !== 'string') return null
    const bytes = text.startsWith('0x') ? fromHex(text) : new TextEncoder().encode(text)
    return bytes !== null && bytes.length <= most ? toHex(bytes) : null
  }
  return textType('DATA', `0x hex or text of at most ${most} bytes`, parse)
}

const DURATION_UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }
const DURATION = /^(?:\d{1,9}(?:\.\d{1,3})?(?:ms|s|m|h)){1,4}$/
const DURATION_PART = /(\d+(?:\.\d+)?)(ms|s|m|h)/g

/** `20s`, `1500ms`, `1h30m0s`, or seconds without a unit. The value is milliseconds. */
export function duration(minMs: number, maxMs: number): ValueType<number> {
  const parse = (text: string): number | null => {
    const whole = /^\d{1,9}(\.\d{1,3})?$/.test(text) ? `${text}s` : text
    if (!DURATION.test(whole)) return null
    const parts = [...whole.matchAll(DURATION_PART)]
    const ms = Math.round(parts.reduce((sum, [, n, unit]) => sum + Number(n) * (DURATION_UNITS[unit ?? ''] ?? 0), 0))
    return ms >= minMs && ms <= maxMs ? ms : null
  }
  return {
    form: 'text',
    placeholder: 'TIME',
    expected: `a time in ${minMs / 1_000}s..${maxMs / 1_000}s (20s, 1500ms, 1h30m)`,
    parse,
    fromToml: (value) => (typeof value === 'string' || typeof value === 'number' ? parse(String(value)) : null),
    format: (value) => (value % 1_000 === 0 ? `${value / 1_000}s` : `${value}ms`),
  }
}

/** Host names, comma-separated; repeating the option adds to them. `*` = any, if `allowAny`. */
export function hostNames(allowAny: boolean): ValueType<readonly string[]> {
  const isName = (name: string): boolean =>
    (allowAny && name === '*') || /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?$/.test(name)
  const check = (names: readonly string[]): readonly string[] | null =>
    names.length > 0 && names.every(isName) ? names.map((name) => name.toLowerCase()) : null
  return {
    form: 'list',
    placeholder: 'NAMES',
    expected: allowAny ? 'a comma list of host names, or *' : 'a comma list of host names',
    repeatable: true,
    ...listReading(check),
    merge: (first, second) => [...first, ...second],
  }
}

/** Some of the given words, comma-separated; repeating the option adds to them. Duplicates are dropped. */
export function wordList<const W extends string>(words: readonly W[]): ValueType<readonly W[]> {
  const check = (given: readonly string[]): readonly W[] | null => {
    const known = words.filter((word) => given.includes(word))
    return given.length > 0 && given.every((word) => words.some((one) => one === word)) ? known : null
  }
  return {
    form: 'list',
    placeholder: 'LIST',
    expected: `a comma list of ${words.join(', ')}`,
    choices: words,
    repeatable: true,
    ...listReading(check),
    merge: (first, second) => [...new Set([...first, ...second])],
  }
}

/** Web origins, comma-separated: `http://name`, `https://name:8443`, `http://*.name`, or `*`. */
export function originNames(): ValueType<readonly string[]> {
  const isOrigin = (text: string): boolean =>
    text === '*' || /^(?:[a-z][a-z0-9+.-]*:\/\/)?[A-Za-z0-9*[\]:._-]{1,255}$/.test(text)
  const check = (given: readonly string[]): readonly string[] | null =>
    given.length > 0 && given.every(isOrigin) ? given.map((origin) => origin.toLowerCase()) : null
  return {
    form: 'list',
    placeholder: 'ORIGINS',
    expected: 'a comma list of origins (http://name), or *',
    repeatable: true,
    ...listReading(check),
    merge: (first, second) => [...first, ...second],
  }
}

function listReading<T extends string>(check: (given: readonly string[]) => readonly T[] | null) {
  const parse = (text: string): readonly T[] | null => check(text.split(',').map((word) => word.trim()))
  return {
    parse,
    fromToml: (value: unknown): readonly T[] | null => {
      if (typeof value === 'string') return parse(value)
      return Array.isArray(value) && value.every((word) => typeof word === 'string') ? check(value) : null
    },
    format: (value: readonly T[]): string => value.join(','),
  }
}
