// Frequent answers, cached as text on this thread: blocks by hash, recent ones by height, the gas price. A block with a
// given hash never changes; a reorganisation drops cached blocks that it may have removed, by height and by hash.
import type { Disposable } from '../../../base/disposable'
import { toBareHex } from '../../../base/hex'
import { SizedCache } from '../../../base/limits/generation-cache'
import { JsonText, StreamedResult } from '../../../net/json-rpc/json-rpc'
import type { ChainReader } from '../../chain-reader'
import {
  type BlockQuestion,
  type NodeQueries,
  type QueryCaller,
  type ReceiptQuestion,
  TOO_LONG,
} from '../../query/query-wire'
import type { BlockId, BlockSummary, HeadChange } from '../../worker/wire/shapes'

/** Characters of all cached texts. */
const MAX_CHARACTERS = 32 * 1024 * 1024
/** Heights with a known block. */
const MAX_HEIGHTS = 4_096
const HASH_DIGITS = 64
const HASH_MEMBER = /"hash":"0x([0-9a-f]{64})"/
const NUMBER_MEMBER = /"number":"(0x[0-9a-f]+)"/

interface HotReadsDeps {
  readonly reader: Pick<ChainReader, 'gasPrice'>
  /** Query workers write the blocks' texts. */
  readonly queries: NodeQueries
  /** Null before the chain is open, and after it was lost. */
  readonly head: () => BlockSummary | null
  readonly headChanged: (listener: (change: HeadChange) => void) => Disposable
}

/** Short answers come whole, long ones as they are written. */
export async function textOrStream(
  question: ReceiptQuestion | BlockQuestion,
  queries: NodeQueries,
  caller: QueryCaller,
): Promise<JsonText | StreamedResult> {
  const text = await queries.ask(question, caller)
  return text === TOO_LONG ? new StreamedResult(queries.stream(question, caller)) : new JsonText(text)
}

export class HotReads {
  /** By hash and form, least recently used first. */
  #texts = newTexts()
  readonly #hashes = new Map<number, string>()
  /** Counts reorganisations, so that an answer from before one isn't cached. */
  #branch = 0
  #price: { readonly head: Uint8Array; readonly value: Promise<bigint> } | null = null
  #listening: Disposable | null = null

  constructor(private readonly deps: HotReadsDeps) {}

  start(): void {
    this.#listening = this.deps.headChanged((change) => this.#takeHead(change))
  }

  stop(): void {
    this.#listening?.dispose()
    this.#listening = null
    this.#hashes.clear()
    this.#texts = newTexts()
    this.#price = null
  }

  /** The block, synchronously when cached; JSON `null` when there is none. @param full with whole transactions */
  block(id: BlockId, full: boolean, caller: QueryCaller): JsonText | Promise<JsonText | StreamedResult> {
    const hash = this.#hashOf(id)
    const text = hash === null ? undefined : this.#texts.get(nameOf(hash, full))
    return text === undefined ? this.#read(id, full, caller) : new JsonText(text)
  }

  /** wei per gas; computed once per head */
  gasPrice(): Promise<bigint> {
    const head = this.deps.head()
    if (head === null) return this.deps.reader.gasPrice()
    if (this.#price?.head !== head.hash) {
      const value = this.deps.reader.gasPrice()
      const kept = { head: head.hash, value }
      this.#price = kept
      value.catch(() => {
        if (this.#price === kept) this.#price = null
      })
    }
    return this.#price.value
  }

  #hashOf(id: BlockId): string | null {
    if (this.deps.head() === null) return null
    if (id === 'head') return toBareHex(this.deps.head()?.hash ?? new Uint8Array(0))
    return typeof id === 'number' ? (this.#hashes.get(id) ?? null) : toBareHex(id)
  }

  async #read(id: BlockId, full: boolean, caller: QueryCaller): Promise<JsonText | StreamedResult> {
    const branch = this.#branch
    const answer = await textOrStream({ kind: 'block', block: id, full }, this.deps.queries, caller)
    if (answer instanceof JsonText && branch === this.#branch) this.#keepBlock(id, full, answer.text)
    return answer
  }

  /** @param text its own members come before those of its transactions */
  #keepBlock(id: BlockId, full: boolean, text: string): void {
    const hash = HASH_MEMBER.exec(text)?.[1]
    const number = NUMBER_MEMBER.exec(text)?.[1]
    if (hash === undefined || number === undefined) return
    if (text.length <= MAX_CHARACTERS / 4) this.#texts.set(nameOf(hash, full), text)
    // By height only the canonical chain is found.
    if (id === 'head' || typeof id === 'number') this.#keepHeight(Number(number), hash)
  }

  #keepHeight(number: number, hash: string): void {
    if (this.#hashes.size >= MAX_HEIGHTS) this.#hashes.clear()
    this.#hashes.set(number, hash)
  }

  #takeHead({ removed }: HeadChange): void {
    const [lowest] = removed
    if (lowest === undefined) return
    this.#branch += 1
    for (const number of [...this.#hashes.keys()]) if (number >= lowest.number) this.#hashes.delete(number)
    this.#forgetOthers()
  }

  /** Blocks not known to be canonical may be forgotten by the chain too. */
  #forgetOthers(): void {
    const canonical = new Set(this.#hashes.values())
    this.#texts.forget((name) => !canonical.has(name.slice(0, HASH_DIGITS)))
  }
}

const newTexts = () => new SizedCache<string>(MAX_CHARACTERS, ({ length }) => length)

function nameOf(hash: string, full: boolean): string {
  return full ? `${hash}+` : hash
}
