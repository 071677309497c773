// Calls of generated and of purely random code on both engines: equal outputs, errors and gas, for every amount of gas.
import { describe, expect, it } from 'vitest'
import { bytesFromBigint, concatBytes } from '../../src/base/bytes'
import { FakeClock } from '../../src/base/testing/fake-clock'
import { keccak256 } from '../../src/node/codec/keccak'
import { MAIN_CONSENSUS } from '../../src/node/consensus/params'
import { EMPTY_ACCOUNT } from '../../src/node/execution/account'
import type { EngineChoice } from '../../src/node/execution/open-engine'
import { applyStateChanges } from '../../src/node/execution/state-changes'
import { StateOverlay } from '../../src/node/execution/state-overlay'
import { InlineQueries, READ_MS } from '../../src/node/query/inline/inline-queries'
import { inlineSession } from '../../src/node/query/inline/inline-session'
import { ReadTime } from '../../src/node/query/inline/read-time'
import type { CallArguments, StateOverride } from '../../src/node/query/query-wire'
import { callOutcome, runCall } from '../../src/node/query/run-call'
import { createQuerySession, type QuerySession } from '../../src/node/query/session'
import type { ChainView } from '../../src/node/query/snapshots'
import { MemoryStore, type Store, StoreLayer } from '../../src/node/store/store'
import { plainHeader } from '../../src/node/testing/test-header'
import { EMPTY_TRIE_ROOT } from '../../src/node/trie/trie'
import { Chance, deploying, randomProgram } from './random-programs'

const LATEST = { kind: 'tag', tag: 'latest' } as const
const LIMITS = { isStopped: () => false, now: () => 0 }
const RICH = new Uint8Array(20).fill(0x11)
const CONTRACTS = [0xa1, 0xa2, 0xa3, 0xa4].map((byte) => new Uint8Array(20).fill(byte))
/** CALLS_AGREE=100000 in the environment runs that many instead. */
const CALLS = Number(process.env.CALLS_AGREE ?? 2_000)
/** Only ends what hangs. */
const TIMEOUT_MS = 240_000 + 20 * CALLS

const NO_CALL: CallArguments = {
  from: null,
  to: null,
  gas: null,
  gasPrice: null,
  feeCap: null,
  tip: null,
  value: 0n,
  nonce: null,
  data: new Uint8Array(0),
  accessList: null,
}

/** A state with a rich account and four contracts. */
async function stateOf(chance: Chance): Promise<{ readonly store: Store; readonly stateRoot: Uint8Array }> {
  const store = new MemoryStore()
  const overlay = new StateOverlay(store, { keccak256 })
  overlay.setAccount(RICH, { ...EMPTY_ACCOUNT, balance: 10n ** 24n })
  for (const address of CONTRACTS) {
    overlay.setAccount(address, { ...EMPTY_ACCOUNT, nonce: 1n, balance: 5n })
    overlay.setCode(address, randomProgram(chance, CONTRACTS))
    overlay.setSlot(address, new Uint8Array(32), Uint8Array.of(7))
  }
  const changes = await overlay.finish(EMPTY_TRIE_ROOT)
  const layer = new StoreLayer(store)
  applyStateChanges(layer, { number: 0n, hash: new Uint8Array(32) }, changes)
  await store.write(layer.changes())
  return { store, stateRoot: changes.stateRoot }
}

function sessionOn(
  { store, stateRoot }: Awaited<ReturnType<typeof stateOf>>,
  engine: EngineChoice,
  callTimeoutMs = 0,
): QuerySession {
  const hash = new Uint8Array(32).fill(1)
  const reads = { isCanonical: () => true, canonicalHash: (number: bigint) => bytesFromBigint(number + 1n, 32) }
  const header = plainHeader({ number: 300n, gasLimit: 30_000_000n, stateRoot })
  const view = { store, reads, head: { hash, header } }
  const options = { chainId: 1337n, gasCap: 600_000_000, callTimeoutMs, epochBlocks: 720, subsidies: MAIN_CONSENSUS }
  const views = { current: () => view as unknown as ChainView, close: async () => undefined }
  return createQuerySession({ ...options, engine }, { views, keccak256, searchFrom: import.meta.dirname })
}

/** What a caller sees. */
function answered(session: QuerySession, call: CallArguments, overrides: readonly StateOverride[]): string {
  return textOrError(() => {
    const outcome = overrides.length === 0 ? callOutcome(session, { at: LATEST, call }, LIMITS) : ''
    return `${outcome} ${runCall(session, { at: LATEST, call, overrides }, LIMITS)}`
  })
}

function textOrError(run: () => string): string {
  try {
    return run()
  } catch (error: unknown) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Any bytes: underflows, overflows, bad jumps, undefined instructions. */
function roughCode(chance: Chance): Uint8Array {
  const kind = chance.under(4)
  if (kind === 0) return chance.bytes(1 + chance.under(60))
  const length = 1 + chance.under(40)
  const near = Uint8Array.from({ length }, () => chance.of(COMMON))
  // A loop over it, until it is out of gas, or over pushes, until the stack is full.
  if (kind === 2)
    return concatBytes(
      Uint8Array.of(0x5b, 0x36),
      near.map((byte) => 0x80 + (byte % 2)),
      LOOPS,
    )
  return kind === 1 ? near : concatBytes(Uint8Array.of(0x5b), near, LOOPS)
}

/** Jumps to the start. */
const LOOPS = Uint8Array.of(0x60, 0, 0x56)
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)
/** What the WebAssembly engine runs without revm's functions, and what ends a call. */
const COMMON = [
  ...range(0x01, 0x1d),
  0x50,
  0x51,
  0x52,
  0x56,
  ...range(0x57, 0x63),
  ...range(0x80, 0x85),
  0x90,
  0x91,
  0xfd,
]

