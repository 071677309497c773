// What the window requests about single items: traces within limits, the console's own list, the blocks of an address.
import { describe, expect, it } from 'vitest'
import { bytesOfHex } from '../../../base/hex'
import { FakeClock } from '../../../base/testing/fake-clock'
import { TRACE_LIMITS } from '../../../contract/explorer'
import type { BlockSummary, NodeService, TransactionInfo } from '../../../node/node-service'
import { addressHistory, type ExplorerDeps, explorerCalls, ReorgRing, TraceJobs } from './explorer-handlers'

const HASH = `0x${'e'.repeat(64)}`
const ONE = `0x${'1'.repeat(40)}`
const TWO = `0x${'2'.repeat(40)}`
const never = new AbortController().signal
const clock = new FakeClock()

type Stream = (request: unknown, caller: { readonly signal: AbortSignal }) => AsyncIterable<string>

function callsWith(node: Partial<Record<keyof NodeService, unknown>>, traces = new TraceJobs()) {
  const deps: ExplorerDeps = { node: node as unknown as NodeService, listeners: () => [], clock }
  return explorerCalls(deps, { reorgs: new ReorgRing(clock), traces })
}

const tracing = (stream: Stream, traces?: TraceJobs) => callsWith({ queries: () => ({ stream }) }, traces)

async function* pieces(text: string, size = 7): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

const call = (change: object = {}) => ({
  type: 'CALL',
  from: ONE,
  to: TWO,
  value: '0x10',
  gas: '0x5208',
  gasUsed: '0x5208',
  input: '0xa9059cbb00',
  ...change,
})

