// Rigs, and lists of pools, in options. Both may hold a password, so an invalid one is never echoed in full.

import { bracketed } from '../../base/ip-address'
import { Secret } from '../../base/secret'
import type { ValueType } from '../schema'
import { decoded, isProxy, shownPool, withFields } from './pool-url'
import { token } from './value-types'

/** Another rig's control port. */
export interface RigAddress {
  readonly name: string
  /** Name or address; IPv6 without brackets. */
  readonly host: string
  /** 1..65535 */
  readonly port: number
  /** For that rig's control port. */
  readonly token: Secret | null
  /** Labels for filtering and display, as written; the one named `group` is its group. */
  readonly labels: RigLabels
}

/** Label value by name. */
export type RigLabels = Readonly<Record<string, string>>

export const RIG_GRAMMAR =
  '[NAME=]HOST:PORT[#TOKEN] [LABEL=VALUE ...] with a name of 1..32 letters, digits, blanks, dots, underscores or dashes and a port in 1..65535'

/** Completes "is not ..." for a label. */
export const LABEL_GRAMMAR =
  'LABEL=VALUE with a label of 1..32 letters, digits and underscores that the metrics do not use themselves, and a value of 1..64 letters, digits and . _ : / + @ -'

/** Maximum labels per rig, so that its metric samples stay small. */
const MAX_LABELS = 16
const LABEL = /^([A-Za-z_][A-Za-z0-9_]{0,31})=([A-Za-z0-9._:/+@-]{1,64})$/
/** Reserved by Prometheus or by our own metric families. */
const TAKEN_LABELS: readonly string[] = [
  ...[
    'clock',
    'gpu',
    'host',
    'instance',
    'job',
    'le',
    'name',
    'quantile',
    'result',
    'rig',
    'sensor',
    'version',
    'window',
  ],
]

