// Messages on worlds, run by the interpreter in place of the engine: whatever the program answers then must be the same.

import { bigintFromBytes } from '../../../src/base/bytes'
import { keccak256 } from '../../../src/node/codec/keccak'
import { decodeAccount } from '../../../src/node/execution/account'
import type { StateReader } from '../../../src/node/execution/state-reader'
import type { Frame, StateView, Step, Tracer } from '../../../src/node/execution/tracer'
import type { BuiltIns, MessageChanges } from '../../../src/node/execution/wasm/message-run'
import type { WireTraceOptions } from '../../../src/node/execution/wasm/trace-wire'
import type { World } from '../../../src/node/execution/world'
import { ancestorOf } from '../../../src/node/query/block-state'
import { BUILT_INS, type MessageEngine, type Ran, type WorldRun } from '../../../src/node/query/message-engine'
import type { QuerySession } from '../../../src/node/query/session'
import { CallTracer, FourByteTracer, type JsonTracer } from '../../../src/node/query/tracers/call-tracer'
import { PrestateTracer } from '../../../src/node/query/tracers/prestate'
import { stateKeys } from '../../../src/node/store/keys'
import { CodeCache } from './interpreter/code'
import type { Frame as OracleFrame } from './interpreter/frame'
import { Machine } from './interpreter/machine'
import { createOperations } from './interpreter/operations'
import type { Step as OracleStep, Tracer as OracleTracer } from './interpreter/tracer'
import { applyMessage } from './interpreter/transition'
import { World as OracleWorld, type WorldLog } from './interpreter/world'
import { type Precompile, padded } from './precompiles/precompile'
import { createPrecompiles } from './precompiles/precompiles'
import { StructLogTracer } from './struct-logs'

const OPERATIONS = createOperations()
const PRECOMPILES = createPrecompiles()
const RECOVER = 1n

/** The session's messages run on the interpreter from now on. */
export function onOracle(session: QuerySession): QuerySession {
  const oracle: Pick<MessageEngine, 'call' | 'run'> = { call: () => null, run: (run) => runOnOracle(session, run) }
  return Object.assign(session, { messages: oracle, boundsCalls: false })
}

function runOnOracle(session: QuerySession, run: WorldRun): Ran {
  const { header, base, message, isOver, text } = run
  const written = text === undefined ? null : textTracer(session, run, text.options)
  const tracer = written?.tracer ?? run.tracer
  const world = new TellingWorld(run.world, tracer)
  for (const { address, key, value } of run.world.changed()) world.setSlot(bigintFromBytes(address), key, value)
  const stored = (height: bigint): Uint8Array => ancestorOf(session.view(), base, height)
  const machine = new Machine({
    operations: OPERATIONS,
    keccak256,
    precompiles: precompilesAt(run.builtIns ?? BUILT_INS, run.signed ?? null),
    world,
    tracer: tracer === null ? null : heard(tracer),
    isOver: () => written?.tracer.isFull === true || isOver(),
    block: {
      ...header,
      chainId: session.options.chainId,
      coinbase: bigintFromBytes(header.coinbase),
      ancestorHash: stored,
    },
    origin: message.from,
    gasPrice: message.gasPrice,
  })
  const applied = applyMessage(machine, message)
  const { aborted, seesGas, storeSlack } = machine
  const isFull = written?.tracer.isFull === true
  if (!aborted && applied.kind === 'done') run.world.apply(changesOf(world))
  const rest: string[] = []
  if (!aborted && applied.kind === 'done') written?.tracer.finish(applied.result, (part) => rest.push(part), run.world)
  const all = new TextEncoder().encode([...(written?.before ?? []), ...rest].join(''))
  return { applied, aborted, isFull, seesGas, storeSlack, rest: all }
}

/** The world's logs are told as they are made. */
class TellingWorld extends OracleWorld {
  constructor(
    below: World,
    private readonly told: Tracer | null,
  ) {
    super({ base: readerOf(below), codes: new CodeCache(), keccak256, keepsLogs: true })
  }

  override addLog(log: WorldLog): void {
    super.addLog(log)
    this.told?.log?.(log)
  }
}

