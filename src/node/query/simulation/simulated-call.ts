// A call of a simulated block as the transaction it would be.
import { concatBytes } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { keccak256 } from '../../codec/keccak'
import { encodeRlp, rlpInteger } from '../../codec/rlp'
import type { BlockHeader } from '../../model/header'
import type { StateBlock } from '../block-state'
import type { Machine } from '../evm/machine'
import { applyMessage, type Message, type MessageResult } from '../evm/transition'
import { addressBytes } from '../evm/word'
import type { World, WorldLog } from '../evm/world'
import type { CallArguments } from '../query-wire'
import { messageOf, reasonOf } from '../run-call'
import type { QuerySession } from '../session'
import { refusedAs, SIMULATION } from './refusals'
import { TransferLogs } from './transfer-logs'

/** Maximum logs per call: LOG is so cheap that all gas would buy more than an answer can hold. */
const MAX_LOGS = 50_000
const REVERTED = 3
const FAILED = -32015

interface CallResult {
  readonly message: Message
  readonly type: 0 | 1
  readonly nonce: bigint
  readonly raw: Uint8Array
  readonly hash: Uint8Array
  readonly isGood: boolean
  readonly gasUsed: number
  /** Empty on failure; revert data is in `fault`. */
  readonly output: Uint8Array
  readonly fault: { readonly error?: { readonly code: number; readonly message: string; readonly data?: string } }
  /** Including transfers, if requested. */
  readonly logs: readonly WorldLog[]
  readonly receiptLogs: readonly WorldLog[]
}

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
  /** Null: at their usual addresses. */
  readonly precompiles: Machine['precompiles'] | null
  /** Hash of a simulated block; null for others. */
  readonly ancestor: (height: bigint) => Uint8Array | null
  readonly deadline: ReturnType<QuerySession['callDeadline']>
  /** Whether nonces and senders are validated as in a block. */
  readonly isChecked: boolean
  readonly tellsTransfers: boolean
  readonly result: CallResult
}

/** @throws RpcFault RPC_SIMULATION_REFUSED when it couldn't be in a block; RPC_FAILED on timeout */
export function runSimulated(run: Omit<SimulatedRun, 'result'>): CallResult {
  const { session, world, base, header, call, precompiles, ancestor, deadline } = run
  const message = messageIn(run)
  const nonce = call.nonce ?? world.account(message.from).nonce
  if (run.isChecked) checkSender(world, message.from, nonce)
  const transfers = run.tellsTransfers ? new TransferLogs(world) : null
  const isOver = (): boolean => deadline.isOver() || world.logCount > MAX_LOGS
  const machine = session.machine({ header, base, world, message, tracer: transfers, isOver, precompiles, ancestor })
  const applied = applyMessage(machine, message)
  if (world.logCount > MAX_LOGS) throw refusedAs(SIMULATION.limit, `a call has more than ${MAX_LOGS} logs`)
  deadline.check(machine)
  if (applied.kind === 'refused')
    throw refusedAs(applied.isIntrinsic ? SIMULATION.intrinsicGas : SIMULATION.funds, applied.reason)
  const { result } = applied
  const logs = world.logs()
  world.finish()
  const isGood = result.error === null
  return {
    message,
    nonce,
    ...transactionOf(message, { nonce, chainId: session.options.chainId, hasList: call.accessList !== null }),
    isGood,
    gasUsed: result.gasUsed,
    output: isGood ? result.output : new Uint8Array(0),
    fault: isGood ? {} : { error: errorOf(result) },
    logs,
    receiptLogs: logs.filter((log) => transfers?.isMade(log) !== true),
  }
}

/** Without gas of its own it may use what is left of the block's. */
function messageIn({ call, header, gasUsed, gasLeft }: Omit<SimulatedRun, 'result'>): Message {
  const room = header.gasLimit - BigInt(gasUsed)
  if (call.gas !== null && call.gas > room)
    throw refusedAs(SIMULATION.blockGas, `block gas limit reached: ${BigInt(gasUsed) + call.gas} >= ${header.gasLimit}`)
  return messageOf({ ...call, gas: call.gas ?? room }, gasLeft)
}

function checkSender(world: World, from: bigint, nonce: bigint): void {
  const account = world.account(from)
  const named = `address ${toHex(addressBytes(from))}`
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
): Pick<CallResult, 'type' | 'raw' | 'hash'> {
  const target = to === null ? new Uint8Array(0) : addressBytes(to)
  const payment = [rlpInteger(nonce), rlpInteger(gasPrice), rlpInteger(gas), target, rlpInteger(value), data]
  const unsigned = [rlpInteger(0), rlpInteger(0), rlpInteger(0)]
  const list = accessList.map((entry) => [entry.address, [...entry.storageKeys]])
  const raw = hasList
    ? concatBytes(Uint8Array.of(1), encodeRlp([rlpInteger(chainId), ...payment, list, ...unsigned]))
    : encodeRlp([...payment, ...unsigned])
  return { type: hasList ? 1 : 0, raw, hash: keccak256(raw) }
}
