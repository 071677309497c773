// Contract descriptors (ERC-7730): what a call or a document is for, in the words of someone who knows the contract.
// They are bound to chain and address, and only ever add text: no finding or policy depends on them.

import { z } from 'zod'
import { messageOf } from '../../base/errors'
import { type AbiType, type MethodSignature, parseSignature, SignatureFault } from '../abi/signature'
import { DescribedTypes } from './described-types'
import { DescriptorFault, jsonOf } from './descriptor-list'

const MAX_FORMATS = 200
const MAX_FIELDS = 40
const MAX_DEPLOYMENTS = 1_000
const LONGEST_TEXT = 80
/** Control characters, invisible ones, and bidi marks. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu

/** The text without invisible characters. */
export function seenText(value: string): string {
  return value.replace(UNSEEN, '')
}

const text = z
  .string()
  .max(1_000)
  .transform((value) => seenText(value).trim().slice(0, LONGEST_TEXT))

/** How a value is formatted. `tokenAmount`: units of the token at `tokenPath`, otherwise of the contract itself. */
const field = z.object({
  path: z.string().max(200),
  label: text,
  format: z.enum(['raw', 'addressName', 'amount', 'tokenAmount', 'date', 'duration', 'enum']).default('raw'),
  params: z
    .object({
      tokenPath: z.string().max(200).optional(),
      encoding: z.literal('timestamp').optional(),
      $ref: z.string().max(200).optional(),
    })
    .optional(),
})

const deployments = z
  .array(z.object({ chainId: z.number().int().positive(), address: z.string().regex(/^0x[0-9a-fA-F]{40}$/) }))
  .min(1)
  .max(MAX_DEPLOYMENTS)

/** Types of a document whose formats name only its primary type. */
const schema = z.object({
  primaryType: z.string().max(200),
  types: z.record(z.string().max(200), z.array(z.object({ name: z.string().max(200), type: z.string().max(200) }))),
})

/** For call data, or for typed data. */
const context = z
  .object({
    contract: z.object({ deployments }).optional(),
    eip712: z
      .object({
        deployments,
        /** The document's domain must have the same value for each member given. */
        domain: z
          .object({ name: z.string().max(1_000).optional(), version: z.string().max(1_000).optional() })
          .default({}),
        schemas: z.array(schema).max(MAX_FORMATS).default([]),
      })
      .optional(),
  })
  .refine(
    ({ contract, eip712 }) => (contract === undefined) !== (eip712 === undefined),
    'want one of contract and eip712',
  )

const fileSchema = z.object({
  includes: z.never({ error: 'a file that includes others is not read' }).optional(),
  context,
  metadata: z.object({
    owner: text,
    enums: z.record(z.string().max(100), z.record(z.string().max(100), text)).default({}),
  }),
  display: z.object({
    formats: z
      .record(z.string().max(2_048), z.object({ intent: text, fields: z.array(field).max(MAX_FIELDS) }))
      .refine((formats) => Object.keys(formats).length <= MAX_FORMATS, `more than ${MAX_FORMATS} formats`),
  }),
})

/** Where a value is in the arguments: one index per level. Or a value of the transaction itself. */
export type ValuePlace = readonly number[] | '@.from' | '@.to' | '@.value'

/** Where a value is in a document: member names, `[0]` for an item. Or the domain's contract. */
export type MemberPlace = readonly string[] | '@.to'

export interface DescribedField<Place = ValuePlace> {
  readonly label: string
  readonly format: z.output<typeof field>['format']
  readonly place: Place
  readonly token: Place | null
  /** For an enumeration: names by the value's decimal text. */
  readonly names: Readonly<Record<string, string>>
}

export interface DescribedMethod {
  readonly method: MethodSignature
  readonly intent: string
  readonly fields: readonly DescribedField[]
}

export interface DescribedDocument {
  /** EIP-712's encodeType of the primary type: documents of other types don't match. */
  readonly encodedType: string
  readonly intent: string
  readonly fields: readonly DescribedField<MemberPlace>[]
}

