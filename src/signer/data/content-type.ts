// Parses account_signData's media type: lower case, parameters checked and dropped (RFC 2045 tokens).
import { SignerError } from '../errors'

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const LONGEST = 256

/**
 * @returns `type/subtype` or a bare type, lower case
 * @throws SignerError SIGNER_MEDIA_TYPE
 */
export function parseContentType(text: string): string {
  const [first = '', ...parameters] = text.slice(0, LONGEST + 1).split(';')
  const type = first.trim()
  const [main = '', sub, ...rest] = type.split('/')
  if (text.length > LONGEST) throw fault('longer than 256 characters')
  if (!TOKEN.test(main)) throw fault(main === '' ? 'no media type' : 'expected slash after first token')
  if (rest.length > 0 || (sub !== undefined && !TOKEN.test(sub))) throw fault('expected token after slash')
  for (const parameter of parameters) {
    if (parameter.trim() !== '' && !isParameter(parameter.trim())) throw fault('invalid media parameter')
  }
  return type.toLowerCase()
}

function isParameter(text: string): boolean {
  const at = text.indexOf('=')
  if (at < 1 || !TOKEN.test(text.slice(0, at))) return false
  const value = text.slice(at + 1)
  return TOKEN.test(value) || /^"(?:[^"\\]|\\.)*"$/.test(value)
}

function fault(reason: string): Error {
  return new SignerError('SIGNER_MEDIA_TYPE', { reason })
}
