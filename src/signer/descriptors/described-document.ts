// Describes a typed data document with a descriptor's words: based on what is displayed, which is what is hashed.
import { checksumAddress } from '../../base/checksum-address'
import type { DisplayEntry, SignableData } from '../model/signable'
import { contractIn, type TypedDocument } from '../typed-data/document'
import { StructHasher } from '../typed-data/encode'
import type { DescribedDocument, DescribedField, Descriptor, MemberPlace } from './descriptor'
import { cutText, strangersText, writtenValue } from './written-value'

/** A number as displayed in documents: `5 (0x5)`. */
const SHOWN_NUMBER = /^(-?\d+) \(-?0x[0-9a-f]+\)$/

/** The intent and each field; null when the document has other types or another domain. */
export function documentParts(
  { encodedType, intent, fields }: DescribedDocument,
  domain: Descriptor['domain'],
  document: TypedDocument,
  data: SignableData,
): string[] | null {
  const { types, primaryType, domain: own } = document
  if (domain.name !== undefined && domain.name !== own.name) return null
  if (domain.version !== undefined && domain.version !== own.version) return null
  if (new StructHasher(types).encodeType(primaryType) !== encodedType) return null
  const message = data.messages.find(({ name }) => name === primaryType)?.value ?? []
  const contract = contractIn(document) ?? ''
  return [intent, ...fields.map((field) => `${field.label}: ${shown(field, message, contract)}`)]
}

function shown(field: DescribedField<MemberPlace>, message: DisplayEntry['value'], contract: string): string {
  return writtenValue(field, plainAt(field.place, message, contract), plainAt(field.token ?? '@.to', message, contract))
}

function plainAt(place: MemberPlace, message: DisplayEntry['value'], contract: string): string {
  if (place === '@.to') return checksumAddress(contract)
  let value: DisplayEntry['value'] | undefined = message
  let type = ''
  for (const step of place) {
    const entry: DisplayEntry | undefined =
      typeof value === 'string' ? undefined : value?.find(({ name }) => name === step)
    value = entry?.value
    type = entry?.type ?? ''
  }
  if (value === undefined) return '-'
  if (typeof value !== 'string') return `${value.length} items`
  if (type === 'string') return strangersText(value)
  return cutText(SHOWN_NUMBER.exec(value)?.[1] ?? value)
}
