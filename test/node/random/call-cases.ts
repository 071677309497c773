// Calls of generated and of purely random code, with any gas, and a state to run them on.
import { bytesFromBigint, concatBytes } from '../../../src/base/bytes'
import { hasCode } from '../../../src/base/errors'
import { keccak256 } from '../../../src/node/codec/keccak'
import { MAIN_CONSENSUS } from '../../../src/node/consensus/params'
import { EMPTY_ACCOUNT } from '../../../src/node/execution/account'
import { applyStateChanges } from '../../../src/node/execution/state-changes'
import type { CallArguments, StateOverride } from '../../../src/node/query/query-wire'
import { runCall } from '../../../src/node/query/run-call'
import { createQuerySession, type QuerySession } from '../../../src/node/query/session'
import type { ChainView } from '../../../src/node/query/snapshots'
import { MemoryStore, type Store, StoreLayer } from '../../../src/node/store/store'
import { StateOverlay } from '../../../src/node/testing/state-overlay'
import { plainHeader } from '../../../src/node/testing/test-header'
import { EMPTY_TRIE_ROOT } from '../../../src/node/trie/trie'
import { onOracle } from '../oracle/oracle-messages'
import { type Chance, deploying, randomProgram } from './random-programs'

export const RICH = new Uint8Array(20).fill(0x11)
export const CONTRACTS = [0xa1, 0xa2, 0xa3, 0xa4].map((byte) => new Uint8Array(20).fill(byte))

export const NO_CALL: CallArguments = {
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
export async function stateOf(chance: Chance): Promise<{ readonly store: Store; readonly stateRoot: Uint8Array }> {
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

export function sessionOn(
  { store, stateRoot }: Awaited<ReturnType<typeof stateOf>>,
  engine: 'wasm' | 'typescript',
  callTimeoutMs = 0,
): QuerySession {
  const hash = new Uint8Array(32).fill(1)
  const reads = { isCanonical: () => true, canonicalHash: (number: bigint) => bytesFromBigint(number + 1n, 32) }
  const header = plainHeader({ number: 300n, gasLimit: 30_000_000n, stateRoot })
  const view = { store, reads, head: { hash, header } }
  const options = { chainId: 1337n, gasCap: 600_000_000, callTimeoutMs, epochBlocks: 720, subsidies: MAIN_CONSENSUS }
  const views = { current: () => view as unknown as ChainView, close: async () => undefined }
  const session = createQuerySession(options, { views, keccak256, searchFrom: import.meta.dirname })
  return engine === 'wasm' ? session : onOracle(session)
}

/** The JSON text of a call, or its error's, on the engine and on the oracle, which must agree. */
export async function comparerOn(state: Awaited<ReturnType<typeof stateOf>>) {
  const [wasm, oracle] = [sessionOn(state, 'wasm'), sessionOn(state, 'typescript')]
  return (call: CallArguments, overrides: readonly StateOverride[]): string => {
    const [text, wanted] = [wasm, oracle].map((session) => answerOf(session, call, overrides))
    if (text === undefined || text !== wanted) throw new Error(`the engine says ${text}, the oracle ${wanted}`)
    return text
  }
}

function answerOf(session: QuerySession, call: CallArguments, overrides: readonly StateOverride[]): string {
  try {
    return runCall(
      session,
      { at: { kind: 'tag', tag: 'latest' }, call, overrides },
      { isStopped: () => false, now: () => 0 },
    )
  } catch (error: unknown) {
    if (!hasCode(error, 'RPC_FAILED') && !hasCode(error, 'RPC_REVERTED')) throw error
    return error.message
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
export const LOOPS = Uint8Array.of(0x60, 0, 0x56)
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

export function someCall(chance: Chance): {
  readonly call: CallArguments
  readonly overrides: readonly StateOverride[]
} {
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