export interface Descriptor {
  readonly owner: string
  /** `CHAIN ADDRESS`, lower case. */
  readonly places: readonly string[]
  readonly methods: readonly DescribedMethod[]
  /** Required domain members of each of its documents. */
  readonly domain: { readonly name?: string | undefined; readonly version?: string | undefined }
  readonly documents: readonly DescribedDocument[]
}

/** The key of a contract. @param address 0x and 40 hex digits */
export function placeKey(chainId: bigint | number, address: string): string {
  return `${chainId} ${address.toLowerCase()}`
}

/** A file is accepted as a whole or not at all. @throws DescriptorFault */
export function parseDescriptor(content: string): Descriptor {
  const parsed = fileSchema.safeParse(jsonOf(content))
  if (!parsed.success) throw new DescriptorFault(messageOf(parsed.error))
  const { context: about, metadata, display } = parsed.data
  const { owner } = metadata
  const formats = Object.entries(display.formats)
  const { contract, eip712 } = about
  if (contract !== undefined) {
    const methods = formats.map(([signature, { intent, fields }]): DescribedMethod => {
      const method = namedMethod(signature)
      const find = (path: string): ValuePlace => placeOf(path, method.inputs)
      return { method, intent, fields: fields.map((each) => describedField(each, metadata.enums, find)) }
    })
    return { owner, places: placesOf(contract.deployments), methods, domain: {}, documents: [] }
  }
  const documents = formats.map(([key, { intent, fields }]): DescribedDocument => {
    const types = DescribedTypes.of(key, eip712?.schemas ?? [])
    const described = fields.map((each) => describedField(each, metadata.enums, (path) => types.placeOf(path)))
    return { encodedType: types.encoded, intent, fields: described }
  })
  const { deployments: places = [], domain = {} } = eip712 ?? {}
  return { owner, places: placesOf(places), methods: [], domain, documents }
}

type FileField = z.output<typeof field>

function describedField<Place>(
  { label, format, path, params = {} }: FileField,
  enums: z.output<typeof fileSchema>['metadata']['enums'],
  find: (path: string) => Place,
): DescribedField<Place> {
  const token = params.tokenPath === undefined ? null : find(params.tokenPath)
  const names = format === 'enum' ? (enums[enumName(params.$ref)] ?? {}) : {}
  return { label, format, place: find(path), token, names }
}

function placesOf(found: z.output<typeof deployments>): readonly string[] {
  return found.map(({ chainId, address }) => placeKey(chainId, address))
}

function namedMethod(signature: string): MethodSignature {
  try {
    return parseSignature(signature, true)
  } catch (error) {
    if (error instanceof SignatureFault) throw new DescriptorFault(`${signature.slice(0, 100)}: ${error.message}`)
    throw error
  }
}

function enumName(ref = ''): string {
  return ref.replace(/^\$\.metadata\.enums\./, '')
}

/** `to`, `#.to`, `details.token`, `path.[0]`, `@.value`. Whole lists and slices aren't supported. */
function placeOf(path: string, inputs: readonly AbiType[]): ValuePlace {
  if (path === '@.from' || path === '@.to' || path === '@.value') return path
  const place: number[] = []
  let members = inputs
  for (const step of path.replace(/^#\./, '').split('.')) {
    const item = /^\[(\d{1,4})\]$/.exec(step)?.[1]
    if (item !== undefined && place.length > 0) {
      place.push(Number(item))
      continue
    }
    const index = step === '' ? -1 : members.findIndex(({ name }) => name === step)
    if (index === -1) throw new DescriptorFault(`path ${JSON.stringify(path)} names no parameter`)
    place.push(index)
    members = membersIn(members[index])
  }
  return place
}

/** Of a tuple, or of the tuples in a list. */
function membersIn(type: AbiType | undefined): readonly AbiType[] {
  if (type?.kind === 'array') return membersIn(type.element)
  return type?.kind === 'tuple' ? type.members : []
}
