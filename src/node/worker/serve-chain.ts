// The chain worker's side of the wire: owns the database and does all computing; the host thread only sends requests.
import { joinBytes, minimalBytes } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import type { Handlers, Transport } from '../../base/wire/define'
import { serveWire, trustedPeer, type WireServer } from '../../base/wire/server'
import type { HeadChanged } from '../chain/chain'
import { ChainError, TxPoolError } from '../errors'
import type { StateChanges } from '../execution/state-changes'
import type { PendingBlock } from '../miner-work/pending-block'
import { encodeTransactions } from '../model/block'
import { encodeStoredReceipts } from '../model/receipt'
import { decodeTransaction } from '../model/transaction'
import { chainKeys, stateKeys } from '../store/keys'
import { nodesOf } from '../store/node-list'
import type { PoolTransaction } from '../txpool/pool-transaction'
import { BlockQueries, readHandlers, summaryOf, transactionView } from './block-queries'
import { type ChainSession, closeSession, openSession, type SessionDeps } from './chain-session'
import { BusyTime, importHandlers } from './import-bytes'
import { p2pHandlers } from './p2p-handlers'
import { type BlockRange, type ChainWire, chainWire, type OpenParams } from './wire/chain-wire'
import { type PendingAnswer, type PendingBlockInfo, packEntries, type StateEntry } from './wire/pending-shapes'
import type { MiningChange, MiningState, NewPending } from './wire/pool-wire'

/** The pending block with its effects on the state. */
function pendingView({ parent, block, built }: PendingBlock): PendingBlockInfo {
  const { header } = block
  return {
    parentHash: parent.hash,
    number: Number(header.number),
    timestamp: Number(header.timestamp),
    miner: header.coinbase,
    difficulty: header.difficulty,
    totalDifficulty: parent.totalDifficulty + header.difficulty,
    gasLimit: header.gasLimit,
    gasUsed: header.gasUsed,
    epochStartTime: Number(header.epochStartTime),
    extraData: header.extraData,
    logsBloom: header.logsBloom,
    stateRoot: header.stateRoot,
    txRoot: header.txRoot,
    receiptRoot: header.receiptRoot,
    sizeBytes: block.sizeBytes,
    transactionCount: block.transactions.length,
    fees: block.transactions.reduce((sum, tx, index) => {
      const gasPrice = tx.kind === 'supported' ? tx.gasPrice : 0n
      return sum + gasPrice * (built.receipts[index]?.gasUsed ?? 0n)
    }, 0n),
    transactions: encodeTransactions(block.transactions),
    receipts: encodeStoredReceipts(built.receipts),
    changes: packEntries(changedBy(built.changes)),
  }
}

function* changedBy({ flat, nodes, codes }: StateChanges): Generator<StateEntry> {
  for (const { key, after } of flat) yield [key, after]
  for (const [hash, node] of nodesOf(nodes)) yield [stateKeys.node(hash), node]
  for (const [hash, code] of codes) yield [stateKeys.code(hash), code]
}

const NEW_PENDING_MOST = 256
const NEW_PENDING_BYTES = 1_000_000
/** More frequent renewals would leave miners no time. */
const MIN_RECOMMIT_MS = 5000

/** @param session throws CHAIN_NOT_OPEN while there is none */
function poolHandlers(session: () => ChainSession) {
  return {
    'chain.pendingBlock': ({ known }: { readonly known: number | null }) => pendingAnswer(session(), known),
    'chain.configureMining': (change: MiningChange) => configure(session(), change),
  }
}

/** Splits a batch into parts of transferable size. */
export function newPendingParts(batch: readonly PoolTransaction[]): readonly NewPending[] {
  const parts: NewPending[] = []
  let part: NewPending = { hashes: [], transactions: [] }
  let bytes = 0
  for (const entry of batch) {
    if (part.hashes.length === NEW_PENDING_MOST || (bytes > 0 && bytes + entry.tx.raw.length > NEW_PENDING_BYTES)) {
      parts.push(part)
      part = { hashes: [], transactions: [] }
      bytes = 0
    }
    part.hashes.push(entry.tx.hash)
    part.transactions.push(transactionView(entry, null))
    bytes += entry.tx.raw.length
  }
  return part.hashes.length === 0 ? parts : [...parts, part]
}

async function pendingAnswer(session: ChainSession, known: number | null): Promise<PendingAnswer> {
  const pending = await session.pending.get()
  return { id: pending.id, block: pending.id === known ? null : pendingView(pending) }
}

function configure({ settings }: ChainSession, change: MiningChange): MiningState {
  const { recommitMs } = change
  settings.change({
    ...change,
    ...(recommitMs === undefined ? {} : { recommitMs: Math.max(MIN_RECOMMIT_MS, recommitMs) }),
  })
  return settings.values
}

// Canonical blocks in block file form, for exports: header and body are stored in the same encoding.

/** An answer ends with the block that reaches this size. */
const ANSWER_BYTES = 1024 * 1024

/** @throws RangeError for a height above the head, or a missing canonical block */
function blockRange({ chain, store }: ChainSession, first: number, last: number): BlockRange {
  const parts: Uint8Array[] = []
  let size = 0
  let number = first
  for (; number <= last && size < ANSWER_BYTES; number++) {
    const hash = chain.reads.canonicalHash(BigInt(number))
    const header = hash === null ? undefined : store.get(chainKeys.header(hash))
    const body = hash === null ? undefined : store.get(chainKeys.body(hash))
    if (header === undefined || body === undefined) throw new RangeError(`canonical block ${number} is missing`)
    const prefix = listPrefix(header.length + body.length)
    parts.push(prefix, header, body)
    size += prefix.length + header.length + body.length
  }
  return { bytes: joinBytes(parts), count: number - first }
}

/** The prefix of an RLP list of this length in bytes. */
function listPrefix(length: number): Uint8Array {
  if (length < 56) return Uint8Array.of(0xc0 + length)
  const digits = minimalBytes(BigInt(length))
  return Uint8Array.of(0xf7 + digits.length, ...digits)
}

/** Answers `chainWire` on `transport` until it closes; then closes the chain too. */
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
  #closing: Promise<void> | null = null

  readonly #imports = new BusyTime(() => this.deps.clock.monotonic())

  constructor(private readonly deps: SessionDeps) {}

  handlers(): Handlers<ChainWire> {
    return {
      'chain.open': (params) => this.#open(params),
      'chain.close': () => this.close(),
      ...readHandlers(() => this.#opened()),
      ...importHandlers(() => this.#opened(), this.#imports),
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
    this.#closing = closeSession(session)
    return this.#closing
  }

  async #open(params: OpenParams) {
    await this.close()
    const session = await openSession(params, this.deps)
    this.#session = session
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
    const head = new BlockQueries(session).head()
    const genesisHash = chain.reads.canonicalHash(0n)
    if (genesisHash === null) throw new ChainError('CHAIN_NOT_OPEN', undefined)
    this.deps.log.info('chain opened', { network: session.network.name, head: head.number, execution: engine.kind })
    return { head, genesisHash, engine: engine.kind, counts: pool.counts() }
  }

  #announce({ chain }: ChainSession, { head, removed, added }: HeadChanged): void {
    // A new head is usually among the added blocks; only a way back leads to one that must be read.
    const block = added.at(-1) ?? chain.reads.block(head.hash)
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

  #opened(): ChainSession {
    if (this.#session === null) throw new ChainError('CHAIN_NOT_OPEN', undefined)
    return this.#session
  }
}
