import { describe, expect, it } from 'vitest'
import { bytesFromBigint } from '../../../base/bytes'
import { bytesOfHex } from '../../../base/hex'
import { FakeClock } from '../../../base/testing/fake-clock'
import { ChainReads, writeBlock, writeCanonical } from '../../chain/chain-store'
import { keccak256 } from '../../codec/keccak'
import { MAIN_CONSENSUS } from '../../consensus/params'
import { EMPTY_ACCOUNT } from '../../execution/account'
import { applyStateChanges } from '../../execution/state-changes'
import { loadEngineModule } from '../../execution/wasm/module-file'
import { createBlock } from '../../model/block'
import type { Transaction } from '../../model/transaction'
import { metaKeys } from '../../store/keys'
import { MemoryStore, StoreLayer, type StoreReader } from '../../store/store'
import { slowStore } from '../../testing/slow-store'
import { StateOverlay } from '../../testing/state-overlay'
import { plainHeader } from '../../testing/test-header'
import { type Payment, TestWallet } from '../../testing/test-wallet'
import { EMPTY_TRIE_ROOT } from '../../trie/trie'
import type { StreamRequest, TraceOptions } from '../query-wire'
import { createQuerySession } from '../session'
import type { ChainView } from '../snapshots'
import { TextSink } from '../text-sink'
import { TraceRuns } from '../trace-runs'
import { InlineQueries, inlineSession, MAX_GIVEN_UP, READ_MS, RECOVERY_MS, ReadBudget, TURN_MS } from './inline-queries'

const CODES = {
  /** Counts its calls in slot 0, and returns the count. */
  count: '6000546001018060005560005260206000f3',
  /** Calls `count`, and reverts. */
  outer: `6000600060006000600073${'a0'.repeat(20)}5af160006000fd`,
  endless: '5b600056',
  /** ecrecover of nothing. */
  recover: '600060006000600060015afa00',
  /** Ten calls of `count`. */
  often: `6000600060006000600073${'a0'.repeat(20)}5af150`.repeat(10),
  /** The same with 32 KiB each. */
  loud: `600060006180006000600073${'a0'.repeat(20)}5af150`.repeat(10),
} as const
const addressOf = (name: keyof typeof CODES) => new Uint8Array(20).fill(0xa0 + Object.keys(CODES).indexOf(name))
const TRACERS = ['callTracer', 'prestateTracer', '4byteTracer', 'noopTracer'] as const
const CHAIN_ID = 1337n
const wallet = new TestWallet(1)

const loaded = loadEngineModule(import.meta.dirname)
if ('absent' in loaded) throw new Error(loaded.absent)
const engine = loaded.module

function traceOf(tx: Transaction, tracer: TraceOptions['tracer'] = 'callTracer') {
  const shown = { script: null, memory: false, stack: true, storage: true, limit: 0, timeoutMs: null }
  return { kind: 'traceTransaction' as const, hash: tx.hash, options: { ...shown, tracer } }
}

/** Block 1 holds transactions of one sender; block 0 has the state before it. */
async function chainOf(payments: readonly Payment[]) {
  const store = new MemoryStore()
  const overlay = new StateOverlay(store, { keccak256 })
  overlay.setAccount(wallet.address, { ...EMPTY_ACCOUNT, balance: 10n ** 24n })
  for (const name of Object.keys(CODES) as (keyof typeof CODES)[]) {
    overlay.setAccount(addressOf(name), { ...EMPTY_ACCOUNT, nonce: 1n })
    overlay.setCode(addressOf(name), bytesOfHex(CODES[name]))
  }
  const changes = await overlay.finish(EMPTY_TRIE_ROOT)
  const parent = createBlock(plainHeader({ number: 0n, stateRoot: changes.stateRoot, gasLimit: 10n ** 9n }), [])
  const transactions = payments.map((payment, index) =>
    wallet.sign({ chainId: CHAIN_ID, nonce: BigInt(index), value: 0n, gasLimit: 300_000n, ...payment }),
  )
  const header = plainHeader({ number: 1n, parentHash: parent.hash, gasLimit: 10n ** 9n })
  const block = createBlock(header, transactions)
  const layer = new StoreLayer(store)
  applyStateChanges(layer, { number: 0n, hash: parent.hash }, changes)
  for (const each of [parent, block]) {
    writeBlock(layer, each, 1n)
    writeCanonical(layer, each, [])
  }
  await store.write(layer.changes())
  return { store, block, transactions }
}

