// Cuts valid JSON text into its parts' texts, so that ids can be echoed byte for byte and parameters shown as received.
import { z } from 'zod'

const memberName = z.string()
const BACKSLASH = 0x5c
const QUOTE = 0x22
/** Characters: a search costs more than looking at so many. */
const SHORT_STRING = 24

/** True for a JSON object (not an array, not null). */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a text; null also for one that isn't JSON. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** End of the first value in `text` (position behind it), or -1 when it is not complete. */
export function endOfValue(text: string, from: number): number {
  const start = skipSpace(text, from)
  const first = text.charAt(start)
  if (first === '"') return endOfString(text, start)
  if (first === '{' || first === '[') return endOfNested(text, start)
  let at = start
  while (at < text.length && !/[\s,\]}]/.test(text.charAt(at))) at += 1
  return at > start ? at : -1
}

/** Texts of an array's elements. @param text a valid JSON array */
export function elementTexts(text: string): readonly string[] {
  const out: string[] = []
  let at = skipSpace(text, text.indexOf('[') + 1)
  while (at < text.length && text.charAt(at) !== ']') {
    const end = endOfValue(text, at)
    if (end < 0) break
    out.push(text.slice(at, end))
    at = skipComma(text, end)
  }
  return out
}

/** Texts of a valid JSON object's member values by name; the last duplicate wins, as in JSON.parse. */
export function memberTexts(text: string): ReadonlyMap<string, string> {
  const out = new Map<string, string>()
  let at = skipSpace(text, text.indexOf('{') + 1)
  while (at < text.length && text.charAt(at) !== '}') {
    const nameEnd = endOfString(text, at)
    const colon = nameEnd < 0 ? -1 : text.indexOf(':', nameEnd)
    if (colon < 0) break
    const valueStart = skipSpace(text, colon + 1)
    const end = endOfValue(text, valueStart)
    if (end < 0) break
    out.set(memberName.parse(JSON.parse(text.slice(at, nameEnd))), text.slice(valueStart, end))
    at = skipComma(text, end)
  }
  return out
}

/** Position behind the string whose quote is at `start`, or -1; a long one (megabytes) is looked through quote by quote. */
export function endOfString(text: string, start: number): number {
  const near = Math.min(start + SHORT_STRING, text.length)
  for (let at = start + 1; at < near; at++) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) return at + 1
    if (char === BACKSLASH) break
  }
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at
    while (before > start + 1 && text.charCodeAt(before - 1) === BACKSLASH) before -= 1
    if ((at - before) % 2 === 0) return at + 1
  }
  return -1
}

function endOfNested(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '"') {
      const end = endOfString(text, at)
      if (end < 0) return -1
      at = end - 1
    } else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return -1
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1
  return at
}

function skipComma(text: string, from: number): number {
  const at = skipSpace(text, from)
  return text.charAt(at) === ',' ? skipSpace(text, at + 1) : at
}
