// Descriptors of contracts (ERC-7730): what a call is for, in the words of somebody who knows the contract. They are bound to chain and
// address, and only ever add words: no finding and no policy follows from one.
import { z } from 'zod'
import { SignatureFault } from '../abi/signature'
import { type NamedInput, type NamedMethod, parseNamedMethod } from './named-inputs'

const MAX_FORMATS = 200
const MAX_FIELDS = 40
const MAX_DEPLOYMENTS = 1_000
const LONGEST_TEXT = 80
/** Controls, and what is not seen or turns the direction of writing. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu

/** The text without what is not seen. */
export function seenText(value: string): string {
  return value.replace(UNSEEN, '')
}

const text = z
  .string()
  .max(1_000)
  .transform((value) => seenText(value).trim().slice(0, LONGEST_TEXT))

/** How a value is written. `tokenAmount`: units of the token at `tokenPath`, else of the contract itself. */
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

const fileSchema = z.object({
  includes: z.never({ error: 'a file that includes others is not read' }).optional(),
  context: z.object({
    contract: z.object({
      deployments: z
        .array(z.object({ chainId: z.number().int().positive(), address: z.string().regex(/^0x[0-9a-fA-F]{40}$/) }))
        .min(1)
        .max(MAX_DEPLOYMENTS),
    }),
  }),
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

/** Where in the arguments a value is: one index a level. Or a value of the transaction itself. */
export type ValuePlace = readonly number[] | '@.from' | '@.to' | '@.value'

export interface DescribedField {
  readonly label: string
  readonly format: z.output<typeof field>['format']
  readonly place: ValuePlace
  readonly token: ValuePlace | null
  /** Of an enumeration, by the value's decimal text. */
  readonly names: Readonly<Record<string, string>>
}

export interface DescribedMethod extends NamedMethod {
  readonly intent: string
  readonly fields: readonly DescribedField[]
}

export interface Descriptor {
  readonly owner: string
  /** `CHAIN ADDRESS`, lower case. */
  readonly places: readonly string[]
  readonly methods: readonly DescribedMethod[]
}

/** Why a text is no descriptor that is understood here. */
export class DescriptorFault extends Error {}

/** The key of a contract. @param address 0x and 40 hex digits */
export function placeKey(chainId: bigint | number, address: string): string {
  return `${chainId} ${address.toLowerCase()}`
}

/** A file is taken whole or not at all. @throws DescriptorFault */
export function parseDescriptor(content: string): Descriptor {
  const parsed = fileSchema.safeParse(jsonOf(content))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new DescriptorFault(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`)
  }
  const { context, metadata, display } = parsed.data
  const methods = Object.entries(display.formats).map(([signature, { intent, fields }]) => {
    const named = namedMethod(signature)
    const described = fields.map((each): DescribedField => {
      const { label, format, params = {} } = each
      const token = params.tokenPath === undefined ? null : placeOf(params.tokenPath, named.inputs)
      const names = format === 'enum' ? (metadata.enums[enumName(params.$ref)] ?? {}) : {}
      return { label, format, place: placeOf(each.path, named.inputs), token, names }
    })
    return { ...named, intent, fields: described }
  })
  const places = context.contract.deployments.map(({ chainId, address }) => placeKey(chainId, address))
  return { owner: metadata.owner, places, methods }
}

function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw new DescriptorFault('not JSON')
  }
}

function namedMethod(signature: string): NamedMethod {
  try {
    return parseNamedMethod(signature)
  } catch (error) {
    if (error instanceof SignatureFault) throw new DescriptorFault(`${signature.slice(0, 100)}: ${error.message}`)
    throw error
  }
}

function enumName(ref = ''): string {
  return ref.replace(/^\$\.metadata\.enums\./, '')
}

/** `to`, `#.to`, `details.token`, `path.[0]`, `@.value`. Lists as a whole and slices are not understood. */
function placeOf(path: string, inputs: readonly NamedInput[]): ValuePlace {
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
    members = members[index]?.members ?? []
  }
  return place
}
