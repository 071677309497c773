// Addresses of other machines in options: rigs, read whole here, and pools, whose grammar the miner knows.
// Both may carry a password, so what cannot be read is never repeated in full.

import { bracketed } from '../../base/ip-address'
import { Secret } from '../../base/secret'
import type { ValueType } from '../schema'
import { token } from './value-types'

/** Another rig's control port. */
export interface RigAddress {
  readonly name: string
  /** Name or address; IPv6 without brackets. */
  readonly host: string
  /** 1..65535 */
  readonly port: number
  /** Of that rig's control port. */
  readonly token: Secret | null
  /** What it is selected and told apart by, as written; the one named `group` is its group. */
  readonly labels: RigLabels
}

/** Label by name. */
export type RigLabels = Readonly<Record<string, string>>

export const RIG_GRAMMAR =
  '[NAME=]HOST:PORT[#TOKEN] [LABEL=VALUE ...] with a name of 1..32 letters, digits, blanks, dots, underscores or dashes and a port in 1..65535'

/** Completes "is not ..." for one label. */
export const LABEL_GRAMMAR =
  'LABEL=VALUE with a label of 1..32 letters, digits and underscores that the metrics do not use themselves, and a value of 1..64 letters, digits and . _ : / + @ -'

/** A rig has no more than these, so that its samples stay small. */
const MAX_LABELS = 16
const LABEL = /^([A-Za-z_][A-Za-z0-9_]{0,31})=([A-Za-z0-9._:/+@-]{1,64})$/
/** Prometheus or our own families give these a meaning. */
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

/** What a rig may be called. */
export const RIG_NAME = /^[A-Za-z0-9._ -]{1,32}$/
/** The address ends at the first blank behind its port or token; names may hold blanks. */
const LINE = /^((?:[^=#:]*=)?\S+)(\s.*)?$/
const PLACE = /^(?:http:\/\/)?(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?):(\d{1,5})\/?$/

/** Null for what isn't a rig. The name is HOST:PORT where none is given. */
export function parseRig(line: string): RigAddress | null {
  const [, text = '', tail = ''] = LINE.exec(line) ?? []
  const labels = labelsOf(tail)
  const rig = labels === null ? null : parsePlace(text)
  return rig === null || labels === null ? null : { ...rig, labels }
}

/** `LABEL=VALUE`; null for what is none. */
export function parseLabel(text: string): readonly [string, string] | null {
  const [, name, value] = LABEL.exec(text) ?? []
  if (name === undefined || value === undefined) return null
  return name.startsWith('__') || TAKEN_LABELS.includes(name) ? null : [name, value]
}

/** Null where one isn't a label, is given twice, or there are too many. */
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

/** As it would be typed, its token included: `parseRig` reads it back. */
export function rigText({ name, host, port, token: secret, labels }: RigAddress): string {
  const place = `${bracketed(host)}:${port}`
  const words = Object.entries(labels).map(([label, value]) => ` ${label}=${value}`)
  const hidden = secret === null ? '' : `#${encodeURIComponent(secret.reveal())}`
  return `${name === place ? '' : `${name}=`}${place}${hidden}${words.join('')}`
}

/** The text of a rig without its token, for messages. */
export function shownRig(text: string): string {
  return text.replace(/#.*$/, '#***')
}

/** A pool's address without its password, whatever else is wrong with it. */
export function shownPool(text: string): string {
  const at = text.lastIndexOf('@')
  if (at < 0) return text
  const start = text.indexOf('://')
  const login = text.slice(start < 0 ? 0 : start + 3, at)
  const colon = login.lastIndexOf(':')
  const head = start < 0 ? '' : text.slice(0, start + 3)
  return colon < 0 ? text : `${head}${login.slice(0, colon)}:***${text.slice(at)}`
}

/** Pool addresses, each as typed; in a variable they are parted by blanks. */
export function poolList(): ValueType<readonly Secret[]> {
  return secretList({
    placeholder: 'URL',
    expected: 'the address of a pool, or exit at the end',
    shown: shownPool,
    parts: /\s+/,
  })
}

/** Rigs, each as typed; in a variable they are parted by commas. */
export function rigList(): ValueType<readonly Secret[]> {
  return secretList({ placeholder: 'RIG', expected: RIG_GRAMMAR, shown: shownRig, parts: /,/ })
}

interface SecretListOptions {
  readonly placeholder: string
  readonly expected: string
  readonly shown: (text: string) => string
  readonly parts: RegExp
}

function secretList({ placeholder, expected, shown, parts }: SecretListOptions): ValueType<readonly Secret[]> {
  const check = (texts: readonly unknown[]): readonly Secret[] | null => {
    const found = texts.flatMap((text) =>
      typeof text === 'string' && text.trim() !== '' ? [new Secret(text.trim())] : [],
    )
    return found.length === texts.length && found.length > 0 ? found : null
  }
  const parse = (text: string): readonly Secret[] | null => check(text.trim().split(parts))
  return {
    form: 'list',
    placeholder,
    expected,
    repeatable: true,
    parse,
    fromToml: (value) => (typeof value === 'string' ? parse(value) : Array.isArray(value) ? check(value) : null),
    format: (value) => value.map((each) => shown(each.reveal())).join(' '),
    merge: (first, second) => [...first, ...second],
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null // a percent sign without two hex digits
  }
}
