// The descriptors of this run: those shipped with the program, and the files in a folder that the user fills. Nothing
// is ever fetched.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import multicall3 from '../../../resources/descriptors/multicall3.json?raw'
import permit2 from '../../../resources/descriptors/permit2.json?raw'
import permit2Documents from '../../../resources/descriptors/permit2-documents.json?raw'
import { isSystemCode, messageOf } from '../../base/errors'
import { toHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import type { Finding } from '../model/findings'
import type { SignableData } from '../model/signable'
import type { TransactionRequest } from '../model/transaction'
import { contractIn, type TypedDocument } from '../typed-data/document'
import { callParts } from './described-call'
import { documentParts } from './described-document'
import { type Descriptor, parseDescriptor, placeKey } from './descriptor'
import { DESCRIPTOR_LIST, MAX_LIST_BYTES, parseDescriptorList, withIncludes } from './descriptor-list'
import { inWordsOf } from './written-value'

const SHIPPED = { multicall3, permit2, permit2Documents }
const MAX_FILES = 1_000
const MAX_BYTES = 256 * 1024

export class DescriptorFolder {
  #byPlace = new Map<string, readonly Descriptor[]>()

  /** @param folder null: the shipped ones only */
  constructor(
    private readonly folder: string | null,
    private readonly deps: { readonly log: Logger },
  ) {}

  /** An unusable file is logged and skipped; a missing folder is empty. */
  async load(): Promise<void> {
    const found: Descriptor[] = []
    for (const [name, content] of Object.entries(SHIPPED)) this.#take(name, content, found)
    const contents = new Map<string, string>()
    for (const name of await this.#names()) {
      const isList = name === DESCRIPTOR_LIST
      const content = await this.#read(join(this.folder ?? '', name), isList ? MAX_LIST_BYTES : MAX_BYTES)
      if (content !== null) contents.set(name, content)
    }
    this.#takeFiles(contents, found)
    const places = new Set(found.flatMap((each) => each.places))
    this.#byPlace = new Map([...places].map((place) => [place, found.filter((each) => each.places.includes(place))]))
  }

  /** Descriptions of a call: an Info finding each, none without a descriptor. */
  describe(tx: TransactionRequest, chainId: bigint): readonly Finding[] {
    if (tx.to === null) return []
    const known = this.#byPlace.get(placeKey(chainId, toHex(tx.to.bytes))) ?? []
    return known.flatMap(({ owner, methods }) =>
      firstOf(
        owner,
        methods.map((method) => callParts(method, tx)),
      ),
    )
  }

  /** The same for a typed data document, by the chain and contract in its domain. */
  describeDocument(typed: TypedDocument, data: SignableData): readonly Finding[] {
    const { chainId } = typed.domain
    const contract = contractIn(typed)
    if (chainId === undefined || contract === null) return []
    const known = this.#byPlace.get(placeKey(BigInt(chainId), contract)) ?? []
    return known.flatMap(({ owner, domain, documents }) =>
      firstOf(
        owner,
        documents.map((described) => documentParts(described, domain, typed, data)),
      ),
    )
  }

  /** A file that others include may describe nothing by itself. */
  #takeFiles(contents: ReadonlyMap<string, string>, found: Descriptor[]): void {
    const find = (name: string): string | null => contents.get(name) ?? null
    const includes = /"includes"\s*:\s*"(?:\.\/)?([\w.-]+)"/g
    const parts = new Set(
      [...contents.values()].flatMap((text) => [...text.matchAll(includes)].map(([, name]) => name)),
    )
    for (const [name, content] of contents) {
      const path = join(this.folder ?? '', name)
      if (name === DESCRIPTOR_LIST) this.#takeList(path, content, found)
      else if (!parts.has(name)) this.#take(path, content, found, find)
    }
  }

  #takeList(path: string, content: string, found: Descriptor[]): void {
    try {
      const { descriptors } = parseDescriptorList(content)
      const find = (wanted: string): string | null => descriptors.find(({ name }) => name === wanted)?.content ?? null
      for (const { name, content: one } of descriptors) this.#take(`${path} ${name}`, one, found, find)
    } catch (error) {
      this.deps.log.warn('descriptor cannot be used', { file: path, reason: messageOf(error).slice(0, 300) })
    }
  }

  #take(name: string, content: string, found: Descriptor[], find: (name: string) => string | null = () => null): void {
    try {
      found.push(parseDescriptor(withIncludes(content, find)))
    } catch (error) {
      this.deps.log.warn('descriptor cannot be used', { file: name, reason: messageOf(error).slice(0, 300) })
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

function firstOf(owner: string, all: readonly (readonly string[] | null)[]): Finding[] {
  const parts = all.find((each) => each !== null) ?? null
  return parts === null ? [] : [{ severity: 'Info', message: inWordsOf(owner, parts) }]
}
