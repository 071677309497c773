// Runs EVM code: a block's transactions for the TypeScript engine; calls, estimates and traces for queries. Fully
// synchronous; a work budget decides when to check the clock and the caller's flag.
import { EMPTY_BYTES } from '../../../../src/base/bytes'
import type { Keccak256 } from '../../../../src/node/codec/keccak'
import { encodeRlp, rlpInteger } from '../../../../src/node/codec/rlp'
import { ABORTED, type Precompile } from '../precompiles/precompile'
import { Frame, sharedOut } from './frame'
import type { Caller, CallRequest, CallResult, CreateRequest, MachineBlock, MachineHost } from './host'
import type { Operation } from './operation'
import type { CallEnd, CallStart, Tracer } from './tracer'
import { addressBytes, bytesOfWord, wordOfBytes } from './word'
import type { World } from './world'

const MAX_DEPTH = 1024
const MAX_STACK = 1024
const MAX_CODE = 24_576
const GAS_PER_CODE_BYTE = 200
const MAX_NONCE = 2n ** 64n - 1n
/** Steps between two checks of the clock: well under a millisecond. Work beyond a step's fixed gas counts too. */
const WORK_PER_LOOK = 4_096
/** This much dynamic gas counts as one extra step: hashing, copying and expansion take time per byte. */
const GAS_PER_STEP = 16
/** Bytes of init code, whose analysis costs no gas, that count as one step. */
const CODE_BYTES_PER_STEP = 256
/** Its price doesn't depend on its work. */
const STEPS_PER_CREATION = 1_000

/** Tables shared by all machines of a thread. */
export interface MachineParts {
  readonly operations: readonly Operation[]
  readonly precompiles: ReadonlyMap<bigint, Precompile>
  readonly keccak256: Keccak256
}

/** One run: its block, its world and its tracer. */
export interface MachineOptions extends MachineParts {
  readonly block: MachineBlock
  readonly world: World
  readonly origin: bigint
  readonly gasPrice: bigint
  readonly tracer: Tracer | null
  /** Polled regularly; true aborts the run. */
  readonly isOver: () => boolean
}

/** Runs calls to completion on one JavaScript stack; `aborted` says that `isOver` ended the run. */
export class Machine implements MachineHost {
  readonly world: World
  readonly block: MachineBlock
  readonly origin: bigint
  readonly gasPrice: bigint
  readonly tracer: Tracer | null
  readonly keccak256: Keccak256
  readonly precompiles: ReadonlyMap<bigint, Precompile>
  readonly #operations: readonly Operation[]
  readonly #isOver: () => boolean
  seesGas = false
  storeSlack = Number.POSITIVE_INFINITY
  #budget = WORK_PER_LOOK
  #aborted = false

  constructor(options: MachineOptions) {
    this.world = options.world
    this.block = options.block
    this.origin = options.origin
    this.gasPrice = options.gasPrice
    this.tracer = options.tracer
    this.keccak256 = options.keccak256
    this.precompiles = options.precompiles
    this.#operations = options.operations
    this.#isOver = options.isOver
  }

  /** True when the run was aborted: its results are meaningless. */
  get aborted(): boolean {
    return this.#aborted
  }

