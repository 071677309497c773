// Typed data as devices and their libraries take it: a plain object.
import type { TypedDocument } from '../typed-data/document'
import { DOMAIN_TYPE } from '../typed-data/types'

/** With the domain's own type among the types, empty where it has none. The message is shared. */
export function plainDocument({ types, primaryType, domain, message }: TypedDocument) {
  const tables = [...types].map(([name, members]) => [name, members.map((member) => ({ ...member }))] as const)
  const domainMembers = tables.find(([name]) => name === DOMAIN_TYPE)?.[1] ?? []
  return { types: { ...Object.fromEntries(tables), [DOMAIN_TYPE]: domainMembers }, primaryType, domain, message }
}
