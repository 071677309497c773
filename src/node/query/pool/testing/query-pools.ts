// A pool of fake workers, and the queries that its tests send.
import { silentLogger } from '../../../../base/logger'
import { FakeClock } from '../../../../base/testing/fake-clock'
import { MAIN_CONSENSUS } from '../../../consensus/params'
import type { InlineAnswers } from '../../inline/inline-queries'
import type { AskRequest, StreamRequest } from '../../query-wire'
import { QueryPool } from '../query-pool'
import { type Endless, FakeWorker, turn } from './fake-query-worker'

export const never: { readonly signal: AbortSignal } = { signal: new AbortController().signal }
export const balance = (last: number): AskRequest => ({
  kind: 'balance',
  at: { kind: 'tag', tag: 'latest' },
  address: new Uint8Array(20).fill(last),
})
/** A query that computes; `number` distinguishes it from others. */
export const proof = (number: number): AskRequest => ({
  kind: 'intermediateRoots',
  hash: new Uint8Array(32).fill(number),
})
export const call = (number: number): AskRequest => ({
  kind: 'call',
  at: { kind: 'tag', tag: 'latest' },
  call: {
    from: null,
    to: null,
    gas: BigInt(number),
    gasPrice: null,
    feeCap: null,
    tip: null,
    value: 0n,
    nonce: null,
    data: new Uint8Array(0),
    accessList: null,
  },
  overrides: [],
})
export const trace: StreamRequest = {
  kind: 'traceTransaction',
  hash: new Uint8Array(32),
  options: { tracer: 'structs', script: null, memory: false, stack: true, storage: true, limit: 0, timeoutMs: null },
}
export const CALL_TIMEOUT_MS = 5_000

/** A promise even if the answer is known. */
export const failable = async (pool: QueryPool, ...question: Parameters<QueryPool['ask']>) => pool.ask(...question)

/** Until the messages between pool and workers have arrived. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 12; i++) await turn()
}

/** Its first two workers are open: that for reads, and one that computes. */
export async function poolOf(workers: number, endless: Endless = {}, inline: InlineAnswers | null = null) {
  const opened = await closedPoolOf(workers, endless, inline)
  const { pool, made, begin } = opened
  await pool.ask(balance(254), never)
  await pool.ask(proof(254), never)
  begin()
  const [reader, ...computing] = made
  if (reader === undefined || computing.length !== 1) throw new Error('want one worker of each kind')
  for (const { answered, begun, batches } of made) for (const list of [answered, begun, batches]) list.length = 0
  return { ...opened, reader }
}

/** No worker is open. `begin`: from then on queries are endless, and answered inline, as told. */
export async function closedPoolOf(workers: number, endless: Endless = {}, inline: InlineAnswers | null = null) {
  const clock = new FakeClock()
  const state = { head: 1, hasBegun: false }
  const made: FakeWorker[] = []
  const later: Endless = {
    heeding: (request) => state.hasBegun && endless.heeding?.(request) === true,
    deaf: (request) => state.hasBegun && endless.deaf?.(request) === true,
  }
  const inlineLater = inline && {
    ...inline,
    answer: (request: AskRequest) => (state.hasBegun ? inline.answer(request) : null),
  }
  const pool = new QueryPool(
    {
      workers,
      open: {
        folder: '/',
        chainId: 1n,
        gasCap: 1n,
        callTimeoutMs: CALL_TIMEOUT_MS,
        epochBlocks: 720,
        subsidies: MAIN_CONSENSUS,
      },
    },
    {
      connect: () => {
        const worker = new FakeWorker(made.length, later)
        made.push(worker)
        return worker.transport
      },
      head: () => state.head,
      pendingBlock: () => Promise.reject(new Error('not asked here')),
      openInline: inlineLater && (async () => inlineLater),
      clock,
      log: silentLogger,
    },
  )
  await pool.start()
  const begin = (): void => {
    state.hasBegun = true
  }
  return { pool, made, clock, state, begin, end: () => pool.stop() }
}
