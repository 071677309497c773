// Describes a call with a descriptor's words.
import { equalBytes } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { toHex } from '../../base/hex'
import { textOrHex } from '../../base/language/readable-text'
import { type AbiValue, ArgumentsFault, decodeArguments } from '../abi/decode'
import { encodeArguments } from '../abi/encode'
import { payloadOf, type TransactionRequest } from '../model/transaction'
import type { DescribedField, DescribedMethod, ValuePlace } from './descriptor'
import { cutText, strangersText, writtenValue } from './written-value'

const SELECTOR_BYTES = 4

/**
 * The intent and each field; null for another method, or when its data isn't exactly the method's canonical encoding.
 */
export function callParts({ method, intent, fields }: DescribedMethod, tx: TransactionRequest): string[] | null {
  const data = payloadOf(tx)
  if (toHex(data.subarray(0, SELECTOR_BYTES)) !== toHex(method.selector)) return null
  try {
    const given = data.subarray(SELECTOR_BYTES)
    const values = decodeArguments(method.inputs, given)
    if (!equalBytes(encodeArguments(values), given)) return null
    return [intent, ...fields.map((field) => `${field.label}: ${shown(field, values, tx)}`)]
  } catch (error) {
    if (error instanceof ArgumentsFault) return null
    throw error
  }
}

function shown(field: DescribedField, values: readonly AbiValue[], tx: TransactionRequest): string {
  return writtenValue(field, plainAt(field.place, values, tx), plainAt(field.token ?? '@.to', values, tx))
}

function plainAt(place: ValuePlace, values: readonly AbiValue[], tx: TransactionRequest): string {
  if (place === '@.value') return tx.value.toString()
  if (place === '@.to' || place === '@.from') {
    const party = place === '@.to' ? tx.to : tx.from
    return party === null ? '-' : checksumAddress(toHex(party.bytes))
  }
  let items = values
  let value: AbiValue | undefined
  for (const index of place) {
    value = items[index]
    items = value?.kind === 'list' ? value.items : []
  }
  return value === undefined ? '-' : textOf(value)
}

function textOf(value: AbiValue): string {
  if (value.kind === 'integer') return value.integer.toString()
  if (value.kind === 'bool') return String(value.bool)
  if (value.kind === 'list') return `${value.items.length} items`
  if (value.type.kind === 'address') return checksumAddress(toHex(value.bytes))
  return value.type.kind === 'string' ? strangersText(textOrHex(value.bytes)) : cutText(toHex(value.bytes))
}