function someCall(chance: Chance): { readonly call: CallArguments; readonly overrides: readonly StateOverride[] } {
  const code = chance.under(2) === 0 ? roughCode(chance) : randomProgram(chance, CONTRACTS)
  const gas = BigInt(chance.of([58_000 + chance.under(8_000), 60_000 + chance.under(200_000), 1_000_000, 1_000_000]))
  const from = chance.of([null, RICH, RICH, CONTRACTS[0] ?? null])
  const base = { ...NO_CALL, gas, from, value: BigInt(from === RICH || chance.under(20) === 0 ? chance.under(3) : 0) }
  const price = chance.under(8) === 0 ? { gasPrice: BigInt(chance.under(1_000)) } : {}
  const listed = [{ address: chance.of(CONTRACTS), storageKeys: [new Uint8Array(32)] }]
  const more = { ...price, ...(chance.under(8) === 0 ? { accessList: listed } : {}) }
  const as = chance.under(4)
  if (as === 0) return { call: { ...base, ...more, data: code }, overrides: [] }
  if (as === 1) return { call: { ...base, ...more, data: deploying(code) }, overrides: [] }
  const to = chance.of(CONTRACTS)
  const call = { ...base, ...more, to, data: chance.bytes(chance.under(70)) }
  if (as === 2) return { call, overrides: [] }
  const state = [[new Uint8Array(32), bytesFromBigint(BigInt(chance.under(3)), 32)] as const]
  const over = { address: to, nonce: null, balance: BigInt(chance.under(9)), code, stateDiff: null }
  return { call, overrides: [{ ...over, state: chance.under(2) === 0 ? state.map((pair) => [...pair]) : null }] }
}

describe('calls on both engines', () => {
  it(
    'have the same result, whatever the code does and however much gas it has',
    async () => {
      const chance = new Chance(7)
      const state = await stateOf(chance)
      const [both, typescript] = [sessionOn(state, 'both'), sessionOn(state, 'typescript')]
      const seen = new Map<string, number>()
      let decided = 0
      const run = both.calls?.run.bind(both.calls)
      if (both.calls === null || run === undefined) throw new Error('the module is missing')
      both.calls.run = (call) => {
        const answer = run(call)
        if (answer !== null) decided++
        return answer
      }
      for (let i = 0; i < CALLS; i++) {
        const { call, overrides } = someCall(chance)
        const answer = answered(both, call, overrides)
        expect(answer, `call ${i}`).toBe(answered(typescript, call, overrides))
        const kind = answer.replace(/0x[0-9a-f]*|\d+/g, '#').slice(0, 40)
        seen.set(kind, (seen.get(kind) ?? 0) + 1)
      }
      expect(decided).toBeGreaterThan(0.9 * CALLS)
      for (const kind of [
        'out of gas',
        'stack underflow',
        'stack limit',
        'invalid jump',
        'invalid opcode',
        'execution reverted',
      ])
        expect(
          [...seen.keys()].some((text) => text.includes(kind)),
          `${kind} of ${[...seen.keys()].join('; ')}`,
        ).toBe(true)
    },
    TIMEOUT_MS,
  )

  it('have the same result inline, unless they are left to a worker', async () => {
    const chance = new Chance(9)
    const state = await stateOf(chance)
    const typescript = sessionOn(state, 'typescript')
    const clock = new FakeClock()
    const reads = new ReadTime(READ_MS, clock)
    const session = inlineSession(typescript.options, typescript.views)
    const inline = new InlineQueries({ session, reads, clock, runsCalls: true, nextTurn: (callback) => callback() })
    let decided = 0
    for (let i = 0; i < CALLS; i++) {
      clock.advance(100) // it may have given up the last one
      const { call, overrides } = someCall(chance)
      const request = { kind: 'call' as const, at: LATEST, call, overrides: [...overrides] }
      const answer = textOrError(() => inline.answer(request) ?? '')
      if (answer === '') continue
      decided++
      expect(answer, `call ${i}`).toBe(textOrError(() => runCall(typescript, request, LIMITS)))
    }
    expect(decided).toBeGreaterThan(0.05 * CALLS)
  })

  it.each(['wasm', 'typescript', 'both'] as const)('end at their deadline, on %s', async (engine) => {
    const session = sessionOn(await stateOf(new Chance(7)), engine, 5_000)
    const endless = { ...NO_CALL, data: concatBytes(Uint8Array.of(0x5b), LOOPS) }
    let now = 0
    const limits = { isStopped: () => false, now: () => (now += 100) }

    expect(() => runCall(session, { at: LATEST, call: endless, overrides: [] }, limits)).toThrow(
      'execution aborted (timeout = 5s)',
    )
    expect(now).toBeLessThan(5_300)
  })
})
