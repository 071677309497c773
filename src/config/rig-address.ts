// Addresses of other machines in options: rigs, read whole here, and pools, whose grammar the miner knows (miner.md A1, B1).
// Both may carry a password, so what cannot be read is never repeated in full.
import { Secret } from '../base/secret'
import { bracketed } from './network-address'
import type { ValueType } from './schema'
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
}

export const RIG_GRAMMAR =
  '[NAME=]HOST:PORT[#TOKEN] with a name of 1..32 letters, digits, blanks, dots, underscores or dashes and a port in 1..65535'

/** What a rig may be called. */
export const RIG_NAME = /^[A-Za-z0-9._ -]{1,32}$/
const PLACE = /^(?:http:\/\/)?(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?):(\d{1,5})\/?$/

/** Null for what is no rig. The name is HOST:PORT where none is given. */
export function parseRig(text: string): RigAddress | null {
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
export function rigText({ name, host, port, token: secret }: RigAddress): string {
  const place = `${bracketed(host)}:${port}`
  return `${name === place ? '' : `${name}=`}${place}${secret === null ? '' : `#${encodeURIComponent(secret.reveal())}`}`
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