describe('a trace', () => {
  it('has calls in order, with their depth', async () => {
    const inner = call({ type: 'STATICCALL', value: undefined, input: '0x', error: 'out of gas' })
    const tree = call({ calls: [call({ calls: [inner] }), call({ type: 'CREATE', to: undefined })] })
    const calls = tracing(() => pieces(JSON.stringify(tree)))

    const trace = await calls['node.trace']({ hash: HASH, kind: 'calls' }, never)

    expect(trace).toMatchObject({ kind: 'calls', isCut: false })
    expect(trace.kind === 'calls' && trace.calls.map(({ depth, kind }) => [depth, kind])).toEqual([
      [0, 'CALL'],
      [1, 'CALL'],
      [2, 'STATICCALL'],
      [1, 'CREATE'],
    ])
    expect(trace.kind === 'calls' && trace.calls[2]).toMatchObject({ value: null, selector: '', error: 'out of gas' })
    expect(trace.kind === 'calls' && trace.calls[3]).toMatchObject({ to: null, value: '16', selector: '' })
  })

  it('is truncated if it has more rows than are shown', async () => {
    const many = call({ calls: Array.from({ length: TRACE_LIMITS.calls }, () => call()) })
    const steps = Array.from({ length: TRACE_LIMITS.steps + 1 }, (_, pc) => ({
      pc,
      op: 'ADD',
      gas: 9,
      gasCost: 3,
      depth: 1,
      error: null,
    }))
    const found = await tracing(() => pieces(JSON.stringify(many), 4096))['node.trace'](
      { hash: HASH, kind: 'calls' },
      never,
    )
    const byStep = tracing(() => pieces(JSON.stringify({ structLogs: steps }), 4096))['node.trace']
    const instructions = await byStep({ hash: HASH, kind: 'steps' }, never)

    expect(found.isCut && found.kind === 'calls' && found.calls.length).toBe(TRACE_LIMITS.calls)
    expect(instructions.isCut && instructions.kind === 'steps' && instructions.steps.length).toBe(TRACE_LIMITS.steps)
  })

  it('is requested within the limits', async () => {
    const seen: unknown[] = []
    const calls = tracing((request) => {
      seen.push(request)
      return pieces('{"structLogs":[]}')
    })
    await calls['node.trace']({ hash: HASH, kind: 'steps' }, never)

    expect(seen).toEqual([
      {
        kind: 'traceTransaction',
        hash: bytesOfHex(HASH),
        options: {
          tracer: 'structs',
          script: null,
          memory: false,
          stack: false,
          storage: false,
          limit: 2_001,
          timeoutMs: 10_000,
        },
      },
    ])
  })

  it('is aborted if it fills too much memory', async () => {
    const calls = tracing(async function* () {
      for (;;) yield 'x'.repeat(1_048_576)
    })

    await expect(calls['node.trace']({ hash: HASH, kind: 'steps' }, never)).rejects.toMatchObject({
      code: 'HOST_TRACE_TOO_LARGE',
    })
  })

  it('runs one at a time in the whole program, and only its owner can end it', async () => {
    const traces = new TraceJobs()
    const hanging: Stream = async function* (_request, { signal }) {
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('over'))))
      yield ''
    }
    const [mine, other] = [tracing(hanging, traces), tracing(hanging, traces)]
    const running = Promise.resolve(mine['node.trace']({ hash: HASH, kind: 'calls' }, never))
    const outcome = expect(running).rejects.toMatchObject({ code: 'HOST_TRACE_CANCELLED' })

    await expect(other['node.trace']({ hash: HASH, kind: 'calls' }, never)).rejects.toMatchObject({
      code: 'HOST_TRACE_BUSY',
    })
    await other['node.cancelTrace']({}, never)
    await expect(other['node.trace']({ hash: HASH, kind: 'calls' }, never)).rejects.toMatchObject({
      code: 'HOST_TRACE_BUSY',
    })
    await mine['node.cancelTrace']({}, never)

    await outcome
  })

  it('can be ended after another request of the same connection was refused', async () => {
    const calls = tracing(async function* (_request, { signal }) {
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('over'))))
      yield ''
    })
    const outcome = expect(calls['node.trace']({ hash: HASH, kind: 'calls' }, never)).rejects.toMatchObject({
      code: 'HOST_TRACE_CANCELLED',
    })
    await expect(calls['node.trace']({ hash: HASH, kind: 'steps' }, never)).rejects.toMatchObject({
      code: 'HOST_TRACE_BUSY',
    })
    await calls['node.cancelTrace']({}, never)

    await outcome
  })

  it('ends with its connection', async () => {
    const gone = new AbortController()
    const calls = tracing(async function* (_request, { signal }) {
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('over'))))
      yield ''
    })
    const outcome = expect(calls['node.trace']({ hash: HASH, kind: 'calls' }, gone.signal)).rejects.toMatchObject({
      code: 'HOST_TRACE_CANCELLED',
    })
    gone.abort()

    await outcome
  })
})

describe('the console', () => {
  const asked: unknown[] = []
  const console = {
    methods: () => ['eth_blockNumber'],
    ask: async (method: string, params: readonly unknown[]) => {
      asked.push([method, params])
      return '{"result":"0x1"}'
    },
  }
  const calls = callsWith({ rpcControl: () => ({ console, traffic: () => [] }) })

  it.each([
    ['["latest", false]', ['latest', false]],
    ['', []],
    [' [] ', []],
  ])('asks with %j', async (params, expected) => {
    await calls['node.console']({ method: 'eth_blockNumber', params }, never)

    expect(asked.at(-1)).toEqual(['eth_blockNumber', expected])
  })

  it.each([
    ['eth_sendRawTransaction', '[]', 'HOST_CONSOLE_REFUSED'],
    ['ETH_BLOCKNUMBER', '[]', 'HOST_CONSOLE_REFUSED'],
    ['eth_blockNumber', '{}', 'HOST_CONSOLE_PARAMS'],
    ['eth_blockNumber', '[', 'HOST_CONSOLE_PARAMS'],
  ])('rejects %s with %s', async (method, params, code) => {
    const before = asked.length

    await expect(calls['node.console']({ method, params }, never)).rejects.toMatchObject({ code })
    expect(asked).toHaveLength(before)
  })

  it("isn't available while JSON-RPC is off", async () => {
    const off = callsWith({ rpcControl: () => null })

    expect(await off['node.consoleMethods']({}, never)).toEqual({ methods: [] })
    await expect(off['node.console']({ method: 'eth_blockNumber', params: '' }, never)).rejects.toMatchObject({
      code: 'HOST_SERVICE_OFF',
    })
  })
})

