// Calls and responses as the reference's log lines, for users who search the audit log for its words. Calls never
// contain passwords.
import type { Caller } from '../model/request'

/** Longest field; a call may have 5 MiB. */
const LONGEST = 1_024

/** A call's name and fields. */
export interface CallLine {
  /** `SignTransaction` */
  readonly name: string
  /** In writing order; a null value is `<nil>`. */
  readonly fields: Readonly<Record<string, string | null>>
}

/** The line for a call. */
export function requestLine({ name, fields }: CallLine, caller: Caller): string {
  const { remote, local, transport, userAgent, origin } = caller
  const metadata = JSON.stringify({ remote, local, scheme: transport, 'User-Agent': userAgent, Origin: origin })
  return line(name, 'request', { metadata, ...fields })
}

/** The line for its response. */
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
