// Chain events in the order in which filters and subscriptions report them: one head change at a time, logs of removed
// blocks first. Nothing is read while there are no listeners.
import { messageOf } from '../../../base/errors'
import { Emitter } from '../../../base/events'
import { toHex } from '../../../base/hex'
import { Disposables } from '../../../base/lifecycle'
import type { Logger } from '../../../base/logger'
import type { ChainReader } from '../../chain-reader'
import { type LogText, logTextsOf } from '../../logs/block-logs'
import { decodeTransactions } from '../../model/block'
import { StoredReceipts } from '../../model/stored-receipts'
import { encodeHead } from '../../query/encoding'
import { RpcFault } from '../../rpc-fault'
import type { BlockSummary, HeadChange } from '../../worker/wire/shapes'
import { type ChainWatch, type LogGap, LogListeners, type LogSource } from './live-logs'

interface FeedNode {
  readonly reader: ChainReader
  readonly logs: LogSource
  readonly watch: ChainWatch
}

interface FeedEvents {
  /** Blocks that joined the canonical chain, lowest first. */
  blocks: readonly BlockSummary[]
  /** The same blocks as JSON texts of their headers. */
  heads: readonly string[]
  /** Hashes of transactions that became executable, as JSON texts: created once for all recipients. */
  pending: readonly string[]
  /** Headers that could not be read, so that `heads` lacks them. */
  missedHeads: LogGap
}

export class ChainFeed {
  readonly events = new Emitter<FeedEvents>()
  readonly logs = new LogListeners(() => this.deps.node.logs)
  readonly #held = new Disposables()
  #stopping = new AbortController()
  /** Resolves when all changes so far were reported. */
  #told: Promise<void> = Promise.resolve()
  #pendingKnown: ReadonlySet<string> = new Set()

  constructor(private readonly deps: { readonly node: FeedNode; readonly log: Logger }) {}

  start(): void {
    this.#stopping = new AbortController()
    const { watch } = this.deps.node
    this.#held.add(watch.headChanged((change) => this.#inOrder(() => this.#takeHead(change))))
    this.#held.add(watch.newPending((hashes) => this.#inOrder(() => this.#takePending(hashes))))
  }

  stop(): void {
    this.#held.dispose()
    this.#stopping.abort()
  }

  /** Resolves when everything announced before was reported. */
  settled(): Promise<void> {
    return this.#told
  }

  #inOrder(work: () => Promise<void>): void {
    const { signal } = this.#stopping
    this.#told = this.#told.then(work).catch((error: unknown) => {
      if (!signal.aborted) this.deps.log.warn('chain updates could not be delivered', { error: messageOf(error) })
    })
  }

  async #takeHead({ removed, added }: HeadChange): Promise<void> {
    if (added.length > 0) this.events.emit('blocks', added)
    if (this.events.listenerCount('heads') > 0) await this.#tellHeads(added)
    for (const [blocks, isRemoved] of [[removed, true] as const, [added, false] as const])
      for (const { hash, number, transactionCount } of blocks)
        if (transactionCount > 0) await this.logs.tellBlock({ hash, number, isRemoved }, this.#stopping)
    await this.#takePendingLogs()
  }

  async #takePending(hashes: readonly Uint8Array[]): Promise<void> {
    if (this.events.listenerCount('pending') > 0)
      this.events.emit(
        'pending',
        Array.from(hashes, (hash) => `"${toHex(hash)}"`),
      )
    await this.#takePendingLogs()
  }

  async #tellHeads(blocks: readonly BlockSummary[]): Promise<void> {
    for (const { hash, number } of blocks) {
      try {
        const block = await this.deps.node.reader.header(hash)
        if (block === null) throw new RangeError('the block is no longer stored')
        this.events.emit('heads', [JSON.stringify(encodeHead(block))])
      } catch (error: unknown) {
        if (this.#stopping.signal.aborted) throw error
        const reason = messageOf(error)
        this.deps.log.warn('a new header could not be read', { block: number, error: reason })
        this.events.emit('missedHeads', { from: number, to: number, reason })
      }
    }
  }

  async #takePendingLogs(): Promise<void> {
    if (!this.logs.waitsForPending()) {
      this.#pendingKnown = new Set()
      return
    }
    const { number } = await this.deps.node.reader.pendingBlock()
    const logs = await pendingLogs(this.deps.node).catch((error: unknown) => {
      if (this.#stopping.signal.aborted) throw error
      this.logs.missPending(number, messageOf(error))
      return []
    })
    const known = this.#pendingKnown
    this.#pendingKnown = new Set(logs.map(({ transaction }) => transaction))
    const fresh = logs.filter(({ transaction }) => !known.has(transaction))
    if (fresh.length > 0) this.logs.tellPending(fresh)
  }
}

/** With the hash of its transaction, `0x` hex. */
type PendingLog = LogText & { readonly transaction: string }

/** Bytes of the pending block's transactions and receipts that are read on this thread. */
const MAX_PENDING_BYTES = 4 * 1024 * 1024

/** The logs of the pending block. @throws RPC_ANSWER_TOO_LARGE for more than this thread should read */
export async function pendingLogs(node: FeedNode): Promise<readonly PendingLog[]> {
  const block = await node.reader.pendingBlock()
  if (block.receipts.length + block.transactions.length > MAX_PENDING_BYTES)
    throw new RpcFault('RPC_ANSWER_TOO_LARGE', undefined)
  const sent = decodeTransactions(block.transactions)
  if (!sent.ok) throw new RangeError(sent.error)
  const receipts = new StoredReceipts(block.receipts)
  const transactions = sent.value.map(({ hash }, transaction) => ({
    hash,
    logs: [...receipts.logs({ transaction, log: 0, at: 0 })].map((log) => log.copy()),
  }))
  const texts = logTextsOf({ hash: null, number: BigInt(block.number), transactions })
  const owners = transactions.flatMap(({ hash, logs }) => logs.map(() => toHex(hash)))
  return texts.map((log, index) => ({ ...log, transaction: owners[index] ?? '' }))
}
