// Typed data in the form of devices and their libraries: a plain object.
import type { TypedDocument } from '../typed-data/document'
import { DOMAIN_TYPE } from '../typed-data/types'

/** Includes the domain's type, empty when there is none. The message is shared. */
export function plainDocument({ types, primaryType, domain, message }: TypedDocument) {
  const tables = [...types].map(([name, members]) => [name, members.map((member) => ({ ...member }))] as const)
  const domainMembers = tables.find(([name]) => name === DOMAIN_TYPE)?.[1] ?? []
  return { types: { ...Object.fromEntries(tables), [DOMAIN_TYPE]: domainMembers }, primaryType, domain, message }
}