function readerOf(world: World): StateReader {
  return {
    account: (address) => {
      const bytes = world.read(stateKeys.account(address))
      return bytes === undefined ? null : decodeAccount(bytes)
    },
    slot: (address, slot) => world.read(stateKeys.slot(address, slot, 0)) ?? new Uint8Array(0),
    code: (hash) => world.read(stateKeys.code(hash)) ?? new Uint8Array(0),
  }
}

function changesOf(world: OracleWorld): MessageChanges {
  return [...world.loaded()]
    .filter(({ touched }) => touched)
    .map((account) => ({
      address: account.address,
      isDestructed: account.destructed,
      isCreated: account.wiped,
      nonce: account.nonce,
      balance: account.balance,
      codeHash: account.codeHash,
      code: account.hasNewCode ? account.code.bytes : null,
      slots: [...world.changedSlots(account)],
    }))
}

function precompilesAt(builtIns: BuiltIns, signed: Uint8Array | null): ReadonlyMap<bigint, Precompile> {
  const out = new Map<bigint, Precompile>()
  for (const [place, own] of builtIns) {
    const run = PRECOMPILES.get(own)
    if (run !== undefined) out.set(place, own === RECOVER && signed !== null ? recovering(run, signed) : run)
  }
  return out
}

/** Whoever recovers the signer of this digest gets what stands in place of `r`. */
function recovering(real: Precompile, digest: Uint8Array): Precompile {
  return (input, gas, isOver) => {
    const result = real(input, gas, isOver)
    const isIt = result.error === null && Buffer.compare(padded(input, 0, 32), digest) === 0
    return isIt ? { ...result, output: padded(input, 64, 32) } : result
  }
}

/** The module's tracers, in TypeScript. */
function textTracer(session: QuerySession, run: WorldRun, options: WireTraceOptions) {
  const before: string[] = []
  const write = (part: string): void => void before.push(part)
  const isBuiltIn = (address: bigint): boolean => (run.builtIns ?? BUILT_INS).has(address)
  const { coinbase } = run.header
  const made: Record<WireTraceOptions['tracer'], () => JsonTracer> = {
    structs: () => new StructLogTracer(options, write),
    callTracer: () => new CallTracer(),
    prestateTracer: () => new PrestateTracer({ message: run.message, keccak256: session.keccak256, coinbase }),
    '4byteTracer': () => new FourByteTracer(isBuiltIn),
    noopTracer: () => ({ finish: (_result, put) => put('{}') }),
  }
  return { tracer: made[options.tracer](), before }
}

/** What the interpreter tells, in the program's words. */
function heard(tracer: Tracer): OracleTracer {
  const state = (world: OracleWorld): StateView => ({
    account: (address) => {
      const { exists, nonce, balance, destructed, code } = world.account(address)
      return { exists, nonce, balance, destructed, code: code.bytes }
    },
    slot: (address, key) => world.slot(address, key),
  })
  const stepOf = (step: OracleStep, world: OracleWorld): Step => ({
    ...step,
    frame: frameOf(step.frame),
    refund: world.refund,
  })
  return {
    begin: (call, world) => tracer.begin?.({ ...call, hasMoved: true }, state(world)),
    end: (result) => tracer.end?.(result),
    enter: (call) => tracer.enter?.({ ...call, hasMoved: true }),
    exit: (result) => tracer.exit?.(result),
    ...(tracer.step === undefined && tracer.fault === undefined
      ? {}
      : {
          step: (step, world) => tracer.step?.(stepOf(step, world), state(world)),
          fault: (step, error, world) => tracer.fault?.({ ...stepOf(step, world), error }, error, state(world)),
        }),
  }
}

function frameOf(frame: OracleFrame): Frame {
  const { depth, pc, input, address, caller, value, memory } = frame
  return {
    depth,
    pc,
    input,
    address,
    caller,
    value,
    height: frame.stack.length,
    memorySize: memory.size,
    peek: (place) => frame.peek(place),
    memory: (at, length) => {
      const start = Math.min(at, memory.size)
      return memory.copy(start, Math.min(length, memory.size - start))
    },
  }
}