async function inlineOver(payments: readonly Payment[], module: WasmModule = engine) {
  const { store, block, transactions } = await chainOf(payments)
  const clock = new FakeClock()
  const state = { readMs: 0, pauseMs: 0, reads: 0, turns: [] as (() => void)[] }
  const reads = new ReadBudget(READ_MS, clock)
  const watched = slowStore(store, state, { clock, limit: reads })
  const head = { hash: block.hash, header: block.header }
  const view = (of: StoreReader) => ({ store: of, reads: new ChainReads(of), head }) as unknown as ChainView
  const viewsOf = (of: ChainView) => ({ current: () => of, close: async () => undefined })
  const limits = { chainId: CHAIN_ID, gasCap: 600_000_000, callTimeoutMs: 5_000, epochBlocks: 720 }
  const options = { ...limits, subsidies: MAIN_CONSENSUS }
  const session = inlineSession(options, { views: viewsOf(view(watched)), module })
  const nextTurn = (callback: () => void) => void state.turns.push(callback)
  const make = (runsTraces: boolean) => new InlineQueries({ session, reads, clock, runsTraces, nextTurn })
  const turn = () => {
    for (const due of state.turns.splice(0)) due()
  }
  const worker = createQuerySession(options, {
    views: viewsOf(view(store)),
    keccak256,
    searchFrom: import.meta.dirname,
  })
  const workers = (request: ReturnType<typeof traceOf>): string => {
    const sink = new TextSink({ send: () => true, now: () => 0 })
    const runs = new TraceRuns(worker, { limits: { isStopped: () => false, now: () => 0 }, scripts: null }, sink)
    runs.run(request)
    return sink.rest()
  }
  return { inline: make(true), withoutTraces: make(false), clock, state, store, head, turn, transactions, workers }
}

const at = (transactions: readonly Transaction[], index: number): Transaction => {
  const tx = transactions[index]
  if (tx === undefined) throw new RangeError(`no transaction ${index}`)
  return tx
}

describe('traces of small transactions', () => {
  const payments: Payment[] = [
    { to: addressOf('count') },
    { to: addressOf('outer') },
    { value: 5n },
    { to: null, data: bytesOfHex('600060005360016000f3') },
    { to: addressOf('count'), data: bytesOfHex('a9059cbb00') },
    { to: addressOf('often') },
  ]

  it.each(TRACERS)('are those of a worker, in any order: %s', async (tracer) => {
    const { inline, turn, transactions, workers } = await inlineOver(payments)
    const forwards = transactions.map((_, index) => index)
    for (const index of [...forwards, ...forwards.slice().reverse(), 3, 3, 0]) {
      const request = traceOf(at(transactions, index), tracer)
      expect(inline.trace(request), `transaction ${index}`).toBe(workers(request))
      turn()
    }
  })

  it('are left to a worker where the state before the block has no tries any more', async () => {
    const { inline, store, head, transactions } = await inlineOver(payments)
    head.header = { ...head.header, number: 200n }
    expect(inline.trace(traceOf(at(transactions, 0)))).not.toBeNull()
    await store.write([[metaKeys.statesFrom, bytesFromBigint(1n, 8)]])
    expect(inline.trace(traceOf(at(transactions, 0)))).toBeNull()
  })

  it('show the state that the earlier transactions of the block have left', async () => {
    const { inline, transactions } = await inlineOver(payments)

    expect(JSON.parse(inline.trace(traceOf(at(transactions, 4))) ?? '')).toMatchObject({
      type: 'CALL',
      output: `0x${'2'.padStart(64, '0')}`,
    })
  })

  it('begin where an earlier one ran out of time', async () => {
    const many = Array.from({ length: 40 }, (): Payment => ({ to: addressOf('count') }))
    const { inline, clock, state, turn, transactions, workers } = await inlineOver(many)
    const last = traceOf(at(transactions, 39))
    // Each look at the clock takes a tenth of a millisecond.
    const monotonic = clock.monotonic.bind(clock)
    clock.monotonic = () => {
      clock.advance(0.1)
      return monotonic()
    }
    const answers: (string | null)[] = []
    while (answers.at(-1) === undefined || answers.at(-1) === null) {
      answers.push(inline.trace(last))
      turn()
      if (answers.length > 40) break
    }

    expect(answers.length).toBeGreaterThan(2)
    expect(answers.at(-1)).toBe(workers(last))
    expect(state.turns).toHaveLength(0)
  })
})

