// Single items of the chain, the pool, and the listeners: the UI's calls about them.
import { z } from 'zod'
import { equalBytes } from '../../../base/bytes'
import { bytesOfHex, toHex } from '../../../base/hex'
import { onAbort } from '../../../base/on-abort'
import type { Clock } from '../../../base/time'
import {
  type AddressHistoryView,
  type AddressView,
  type ListenerView,
  MAX_REORG_BLOCKS,
  type PoolPageView,
  type PoolReportView,
  type PoolRowView,
  type ReceiptView,
  type ReorgView,
  TRACE_LIMITS,
  type TraceCallView,
  type TraceView,
} from '../../../contract/explorer'
import type { BalanceView, BlockRowView, BlockView, TransactionRowView } from '../../../contract/node'
import { transactionsOf } from '../../../node/chain-reader'
import type { ChainReader, HeadChange, NodeService } from '../../../node/node-service'
import { asciiText } from '../../../node/query/text-sink'
import type { PendingBlockInfo } from '../../../node/worker/wire/pending-shapes'
import type { AccountContentInfo } from '../../../node/worker/wire/pool-wire'
import type {
  AccountInfo,
  BlockDetail,
  BlockSummary,
  ReceiptInfo,
  TransactionInfo,
} from '../../../node/worker/wire/shapes'
import { HostError } from '../../errors'
import { uiCalls } from '../ui-handlers'

const MAX_REORGS = 20

export class ReorgRing {
  #reorgs: readonly ReorgView[] = []

  constructor(private readonly clock: Clock) {}

  take({ removed, added }: HeadChange): void {
    const lowest = removed[0]
    if (lowest === undefined) return
    const reorg = {
      at: this.clock.now(),
      ancestor: lowest.number - 1,
      removed: removed.slice(0, MAX_REORG_BLOCKS).map(blockRow),
      added: added.slice(0, MAX_REORG_BLOCKS).map(blockRow),
    }
    this.#reorgs = [reorg, ...this.#reorgs].slice(0, MAX_REORGS)
  }

  /** Newest first. */
  list(): readonly ReorgView[] {
    return this.#reorgs
  }
}

const MS_PER_SECOND = 1_000

export function blockRow(block: BlockSummary): BlockRowView {
  return {
    number: block.number,
    hash: toHex(block.hash),
    parentHash: toHex(block.parentHash),
    time: block.timestamp * MS_PER_SECOND,
    miner: toHex(block.miner),
    difficulty: block.difficulty.toString(),
    gasUsed: Number(block.gasUsed),
    gasLimit: Number(block.gasLimit),
    transactionCount: block.transactionCount,
    sizeBytes: block.sizeBytes,
    subsidy: block.subsidy.toString(),
  }
}

/** @param fees wei; null when it was never executed */
export function blockView(
  block: BlockDetail,
  { transactions, fees }: { readonly transactions: readonly TransactionInfo[]; readonly fees: bigint | null },
): BlockView {
  return {
    ...blockRow(block),
    totalDifficulty: block.totalDifficulty.toString(),
    stateRoot: toHex(block.stateRoot),
    transactionsRoot: toHex(block.txRoot),
    receiptsRoot: toHex(block.receiptRoot),
    mixDigest: toHex(block.mixHash),
    nonce: `0x${block.nonce.toString(16).padStart(16, '0')}`,
    sealHash: toHex(block.sealHash),
    extraData: toHex(block.extraData),
    epoch: block.epoch,
    epochStartTime: block.epochStartTime * MS_PER_SECOND,
    isCanonical: block.canonical,
    fees: fees?.toString() ?? null,
    unlockHeight: block.unlockHeight,
    transactions: transactions.map(transactionRow),
  }
}

