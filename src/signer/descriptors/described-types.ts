// The document types that a descriptor applies to: given by EIP-712's encodeType, or by a primary type whose schema is
// in the file.
import { hasCode } from '../../base/errors'
import { StructHasher } from '../typed-data/encode'
import { checkTypes, type Member, type TypeTable } from '../typed-data/types'
import { DescriptorFault } from './descriptor-list'

interface DocumentSchema {
  readonly primaryType: string
  readonly types: Readonly<Record<string, readonly Member[]>>
}

const STRUCT = /([A-Za-z_$][\w$]*)\(([^()]*)\)/y
const STEP_ITEM = /^\[\d{1,4}\]$/
const LIST_END = /\[\d*\]$/

export class DescribedTypes {
  /** EIP-712's encodeType. */
  readonly encoded: string
  readonly #types: TypeTable
  readonly #primaryType: string

  private constructor(types: TypeTable, primaryType: string) {
    const members = types.get(primaryType) ?? []
    if (members.length === 0) throw new DescriptorFault(`no schema of ${JSON.stringify(primaryType.slice(0, 100))}`)
    try {
      checkTypes(types)
    } catch (error) {
      if (!(error instanceof Error) || !hasCode(error, 'SIGNER_TYPED_DATA_INVALID')) throw error
      throw new DescriptorFault(`${primaryType.slice(0, 100)}: ${error.message}`)
    }
    this.#types = types
    this.#primaryType = primaryType
    this.encoded = new StructHasher(types).encodeType(primaryType)
  }

  /** @throws DescriptorFault */
  static of(key: string, schemas: readonly DocumentSchema[]): DescribedTypes {
    if (!key.includes('(')) {
      const schema = schemas.find(({ primaryType }) => primaryType === key)
      return new DescribedTypes(new Map(Object.entries(schema?.types ?? {})), key)
    }
    const types = structsOf(key)
    const [primaryType = ''] = types.keys()
    const found = new DescribedTypes(types, primaryType)
    if (found.encoded !== key) throw new DescriptorFault(`${key.slice(0, 100)}: want ${found.encoded.slice(0, 100)}`)
    return found
  }

  /**
   * `spender`, `#.details.token`, `orders.[0].amount`; `@.to` is the domain's contract. Whole lists aren't supported.
   * @throws DescriptorFault
   */
  placeOf(path: string): readonly string[] | '@.to' {
    if (path === '@.to') return path
    const steps = path.replace(/^#\./, '').split('.')
    let type = this.#primaryType
    for (const step of steps) {
      const isItem = STEP_ITEM.test(step)
      const next = isItem ? itemOf(type) : this.#types.get(type)?.find(({ name }) => name === step)?.type
      if (next === undefined) throw new DescriptorFault(`path ${JSON.stringify(path)} names no member`)
      type = next
    }
    return steps
  }
}

function itemOf(type: string): string | undefined {
  return LIST_END.test(type) ? type.replace(LIST_END, '') : undefined
}

/** `Mail(Person from,string text)Person(string name)`, the primary type first. */
function structsOf(text: string): TypeTable {
  const types = new Map<string, readonly Member[]>()
  let end = 0
  STRUCT.lastIndex = 0
  for (let match = STRUCT.exec(text); match !== null; match = STRUCT.exec(text)) {
    const [whole, name = '', members = ''] = match
    if (types.has(name)) break
    types.set(name, members.split(',').map(memberOf))
    end += whole.length
  }
  if (end !== text.length)
    throw new DescriptorFault(`${text.slice(0, 100)}: want TYPE(TYPE NAME,…) as EIP-712 encodes it`)
  return types
}

function memberOf(text: string): Member {
  const [type = '', name = ''] = text.split(' ')
  return { name, type }
}
