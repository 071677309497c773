// A query worker's side of the wire: reads the chain database beside the chain worker, runs calls and traces, writes nothing.

import { bytesName, equalBytes } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import { toHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { Handlers, Transport } from '../../base/wire/define'
import { serveWire, trustedPeer, type WireServer, wireFault } from '../../base/wire/server'
import { createXhashEngine, type XhashEngine } from '../../native/xhash-engine'
import { XHASH_FULL } from '../../xhash/params'
import { seedHash } from '../../xhash/seed'
import { createGenesis, parseGenesis } from '../chain/genesis'
import { historyFrom } from '../chain/state-window'
import { ChainError } from '../errors'
import { writeLiveLogs } from '../logs/live-logs'
import { logPageText } from '../logs/log-answers'
import { searchLogs } from '../logs/search'
import { encodeBlock } from '../model/block'
import { type BlockArgument, heightName } from '../model/block-argument'
import { encodeHeader } from '../model/header'
import { metaKeys, stateKeys } from '../store/keys'
import { nodesOf } from '../store/node-list'
import type { StoreReader } from '../store/store'
import { EMPTY_TRIE_ROOT } from '../trie/trie'
import { failed } from './block-state'
import { Flags } from './flags'
import { FlatRuns, isFlat } from './flat/flat-runs'
import {
  type Asked,
  type AskRequest,
  type PoolContentQuestion,
  type QueryAnswer,
  type QueryOpen,
  type QueryWire,
  queryWire,
  type StreamRequest,
} from './query-wire'
import { proveAccount, readAccount } from './reads/account-reads'
import {
  pendingTransaction,
  shortBlock,
  shortReceipts,
  writeBadBlocks,
  writeBlock,
  writePoolContent,
  writeReceipts,
} from './reads/blocks'
import { dumpState } from './reads/state-dump'
import { accessibleState, feeHistory, intermediateRoots, modifiedAccounts, storageRange } from './reads/state-reports'
import { callMany, createAccessList, estimateGas, runCall } from './run-call'
import type { Scripts } from './scripts/script-tracer'
import { type Answer, createQuerySession, type QueryLimits, type QuerySession, sessionOptions } from './session'
import { simulate } from './simulate'
import { noRanges, openViews } from './snapshots'
import { patienceMs, TextSink, writerOf } from './text-sink'
import { needsScript, TraceRuns } from './trace-runs'
import type { ScriptRunner } from './tracers/call-tracer'

/** Longest genesis file whose state is made again, bytes: a worker holds forty times as much then. */
const MAX_GENESIS_BYTES = 4 * 1024 * 1024

/** Requests that need trie nodes, which the history doesn't give. */
const OF_TRIES: readonly string[] = ['proof', 'dump', 'storageRange', 'intermediateRoots']

/** Makes the genesis state readable for a request that needs it. @throws RpcFault RPC_FAILED for too long a file */
export async function prepareGenesis(session: QuerySession, request: AskRequest | StreamRequest): Promise<void> {
  if (session.genesis !== null || !readsGenesis(session, request)) return
  const { store, reads } = session.view()
  const hash = reads.canonicalHash(0n)
  const root = hash === null ? undefined : reads.header(hash)?.stateRoot
  if (root === undefined || equalBytes(root, EMPTY_TRIE_ROOT)) return
  if (store.get(stateKeys.node(root)) !== undefined) return // still stored
  const bytes = store.get(metaKeys.genesis)
  if (bytes === undefined) return
  if (bytes.length > MAX_GENESIS_BYTES) {
    if (historyFrom(store) === 0n && !OF_TRIES.includes(request.kind)) return
    throw failed(
      `the state of a genesis file of ${bytes.length} bytes isn't kept, only of up to ${MAX_GENESIS_BYTES}: use --gcmode archive`,
    )
  }
  const file = parseGenesis(Buffer.from(bytes).toString('utf8'))
  if (!file.ok) throw failed(`the stored genesis file is damaged: ${file.error}`)
  const { changes } = await createGenesis(file.value)
  const entries = new Map<string, Uint8Array>()
  for (const [name, node] of nodesOf(changes.nodes)) entries.set(bytesName(stateKeys.node(name)), node)
  for (const [name, code] of changes.codes) entries.set(bytesName(stateKeys.code(name)), code)
  session.setGenesis(readerOf(entries))
}

function readerOf(entries: ReadonlyMap<string, Uint8Array>): StoreReader {
  const get = (key: Uint8Array): Uint8Array | undefined => entries.get(bytesName(key))
  return { get, getStored: get, keysWithPrefix: noRanges }
}

/** Whether the answer comes from the genesis state: asked for it, or for tries that block 1 starts from. */
function readsGenesis(session: QuerySession, request: AskRequest | StreamRequest): boolean {
  if (request.kind === 'storageRange' || request.kind === 'intermediateRoots')
    return session.view().reads.header(request.hash)?.number === 1n
  return 'at' in request && isGenesis(session, request.at)
}

function isGenesis(session: QuerySession, at: BlockArgument): boolean {
  if (at.kind === 'number') return at.number === 0
  if (at.kind === 'hash') return session.view().reads.header(at.hash)?.number === 0n
  if (at.kind === 'neither' || at.tag === 'pending' || at.tag === 'latest') return false
  return session.blocks().header(at.tag)?.header.number === 0n
}

const headerRlp: Answer<'headerRlp'> = (session, { number }) => {
  const found = session.blocks().header(number)
  if (found === null) throw failed(`header #${heightName(number)} not found`)
  return JSON.stringify(toHex(encodeHeader(found.header)))
}

const blockRlp: Answer<'blockRlp'> = (session, { number }) => {
  const { reads } = session.view()
  const hash = reads.canonicalHash(BigInt(number))
  const block = hash === null ? null : reads.block(hash)
  if (block === null) throw failed(`block #${heightName(number)} not found`)
  return JSON.stringify(toHex(encodeBlock(block)))
}

const seedHashOf: Answer<'seedHash'> = (session, { number }) => {
  if (session.blocks().header(number) === null) throw failed(`block #${heightName(number)} not found`)
  return JSON.stringify(toHex(seedHash(Math.floor(number / session.options.epochBlocks))))
}

/** JSON text: the receipts as the receipt root covers them; none for the pending block, as in prlx. */
const rawReceipts: Answer<'rawReceipts'> = (session, { at }) => {
  if (at.kind === 'tag' && at.tag === 'pending') return '[]'
  const { base } = session.blocks().find(at)
  const stored = session.view().reads.storedReceipts(base.hash)
  if (stored === null) return '[]'
  return JSON.stringify(stored.outcomes.map((_outcome, index) => toHex(stored.encoded(index))))
}

interface QueryDeps {
  readonly clock: Clock
  readonly log: Logger
  /** absolute folder from which the addon's file is searched */
  readonly searchFrom: string
  /** Maximum chunks in transit to a slow reader; default 16. A reader on the same thread can't take any. */
  readonly maxChunksWaiting?: number
}

const MAX_CHUNKS_WAITING = 16

/** Answers `queryWire` on `transport` until it closes. */
export function serveQuery(transport: Transport, deps: QueryDeps): void {
  const worker = new QueryWorker(deps)
  worker.server = serveWire(queryWire, transport, worker.handlers(), { log: deps.log, deny: trustedPeer })
  transport.onClose(() => {
    worker.close().catch((error: unknown) => deps.log.error('query worker not closed', { error: messageOf(error) }))
  })
}

/** Answers that have waited this long for others of their batch are sent, ms. */
const SEND_AHEAD_MS = 1

type Ask = { readonly flag: number; readonly request: AskRequest }

interface Opened {
  readonly session: QuerySession
  readonly flags: Flags
  readonly xhash: XhashEngine
}

class QueryWorker {
  server: WireServer<QueryWire> | null = null
  #opened: Opened | null = null
  #scripts: Scripts | null = null

  constructor(private readonly deps: QueryDeps) {}

  handlers(): Handlers<QueryWire> {
    return {
      'query.open': (params) => this.#open(params),
      'query.close': () => this.close(),
      'query.pending': (pending) => this.#use().session.setPending(pending),
      'query.ask': async ({ asks }) => ({ answers: await this.#answerAll(asks) }),
      'query.stream': async ({ flag, request }) => ({ rest: await this.#stream(flag, request) }),
    }
  }

  /** Idempotent. */
  async close(): Promise<void> {
    const opened = this.#opened
    if (opened === null) return
    this.#opened = null
    await opened.session.close()
    await opened.xhash.close()
  }

  async #open(given: QueryOpen): Promise<void> {
    const { flags, ...open } = given
    await this.close()
    const views = await openViews(open.folder)
    // Only its keccak is used, which is the same for every network.
    const xhash = createXhashEngine(XHASH_FULL, { searchFrom: this.deps.searchFrom })
    const keccak256 = (data: Uint8Array): Uint8Array => xhash.keccak256(data)
    const session = createQuerySession(sessionOptions(open), { views, keccak256, searchFrom: this.deps.searchFrom })
    this.#opened = { session, flags: new Flags(flags), xhash }
  }

  /** Sends answers ahead when the next ones take long. */
  async #answerAll(asks: readonly Ask[]): Promise<QueryAnswer[]> {
    const { session, flags } = this.#use()
    session.refresh()
    let answers: QueryAnswer[] = []
    let sentAt = this.deps.clock.monotonic()
    for (const ask of asks) {
      if (!flags.start(ask.flag)) continue
      if (answers.length > 0 && this.deps.clock.monotonic() - sentAt > SEND_AHEAD_MS) {
        this.server?.emit('query.answers', { answers })
        answers = []
        sentAt = this.deps.clock.monotonic()
      }
      answers.push(await this.#answerOne(session, ask))
    }
    return answers
  }

  async #answerOne(session: QuerySession, { flag, request }: Ask): Promise<QueryAnswer> {
    try {
      await prepareGenesis(session, request)
      const answer = ANSWERS[request.kind] as Answering<AskRequest>
      const text = answer(session, request, this.#limits(flag))
      return { flag, text: typeof text === 'string' ? text : await text, error: null }
    } catch (error: unknown) {
      return { flag, text: null, error: wireFault('query.ask', error, this.deps.log) }
    }
  }

  /** @returns the end of the text, which isn't sent as a chunk */
  async #stream(flag: number, request: StreamRequest): Promise<string> {
    const scripts = needsScript(request) ? await this.#openScripts() : null
    const { session, flags } = this.#use()
    session.refresh()
    await prepareGenesis(session, request)
    const maxWaiting = this.deps.maxChunksWaiting ?? MAX_CHUNKS_WAITING
    let sent = 0
    const now = (): number => this.deps.clock.monotonic()
    const send = (text: string | Uint8Array): boolean => {
      this.server?.emit('query.chunk', { flag, text }, typeof text === 'string' ? [] : [text.buffer as ArrayBuffer])
      sent++
      const timeoutMs = patienceMs(sent, sink.waitedMs)
      return timeoutMs > 0 && flags.waitForRoom(flag, sent, { maxWaiting, timeoutMs })
    }
    const sink: TextSink = new TextSink({ send, now })
    const limits = this.#limits(flag)
    const stream = { limits, sink }
    if (request.kind === 'receipt' || request.kind === 'blockReceipts') writeReceipts(session, request, stream)
    else if (request.kind === 'block' || request.kind === 'pendingBlock') writeBlock(session, request, stream)
    else if (request.kind === 'badBlocks') writeBadBlocks(session, request, stream)
    else if (request.kind === 'liveLogs') writeLiveLogs(session.view().reads, request, writerOf(stream))
    else if (request.kind === 'poolContent') writePoolContent(session, request, writerOf(stream))
    else if (isFlat(request)) new FlatRuns(session, limits, sink).run(request)
    else new TraceRuns(session, { limits, scripts }, sink).run(request)
    return sink.rest()
  }

  /** Most workers never run a script: the interpreter is loaded on first use. */
  async #openScripts(): Promise<ScriptRunner> {
    const { Scripts } = await import('./scripts/script-tracer')
    this.#scripts ??= new Scripts()
    return this.#scripts.open()
  }

  #limits(flag: number): QueryLimits {
    const { flags } = this.#use()
    return { isStopped: () => flags.isStopped(flag), now: () => this.deps.clock.monotonic() }
  }

  /** @throws ChainError CHAIN_NOT_OPEN */
  #use(): Opened {
    if (this.#opened === null) throw new ChainError('CHAIN_NOT_OPEN', undefined)
    return this.#opened
  }
}

const ANSWERS: { readonly [K in AskRequest['kind']]: Answering<Asked<K>> } = {
  call: runCall,
  callMany,
  estimate: estimateGas,
  simulate,
  accessList: createAccessList,
  proof: proveAccount,
  balance: readAccount,
  nonce: readAccount,
  code: readAccount,
  storage: readAccount,
  feeHistory,
  headerRlp,
  blockRlp,
  seedHash: seedHashOf,
  rawReceipts,
  accessibleState,
  modifiedAccounts,
  intermediateRoots,
  dump: dumpState,
  storageRange,
  logs: (session, { filter, range }) =>
    logPageText(searchLogs(filter, range, { ...session.view(), cache: session.logs })),
  receipt: shortReceipts,
  blockReceipts: shortReceipts,
  block: shortBlock,
  pendingBlock: shortBlock,
  poolContent: poolContentText,
  pendingTransaction,
}

type Answering<Q> = (session: QuerySession, question: Q, limits: QueryLimits) => string | Promise<string>

function poolContentText(session: QuerySession, request: PoolContentQuestion): string {
  const parts: string[] = []
  writePoolContent(session, request, (text) => parts.push(text) > 0)
  return parts.join('')
}
