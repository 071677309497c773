// The value types of options: how each is read from text and from TOML, and the error for bad input.
import { fromHex, toHex } from '../../base/hex'
import { Secret } from '../../base/secret'
import { formatDecimal, parseDecimal } from '../../base/units'
import { option, type ValueType } from '../schema'

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

/** Declares a switch that is off unless it is set. */
export function toggle(spec: Omit<Parameters<typeof option<boolean, boolean>>[0], 'type' | 'default'>) {
  return option({ ...spec, type: flag(), default: () => false })
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
  return textType('NAME', 'a name of at most 32 letters, digits and . _ -', parse)
}

/** A decimal number, `0.31` or `12`. */
export function decimal(min: number, max: number, placeholder = 'X'): ValueType<number> {
  const inRange = (value: number): number | null => (value >= min && value <= max ? value : null)
  const expected = `in ${min}..${max}, with a point before decimals`
  return {
    ...textType(placeholder, expected, (text) => (/^\d{1,9}(\.\d{1,9})?$/.test(text) ? inRange(Number(text)) : null)),
    fromToml: (value) => (typeof value === 'number' && Number.isFinite(value) ? inRange(value) : null),
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
    ...textType('WEI', 'a whole number of wei', parse),
    fromToml: (value) => (typeof value === 'string' || Number.isSafeInteger(value) ? parse(String(value)) : null),
  }
}

/** An amount of LAX with up to 18 decimals; the value is wei. */
export function coins(): ValueType<bigint> {
  return {
    ...textType('LAX', 'an amount of LAX with at most 18 decimals', (text) => parseDecimal(text), formatDecimal),
    fromToml: (value) => (typeof value === 'string' || typeof value === 'number' ? parseDecimal(String(value)) : null),
  }
}

/** A text, read in the same way where it is typed and in a file. @param format as it would be typed */
export function textType<T>(
  placeholder: string,
  expected: string,
  parse: (text: string) => T | null,
  format: (value: T) => string = String,
): ValueType<T> {
  const fromToml = (value: unknown): T | null => (typeof value === 'string' ? parse(value) : null)
  return { form: 'text', placeholder, expected, parse, fromToml, format: (value) => format(value) }
}

/** What a comma list holds. */
interface ListWords<T> {
  readonly placeholder: string
  readonly expected: string
  /** Null unless all are good. */
  readonly read: (words: readonly string[]) => readonly T[] | null
  readonly choices?: readonly string[]
  /** Each once, however often the option is given. */
  readonly isSet?: boolean
  /** A file may hold numbers. */
  readonly takesNumbers?: boolean
  readonly format?: (each: T) => string
}

/** A comma list, in a file also a list of texts; repeating the option adds to it. */
export function listType<T>(words: ListWords<T>): ValueType<readonly T[]> {
  const { placeholder, expected, read, choices, isSet = false, takesNumbers = false, format = String } = words
  const parse = (text: string): readonly T[] | null => read(text.split(',').map((word) => word.trim()))
  const isWord = (word: unknown): boolean => typeof word === 'string' || (takesNumbers && Number.isSafeInteger(word))
  return {
    form: 'list',
    placeholder,
    expected,
    ...(choices === undefined ? {} : { choices }),
    parse,
    fromToml: (value) => {
      if (typeof value === 'string') return parse(value)
      return Array.isArray(value) && value.every(isWord) ? read(value.map(String)) : null
    },
    format: (value) => value.map(format).join(','),
    merge: (first, second) => (isSet ? [...new Set([...first, ...second])] : [...first, ...second]),
  }
}

/** An `http://` or `https://` address, or the path of a local socket. */
export function signerAddress(): ValueType<string> {
  const parse = (text: string): string | null => {
    if (text === '' || text.includes('\0')) return null
    if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text
    return /^https?:\/\/[^\s/@]+(\/\S*)?$/i.test(text) ? text : null
  }
  return textType('URL|IPC', 'an http address or the path of a socket', parse)
}