  /** The transaction's top-level call. */
  call(to: bigint, value: bigint, input: Uint8Array, gas: bigint): CallResult {
    return this.callFrom(this.#root(), { kind: 'CALL', to, value, input, ...sharedOut(gas) })
  }

  /** The transaction's top-level creation. */
  create(code: Uint8Array, value: bigint, gas: bigint): CallResult & { readonly address: bigint } {
    return this.createFrom(this.#root(), { kind: 'CREATE', value, code, salt: null, ...sharedOut(gas) })
  }

  callFrom(from: Caller, request: CallRequest): CallResult {
    const { world } = this
    const { kind, to, value, gas } = request
    const refused = this.#refusal(from, kind === 'CALL' || kind === 'CALLCODE' ? value : 0n)
    if (refused !== null) return failure(refused, request)
    const snapshot = world.snapshot()
    const start = callStart(from, request)
    const precompile = this.precompiles.get(to)
    if (kind === 'CALL') {
      if (!world.account(to).exists && precompile === undefined && value === 0n) {
        this.#tellStart(from.depth, start)
        this.#tellEnd(from.depth, { output: EMPTY_BYTES, gasUsed: 0, error: null })
        return untouched(request)
      }
      if (value !== 0n) world.addBalance(from.address, -value)
      world.addBalance(to, value)
    }
    if (kind === 'STATICCALL') world.addBalance(to, 0n) // touches the account
    this.#tellStart(from.depth, start)
    const result = precompile === undefined ? this.#runCode(from, request) : this.#runPrecompile(precompile, request)
    return this.#closeCall(from.depth, snapshot, gas, result)
  }

  createFrom(from: Caller, request: CreateRequest): CallResult & { readonly address: bigint } {
    const { world } = this
    const { gas, value, code } = request
    const refused = this.#refusal(from, value)
    if (refused !== null) return { ...failure(refused, request), address: 0n }
    const { nonce } = world.account(from.address)
    if (nonce >= MAX_NONCE) return { ...failure('nonce uint64 overflow', request), address: 0n }
    const address = this.#newAddress(from.address, nonce, request)
    world.setNonce(from.address, nonce + 1n)
    world.warmAddress(address)
    const there = world.account(address)
    if (there.nonce !== 0n || there.hasCode) return { ...failure('contract address collision', NO_GAS), address: 0n }
    const snapshot = world.snapshot()
    world.create(address)
    world.setNonce(address, 1n)
    if (value !== 0n) world.addBalance(from.address, -value)
    world.addBalance(address, value)
    this.#tellStart(from.depth, { kind: request.kind, from: from.address, to: address, input: code, gas, value })
    const result = this.#runCreation(from, request, address)
    return { ...this.#closeCall(from.depth, snapshot, gas, result), address }
  }

  #root(): Caller {
    return { address: this.origin, depth: 0, isStatic: false, caller: this.origin, value: 0n }
  }

  #refusal(from: Caller, value: bigint): string | null {
    if (from.depth > MAX_DEPTH) return 'max call depth exceeded'
    return value > 0n && this.world.account(from.address).balance < value ? 'insufficient balance for transfer' : null
  }

  #newAddress(creator: bigint, nonce: bigint, { salt, code }: CreateRequest): bigint {
    if (salt === null) return createdAddress(this.keccak256, creator, nonce)
    return createdWithSalt(this.keccak256, { creator, salt, code })
  }

