// The descriptors that a start knows: those shipped with the program, and the files of a folder that its owner fills by hand. Nothing
// is ever fetched.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import multicall3 from '../../../resources/descriptors/multicall3.json?raw'
import permit2 from '../../../resources/descriptors/permit2.json?raw'
import { equalBytes } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { messageOf } from '../../base/errors'
import { toHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import { isSystemCode } from '../../base/system-code'
import { formatDecimal } from '../../base/units'
import { type AbiValue, ArgumentsFault, decodeArguments } from '../abi/decode'
import { encodeArguments } from '../abi/encode'
import type { Finding } from '../model/findings'
import { payloadOf, type TransactionRequest } from '../model/transaction'
import {
  type DescribedField,
  type DescribedMethod,
  type Descriptor,
  parseDescriptor,
  placeKey,
  seenText,
  type ValuePlace,
} from './descriptor'

const SHIPPED = { multicall3, permit2 }
const MAX_FILES = 1_000
const MAX_BYTES = 256 * 1024
const LONGEST_VALUE = 120
const SELECTOR_BYTES = 4
/** Beyond it a number is no date: the year 9999. */
const LAST_SECOND = 253_402_300_799n

export class DescriptorFolder {
  readonly #folder: string | null
  readonly #log: Logger
  #byPlace = new Map<string, readonly Descriptor[]>()

  /** @param folder null: the shipped ones alone */
  constructor(folder: string | null, deps: { readonly log: Logger }) {
    this.#folder = folder
    this.#log = deps.log
  }

  /** A file that cannot be used is told in the log and left out; a folder that is missing has none. */
  async load(): Promise<void> {
    const found: Descriptor[] = []
    for (const [name, content] of Object.entries(SHIPPED)) this.#take(name, content, found)
    for (const name of await this.#names()) {
      const path = join(this.#folder ?? '', name)
      const content = await this.#read(path)
      if (content !== null) this.#take(path, content, found)
    }
    const places = new Set(found.flatMap((each) => each.places))
    this.#byPlace = new Map([...places].map((place) => [place, found.filter((each) => each.places.includes(place))]))
  }

  /** What those who know the contract say of a call: an Info each, none where nobody does. */
  describe(tx: TransactionRequest, chainId: bigint): readonly Finding[] {
    if (tx.to === null) return []
    const known = this.#byPlace.get(placeKey(chainId, toHex(tx.to.bytes))) ?? []
    return known.flatMap(({ owner, methods }) => {
      const words = methods.map((method) => wordsOf(method, tx)).find((each) => each !== null)
      if (words === undefined || words === null) return []
      return [{ severity: 'Info', message: `In the words of ${JSON.stringify(owner)}: ${words}` }]
    })
  }

  #take(name: string, content: string, found: Descriptor[]): void {
    try {
      found.push(parseDescriptor(content))
    } catch (error) {
      this.#log.warn('descriptor cannot be used', { file: name, reason: messageOf(error).slice(0, 300) })
    }
  }

  async #names(): Promise<readonly string[]> {
    if (this.#folder === null) return []
    try {
      const names = (await readdir(this.#folder)).filter((name) => name.endsWith('.json')).sort()
      if (names.length > MAX_FILES) {
        this.#log.warn('too many descriptors, the first ones are read', { found: names.length, most: MAX_FILES })
      }
      return names.slice(0, MAX_FILES)
    } catch (error) {
      if (!isSystemCode(error, 'ENOENT')) {
        this.#log.warn('descriptors cannot be listed', { folder: this.#folder, reason: messageOf(error) })
      }
      return []
    }
  }

  async #read(path: string): Promise<string | null> {
    try {
      const { size } = await stat(path)
      if (size > MAX_BYTES) throw new RangeError(`${size} bytes, want up to ${MAX_BYTES}`)
      return await readFile(path, 'utf8')
    } catch (error) {
      this.#log.warn('descriptor cannot be used', { file: path, reason: messageOf(error) })
      return null
    }
  }
}

/** Null where it is another method, or its data is not exactly what the method takes. */
function wordsOf(described: DescribedMethod, tx: TransactionRequest): string | null {
  const data = payloadOf(tx)
  if (toHex(data.subarray(0, SELECTOR_BYTES)) !== toHex(described.method.selector)) return null
  try {
    const given = data.subarray(SELECTOR_BYTES)
    const values = decodeArguments(described.method.inputs, given)
    if (!equalBytes(encodeArguments(values), given)) return null
    const fields = described.fields.map((field) => `${field.label}: ${shown(field, values, tx)}`)
    return [described.intent, ...fields].map((part) => JSON.stringify(part)).join(', ')
  } catch (error) {
    if (error instanceof ArgumentsFault) return null
    throw error
  }
}

function shown({ format, place, token, names }: DescribedField, values: readonly AbiValue[], tx: TransactionRequest) {
  const plain = plainAt(place, values, tx)
  const number = /^\d+$/.test(plain) ? BigInt(plain) : null
  if (number === null) return plain
  if (format === 'amount') return `${formatDecimal(number)} LAX`
  if (format === 'tokenAmount') {
    const contract = token === null ? plainAt('@.to', values, tx) : plainAt(token, values, tx)
    return `${number} units of ${contract}`
  }
  if (format === 'date' && number <= LAST_SECOND) return new Date(Number(number) * 1_000).toISOString()
  if (format === 'duration') return `${number} s`
  return format === 'enum' ? (names[plain] ?? plain) : plain
}

/** Cut where it is long: the whole stands in the decoded call. */
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
  const text = value.type.kind === 'string' ? seenText(new TextDecoder().decode(value.bytes)) : toHex(value.bytes)
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}
