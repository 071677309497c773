// A call of a simulated block as the transaction it would be.
import { concatBytes, EMPTY_BYTES } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { keccak256 } from '../../codec/keccak'
import { encodeRlp, rlpInteger } from '../../codec/rlp'
import type { Message, MessageResult } from '../../execution/message'
import type { CallEnd, CallStart, Tracer, WorldLog } from '../../execution/tracer'
import type { BuiltIns } from '../../execution/wasm/message-run'
import { addressBytes, bytesOfWord } from '../../execution/word'
import type { World } from '../../execution/world'
import type { BlockHeader } from '../../model/header'
import type { StateBlock } from '../block-state'
import { addressHex } from '../encoding'
import type { CallArguments } from '../query-wire'
import { messageOf, reasonOf, refusedAs, SIMULATION } from '../run-call'
import type { CallDeadline, QuerySession } from '../session'

/** Transfers of the native coin are told like ERC-20 logs of this address without code, as go-ethereum does. */
const COIN = BigInt(`0x${'ee'.repeat(20)}`)
/** keccak256 of `Transfer(address,address,uint256)` */
const TRANSFER = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3efn

/** A message's logs in order, without those of failed calls. */
class LogTracer implements Tracer {
  readonly logs: WorldLog[] = []
  /** Transfers, which are in no receipt. */
  readonly #made = new Set<WorldLog>()
  /** Counts at the start of each open call. */
  readonly #marks: number[] = []

  constructor(private readonly tellsTransfers: boolean) {}

  begin(call: CallStart): void {
    this.enter(call)
  }

  enter({ kind, from, to, value }: CallStart): void {
    this.#marks.push(this.logs.length)
    if (!this.tellsTransfers || value === null || value === 0n || kind === 'CALLCODE') return
    const log = { address: COIN, topics: [TRANSFER, from, to], data: bytesOfWord(value) }
    this.#made.add(log)
    this.logs.push(log)
  }

  end(end: CallEnd): void {
    this.exit(end)
  }

  exit({ error }: CallEnd): void {
    const mark = this.#marks.pop()
    if (error !== null && mark !== undefined) this.logs.length = mark
  }

  log(log: WorldLog): void {
    this.logs.push(log)
  }

  receiptLogs(): readonly WorldLog[] {
    return this.logs.filter((log) => !this.#made.has(log))
  }
}

/** Maximum logs per call: LOG is so cheap that all gas would buy more than an answer can hold. */
const MAX_LOGS = 50_000
const REVERTED = 3
const FAILED = -32015

/** What became of a call. */
export type CallResult = ReturnType<typeof runSimulated>

/** What a simulated call is run with. */
export interface SimulatedRun {
  readonly session: QuerySession
  readonly world: World
  readonly base: StateBlock['base']
  readonly header: BlockHeader
  readonly call: CallArguments
  /** By the block so far. */
  readonly gasUsed: number
  /** For the whole request. */
  readonly gasLeft: number
  readonly builtIns: BuiltIns
  /** Hash of a simulated block; null for others. */
  readonly ancestor: (height: bigint) => Uint8Array | null
  readonly deadline: CallDeadline
  /** Whether nonces and senders are validated as in a block. */
  readonly isChecked: boolean
  readonly tellsTransfers: boolean
}

/** @throws RpcFault RPC_SIMULATION_REFUSED when it couldn't be in a block; RPC_FAILED on timeout */
export function runSimulated(run: SimulatedRun) {
  const { session, world, base, header, call, builtIns, ancestor, deadline } = run
  const message = messageIn(run)
  const nonce = call.nonce ?? world.account(message.from).nonce
  if (run.isChecked) checkSender(world, message.from, nonce)
  const tracer = new LogTracer(run.tellsTransfers)
  const isOver = (): boolean => deadline.isOver() || tracer.logs.length > MAX_LOGS
  const ran = session.messages.run({ header, base, world, message, tracer, isOver, builtIns, ancestor })
  const { applied } = ran
  if (tracer.logs.length > MAX_LOGS) throw refusedAs(SIMULATION.limit, `a call has more than ${MAX_LOGS} logs`)
  deadline.check(ran)
  if (applied.kind === 'refused')
    throw refusedAs(applied.isIntrinsic ? SIMULATION.intrinsicGas : SIMULATION.funds, applied.reason)
  const { result } = applied
  world.finish()
  const isGood = result.error === null
  const hasList = call.accessList !== null
  const raw = transactionOf(message, { nonce, chainId: session.options.chainId, hasList })
  return {
    message,
    type: hasList ? (1 as const) : (0 as const),
    nonce,
    raw,
    hash: keccak256(raw),
    isGood,
    gasUsed: result.gasUsed,
    /** Empty on failure; revert data is in `fault`. */
    output: isGood ? result.output : EMPTY_BYTES,
    fault: isGood ? {} : { error: errorOf(result) },
    /** Including transfers, if requested. */
    logs: tracer.logs,
    receiptLogs: tracer.receiptLogs(),
    /** Accounts and slots that it read. */
    loaded: ran.loaded,
  }
}

/** Without gas of its own it may use what is left of the block's. */
function messageIn({ call, header, gasUsed, gasLeft }: SimulatedRun): Message {
  const room = header.gasLimit - BigInt(gasUsed)
  if (call.gas !== null && call.gas > room)
    throw refusedAs(SIMULATION.blockGas, `block gas limit reached: ${BigInt(gasUsed) + call.gas} >= ${header.gasLimit}`)
  return messageOf({ ...call, gas: call.gas ?? room }, gasLeft)
}

function checkSender(world: World, from: bigint, nonce: bigint): void {
  const account = world.account(from)
  const named = `address ${addressHex(from)}`
  const told = `${named}, tx: ${nonce} state: ${account.nonce}`
  if (nonce < account.nonce) throw refusedAs(SIMULATION.nonceTooLow, `nonce too low: ${told}`)
  if (nonce > account.nonce) throw refusedAs(SIMULATION.nonceTooHigh, `nonce too high: ${told}`)
  if (account.hasCode) throw refusedAs(SIMULATION.senderIsContract, `sender not an eoa: ${named}`)
}

function errorOf(result: MessageResult) {
  const message = reasonOf(result)
  return result.isRevert ? { code: REVERTED, message, data: toHex(result.output) } : { code: FAILED, message }
}

/** Its bytes with a zero signature. */
function transactionOf(
  { gas, gasPrice, to, value, data, accessList }: Message,
  { nonce, chainId, hasList }: { readonly nonce: bigint; readonly chainId: bigint; readonly hasList: boolean },
): Uint8Array {
  const target = to === null ? EMPTY_BYTES : addressBytes(to)
  const payment = [rlpInteger(nonce), rlpInteger(gasPrice), rlpInteger(gas), target, rlpInteger(value), data]
  const unsigned = [rlpInteger(0), rlpInteger(0), rlpInteger(0)]
  const list = accessList.map((entry) => [entry.address, [...entry.storageKeys]])
  return hasList
    ? concatBytes(Uint8Array.of(1), encodeRlp([rlpInteger(chainId), ...payment, list, ...unsigned]))
    : encodeRlp([...payment, ...unsigned])
}
