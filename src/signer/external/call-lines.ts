// Calls and their answers as the reference's log lines, for those who search the record with its words.
// Passwords aren't part of any call.
import type { Caller } from '../model/request'

/** Longest text of one field; a call may bring 5 MiB. */
const LONGEST = 4_096

export interface CallLine {
  /** `SignTransaction` */
  readonly name: string
  /** In the order in which they are written; a null value is `<nil>`. */
  readonly fields: Readonly<Record<string, string | null>>
}

export function requestLine({ name, fields }: CallLine, caller: Caller): string {
  const { remote, local, transport, userAgent, origin } = caller
  const metadata = JSON.stringify({ remote, local, scheme: transport, 'User-Agent': userAgent, Origin: origin })
  return line(name, 'request', { metadata, ...fields })
}

export function responseLine({ name }: CallLine, data: unknown, error: string | null): string {
  return line(name, 'response', { data: data === undefined ? null : (JSON.stringify(data) ?? null), error })
}

function line(name: string, type: string, fields: Readonly<Record<string, string | null>>): string {
  const texts = Object.entries(fields).map(([key, value]) => `${key}=${fieldText(value)}`)
  return [`lvl=info msg=${name} api=signer type=${type}`, ...texts].join(' ')
}

function fieldText(value: string | null): string {
  if (value === null) return '<nil>'
  const text = value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value
  return /^[\w./:+-]+$/.test(text) ? text : JSON.stringify(text)
}
