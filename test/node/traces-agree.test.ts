// Traces of generated and of purely random code on both engines: the same text, whatever the tracer and its options.
import { describe, expect, it } from 'vitest'
import { bytesFromBigint, concatBytes } from '../../src/base/bytes'
import type { CallArguments, StateOverride, TraceOptions } from '../../src/node/query/query-wire'
import type { QuerySession } from '../../src/node/query/session'
import { TextSink } from '../../src/node/query/text-sink'
import { TraceRuns } from '../../src/node/query/trace-runs'
import { LOOPS, NO_CALL, sessionOn, someCall, stateOf } from './random/call-cases'
import { Chance } from './random/random-programs'

const LATEST = { kind: 'tag', tag: 'latest' } as const
/** TRACES_AGREE=100000 in the environment runs that many instead. */
const TRACES = Number(process.env.TRACES_AGREE ?? 1_500)
/** Only ends what hangs. */
const TIMEOUT_MS = 240_000 + 100 * TRACES

const PLAIN: TraceOptions = {
  tracer: 'structs',
  script: null,
  memory: false,
  stack: true,
  storage: true,
  limit: 0,
  timeoutMs: null,
}

interface Traced {
  readonly call: CallArguments
  readonly overrides: readonly StateOverride[]
  readonly options: TraceOptions
}

const bytesOf = (chunk: string | Uint8Array): string =>
  typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')

/** The text, or the error's; and how much was sent before it was whole. */
function traced(session: QuerySession, { call, overrides, options }: Traced, now: () => number = () => 0) {
  const sent: string[] = []
  const send = (chunk: string | Uint8Array): boolean => sent.push(bytesOf(chunk)) > 0
  const sink = new TextSink({ send, now })
  const runs = new TraceRuns(session, { limits: { isStopped: () => false, now }, scripts: null }, sink)
  try {
    runs.run({ kind: 'traceCall', at: LATEST, call, overrides: [...overrides], options })
  } catch (error: unknown) {
    return { text: error instanceof Error ? error.message : String(error), chunks: sent.length }
  }
  return { text: sent.join('') + sink.rest(), chunks: sent.length }
}

function someOptions(chance: Chance): TraceOptions {
  const tracer = chance.of(['structs', 'structs', 'callTracer', 'prestateTracer', '4byteTracer', 'noopTracer'] as const)
  const [memory, stack, storage] = [0, 1, 2].map(() => chance.under(2) === 0)
  const limit = chance.under(4) === 0 ? 1 + chance.under(30) : 0
  return { ...PLAIN, tracer, limit, memory: memory === true, stack: stack === true, storage: storage === true }
}

describe('traces on both engines', () => {
  it(
    'have the same text, whatever the code does, the tracer shows and the gas is',
    async () => {
      const [chance, choice] = [new Chance(7), new Chance(11)]
      const state = await stateOf(chance)
      const [wasm, typescript] = [sessionOn(state, 'wasm'), sessionOn(state, 'typescript')]
      const seen = new Set<string>()
      for (let i = 0; i < TRACES; i++) {
        const given = { ...someCall(chance), options: someOptions(choice) }
        const { text } = traced(wasm, given)
        const wanted = traced(typescript, given).text
        if (text !== wanted) expect(around(text, wanted), `trace ${i}, ${given.options.tracer}`).toEqual([])
        for (const [, error] of text.matchAll(/"error":"([a-z ]+)/g)) seen.add(error ?? '')
        for (const [, op] of text.matchAll(/"op":"(REVERT|CREATE2|SELFDESTRUCT)"/g)) seen.add(op ?? '')
      }
      for (const error of [
        ...['out of gas', 'stack underflow ', 'stack limit reached '],
        ...['invalid jump destination', 'invalid opcode', 'write protection', 'REVERT', 'CREATE2', 'SELFDESTRUCT'],
      ])
        expect([...seen], error).toContain(error)
    },
    TIMEOUT_MS,
  )

  it('know all 256 instructions by the same names and prices', async () => {
    const state = await stateOf(new Chance(7))
    const [wasm, typescript] = [sessionOn(state, 'wasm'), sessionOn(state, 'typescript')]
    const word = Uint8Array.of(0x60, 1)
    for (let op = 0; op < 256; op++)
      for (const words of [0, 7, 17]) {
        const code = concatBytes(...Array.from({ length: words }, () => word), Uint8Array.of(op))
        for (const gas of [100_000n, 53_000n + BigInt(3 * words + 1)]) {
          const given = { call: { ...NO_CALL, gas, data: code }, overrides: [], options: PLAIN }
          expect(traced(wasm, given).text, `instruction ${op}`).toBe(traced(typescript, given).text)
        }
      }
  })

  it('agree on memory that no gas pays for, and on sizes beyond 64 bits', async () => {
    const state = await stateOf(new Chance(7))
    const [wasm, typescript] = [sessionOn(state, 'wasm'), sessionOn(state, 'typescript')]
    const edges = [
      0n,
      1n,
      2n ** 20n,
      2n ** 32n - 32n,
      2n ** 32n,
      2n ** 37n - 64n,
      2n ** 64n - 33n,
      2n ** 64n - 32n,
      2n ** 255n,
    ]
    const errors = new Set<string>()
    for (const op of [0x20, 0x37, 0x3c, 0x3e, 0x51, 0x53, 0xa1, 0xf0, 0xf1, 0xf3, 0xf5, 0xfa])
      for (const offset of edges)
        for (const length of edges) {
          const words = Array.from({ length: 7 }, (_, i) => push32(i % 2 === 0 ? length : offset))
          const code = concatBytes(...words, Uint8Array.of(op))
          const given = { call: { ...NO_CALL, gas: 90_000n, data: code }, overrides: [], options: PLAIN }
          const { text } = traced(wasm, given)
          expect(text, `instruction ${op}, ${offset}, ${length}`).toBe(traced(typescript, given).text)
          errors.add(/"error":"([^"]*)/.exec(text)?.[1] ?? '')
        }
    expect([...errors]).toContain('gas uint64 overflow')
    expect([...errors]).toContain('out of gas')
  })

  it.each(['wasm', 'typescript'] as const)('end at their deadline, on %s', async (engine) => {
    const session = sessionOn(await stateOf(new Chance(7)), engine)
    const endless = { ...NO_CALL, data: concatBytes(Uint8Array.of(0x5b), LOOPS) }
    for (const tracer of ['callTracer', 'structs'] as const) {
      let now = 0
      const given = { call: endless, overrides: [], options: { ...PLAIN, tracer, timeoutMs: 5_000 } }

      expect(traced(session, given, () => (now += 100)).text).toBe('execution timeout')
    }
  })
})

const push32 = (value: bigint): Uint8Array => concatBytes(Uint8Array.of(0x7f), bytesFromBigint(value, 32))

/** The first difference, with what surrounds it. */
function around(one: string, other: string): string[] {
  let at = 0
  while (one[at] === other[at]) at++
  return [one, other].map((text) => text.slice(Math.max(0, at - 300), at + 100))
}
