// Contract descriptors (ERC-7730): what a call or a document is for, in the words of someone who knows the contract. They
// are bound to chain and address, and only ever add text: no finding or policy depends on them. Those shipped with the
// program, and the files in a folder that the user fills: nothing is ever fetched.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import multicall3 from '../../../resources/descriptors/multicall3.json?raw'
import permit2 from '../../../resources/descriptors/permit2.json?raw'
import permit2Documents from '../../../resources/descriptors/permit2-documents.json?raw'
import { equalBytes } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { hasCode, isSystemCode, messageOf } from '../../base/errors'
import { toHex } from '../../base/hex'
import { textOrHex } from '../../base/language/readable-text'
import type { Logger } from '../../base/logger'
import { formatDecimal } from '../../base/units'
import { type AbiValue, ArgumentsFault, decodeArguments, encodeArguments } from '../abi/arguments'
import { type AbiType, type MethodSignature, parseSignature, SignatureFault } from '../abi/signature'
import { type Finding, info } from '../model/findings'
import type { DisplayEntry, SignableData } from '../model/signable'
import { payloadOf, type TransactionRequest } from '../model/transaction'
import { contractIn, StructHasher, type TypedDocument } from '../typed-data/document'
import { checkTypes, type Member, type TypeTable } from '../typed-data/types'
import {
  DESCRIPTOR_LIST,
  DescriptorFault,
  jsonOf,
  MAX_LIST_BYTES,
  parseDescriptorList,
  withIncludes,
} from './descriptor-list'

interface DocumentSchema {
  readonly primaryType: string
  readonly types: Readonly<Record<string, readonly Member[]>>
}

const STRUCT = /([A-Za-z_$][\w$]*)\(([^()]*)\)/y
const STEP_ITEM = /^\[\d{1,4}\]$/
const LIST_END = /\[\d*\]$/

class DescribedTypes {
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

const MAX_FORMATS = 200
const MAX_FIELDS = 40
const MAX_DEPLOYMENTS = 1_000
const LONGEST_TEXT = 80
/** Control characters, invisible ones, and bidi marks. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu

function seenText(value: string): string {
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
type ValuePlace = readonly number[] | '@.from' | '@.to' | '@.value'

/** Where a value is in a document: member names, `[0]` for an item. Or the domain's contract. */
type MemberPlace = readonly string[] | '@.to'

interface DescribedField<Place = ValuePlace> {
  readonly label: string
  readonly format: z.output<typeof field>['format']
  readonly place: Place
  readonly token: Place | null
  /** For an enumeration: names by the value's decimal text. */
  readonly names: Readonly<Record<string, string>>
}

interface DescribedMethod {
  readonly method: MethodSignature
  readonly intent: string
  readonly fields: readonly DescribedField[]
}

interface DescribedDocument {
  /** EIP-712's encodeType of the primary type: documents of other types don't match. */
  readonly encodedType: string
  readonly intent: string
  readonly fields: readonly DescribedField<MemberPlace>[]
}

interface Descriptor {
  readonly owner: string
  /** `CHAIN ADDRESS`, lower case. */
  readonly places: readonly string[]
  readonly methods: readonly DescribedMethod[]
  readonly domain: { readonly name?: string | undefined; readonly version?: string | undefined }
  readonly documents: readonly DescribedDocument[]
}

/** The key of a contract. @param address 0x and 40 hex digits */
function placeKey(chainId: bigint | number, address: string): string {
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

const LONGEST_VALUE = 120
/** A larger number isn't a date: the year 9999. */
const LAST_SECOND = 253_402_300_799n

/** @param plain a number as decimal digits, anything else as displayed @param token whose units a `tokenAmount` counts */
function writtenValue({ format, names }: DescribedField<unknown>, plain: string, token: string): string {
  const number = /^\d+$/.test(plain) ? BigInt(plain) : null
  if (number === null) return plain
  if (format === 'amount') return `${formatDecimal(number)} LAX`
  if (format === 'tokenAmount') return `${number} units of ${token}`
  if (format === 'date' && number <= LAST_SECOND) return new Date(Number(number) * 1_000).toISOString()
  if (format === 'duration') return `${number} s`
  return format === 'enum' ? (names[plain] ?? plain) : plain
}

/** Truncated when long: the full text is displayed beside it. */
function cutText(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}

/** Untrusted text without invisible characters, truncated when long. */
function strangersText(text: string): string {
  return cutText(seenText(text))
}

const SELECTOR_BYTES = 4

/** The intent and each field; null for another method, or when its data isn't exactly the method's canonical encoding. */
function callParts({ method, intent, fields }: DescribedMethod, tx: TransactionRequest): string[] | null {
  const data = payloadOf(tx)
  if (toHex(data.subarray(0, SELECTOR_BYTES)) !== toHex(method.selector)) return null
  try {
    const given = data.subarray(SELECTOR_BYTES)
    const values = decodeArguments(method.inputs, given)
    if (!equalBytes(encodeArguments(values), given)) return null
    return [intent, ...fields.map((field) => lineOf(field, (place) => plainAt(place, values, tx)))]
  } catch (error) {
    if (error instanceof ArgumentsFault) return null
    throw error
  }
}

function lineOf<Place>(field: DescribedField<Place | '@.to'>, plainAt: (place: Place | '@.to') => string): string {
  return `${field.label}: ${writtenValue(field, plainAt(field.place), plainAt(field.token ?? '@.to'))}`
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

/** A number as displayed in documents: `5 (0x5)`. */
const SHOWN_NUMBER = /^(-?\d+) \(-?0x[0-9a-f]+\)$/

/** The intent and each field; null when the document has other types or another domain. */
function documentParts(
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
  return [intent, ...fields.map((field) => lineOf(field, (place) => memberAt(place, message, contract)))]
}

function memberAt(place: MemberPlace, message: DisplayEntry['value'], contract: string): string {
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

type FindFile = Parameters<typeof withIncludes>[1]

const SHIPPED = { multicall3, permit2, permit2Documents }
const MAX_FILES = 1_000
const MAX_BYTES = 256 * 1024

export class DescriptorFolder {
  #fromFolder: readonly Descriptor[] = []
  /** Null until first asked: reading the shipped ones is a twentieth of what a signer's start costs. */
  #byPlace: ReadonlyMap<string, readonly Descriptor[]> | null = null

  /** @param folder null: the shipped ones only */
  constructor(
    private readonly folder: string | null,
    private readonly deps: { readonly log: Logger },
  ) {}

  /** An unusable file is logged and skipped; a missing folder is empty. */
  async load(): Promise<void> {
    const found: Descriptor[] = []
    const contents = new Map<string, string>()
    for (const name of await this.#names()) {
      const isList = name === DESCRIPTOR_LIST
      const content = await this.#read(join(this.folder ?? '', name), isList ? MAX_LIST_BYTES : MAX_BYTES)
      if (content !== null) contents.set(name, content)
    }
    this.#takeFiles(contents, found)
    this.#fromFolder = found
    this.#byPlace = null
  }

  /** Descriptions of a call: an Info finding each, none without a descriptor. */
  describe(tx: TransactionRequest, chainId: bigint): readonly Finding[] {
    if (tx.to === null) return []
    return this.#at(placeKey(chainId, toHex(tx.to.bytes))).flatMap(({ owner, methods }) =>
      inWordsOf(
        owner,
        first(methods, (method) => callParts(method, tx)),
      ),
    )
  }

  /** The same for a typed data document, by the chain and contract in its domain. */
  describeDocument(typed: TypedDocument, data: SignableData): readonly Finding[] {
    const { chainId } = typed.domain
    const contract = contractIn(typed)
    if (chainId === undefined || contract === null) return []
    return this.#at(placeKey(BigInt(chainId), contract)).flatMap(({ owner, domain, documents }) =>
      inWordsOf(
        owner,
        first(documents, (described) => documentParts(described, domain, typed, data)),
      ),
    )
  }

  #at(place: string): readonly Descriptor[] {
    this.#byPlace ??= this.#placed()
    return this.#byPlace.get(place) ?? []
  }

  #placed(): ReadonlyMap<string, readonly Descriptor[]> {
    const all: Descriptor[] = []
    for (const [name, content] of Object.entries(SHIPPED)) this.#take(name, () => all.push(parseDescriptor(content)))
    all.push(...this.#fromFolder)
    const places = new Set(all.flatMap((each) => each.places))
    return new Map([...places].map((place) => [place, all.filter((each) => each.places.includes(place))]))
  }

  /** A file that others include may describe nothing by itself. */
  #takeFiles(contents: ReadonlyMap<string, string>, found: Descriptor[]): void {
    const find: FindFile = (name) => contents.get(name) ?? null
    const includes = /"includes"\s*:\s*"(?:\.\/)?([\w.-]+)"/g
    const parts = new Set(
      [...contents.values()].flatMap((text) => [...text.matchAll(includes)].map(([, name]) => name)),
    )
    const read = (content: string, from: FindFile) => found.push(parseDescriptor(withIncludes(content, from)))
    for (const [name, content] of contents) {
      const path = join(this.folder ?? '', name)
      if (name === DESCRIPTOR_LIST) this.#takeList(path, content, read)
      else if (!parts.has(name)) this.#take(path, () => read(content, find))
    }
  }

