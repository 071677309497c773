// Formats a log record as a line: for people, or as one JSON object.
import { toHex } from '../../base/hex'
import { escaped, forTerminal } from '../../base/language/visible-text'
import type { LogFields, LogRecord } from '../../base/logger'
import { Secret } from '../../base/secret'

/** Longest field, before invisible characters are escaped; a caller's text must not fill the log. */
const FIELD_LIMIT = 2_000

/** `2026-01-01T12:00:00.000Z info  miner  share accepted device=1 ms=43` */
export function humanLine(record: LogRecord): string {
  const head = `${new Date(record.time).toISOString()} ${record.level.padEnd(5)} ${record.module}`
  return forTerminal(`${head}  ${humanText(record)}`)
}

/** The message and its fields without time, level and module. */
export function humanText(record: LogRecord): string {
  const fields = Object.entries(record.fields).map(([name, value]) => ` ${name}=${fieldText(value)}`)
  return `${visible(record.message)}${fields.join('')}`
}

/** Members `time`, `level`, `module`, `message`, then `fields`. */
export function jsonLine(record: LogRecord): string {
  const { time, level, module, message, fields } = record
  return JSON.stringify({ time: new Date(time).toISOString(), level, module, message, fields }, (_key, value) =>
    plain(value),
  )
}

/** Fields as strings, numbers, booleans and null only, so that they can be sent to another thread. */
export function simpleFields(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const simple = plain(value)
      const isSimple = simple === null || ['string', 'number', 'boolean'].includes(typeof simple)
      return [name, isSimple ? simple : (JSON.stringify(simple, (_key, inner) => plain(inner)) ?? 'null')]
    }),
  )
}

/** Name and text of each field, in logging order. */
export function fieldTexts(fields: LogFields): { readonly name: string; readonly value: string }[] {
  return Object.entries(fields).map(([name, value]) => ({ name, value: valueText(value) }))
}

function valueText(value: unknown): string {
  return visible(rawText(value)).slice(0, FIELD_LIMIT)
}

/** Bare, or as a JSON string when the bare text would be ambiguous: each value can be read back. */
function fieldText(value: unknown): string {
  const text = rawText(value).slice(0, FIELD_LIMIT)
  return text === '' || /[\s="\\]/.test(text) || forTerminal(text) !== text ? visible(JSON.stringify(text)) : text
}

function rawText(value: unknown): string {
  const simple = plain(value)
  return typeof simple === 'string' ? simple : (JSON.stringify(simple, (_key, inner) => plain(inner)) ?? 'null')
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Secret) return value.toString()
  if (value instanceof Uint8Array) return toHex(value.subarray(0, 64))
  if (value instanceof Error) return value.message
  return value
}

/** Control, line-break and bidi characters in untrusted text must not forge log lines. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)
}