describe("an address's history", () => {
  const bytes = (hex: string): Uint8Array => bytesOfHex(hex)
  const transaction = (from: string, to: string | null) =>
    ({
      hash: bytes(HASH),
      from: bytes(from),
      to: to === null ? null : bytes(to),
      value: 1n,
      nonce: 0n,
      gasPrice: 1n,
      outcome: null,
      place: null,
      input: new Uint8Array(),
    }) as unknown as TransactionInfo
  const OTHER = `0x${'3'.repeat(40)}`
  /** Three in each tenth block. */
  const chain = (length: number) => {
    const read: number[] = []
    const blocks = Array.from({ length }, (_, at) => {
      const number = length - 1 - at
      const hash = Uint8Array.of(number >> 8, number & 255)
      return { number, hash, transactionCount: number % 10 === 0 ? 3 : 0 } as unknown as BlockSummary
    })
    const reader = {
      blocksDown: async (from: number | null) =>
        blocks.filter(({ number }) => from === null || number <= from).slice(0, 1_024),
      transactions: async (id: unknown) => {
        const hash = id as Uint8Array
        read.push((hash[0] ?? 0) * 256 + (hash[1] ?? 0))
        return [transaction(ONE, TWO), transaction(TWO, null), transaction(OTHER, ONE)]
      },
    }
    return { reader: reader as unknown as ExplorerReader, read }
  }
  type ExplorerReader = Parameters<typeof addressHistory>[0]['reader']

  it('is what it sent and received, newest first, of blocks with transactions', async () => {
    const { reader, read } = chain(21)

    const found = await addressHistory({ reader, clock }, bytes(ONE), null)

    expect(found).toMatchObject({ newest: 20, oldest: 0 })
    expect(read).toEqual([20, 10, 0])
    expect(found.transactions.map(({ from }) => from)).toEqual([OTHER, ONE, OTHER, ONE, OTHER, ONE])
  })

  it('ends when a page is full, and says how far it got', async () => {
    const { reader } = chain(1_000)

    const { transactions, newest, oldest } = await addressHistory({ reader, clock }, bytes(ONE), 899)

    expect(transactions).toHaveLength(50)
    expect([newest, oldest]).toEqual([899, 650])
  })

  it('ends if it takes too long', async () => {
    const slow = new FakeClock()
    const { reader } = chain(1_000)
    const late = {
      ...reader,
      transactions: (...wanted: Parameters<typeof reader.transactions>) => {
        slow.advance(1_500)
        return reader.transactions(...wanted)
      },
    }

    const { oldest } = await addressHistory({ reader: late, clock: slow }, bytes(ONE), null)

    expect(oldest).toBe(980)
  })
})

describe('replaced blocks', () => {
  const block = (number: number) =>
    ({
      number,
      hash: new Uint8Array(32),
      parentHash: new Uint8Array(32),
      timestamp: 1,
      miner: new Uint8Array(20),
      difficulty: 1n,
      totalDifficulty: 1n,
      gasUsed: 0n,
      gasLimit: 1n,
      transactionCount: 0,
      sizeBytes: 1,
      subsidy: 1n,
    }) satisfies BlockSummary

  it('are kept newest first, a few of them, and only if there were any', () => {
    const ring = new ReorgRing(clock)
    ring.take({ head: block(1), removed: [], added: [block(1)] })
    expect(ring.list()).toEqual([])

    for (let height = 1; height <= 25; height++)
      ring.take({ head: block(height), removed: [block(height)], added: [block(height), block(height + 1)] })

    expect(ring.list()).toHaveLength(20)
    expect(ring.list()[0]).toMatchObject({ ancestor: 24, at: clock.now() })
    expect(ring.list()[0]?.added.map(({ number }) => number)).toEqual([25, 26])
  })
})
