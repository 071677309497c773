// The chain worker's side of the wire: owns the database and does all computing; the host thread only asks.
import { messageOf } from '../../base/errors'
import type { Handlers, Transport } from '../../base/wire/define'
import { serveWire, trustedPeer, type WireServer } from '../../base/wire/server'
import type { HeadChanged } from '../chain/chain'
import { decodeTransaction } from '../chain/transaction'
import { nextDifficulty } from '../consensus/difficulty'
import { ChainError, TxPoolError } from '../errors'
import { BlockQueries } from './block-queries'
import { blockRange } from './block-range'
import { type ChainSession, closeSession, openSession, type SessionDeps } from './chain-session'
import { type ChainWire, chainWire, type OpenParams } from './chain-wire'
import { importHandlers } from './import-bytes'
import { p2pHandlers } from './p2p-handlers'
import { newPendingParts, poolHandlers } from './pool-handlers'
import { summaryOf, transactionView } from './views'

/** Answers `chainWire` on `transport` until it closes; then the chain is closed too. */
export function serveChain(transport: Transport, deps: SessionDeps): void {
  const worker = new ChainWorker(deps)
  worker.server = serveWire(chainWire, transport, worker.handlers(), { log: deps.log, deny: trustedPeer })
  transport.onClose(() => {
    worker.close().catch((error: unknown) => deps.log.error('chain not closed cleanly', { error: messageOf(error) }))
  })
}

class ChainWorker {
  server: WireServer<ChainWire> | null = null
  #session: ChainSession | null = null
  #queries: BlockQueries | null = null
  #closing: Promise<void> | null = null

  constructor(private readonly deps: SessionDeps) {}

  handlers(): Handlers<ChainWire> {
    return {
      'chain.open': (params) => this.#open(params),
      'chain.close': async () => {
        await this.close()
        return {}
      },
      'chain.head': () => this.#read().head(),
      'chain.blocksDown': ({ from, count }) => this.#read().blocksDown(from, count),
      'chain.block': ({ id }) => this.#read().detail(id),
      'chain.summary': ({ id }) => this.#read().summary(id),
      'chain.transaction': ({ hash }) => this.#read().transaction(hash),
      'chain.receipt': ({ hash }) => this.#read().receipt(hash),
      'chain.blockBytes': ({ id }) => this.#read().blockBytes(id),
      'chain.receipts': ({ id }) => this.#read().receipts(id),
      'chain.pending': () =>
        this.#opened()
          .pool.executable()
          .map((entry) => transactionView(entry, null)),
      'chain.counts': () => this.#opened().pool.counts(),
      'chain.account': ({ address, at }) => this.#read().account(address, at),
      'chain.code': ({ address, at }) => this.#read().code(address, at),
      'chain.storage': ({ address, slot, at }) => this.#read().storage(address, slot, at),
      'chain.poolNonce': ({ address }) => this.#opened().pool.nextNonce(address),
      'chain.nextDifficulty': () => this.#nextDifficulty(),
      'chain.gasPrice': () => this.#gasPrice(),
      ...importHandlers(() => this.#opened().chain),
      'chain.blockRange': ({ first, last }) => blockRange(this.#opened(), first, last),
      'chain.addTransaction': ({ raw, local }) => this.#addTransaction(raw, local),
      'chain.work': () => this.#opened().work.work(),
      'chain.submitWork': (seal) => this.#opened().work.submit(seal),
      ...poolHandlers(() => this.#opened()),
      ...p2pHandlers(() => this.#opened()),
    }
  }

  /** Idempotent. */
  close(): Promise<void> {
    const session = this.#session
    if (session === null) return this.#closing ?? Promise.resolve()
    this.#session = null
    this.#queries = null
    this.#closing = closeSession(session)
    return this.#closing
  }

  async #open(params: OpenParams) {
    await this.close()
    const session = await openSession(params, this.deps)
    this.#session = session
    this.#queries = new BlockQueries(session)
    const { chain, pool, work, held, engine } = session
    held.add(chain.events.on('headChanged', (change) => this.#announce(session, change)))
    held.add(pool.events.on('changed', (counts) => this.server?.emit('chain.pendingChanged', counts)))
    held.add(
      pool.events.on('becameExecutable', (batch) => {
        for (const part of newPendingParts(batch)) this.server?.emit('chain.newPending', part)
      }),
    )
    held.add(work.events.on('workChanged', (next) => this.server?.emit('chain.workChanged', next)))
    work.start()
    session.pending.start()
    const head = this.#queries.head()
    const genesisHash = chain.reads.canonicalHash(0n)
    if (genesisHash === null) throw new ChainError('CHAIN_NOT_OPEN', undefined)
    this.deps.log.info('chain opened', { network: session.network.name, head: head.number, execution: engine.kind })
    return { head, genesisHash, engine: engine.kind }
  }

  #announce({ chain }: ChainSession, { head, removed, added }: HeadChanged): void {
    const block = chain.reads.block(head.hash)
    if (block === null) return
    this.server?.emit('chain.headChanged', {
      head: summaryOf(chain, block),
      removed: removed.map((gone) => summaryOf(chain, gone)),
      added: added.map((joined) => summaryOf(chain, joined)),
    })
  }

  #addTransaction(raw: Uint8Array, local: boolean): Uint8Array {
    const tx = decodeTransaction(raw)
    const added = tx.ok ? this.#opened().pool.add(tx.value, { local }) : tx
    if (!added.ok) throw new TxPoolError('TXPOOL_REFUSED', { reason: added.error })
    return added.value.tx.hash
  }

  #nextDifficulty(): bigint {
    const { chain } = this.#opened()
    const next = nextDifficulty(chain.params, chain.head.header, (from, number) => chain.reads.ancestor(from, number))
    if (next === null) throw new RangeError('an ancestor of the head is missing')
    return next
  }

  #gasPrice(): bigint {
    const { chain, gasPrice } = this.#opened()
    return gasPrice.suggest({ number: chain.head.header.number, hash: chain.head.hash })
  }

  #opened(): ChainSession {
    if (this.#session === null) throw new ChainError('CHAIN_NOT_OPEN', undefined)
    return this.#session
  }

  #read(): BlockQueries {
    if (this.#queries === null) throw new ChainError('CHAIN_NOT_OPEN', undefined)
    return this.#queries
  }
}