  #runCode(from: Caller, request: CallRequest): CallResult {
    const { kind, to, value, input, gas, reserve } = request
    const { code } = this.world.account(to)
    if (code.bytes.length === 0) return untouched(request)
    const keepsAddress = kind === 'DELEGATECALL' || kind === 'CALLCODE'
    const frame = new Frame({
      code,
      input,
      gas,
      reserve,
      depth: from.depth + 1,
      address: keepsAddress ? from.address : to,
      caller: kind === 'DELEGATECALL' ? from.caller : from.address,
      value: kind === 'DELEGATECALL' ? from.value : value,
      isStatic: from.isStatic || kind === 'STATICCALL',
    })
    return this.#run(frame)
  }

  #runPrecompile(precompile: Precompile, { input, gas, reserve }: CallRequest): CallResult {
    const result = precompile(input, gas, this.#isOver)
    if (result.error === null) this.#budget -= (gas - result.gasLeft) / GAS_PER_STEP
    if (result.error === ABORTED) {
      this.#aborted = true
      this.#budget = 0 // the enclosing frames end at their next step
    }
    return { ...result, reserveLeft: reserve, isRevert: false }
  }

  #runCreation(from: Caller, request: CreateRequest, address: bigint): CallResult {
    const { code, value, gas, reserve } = request
    if (code.length === 0) return untouched(request)
    this.#budget -= STEPS_PER_CREATION + code.length / CODE_BYTES_PER_STEP
    const frame = new Frame({
      code: this.world.program(code),
      input: EMPTY_BYTES,
      gas,
      reserve,
      address,
      caller: from.address,
      value,
      isStatic: from.isStatic,
      depth: from.depth + 1,
    })
    const result = this.#run(frame)
    if (result.error !== null) return result
    if (result.output.length > MAX_CODE) return { ...result, error: 'max code size exceeded' }
    const deposit = GAS_PER_CODE_BYTE * result.output.length
    if (result.gasLeft < deposit) return { ...result, error: 'contract creation code storage out of gas' }
    this.world.setCode(address, result.output)
    return { ...result, gasLeft: result.gasLeft - deposit }
  }

  /** A failed call leaves no changes; unless it reverted, its gas is consumed. */
  #closeCall(depth: number, snapshot: number, gas: number, result: CallResult): CallResult {
    const { error, isRevert, output } = result
    if (error !== null) this.world.revert(snapshot)
    const keeps = error === null || isRevert
    const gasLeft = keeps ? result.gasLeft : 0
    this.#tellEnd(depth, { output, gasUsed: gas - gasLeft, error })
    return { output, gasLeft, reserveLeft: keeps ? result.reserveLeft : 0n, error, isRevert }
  }

  #run(frame: Frame): CallResult {
    if (this.tracer?.step === undefined) this.#runPlain(frame)
    else this.#runTraced(frame, this.tracer)
    const { status, output, gas, reserve } = frame
    const left = { gasLeft: gas, reserveLeft: reserve, error: faultOf(frame) }
    if (status === 'failed') return { ...left, output: EMPTY_BYTES, isRevert: false }
    return { ...left, output, isRevert: status === 'reverted' }
  }

  #runPlain(frame: Frame): void {
    const { bytes } = frame.code
    while (frame.status === 'running') {
      if (--this.#budget <= 0 && this.#isEnded(frame)) return
      const operation = this.#operation(bytes[frame.pc] ?? 0)
      const depth = frame.stack.length
      if (depth < operation.pops || depth > MAX_STACK + operation.pops - operation.pushes)
        return void frame.fail(stackFault(operation, depth))
      frame.gas -= operation.gas
      if (frame.gas < 0) return void frame.fail('out of gas')
      if (operation.extraGas !== null) {
        const size = operation.memory === null ? 0 : operation.memory(frame)
        if (size < 0) return void frame.fail('gas uint64 overflow')
        const extra = operation.extraGas(this, frame, size)
        if (extra < 0 || extra > frame.gas) return void frame.fail('out of gas')
        frame.gas -= Number(extra)
        this.#budget -= (Number(extra) - frame.callGas) / GAS_PER_STEP
        // Before the instruction: a single one may hash or copy megabytes.
        if (this.#budget <= 0 && this.#isEnded(frame)) return
        if (size > 0) frame.memory.grow(size)
      }
      operation.run(frame, this)
      frame.pc++
    }
  }

  #runTraced(frame: Frame, tracer: Tracer): void {
    const { bytes } = frame.code
    while (frame.status === 'running') {
      if (--this.#budget <= 0 && this.#isEnded(frame)) return
      const op = bytes[frame.pc] ?? 0
      const operation = this.#operation(op)
      const { gas } = frame
      const price = this.#price(operation, frame)
      const step = { frame, op, name: operation.name, gas, cost: price.cost, error: price.fault }
      tracer.step?.(step, this.world)
      if (price.fault !== null) return void frame.fail(price.fault)
      if (price.memoryBytes > 0) frame.memory.grow(price.memoryBytes)
      operation.run(frame, this)
      const fault = faultOf(frame)
      if (fault !== null) tracer.fault?.(step, fault, this.world)
      frame.pc++
    }
  }

  /** Charges a step's gas; `cost` is what prlx's trace shows, even for an unaffordable step. */
  #price(operation: Operation, frame: Frame) {
    const depth = frame.stack.length
    const unpaid = { cost: operation.gas as number | bigint, memoryBytes: 0 }
    if (depth < operation.pops || depth > MAX_STACK + operation.pops - operation.pushes)
      return { ...unpaid, fault: stackFault(operation, depth) }
    frame.gas -= operation.gas
    if (frame.gas < 0) return { ...unpaid, fault: 'out of gas' }
    if (operation.extraGas === null) return { ...unpaid, fault: null }
    const memoryBytes = operation.memory === null ? 0 : operation.memory(frame)
    if (memoryBytes < 0) return { ...unpaid, fault: 'gas uint64 overflow' }
    const extra = operation.extraGas(this, frame, memoryBytes)
    if (extra < 0) return { ...unpaid, fault: 'out of gas' }
    const cost = typeof extra === 'number' ? operation.gas + extra : BigInt(operation.gas) + extra
    if (extra > frame.gas) return { cost, memoryBytes: 0, fault: 'out of gas' }
    frame.gas -= Number(extra)
    return { cost, memoryBytes, fault: null }
  }

  #operation(byte: number): Operation {
    const operation = this.#operations[byte]
    if (operation === undefined) throw new RangeError(`no entry for byte ${byte}`)
    return operation
  }

  /** Unwinds every frame. */
  #isEnded(frame: Frame): boolean {
    if (!this.#aborted && !this.#isOver()) {
      this.#budget = WORK_PER_LOOK
      return false
    }
    this.#aborted = true
    frame.fail(ABORTED)
    return true
  }

  #tellStart(depth: number, start: CallStart): void {
    if (depth === 0) this.tracer?.begin?.(start, this.world)
    else this.tracer?.enter?.(start)
  }

  #tellEnd(depth: number, end: CallEnd): void {
    if (depth === 0) this.tracer?.end?.(end)
    else this.tracer?.exit?.(end)
  }
}

