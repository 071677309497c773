// What a tracer is told while the engine runs a transaction, in prlx's order.

// Names of the 256 byte values as traces show them. Source: go-ethereum 1.10.18 core/vm/opcodes.go

const RUNS: readonly (readonly [number, string])[] = [
  [0x00, 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND'],
  [0x10, 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR'],
  [0x20, 'KECCAK256'],
  [0x30, 'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY CODESIZE CODECOPY GASPRICE'],
  [0x3b, 'EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH'],
  // Those that these rules lack keep the names that prlx knows.
  [0x40, 'BLOCKHASH COINBASE TIMESTAMP NUMBER DIFFICULTY GASLIMIT CHAINID SELFBALANCE BASEFEE'],
  [0x50, 'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST'],
  [0x5f, ['PUSH0', ...numbered('PUSH', 32), ...numbered('DUP', 16), ...numbered('SWAP', 16)].join(' ')],
  [0xa0, 'LOG0 LOG1 LOG2 LOG3 LOG4'],
  [0xf0, 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2'],
  [0xfa, 'STATICCALL'],
  [0xfd, 'REVERT INVALID SELFDESTRUCT'],
]

/** Index = byte value. */
export const OPERATION_NAMES: readonly string[] = Array.from({ length: 256 }, (_, op) => {
  const run = RUNS.filter(([first]) => first <= op).at(-1)
  return run?.[1].split(' ')[op - run[0]] ?? `opcode 0x${op.toString(16)} not defined`
})

function numbered(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index + 1}`)
}

/** How a call was made; by number, as in native/engine/src/trace/events.rs (Kind). */
export const CALL_KINDS = [
  'CALL',
  'CALLCODE',
  'DELEGATECALL',
  'STATICCALL',
  'CREATE',
  'CREATE2',
  'SELFDESTRUCT',
] as const

export type CallKind = (typeof CALL_KINDS)[number]

/** A call before its first instruction. Addresses are 160-bit bigints. */
export interface CallStart {
  readonly kind: CallKind
  readonly from: bigint
  readonly to: bigint
  readonly input: Uint8Array
  readonly gas: number
  /** Null for kinds without a value of their own. */
  readonly value: bigint | null
  /** False: it has failed already, and the receiver doesn't have the value. */
  readonly hasMoved: boolean
}

/** A call after its last instruction. */
export interface CallEnd {
  readonly output: Uint8Array
  readonly gasUsed: number
  /** Null on success. */
  readonly error: string | null
}

/** A log; topics are 256-bit words. */
export interface WorldLog {
  /** 160 bits */
  readonly address: bigint
  readonly topics: readonly bigint[]
  readonly data: Uint8Array
}

/** A call in progress. It changes after the callback. */
export interface Frame {
  /** 1 = called by the transaction */
  readonly depth: number
  readonly pc: number
  /** Words on the stack. */
  readonly height: number
  /** Bytes of memory in use. */
  readonly memorySize: number
  readonly input: Uint8Array
  /** The account whose storage and balance apply. */
  readonly address: bigint
  readonly caller: bigint
  readonly value: bigint
  /** Counted from the top, 0 = top; 0 where there is no word. */
  peek(depth: number): bigint
  /** A copy of the memory's part of that range: what isn't allocated yet is missing. */
  memory(at: number, length: number): Uint8Array
}

/** One instruction before it runs. Valid only during the callback: the frame changes afterwards. */
export interface Step {
  readonly frame: Frame
  readonly op: number
  readonly name: string
  /** Before the step. */
  readonly gas: number
  /** a bigint when a call's cost exceeds what a number holds exactly */
  readonly cost: number | bigint
  /** Of the whole transaction, with what this step adds. */
  readonly refund: number
  /** Why the step was rejected before it ran; a step that fails while running has none. */
  readonly error: string | null
}

export interface AccountView {
  readonly exists: boolean
  readonly nonce: bigint
  readonly balance: bigint
  /** It ends with the transaction. */
  readonly destructed: boolean
  /** Empty where there is none. */
  readonly code: Uint8Array
}

/** The state at one moment. Addresses are 160-bit bigints, keys and values words. */
export interface StateView {
  account(address: bigint): AccountView
  slot(address: bigint, key: bigint): bigint
}

/** Every method is optional, so that a run only pays for what is observed. */
export interface Tracer {
  /** Not every step, but only those that read the state, call, log, end or fail. */
  readonly isSparse?: boolean
  /** The transaction's top-level call, after its value was moved. */
  begin?(call: CallStart, state: StateView): void
  end?(result: CallEnd): void
  /** A nested call. */
  enter?(call: CallStart): void
  exit?(result: CallEnd): void
  /** Before an instruction runs: memory not expanded yet. */
  step?(step: Step, state: StateView): void
  /** That instruction ended its call, by failing or by REVERT; called only when its `step` had no error. */
  fault?(step: Step, error: string, state: StateView): void
  /** A log was made; it is lost with its call. */
  log?(log: WorldLog): void
}