/** Valid rig names. */
export const RIG_NAME = /^[A-Za-z0-9._ -]{1,32}$/
/** The address ends at the first blank after its port or token; names may contain blanks. */
const LINE = /^((?:[^=#:]*=)?\S+)(\s.*)?$/
const PLACE = /^(?:http:\/\/)?(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?):(\d{1,5})\/?$/

/** Null when it isn't a rig. The name defaults to HOST:PORT. */
export function parseRig(line: string): RigAddress | null {
  const [, text = '', tail = ''] = LINE.exec(line) ?? []
  const labels = labelsOf(tail)
  const rig = labels === null ? null : parsePlace(text)
  return rig === null || labels === null ? null : { ...rig, labels }
}

/** `LABEL=VALUE`; null when it isn't one. */
export function parseLabel(text: string): readonly [string, string] | null {
  const [, name, value] = LABEL.exec(text) ?? []
  if (name === undefined || value === undefined) return null
  return name.startsWith('__') || TAKEN_LABELS.includes(name) ? null : [name, value]
}

/** Null when one is invalid or duplicated, or there are too many. */
function labelsOf(tail: string): RigLabels | null {
  const texts = tail.split(/\s+/).filter((text) => text !== '')
  const labels = texts.flatMap((text) => [parseLabel(text) ?? []].filter((label) => label.length === 2))
  const found = Object.fromEntries(labels)
  return labels.length === texts.length && Object.keys(found).length === texts.length && texts.length <= MAX_LABELS
    ? found
    : null
}

function parsePlace(text: string): Omit<RigAddress, 'labels'> | null {
  const hash = text.indexOf('#')
  const place = hash < 0 ? text : text.slice(0, hash)
  const secret = hash < 0 ? null : token().parse(decoded(text.slice(hash + 1)) ?? '')
  if (hash >= 0 && secret === null) return null
  const equals = place.indexOf('=')
  const given = equals < 0 ? null : place.slice(0, equals)
  const match = PLACE.exec(place.slice(equals + 1))
  const host = match?.[1]?.replace(/^\[|\]$/g, '') ?? ''
  const port = Number(match?.[2] ?? 0)
  if (host === '' || port < 1 || port > 65_535 || (given !== null && !RIG_NAME.test(given))) return null
  return { name: given ?? `${bracketed(host)}:${port}`, host, port, token: secret }
}

/** As it would be typed, including its token: `parseRig` reads it back. */
export function rigText({ name, host, port, token: secret, labels }: RigAddress): string {
  const place = `${bracketed(host)}:${port}`
  const words = Object.entries(labels).map(([label, value]) => ` ${label}=${value}`)
  const hidden = secret === null ? '' : `#${encodeURIComponent(secret.reveal())}`
  return `${name === place ? '' : `${name}=`}${place}${hidden}${words.join('')}`
}

/** A rig's text without its token, for messages. */
export function shownRig(text: string): string {
  return text.replace(/#.*$/, '#***')
}

/** Pool addresses, each as typed; separated by blanks in an environment variable, and possibly tables in a file. */
export function poolList(): ValueType<readonly Secret[]> {
  return secretList({
    placeholder: 'URL',
    expected: 'the address of a pool, or exit at the end',
    shown: shownPool,
    parts: /\s+/,
    ofTable: poolOfTable,
  })
}

const POOL_FIELDS = ['user', 'worker', 'password', 'proxy'] as const

/** One address that says what a table of the config file says; null when it isn't such a table. */
function poolOfTable(table: object): string | null {
  const { url, ...rest }: Readonly<Record<string, unknown>> = { ...table }
  const fields: [string, string][] = []
  for (const [name, value] of Object.entries(rest)) {
    if (!POOL_FIELDS.some((known) => known === name) || typeof value !== 'string') return null
    if (name === 'proxy' && !isProxy(value)) return null
    fields.push([name, value])
  }
  const whole = typeof url === 'string' ? withFields(url.trim(), Object.fromEntries(fields)) : null
  return whole === null || 'fault' in whole ? null : whole.text
}

/** One text for all pools, or one for each in their order; each repetition of the option is one text. */
export function poolTexts(placeholder: string): ValueType<readonly string[]> {
  const read = (text: string): string | null => text || null
  return repeated({ form: 'text', placeholder, expected: FOR_POOLS, read, shown: (text) => text })
}

const FOR_POOLS = 'a text for all pools, or one for each in their order'

/** The same for texts that hold a password, shown as `***`. */
export function poolSecrets(
  placeholder: string,
  expected = FOR_POOLS,
  isValid: (text: string) => boolean = () => true,
): ValueType<readonly Secret[]> {
  const read = (text: string): Secret | null => (text !== '' && isValid(text) ? new Secret(text) : null)
  return repeated({ form: 'secret', placeholder, expected, read, shown: String })
}

/** Rigs, each as typed; separated by commas in an environment variable. */
export function rigList(): ValueType<readonly Secret[]> {
  return secretList({ placeholder: 'RIG', expected: RIG_GRAMMAR, shown: shownRig, parts: /,/ })
}

interface SecretListOptions extends Pick<RepeatedTexts<Secret>, 'placeholder' | 'expected' | 'parts' | 'ofTable'> {
  readonly shown: (text: string) => string
  /** Absent: any text that isn't empty. */
  readonly isValid?: (text: string) => boolean
}

/** A repeatable list of texts that may hold passwords, shown without them. */
export function secretList({ shown, isValid = () => true, ...list }: SecretListOptions): ValueType<readonly Secret[]> {
  const read = (text: string): Secret | null => {
    const trimmed = text.trim()
    return trimmed !== '' && isValid(trimmed) ? new Secret(trimmed) : null
  }
  return repeated({ ...list, form: 'list', isSecret: true, read, shown: (secret) => shown(secret.reveal()) })
}

interface RepeatedTexts<T> extends Pick<ValueType<T>, 'form' | 'placeholder' | 'expected' | 'isSecret'> {
  /** Null for an invalid text. */
  readonly read: (text: string) => T | null
  readonly shown: (value: T) => string
  /** Between the texts of one value; absent: it is one text. */
  readonly parts?: RegExp
  /** A table of the config file as one text; null when it isn't one. */
  readonly ofTable?: (table: object) => string | null
}

function repeated<T>({ read, shown, parts, ofTable, ...type }: RepeatedTexts<T>): ValueType<readonly T[]> {
  const check = (texts: readonly unknown[]): readonly T[] | null => {
    const found = texts.flatMap((each) => {
      const text = typeof each === 'object' && each !== null ? ofTable?.(each) : each
      const value = typeof text === 'string' ? read(text) : null
      return value === null ? [] : [value]
    })
    return found.length === texts.length && found.length > 0 ? found : null
  }
  const parse = (text: string) => check(parts === undefined ? [text] : text.trim().split(parts))
  return {
    ...type,
    parse,
    fromToml: (value) => (typeof value === 'string' ? parse(value) : Array.isArray(value) ? check(value) : null),
    format: (values) => values.map(shown).join(' '),
    merge: (first, second) => [...first, ...second],
  }
}