/** 160 bits. The address of a contract created by CREATE. */
export function createdAddress(keccak256: Keccak256, creator: bigint, nonce: bigint): bigint {
  return wordOfBytes(keccak256(encodeRlp([addressBytes(creator), rlpInteger(nonce)])).subarray(12))
}

/** EIP-1014: the address of a contract created by CREATE2. */
export function createdWithSalt(
  keccak256: Keccak256,
  from: { readonly creator: bigint; readonly salt: bigint; readonly code: Uint8Array },
): bigint {
  const data = new Uint8Array(85)
  data[0] = 0xff
  data.set(addressBytes(from.creator), 1)
  data.set(bytesOfWord(from.salt), 21)
  data.set(keccak256(from.code), 53)
  return wordOfBytes(keccak256(data).subarray(12))
}

function callStart(from: Caller, { kind, to, value, input, gas }: CallRequest): CallStart {
  const hasValue = kind === 'CALL' || kind === 'CALLCODE'
  return { kind, from: from.address, to, input, gas, value: hasValue ? value : null }
}

/** What a call was started with. */
type Given = Pick<CallRequest, 'gas' | 'reserve'>
const NO_GAS: Given = { gas: 0, reserve: 0n }

function failure(error: string, { gas, reserve }: Given): CallResult {
  return { output: EMPTY_BYTES, gasLeft: gas, reserveLeft: reserve, error, isRevert: false }
}

/** There was no code to run. */
function untouched({ gas, reserve }: Given): CallResult {
  return { output: EMPTY_BYTES, gasLeft: gas, reserveLeft: reserve, error: null, isRevert: false }
}

/** The error of a call; null on success. */
function faultOf({ status, fault }: Frame): string | null {
  return status === 'failed' ? fault : status === 'reverted' ? 'execution reverted' : null
}

/** Whether a stack of `depth` words has its operands, and room for its results. */
export function fitsStack({ pops, pushes }: Operation, depth: number): boolean {
  return depth >= pops && depth <= MAX_STACK + pops - pushes
}

/** The error of an instruction whose operands are missing or whose results don't fit. */
export function stackFault({ pops, pushes }: Operation, depth: number): string {
  if (depth < pops) return `stack underflow (${depth} <=> ${pops})`
  return `stack limit reached ${depth} (${MAX_STACK + pops - pushes})`
}