  #takeList(path: string, content: string, read: (content: string, find: FindFile) => void): void {
    this.#take(path, () => {
      const { descriptors } = parseDescriptorList(content)
      const find: FindFile = (wanted) => descriptors.find(({ name }) => name === wanted)?.content ?? null
      for (const { name, content: one } of descriptors) this.#take(`${path} ${name}`, () => read(one, find))
    })
  }

  #take(file: string, read: () => void): void {
    try {
      read()
    } catch (error) {
      this.deps.log.warn('descriptor cannot be used', { file, reason: messageOf(error).slice(0, 300) })
    }
  }

  async #names(): Promise<readonly string[]> {
    if (this.folder === null) return []
    try {
      const names = (await readdir(this.folder)).filter((name) => name.endsWith('.json')).sort()
      if (names.length > MAX_FILES) {
        this.deps.log.warn('too many descriptors, only the first ones are read', {
          found: names.length,
          most: MAX_FILES,
        })
      }
      return names.slice(0, MAX_FILES)
    } catch (error) {
      if (!isSystemCode(error, 'ENOENT')) {
        this.deps.log.warn('descriptors cannot be listed', { folder: this.folder, reason: messageOf(error) })
      }
      return []
    }
  }

  async #read(path: string, mostBytes: number): Promise<string | null> {
    try {
      const { size } = await stat(path)
      if (size > mostBytes) throw new RangeError(`${size} bytes, want up to ${mostBytes}`)
      return await readFile(path, 'utf8')
    } catch (error) {
      this.deps.log.warn('descriptor cannot be used', { file: path, reason: messageOf(error) })
      return null
    }
  }
}

function first<T, R>(all: readonly T[], read: (one: T) => R | null): R | undefined {
  return all.map(read).find((each) => each !== null) ?? undefined
}

/** An Info finding in one line: the intent, and each field as `LABEL: VALUE`; none when it describes nothing. */
function inWordsOf(owner: string, parts: readonly string[] | undefined): Finding[] {
  if (parts === undefined) return []
  return [info(`In the words of ${JSON.stringify(owner)}: ${parts.map((part) => JSON.stringify(part)).join(', ')}`)]
}
