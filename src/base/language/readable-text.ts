// Bytes as a person reads them: a text only where they are one.
import { toHex } from '../hex'

/** Characters that nobody reads: control characters but line ends and tabs, and those without a meaning of their own. */
const UNREADABLE = /(?![\n\r\t])[\p{Cc}\p{Cn}\p{Co}]/u

/** Null when the bytes aren't UTF-8. A byte order mark stays. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** UTF-8 as a text; null also when it holds what nobody can read. */
export function readableText(bytes: Uint8Array): string | null {
  const text = utf8Text(bytes)
  return text === null || UNREADABLE.test(text) ? null : text
}

/** For places that have no other room for it: what isn't a text is hex, and says so. */
export function textOrHex(bytes: Uint8Array): string {
  return readableText(bytes) ?? notText(bytes)
}

/** Bytes that are no text, as hex that says so. */
export function notText(bytes: Uint8Array): string {
  return `${toHex(bytes)} (not text)`
}