export function transactionRow(transaction: TransactionInfo): TransactionRowView {
  const { outcome, place, to } = transaction
  return {
    hash: toHex(transaction.hash),
    from: toHex(transaction.from),
    to: to === null ? null : toHex(to),
    value: transaction.value.toString(),
    nonce: transaction.nonce.toString(),
    gasPrice: transaction.gasPrice.toString(),
    gasUsed: outcome === null ? null : Number(outcome.gasUsed),
    succeeded: outcome?.succeeded ?? null,
    blockNumber: place?.blockNumber ?? null,
    input: toHex(transaction.input),
  }
}

/** @param address in display spelling */
export function balanceView(address: string, account: AccountInfo): BalanceView {
  const { nextUnlock } = account
  return {
    address,
    available: account.balance.toString(),
    locked: account.locked.toString(),
    nextUnlock: nextUnlock === null ? null : { height: nextUnlock.height, amount: nextUnlock.amount.toString() },
    nonce: Number(account.nonce),
  }
}

/** Characters of a trace as written by the worker. */
const MAX_TEXT = 8 * 1024 * 1024

interface TraceQuestion {
  readonly hash: string
  readonly kind: TraceView['kind']
}

export class TraceJobs {
  #isRunning = false

  /** @throws HostError HOST_TRACE_BUSY, HOST_TRACE_TOO_LARGE, HOST_TRACE_CANCELLED, and the node's errors */
  async trace(
    node: Pick<NodeService, 'queries'>,
    { hash, kind }: TraceQuestion,
    signal: AbortSignal,
  ): Promise<TraceView> {
    if (this.#isRunning) throw new HostError('HOST_TRACE_BUSY', undefined)
    this.#isRunning = true
    try {
      const text = await gather(node, { hash, kind }, signal)
      return kind === 'calls' ? callsOf(text) : stepsOf(text)
    } catch (error) {
      throw signal.aborted ? new HostError('HOST_TRACE_CANCELLED', undefined, { cause: error }) : error
    } finally {
      this.#isRunning = false
    }
  }
}

async function gather(
  node: Pick<NodeService, 'queries'>,
  { hash, kind }: TraceQuestion,
  signal: AbortSignal,
): Promise<string> {
  const options = {
    tracer: kind === 'calls' ? ('callTracer' as const) : ('structs' as const),
    timeoutMs: TRACE_LIMITS.ms,
    script: null,
    memory: false,
    stack: false,
    storage: false,
    limit: TRACE_LIMITS.steps + 1,
  }
  const request = { kind: 'traceTransaction' as const, hash: bytesOfHex(hash), options }
  const pieces: string[] = []
  let left = MAX_TEXT
  for await (const piece of node.queries().stream(request, { signal })) {
    left -= piece.length
    if (left < 0) throw new HostError('HOST_TRACE_TOO_LARGE', { limit: MAX_TEXT })
    pieces.push(typeof piece === 'string' ? piece : asciiText(piece))
  }
  return pieces.join('')
}

const quantity = z.string().regex(/^0x[0-9a-f]+$/)
const callText = z.object({
  type: z.string(),
  from: z.string(),
  to: z.string().optional(),
  value: quantity.optional(),
  gasUsed: quantity,
  input: z.string(),
  error: z.string().optional(),
  calls: z.array(z.unknown()).optional(),
})

/** The call tree in call order. */
function callsOf(text: string): TraceView {
  const waiting: { readonly call: unknown; readonly depth: number }[] = [{ call: JSON.parse(text), depth: 0 }]
  const calls: TraceCallView[] = []
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (calls.length === TRACE_LIMITS.calls) return { kind: 'calls', calls, isCut: true }
    const { depth } = next
    const call = callText.parse(next.call)
    calls.push(callView(call, depth))
    for (const inner of [...(call.calls ?? [])].reverse()) waiting.push({ call: inner, depth: depth + 1 })
  }
  return { kind: 'calls', calls, isCut: false }
}