describe('a worker gets', () => {
  const one = (payment: Payment, tracer: TraceOptions['tracer'] = 'callTracer') => ({ payment, tracer })
  it.each([
    ['struct logs', one({ to: addressOf('count') }, 'structs')],
    ['scripts', one({ to: addressOf('count') }, 'script')],
    ['transactions that compute for long', one({ to: addressOf('endless') })],
    ['transactions with built-in contracts that take long', one({ to: addressOf('recover') })],
    ['transactions whose calls have hundreds of kilobytes of input', one({ to: addressOf('loud') })],
    ['transactions with much data', one({ gasLimit: 10n ** 6n, data: new Uint8Array(4_097) })],
  ])('%s', async (_, { payment, tracer }) => {
    const { inline, transactions } = await inlineOver([payment])

    expect(inline.trace(traceOf(at(transactions, 0), tracer))).toBeNull()
  })

  it('transactions of large blocks, and what is behind a long one', async () => {
    const filler = { gasLimit: 10n ** 6n, data: new Uint8Array(9_000) }
    const large = await inlineOver([{ to: addressOf('count') }, filler, filler])
    const behind = await inlineOver([{ to: addressOf('endless') }, { to: addressOf('count') }])

    expect(large.inline.trace(traceOf(at(large.transactions, 0)))).toBeNull()
    expect(behind.inline.trace(traceOf(at(behind.transactions, 1)))).toBeNull()
  })

  it('other traces, and all of them if it is to make them all', async () => {
    const { inline, withoutTraces, transactions } = await inlineOver([{ to: addressOf('count') }])
    const request = traceOf(at(transactions, 0))
    const block: StreamRequest = { ...request, kind: 'traceBlock', at: { kind: 'number', number: 1 } }

    expect(inline.trace({ ...request, hash: new Uint8Array(32) })).toBeNull()
    expect(inline.trace(block)).toBeNull()
    expect(withoutTraces.trace(request)).toBeNull()
    expect(inline.trace(request)).not.toBeNull()
  })

  it('a transaction that took long once, and all while too many did', async () => {
    const endless = Array.from({ length: MAX_GIVEN_UP }, (): Payment => ({ to: addressOf('endless') }))
    const { inline, clock, state, turn, transactions } = await inlineOver([{ to: addressOf('count') }, ...endless])
    const small = traceOf(at(transactions, 0))
    inline.trace(traceOf(at(transactions, 1)))
    state.reads = 0
    expect(inline.trace(traceOf(at(transactions, 1)))).toBeNull()
    expect(state.reads).toBe(0)

    for (const tx of transactions.slice(2)) {
      inline.trace(traceOf(tx))
      turn()
    }
    expect(inline.trace(small)).toBeNull()
    clock.advance(RECOVERY_MS)
    expect(inline.trace(small)).not.toBeNull()
  })

  it('those whose reads are slow, which are kept for the next one', async () => {
    const { inline, state, turn, transactions } = await inlineOver([{ to: addressOf('outer') }])
    const request = traceOf(at(transactions, 0))
    state.readMs = READ_MS / 4
    const answers: (string | null)[] = []
    for (let i = 0; i < 4; i++) {
      answers.push(inline.trace(request))
      turn()
    }

    expect(answers[0]).toBeNull()
    expect(answers.at(-1)).not.toBeNull()
  })

  it('those after several milliseconds in the same turn of the event loop', async () => {
    const { inline, state, turn, transactions } = await inlineOver([{ to: addressOf('count') }])
    const request = traceOf(at(transactions, 0))
    expect(inline.trace(request)).not.toBeNull()
    state.readMs = 1

    for (let spent = 0; spent < TURN_MS; spent++) expect(inline.trace(request)).not.toBeNull()
    expect(inline.trace(request)).toBeNull()
    turn()
    expect(inline.trace(request)).not.toBeNull()
  })
})