/** An `https://` address; plain `http://` for loopback only, for tests and mirrors. No user, no fragment. */
export function httpsAddress(): ValueType<string> {
  const plain = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?(?:\/[^\s#]*)?$/i
  const safe = /^https:\/\/[^\s/@#]+(?:\/[^\s#]*)?$/i
  const isGood = (text: string): boolean => text.length <= 2_000 && (safe.test(text) || plain.test(text))
  return textType('URL', 'an https address', (text) => (isGood(text) && urlOf(text) !== null ? text : null))
}

/** Null when it isn't an address with a host. */
export function urlOf(text: string): URL | null {
  try {
    const url = new URL(text)
    return url.hostname === '' ? null : url
  } catch {
    return null
  }
}

/** One of the given words. */
export function choice<const W extends string>(words: readonly W[]): ValueType<W> {
  const parse = (text: string): W | null => words.find((word) => word === text) ?? null
  const type = textType(words.join('|'), `one of ${words.join(', ')}`, parse)
  return { ...type, form: 'choice', choices: words }
}

/** A path of a file or folder. */
export function path(form: 'file' | 'folder', placeholder: string): ValueType<string> {
  const parse = (text: string): string | null => (text !== '' && !text.includes('\0') ? text : null)
  return { ...textType(placeholder, 'a path', parse), form, isPath: true }
}

/** 1..512 visible ASCII characters without blanks; kept as a `Secret`. */
export function token(): ValueType<Secret> {
  const parse = (text: string): Secret | null => (/^[\x21-\x7e]{1,512}$/.test(text) ? new Secret(text) : null)
  return { ...textType('SECRET', '1..512 visible ASCII characters without blanks', parse), form: 'secret' }
}

/** 40 hex digits, with or without `0x`, also in braces as prlx prints them. The value: `0x` and the digits as typed. */
export function address(): ValueType<string> {
  const parse = (text: string): string | null => {
    const found = /^(?:(?:0x)?([0-9a-f]{40})|\{([0-9a-f]{40})\})$/i.exec(text)
    return found === null ? null : `0x${found[1] ?? found[2]}`
  }
  return textType('ADDR', 'an address (0x and 40 hex digits)', parse)
}

/** Addresses, comma-separated; repeating the option adds to them. */
export function addresses(): ValueType<readonly string[]> {
  const one = address()
  return listType({
    placeholder: 'ADDRS',
    expected: 'a comma list of addresses (0x and 40 hex digits each)',
    read: (words) => {
      const found = words.flatMap((word) => one.parse(word.trim()) ?? [])
      return found.length === words.length ? found : null
    },
  })
}

/** A short text without control characters. */
export function shortText(most: number, placeholder: string): ValueType<string> {
  const parse = (text: string): string | null =>
    /^[^\p{Cc}\p{Cf}]+$/u.test(text) && [...text].length <= most ? text : null
  return textType(placeholder, `a text of at most ${most} characters`, parse)
}

/** Up to `most` bytes: `0x` hex, or text encoded as UTF-8. The value is `0x` hex. */
export function shortData(most: number): ValueType<string> {
  const parse = (text: string): string | null => {
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
  const expected = `a time in ${minMs / 1_000}s..${maxMs / 1_000}s (20s, 1500ms, 1h30m)`
  return {
    ...textType('TIME', expected, parse, (value) => (value % 1_000 === 0 ? `${value / 1_000}s` : `${value}ms`)),
    fromToml: (value) => (typeof value === 'string' || typeof value === 'number' ? parse(String(value)) : null),
  }
}

/** Host names, comma-separated; repeating the option adds to them. `*` = any, if `allowAny`. */
export function hostNames(allowAny: boolean): ValueType<readonly string[]> {
  const isName = (name: string): boolean =>
    (allowAny && name === '*') || /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?$/.test(name)
  const expected = allowAny ? 'a comma list of host names, or *' : 'a comma list of host names'
  return listType({ placeholder: 'NAMES', expected, read: (names) => inLowerCase(names, isName) })
}

/** Some of the given words, comma-separated; repeating the option adds to them. Duplicates are dropped. */
export function wordList<const W extends string>(words: readonly W[]): ValueType<readonly W[]> {
  return listType<W>({
    placeholder: 'LIST',
    expected: `a comma list of ${words.join(', ')}`,
    choices: words,
    isSet: true,
    read: (given) => {
      const known = words.filter((word) => given.includes(word))
      return given.length > 0 && given.every((word) => words.some((one) => one === word)) ? known : null
    },
  })
}

/** Web origins, comma-separated: `http://name`, `https://name:8443`, `http://*.name`, or `*`. */
export function originNames(): ValueType<readonly string[]> {
  const isOrigin = (text: string): boolean =>
    text === '*' || /^(?:[a-z][a-z0-9+.-]*:\/\/)?[A-Za-z0-9*[\]:._-]{1,255}$/.test(text)
  const expected = 'a comma list of origins (http://name), or *'
  return listType({ placeholder: 'ORIGINS', expected, read: (given) => inLowerCase(given, isOrigin) })
}

function inLowerCase(names: readonly string[], isGood: (name: string) => boolean): readonly string[] | null {
  return names.length > 0 && names.every(isGood) ? names.map((name) => name.toLowerCase()) : null
}