function callView(call: z.infer<typeof callText>, depth: number): TraceCallView {
  const inputBytes = (call.input.length - 2) / 2
  return {
    depth,
    kind: call.type,
    from: call.from,
    to: call.to ?? null,
    value: call.value === undefined ? null : BigInt(call.value).toString(),
    gasUsed: Number(call.gasUsed),
    selector: call.type.startsWith('CREATE') || inputBytes < 4 ? '' : call.input.slice(0, 10),
    inputBytes,
    error: call.error ?? '',
  }
}

const stepsText = z.object({
  structLogs: z.array(
    z.object({
      pc: z.number(),
      op: z.string(),
      gas: z.number(),
      gasCost: z.number(),
      depth: z.number(),
      error: z.unknown().optional(),
    }),
  ),
})

function stepsOf(text: string): TraceView {
  const { structLogs } = stepsText.parse(JSON.parse(text))
  const steps = structLogs.slice(0, TRACE_LIMITS.steps).map(({ error, ...step }) => ({
    ...step,
    error: typeof error === 'string' ? error : '',
  }))
  return { kind: 'steps', steps, isCut: structLogs.length > TRACE_LIMITS.steps }
}

/** Lower ends of the steps within a decade, roughly equal. */
const STEPS = [10n, 18n, 32n, 56n]
/** More between the lowest and the highest price would fill a page: then the highest step is open-ended. */
const MAX_STEPS = 40

type Prices = PoolReportView['prices']

/** @param block null before the first block */
export function poolReport(accounts: readonly AccountContentInfo[], block: PendingBlockInfo | null): PoolReportView {
  const pending = accounts.flatMap((account) => account.pending.map(({ gasPrice }) => gasPrice))
  const queued = accounts.flatMap((account) => account.queued.map(({ gasPrice }) => gasPrice))
  return { prices: priceSteps(pending, queued), template: block === null ? null : templateView(block) }
}

function templateView(block: PendingBlockInfo): NonNullable<PoolReportView['template']> {
  return {
    number: block.number,
    transactions: block.transactionCount,
    gasUsed: Number(block.gasUsed),
    gasLimit: Number(block.gasLimit),
    fees: block.fees.toString(),
    sizeBytes: block.sizeBytes,
  }
}

/** @param pending wei per gas */
export function priceSteps(pending: readonly bigint[], queued: readonly bigint[]): Prices {
  const all = [...pending, ...queued]
  const first = all[0]
  if (first === undefined) return []
  const [least, most] = all.reduce(
    ([low, high], price) => [price < low ? price : low, price > high ? price : high],
    [first, first],
  )
  const edges = edgesAround(least, most)
  return edges.slice(0, -1).map((from, index) => {
    const below = edges[index + 1] ?? from
    const isIn = (price: bigint): boolean => price >= from && price < below
    return {
      from: from.toString(),
      below: below.toString(),
      pending: pending.filter(isIn).length,
      queued: queued.filter(isIn).length,
    }
  })
}

/** Ascending edges; the first is at most `least`, the last at least `most`. */
function edgesAround(least: bigint, most: bigint): readonly bigint[] {
  const edges = [lowEdge(least)]
  for (let last = edges[0] ?? 0n; last <= most; ) {
    last = edges.length === MAX_STEPS ? most + 1n : nextEdge(last)
    edges.push(last)
  }
  return edges
}

function lowEdge(price: bigint): bigint {
  if (price < 10n) return 0n
  const power = 10n ** BigInt(price.toString().length - 2)
  return ([...STEPS].reverse().find((step) => step * power <= price) as bigint) * power
}

function nextEdge(edge: bigint): bigint {
  if (edge === 0n) return 10n
  const power = 10n ** BigInt(edge.toString().length - 2)
  const next = STEPS[STEPS.indexOf(edge / power) + 1]
  return next === undefined ? 100n * power : next * power
}

/** Blocks per answer: their summaries come at once, only those with transactions are read in full. */
const MAX_BLOCKS = 1_024
const PAGE = 50
const MAX_MS = 2_000

