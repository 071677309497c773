// Chain events in the order in which filters and subscriptions report them: one head change at a time, logs of removed
// blocks first. Nothing is read while there are no listeners.

import { messageOf } from '../../../base/errors'
import { Emitter } from '../../../base/events'
import { toHex } from '../../../base/hex'
import { Disposables } from '../../../base/lifecycle'
import type { Logger } from '../../../base/logger'
import type { ChainReader } from '../../chain-reader'
import { type LogText, logTextsOf, removedText } from '../../logs/block-logs'
import type { BlockSummary, HeadChange } from '../../worker/wire/shapes'
import { encodeHead } from '../answers/encoding'
import type { ChainWatch, LogSource } from './log-source'

/** The node as the feed sees it. */
export interface FeedNode {
  readonly reader: ChainReader
  readonly logs: LogSource
  readonly watch: ChainWatch
}

/** A log as reported: `text` says whether it was removed. */
export interface ToldLog extends LogText {
  readonly blockNumber: number
}

/** What the feed emits. */
export interface FeedEvents {
  /** Blocks that joined the canonical chain, lowest first. */
  blocks: readonly BlockSummary[]
  /** The same blocks as JSON texts of their headers. */
  heads: readonly string[]
  /** In chain order; never empty. */
  logs: readonly ToldLog[]
  /** Hashes of transactions that became executable, as JSON texts: created once for all recipients. */
  pending: readonly string[]
  /** Logs of transactions new in the pending block. */
  pendingLogs: readonly LogText[]
}

/** Emits chain events to filters and subscriptions. */
export class ChainFeed {
  readonly events = new Emitter<FeedEvents>()
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
      if (signal.aborted) return
      this.deps.log.warn('chain updates could not be delivered', { error: messageOf(error) })
    })
  }

  async #takeHead({ removed, added }: HeadChange): Promise<void> {
    if (added.length > 0) this.events.emit('blocks', added)
    if (this.events.listenerCount('heads') > 0) this.events.emit('heads', await this.#headsOf(added))
    if (this.events.listenerCount('logs') > 0) {
      const logs = [...(await this.#logsOf(removed, removedText)), ...(await this.#logsOf(added, (text) => text))]
      if (logs.length > 0) this.events.emit('logs', logs)
    }
    await this.#takePendingLogs()
  }

  async #takePending(hashes: readonly Uint8Array[]): Promise<void> {
    if (this.events.listenerCount('pending') > 0)
      this.events.emit(
        'pending',
        hashes.map((hash) => `"${toHex(hash)}"`),
      )
    await this.#takePendingLogs()
  }

  async #headsOf(blocks: readonly BlockSummary[]): Promise<readonly string[]> {
    const heads: string[] = []
    for (const { hash } of blocks) {
      const block = await this.deps.node.reader.block(hash)
      if (block !== null) heads.push(JSON.stringify(encodeHead(block)))
    }
    return heads
  }

  async #logsOf(blocks: readonly BlockSummary[], told: (text: string) => string): Promise<readonly ToldLog[]> {
    const out: ToldLog[] = []
    for (const { hash, number, transactionCount } of blocks) {
      const logs = transactionCount === 0 ? [] : ((await this.deps.node.logs.ofBlock(hash, this.#stopping)) ?? [])
      for (const log of logs) out.push({ ...log, text: told(log.text), blockNumber: number })
    }
    return out
  }

  async #takePendingLogs(): Promise<void> {
    if (this.events.listenerCount('pendingLogs') === 0) {
      this.#pendingKnown = new Set()
      return
    }
    const logs = await pendingLogs(this.deps.node)
    const known = this.#pendingKnown
    this.#pendingKnown = new Set(logs.map(({ transaction }) => transaction))
    const fresh = logs.filter(({ transaction }) => !known.has(transaction))
    if (fresh.length > 0) this.events.emit('pendingLogs', fresh)
  }
}

/** A log of the pending block. */
export interface PendingLog extends LogText {
  /** Hash of its transaction, `0x` hex */
  readonly transaction: string
}

/** The logs of the pending block. */
export async function pendingLogs(node: FeedNode): Promise<readonly PendingLog[]> {
  const block = await node.reader.pendingBlock()
  const transactions = block.transactions.map((tx, index) => ({
    hash: tx.hash,
    logs: block.receipts[index]?.logs ?? [],
  }))
  const texts = logTextsOf({ hash: null, number: BigInt(block.number), transactions })
  const owners = transactions.flatMap(({ hash, logs }) => logs.map(() => toHex(hash)))
  return texts.map((log, index) => ({ ...log, transaction: owners[index] ?? '' }))
}
