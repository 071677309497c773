// Matches call data against a method signature: the decoded call, or why they don't match, in clef's words.
import { equalBytes } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { toBareHex, toHex } from '../../base/hex'
import { readableText } from '../../base/language/readable-text'
import { type AbiValue, ArgumentsFault, decodeArguments, encodeArguments } from './arguments'
import { type MethodSignature, parseSignature, SignatureFault, WORD } from './signature'

export interface CallArgument {
  readonly type: string
  readonly value: string
  /** True: a string in it holds bytes that nobody can read; `value` has them as hex. */
  readonly isNotText?: true
}

export interface DecodedCall {
  /** Canonical: `transfer(address,uint256)`. */
  readonly signature: string
  readonly name: string
  readonly arguments: readonly CallArgument[]
}

type CallMatch =
  | { readonly kind: 'match'; readonly call: DecodedCall }
  | { readonly kind: 'mismatch'; readonly reason: string }

/** Compares `data` (selector and arguments) with a signature. Never throws. */
export function matchCall(signature: string, data: Uint8Array): CallMatch {
  try {
    return matchParsed(parseSignature(signature), data)
  } catch (error) {
    if (error instanceof SignatureFault)
      return { kind: 'mismatch', reason: `failed to parse selector: ${error.message}` }
    throw error
  }
}

/** The call in one line: `name(type: value,…)`. */
export function callText({ name, arguments: values }: DecodedCall): string {
  const texts = values.map(({ type, value, isNotText }) => `${type}: ${value}${isNotText ? ' (not text)' : ''}`)
  return `${name}(${texts.join(',')})`
}

function matchParsed(method: MethodSignature, data: Uint8Array): CallMatch {
  const given = data.subarray(4)
  if (given.length % WORD !== 0) {
    return mismatch(`invalid call data; length should be a multiple of 32 bytes (was ${given.length})`)
  }
  const selector = data.subarray(0, 4)
  if (!equalBytes(selector, method.selector)) return mismatch(`no method with id: ${toHex(selector)}`)
  const values = decoded(method, given)
  if (typeof values === 'string') {
    return mismatch(`signature ${JSON.stringify(method.text)} matches, but arguments mismatch: ${values}`)
  }
  const canonical = encodeArguments(values)
  if (!equalBytes(canonical, given)) {
    const compared = `Want ${toBareHex(given)}\nHave ${toBareHex(canonical)}`
    return mismatch(`WARNING: Supplied data is stuffed with extra data. \n${compared}\nfor method ${method.text}`)
  }
  const shown = values.map((value): CallArgument => {
    const argument = { type: value.type.text, value: valueText(value) }
    return isText(value) ? argument : { ...argument, isNotText: true }
  })
  return { kind: 'match', call: { signature: method.text, name: method.name, arguments: shown } }
}

function decoded(method: MethodSignature, given: Uint8Array): readonly AbiValue[] | string {
  try {
    return decodeArguments(method.inputs, given)
  } catch (error) {
    if (error instanceof ArgumentsFault) return error.message
    throw error
  }
}

function mismatch(reason: string): CallMatch {
  return { kind: 'mismatch', reason }
}

function isText(value: AbiValue): boolean {
  if (value.kind === 'list') return value.items.every(isText)
  return value.kind !== 'bytes' || value.type.kind !== 'string' || readableText(value.bytes) !== null
}

/** Addresses checksummed, integers decimal, strings as they are; bytes and what nobody can read as hex. */
function valueText(value: AbiValue): string {
  if (value.kind === 'integer') return value.integer.toString()
  if (value.kind === 'bool') return String(value.bool)
  if (value.kind === 'list') {
    const items = value.items.map(valueText)
    return value.type.kind === 'tuple' ? `(${items.join(' ')})` : `[${items.join(' ')}]`
  }
  if (value.type.kind === 'address') return checksumAddress(toHex(value.bytes))
  return (value.type.kind === 'string' ? readableText(value.bytes) : null) ?? toHex(value.bytes)
}