/** @param address 20 bytes @param from height; null = head */
export async function addressHistory(
  { reader, clock }: { readonly reader: Pick<ChainReader, 'blocksDown' | 'transactions'>; readonly clock: Clock },
  address: Uint8Array,
  from: number | null,
): Promise<AddressHistoryView> {
  const began = clock.monotonic()
  const blocks = await reader.blocksDown(from, MAX_BLOCKS)
  const newest = blocks[0]?.number ?? 0
  const found: TransactionInfo[] = []
  let oldest = newest
  for (const { number, hash, transactionCount } of blocks) {
    if (found.length >= PAGE || clock.monotonic() - began > MAX_MS) break
    oldest = number
    if (transactionCount === 0) continue
    const sent = await transactionsOf(reader, { hash, transactionCount })
    found.push(...sent.filter((transaction) => concerns(transaction, address)).reverse())
  }
  return { transactions: found.map(transactionRow), newest, oldest }
}

function concerns({ from, to }: TransactionInfo, address: Uint8Array): boolean {
  return equalBytes(from, address) || (to !== null && equalBytes(to, address))
}

export function receiptView(receipt: ReceiptInfo): ReceiptView {
  const { place, contractAddress, gasUsed, gasPrice } = receipt
  return {
    succeeded: receipt.succeeded,
    blockHash: toHex(place.blockHash),
    blockNumber: place.blockNumber,
    index: place.index,
    gasUsed: Number(gasUsed),
    cumulativeGasUsed: Number(receipt.cumulativeGasUsed),
    fee: (gasUsed * gasPrice).toString(),
    contractAddress: contractAddress === null ? null : toHex(contractAddress),
    logs: receipt.logs.map((log) => ({
      index: log.logIndex,
      address: toHex(log.address),
      topics: log.topics.map((topic) => toHex(topic)),
      data: toHex(log.data),
    })),
  }
}

interface PoolPageQuery {
  readonly from: number
  readonly count: number
  /** Empty = all. */
  readonly filter: string
}

/** Executable ones first; highest price first within each, the order of inclusion. */
export function poolPage(
  accounts: readonly AccountContentInfo[],
  { from, count, filter }: PoolPageQuery,
): PoolPageView {
  const pending = accounts.flatMap((account) => account.pending)
  const queued = accounts.flatMap((account) => account.queued)
  const wanted = filter.trim().toLowerCase()
  const rows = [...byPrice(pending).map(rowIn('pending')), ...byPrice(queued).map(rowIn('queued'))]
  const found = wanted === '' ? rows : rows.filter((row) => isMatch(row, wanted))
  return {
    pending: pending.length,
    queued: queued.length,
    found: found.length,
    transactions: found.slice(from, from + count),
  }
}

function byPrice(transactions: readonly TransactionInfo[]): readonly TransactionInfo[] {
  return [...transactions].sort((a, b) => (a.gasPrice === b.gasPrice ? 0 : a.gasPrice > b.gasPrice ? -1 : 1))
}

const rowIn =
  (place: PoolRowView['place']) =>
  (transaction: TransactionInfo): PoolRowView => {
    const { input: _selector, ...row } = transactionRow(transaction)
    return { ...row, place, gasLimit: Number(transaction.gasLimit) }
  }

function isMatch({ hash, from, to }: PoolRowView, wanted: string): boolean {
  return [hash, from, to ?? ''].some((text) => text.toLowerCase().includes(wanted))
}

export interface ExplorerDeps {
  /** Null when this run has no node. */
  readonly node: NodeService | null
  readonly listeners: () => ListenerView[]
  readonly clock: Clock
}

/** Of one connection. */
export function explorerCalls(deps: ExplorerDeps, shared: { readonly reorgs: ReorgRing; readonly traces: TraceJobs }) {
  const running = (): NodeService => {
    if (deps.node === null) throw new HostError('HOST_SERVICE_OFF', { service: 'node' })
    return deps.node
  }
  const reader = (): NodeService['reader'] => running().reader
  return uiCalls({
    'node.receipt': async ({ hash }) => {
      const receipt = await reader().receipt(bytesOfHex(hash))
      return { receipt: receipt === null ? null : receiptView(receipt) }
    },
    'node.address': async ({ address }) => ({ account: await addressView(reader(), bytesOfHex(address)) }),
    'node.code': async ({ address }) => {
      const code = await reader().code(bytesOfHex(address))
      return { code: code === null ? null : toHex(code) }
    },
    'node.addressHistory': ({ address, from }) =>
      addressHistory({ reader: reader(), clock: deps.clock }, bytesOfHex(address), from),
    'node.poolPage': async (query) => poolPage(await reader().poolContent(), query),
    'node.poolReport': async () => {
      const node = running()
      const [content, block] = await Promise.all([
        node.reader.poolContent(),
        node.head() === null ? null : node.reader.pendingBlock(),
      ])
      return poolReport(content, block)
    },
    'node.reorgs': () => ({ reorgs: [...shared.reorgs.list()] }),
    'node.listeners': () => ({ listeners: deps.listeners() }),
    ...traceCalls(running, shared.traces),
    ...consoleCalls(running),
  })
}

function traceCalls(node: () => NodeService, traces: TraceJobs) {
  let running: AbortController | null = null
  return uiCalls({
    'node.trace': async (question, gone) => {
      // It must not replace the running one, which could then not be cancelled.
      if (running !== null) throw new HostError('HOST_TRACE_BUSY', undefined)
      const abort = new AbortController()
      const held = onAbort(gone, () => abort.abort())
      running = abort
      try {
        return await traces.trace(node(), question, abort.signal)
      } finally {
        held.dispose()
        running = null
      }
    },
    'node.cancelTrace': () => running?.abort(),
  })
}

function consoleCalls(node: () => NodeService) {
  const methods = (): readonly string[] => node().rpcControl()?.console.methods() ?? []
  return uiCalls({
    'node.rpcTraffic': () => ({
      methods: (node().rpcControl()?.traffic() ?? []).map(({ seconds: _time, ...count }) => count),
    }),
    'node.consoleMethods': () => ({ methods: [...methods()] }),
    'node.console': async ({ method, params }, gone) => {
      const control = node().rpcControl()
      if (control === null) throw new HostError('HOST_SERVICE_OFF', { service: 'JSON-RPC' })
      if (!methods().includes(method)) throw new HostError('HOST_CONSOLE_REFUSED', { method })
      return { answer: await control.console.ask(method, parametersOf(params), gone) }
    },
  })
}

/** @throws HostError HOST_CONSOLE_PARAMS */
function parametersOf(text: string): readonly unknown[] {
  if (text.trim() === '') return []
  const value = parsed(text)
  if (Array.isArray(value)) return value
  throw new HostError('HOST_CONSOLE_PARAMS', { reason: 'want values in square brackets' })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read'
    throw new HostError('HOST_CONSOLE_PARAMS', { reason }, { cause: error })
  }
}

/** All from one state, so that balance, nonce and code are consistent. */
async function addressView(reader: NodeService['reader'], address: Uint8Array): Promise<AddressView | null> {
  const head = await reader.head()
  const [account, code] = await Promise.all([reader.account(address, head.hash), reader.code(address, head.hash)])
  if (account === null || code === null) return null
  const { balance, locked, nextUnlock, nonce } = account
  return {
    asOf: head.number,
    available: balance.toString(),
    locked: locked.toString(),
    nextUnlock: nextUnlock === null ? null : { height: nextUnlock.height, amount: nextUnlock.amount.toString() },
    nonce: nonce.toString(),
    codeBytes: code.length,
  }
}
