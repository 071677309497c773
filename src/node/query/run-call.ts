// eth_call, eth_estimateGas, eth_createAccessList: unsigned messages, run on a block's state and reverted. Source:
// go-ethereum 1.10 internal/ethapi (order of checks)
import { bigintFromBytes } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { toHex } from '../../base/hex'
import { utf8Text } from '../../base/language/readable-text'
import { toQuantity } from '../../base/quantity'
import { type Applied, createdAddress, type Message, type MessageResult } from '../execution/message'
import type { BuiltIns } from '../execution/wasm/message-run'
import type { World } from '../execution/world'
import type { BlockArgument } from '../model/block-argument'
import { RpcFault } from '../rpc-fault'
import { blockToTrace, type Stage, stageAt, stageBefore } from './block-stage'
import { failed, type StateBlock } from './block-state'
import { encodeList } from './encoding'
import { BUILT_INS, type Ran, type WorldRun } from './message-engine'
import type { BlockOverride, CallArguments, CallBundles, StateOverride } from './query-wire'
import type { Answer, CallDeadline, QueryLimits, QuerySession } from './session'
import { AccessListTracer } from './tracers/prestate'

/** U+FFFD in UTF-8. */
const REPLACEMENT = Uint8Array.of(0xef, 0xbf, 0xbd)
const [FIRST_NEXT, LAST_NEXT] = [0x80, 0xbf]
/** By their first byte, where the second has a smaller range: no longer form than needed, no surrogate, at most U+10FFFF. */
const SECONDS: ReadonlyMap<number, readonly [from: number, to: number]> = new Map([
  [0xe0, [0xa0, LAST_NEXT]],
  [0xed, [FIRST_NEXT, 0x9f]],
  [0xf0, [0x90, LAST_NEXT]],
  [0xf4, [FIRST_NEXT, 0x8f]],
])

/** UTF-8 as Go writes it to JSON: each byte of an invalid sequence is one U+FFFD. Source: Go, encoding/json */
export function goText(bytes: Uint8Array): string {
  const whole = utf8Text(bytes)
  if (whole !== null) return whole
  const valid = new Uint8Array(REPLACEMENT.length * bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; ) {
    const found = sequenceAt(bytes, at)
    const piece = found === 0 ? REPLACEMENT : bytes.subarray(at, at + found)
    valid.set(piece, length)
    length += piece.length
    at += found === 0 ? 1 : found
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(valid.subarray(0, length))
}

/** Bytes of the character that begins here; 0 if none does. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < FIRST_NEXT) return 1
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  for (let next = 1; next < length; next++) {
    const [from, to] = (next === 1 ? SECONDS.get(first) : undefined) ?? [FIRST_NEXT, LAST_NEXT]
    const byte = bytes[at + next] ?? 0
    if (byte < from || byte > to) return 0
  }
  return length
}

/** Error numbers of rejected moves. Source: the execution API (eth_simulateV1) */
const MOVED_TO_ITSELF = -38022
const MOVED_TWICE = -38023

type Overrides = readonly StateOverride[]

/** A call on a block's state, with changes to that and to the header that it sees. */
interface CallOnState {
  readonly at: BlockArgument
  readonly call: CallArguments
  readonly overrides?: Overrides | undefined
  readonly block?: BlockOverride | undefined
}

type ChangedStage = Stage & { readonly builtIns: BuiltIns }

/** The header that a call sees. */
export function overriddenHeader(header: StateBlock['header'], given: BlockOverride = {}): StateBlock['header'] {
  return {
    ...header,
    number: given.number ?? header.number,
    timestamp: given.time ?? header.timestamp,
    gasLimit: given.gasLimit ?? header.gasLimit,
    coinbase: given.feeRecipient ?? header.coinbase,
    difficulty: given.difficulty ?? header.difficulty,
  }
}

export function changesHeader(given: BlockOverride = {}): boolean {
  return Object.values(given).some((value) => value !== null && value !== undefined)
}

const TRANSFER_GAS = 21_000
const ERROR_SELECTOR = '0x08c379a0'

/** JSON text of the output. */
export function runCall(session: QuerySession, query: CallOnState, limits: QueryLimits): string {
  const { call, overrides = [] } = query
  const stored = session.blocks().find(query.at)
  const block = changesHeader(query.block)
    ? { ...stored, header: overriddenHeader(stored.header, query.block) }
    : stored
  const message = messageOf(call, session.options)
  const deadline = session.callDeadline(limits)
  const answer = session.messages.call({ block, message, overrides, isOver: deadline.isOver })
  if (answer?.aborted === true) throw deadline.fault()
  if (answer !== null) return outputOf(answer.applied, message)
  if (session.boundsCalls) throw new RangeError('what a world runs is not bounded')
  const stage = { ...changedStage(session, stored, overrides), header: block.header }
  return outputOf(attempt(session, { ...stage, message, tracer: null }, deadline).applied, message)
}

/** The smallest gas with which a call succeeds, as JSON text of a QUANTITY. */
export function estimateGas(session: QuerySession, { at, call, overrides }: CallOnState, limits: QueryLimits): string {
  const stage = changedStage(session, session.blocks().find(at, 'block not found'), overrides)
  const deadline = session.callDeadline(limits)
  const bound = upperBound(call, stage, session.options)
  const run = (gas: number, watchesGas: boolean): Ran => {
    const message = messageOf({ ...call, gas: BigInt(gas) }, session.options)
    return withWorld(stage.world, () => attempt(session, { ...stage, message, tracer: null, watchesGas }, deadline))
  }
  return JSON.stringify(toQuantity(smallestGas(run, bound)))
}

/** By bisection like prlx, unless a run never saw its gas: that one tells. @throws RpcFault if `bound` fails, too */
function smallestGas(run: (gas: number, watchesGas: boolean) => Ran, bound: number): number {
  let low = TRANSFER_GAS - 1
  let high = bound
  // The first step of the bisection: programs that take all they get cost half as much as with `bound`.
  const first = Math.floor((low + bound) / 2)
  const half = first > low ? run(first, true) : null
  const suffices = half !== null && !fails(half.applied, first)
  const { applied: most, ...watched } = suffices ? half : run(bound, true)
  if (suffices) high = first
  else if (half !== null) low = first
  if (most.kind === 'done' && !watched.seesGas) {
    if (most.result.error !== null) throw boundFault(most, bound)
    return Math.max(most.result.gasSpent, high - watched.storeSlack)
  }
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2)
    if (fails(run(middle, false).applied, middle)) low = middle
    else high = middle
  }
  if (high < bound) return high
  if (most.kind === 'refused' && !most.isIntrinsic) throw failed(`err: ${most.reason} (supplied gas ${bound})`)
  if (most.kind === 'refused' || most.result.error !== null) throw boundFault(most, bound)
  return bound
}

/** @throws RpcFault for a refusal that no gas changes */
function fails(applied: Applied, gas: number): boolean {
  if (applied.kind === 'done') return applied.result.error !== null
  if (applied.isIntrinsic) return true
  throw failed(`err: ${applied.reason} (supplied gas ${gas})`)
}

function boundFault(applied: Applied, bound: number): Error {
  const result = applied.kind === 'done' ? applied.result : null
  if (result !== null && result.error !== null && result.error !== 'out of gas') return faultOf(result)
  return failed(`gas required exceeds allowance (${bound})`)
}

function upperBound(call: CallArguments, { header, world }: Stage, options: CallLimits): number {
  const { gasCap } = options
  const asked = call.gas !== null && call.gas >= BigInt(TRANSFER_GAS) ? call.gas : header.gasLimit
  checkCall(call, options)
  const price = call.gasPrice ?? call.feeCap ?? 0n
  let bound = asked
  if (price > 0n) {
    const { balance } = world.account(senderOf(call))
    if (call.value !== 0n && call.value >= balance) throw failed('insufficient funds for transfer')
    const allowance = (balance - call.value) / price
    if (allowance < bound) bound = allowance
  }
  return Number(bound < BigInt(gasCap) ? bound : BigInt(gasCap))
}

/** JSON text of `{accessList, error?, gasUsed}`. */
export function createAccessList(session: QuerySession, query: CallOnState, limits: QueryLimits): string {
  const { call } = query
  const block = session.blocks().find(query.at)
  checkCall(call, session.options)
  if (call.to === null && call.data.length === 0) throw failed('contract creation without any data provided')
  const stage = changedStage(session, block, query.overrides)
  const { world, builtIns } = stage
  const from = senderOf(call)
  const isPriced = (call.gasPrice ?? 0n) > 0n
  if (call.gas === null && isPriced && call.value >= world.account(from).balance)
    throw failed('insufficient funds for transfer')
  // The block's gas limit, as far as it is affordable: an estimate would leave out the gas that the list itself costs.
  const gas = call.gas ?? BigInt(upperBound(call, stage, session.options))
  const newContract = (): bigint => createdAddress(session.keccak256, from, call.nonce ?? world.account(from).nonce)
  const to = call.to === null ? newContract() : bigintFromBytes(call.to)
  const isLeftOut = (address: bigint): boolean => address === from || address === to || builtIns.has(address)
  const deadline = session.callDeadline(limits)
  let before = new AccessListTracer(call.accessList ?? [], isLeftOut)
  for (;;) {
    const accessList = before.list()
    const message = messageOf({ ...call, gas, accessList }, session.options)
    const tracer = new AccessListTracer(accessList, isLeftOut)
    const { applied } = withWorld(world, () => attempt(session, { ...stage, message, tracer }, deadline))
    if (applied.kind === 'refused' && applied.isIntrinsic && call.gas === null) throw boundFault(applied, Number(gas))
    if (applied.kind === 'refused') throw failed(`failed to apply transaction: ${applied.reason}`)
    if (tracer.equals(before)) {
      const { error, gasUsed } = applied.result
      const list = encodeList(tracer.list())
      return JSON.stringify({ accessList: list, ...(error === null ? {} : { error }), gasUsed: toQuantity(gasUsed) })
    }
    before = tracer
  }
}

/** Of the node: `gasCap` limits a call's gas and is the default. */
type CallLimits = Pick<QuerySession['options'], 'gasCap' | 'chainId'>

/** @throws RpcFault RPC_FAILED when it is for another chain, or two kinds of price are given */
function checkCall({ gasPrice, feeCap, tip, chainId = null }: CallArguments, { chainId: own }: CallLimits): void {
  if (chainId !== null && chainId !== own) throw failed(`chainId does not match node's (have=${chainId}, want=${own})`)
  if (gasPrice !== null && (feeCap !== null || tip !== null))
    throw failed('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified')
}

const senderOf = ({ from }: CallArguments): bigint => (from === null ? 0n : bigintFromBytes(from))

/** The message of an unsigned call. @throws RpcFault RPC_FAILED */
export function messageOf(call: CallArguments, limits: CallLimits): Message {
  const { gasCap } = limits
  checkCall(call, limits)
  const isCut = call.gas === null || call.gas > BigInt(gasCap)
  return {
    from: senderOf(call),
    to: call.to === null ? null : bigintFromBytes(call.to),
    gas: isCut ? gasCap : Number(call.gas),
    gasPrice: call.gasPrice ?? 0n,
    value: call.value,
    data: call.data,
    accessList: call.accessList ?? [],
  }
}

/** Runs `body` and reverts its changes. */
export function withWorld<T>(world: World, body: () => T): T {
  const snapshot = world.snapshot()
  try {
    return body()
  } finally {
    world.revert(snapshot)
  }
}

/** Runs a message on a world until the deadline, which throws. */
export function attempt(session: QuerySession, run: Omit<WorldRun, 'isOver'>, deadline: CallDeadline): Ran {
  const ran = session.messages.run({ ...run, isOver: deadline.isOver })
  deadline.check(ran)
  return ran
}

function mustHaveRun(applied: Applied, message: Message): MessageResult {
  if (applied.kind === 'refused') throw failed(`err: ${applied.reason} (supplied gas ${message.gas})`)
  return applied.result
}

function outputOf(applied: Applied, message: Message): string {
  const result = mustHaveRun(applied, message)
  if (result.error !== null) throw faultOf(result)
  return JSON.stringify(toHex(result.output))
}

/** Why a call failed, with the contract's own message. */
export function reasonOf(result: MessageResult): string {
  return faultOf(result).message
}

function faultOf({ error, isRevert, output }: MessageResult): Error {
  if (!isRevert || output.length === 0) return failed(error ?? 'execution reverted')
  const revertData = toHex(output)
  const reason = revertReason(output, revertData)
  return new RpcFault('RPC_REVERTED', {
    reason: reason === null ? 'execution reverted' : `execution reverted: ${reason}`,
    revertData,
  })
}

/** The message in `Error(string)`; null for anything else. */
function revertReason(output: Uint8Array, text: string): string | null {
  if (!text.startsWith(ERROR_SELECTOR) || output.length < 68) return null
  const offset = bigintFromBytes(output.subarray(4, 36))
  if (offset + 36n > BigInt(output.length)) return null
  const start = 4 + Number(offset)
  const length = bigintFromBytes(output.subarray(start, start + 32))
  if (BigInt(start) + 32n + length > BigInt(output.length)) return null
  return goText(output.subarray(start + 32, start + 32 + Number(length)))
}

/** @throws RpcFault RPC_FAILED for an account with both kinds of storage override */
function applyOverrides(world: World, overrides: Overrides): void {
  for (const { address, nonce, balance, code, state, stateDiff } of overrides) {
    const account = bigintFromBytes(address)
    if (nonce !== null) world.setNonce(account, nonce)
    if (code !== null) world.setCode(account, code)
    if (balance !== null) world.setBalance(account, balance)
    if (state !== null && stateDiff !== null)
      throw failed(`account ${checksumAddress(address)} has both 'state' and 'stateDiff'`)
    if (state !== null) world.wipeStorage(account)
    for (const [key, value] of state ?? []) world.replaceSlot(account, bigintFromBytes(key), bigintFromBytes(value))
    for (const [key, value] of stateDiff ?? []) world.setSlot(account, bigintFromBytes(key), bigintFromBytes(value))
  }
}

/** A block's state with changes. @throws RpcFault RPC_SIMULATION_REFUSED, RPC_FAILED */
export function changedStage(session: QuerySession, block: StateBlock, overrides: Overrides = []): ChangedStage {
  const stage = stageAt(session, block)
  applyOverrides(stage.world, overrides)
  return { ...stage, builtIns: movedBuiltIns(BUILT_INS, overrides) }
}

function refusedMove(number: number, reason: string): Error {
  return new RpcFault('RPC_SIMULATION_REFUSED', { reason, number })
}

/** Where the overrides have the built-in contracts. @throws RpcFault RPC_SIMULATION_REFUSED, RPC_FAILED */
function movedBuiltIns(before: BuiltIns, overrides: Overrides): BuiltIns {
  const moves = overrides.flatMap(({ address, moveTo }) => (moveTo == null ? [] : [{ address, moveTo }]))
  if (moves.length === 0) return before
  const moved = new Map(before)
  const taken = new Set<bigint>()
  for (const { address, moveTo } of moves) {
    const [source, target] = [bigintFromBytes(address), bigintFromBytes(moveTo)]
    const own = before.get(source)
    if (own === undefined) throw failed(`account ${toHex(address)} is not a precompile`)
    if (source === target) throw refusedMove(MOVED_TO_ITSELF, `${toHex(address)} is moved to itself`)
    if (taken.has(target)) throw refusedMove(MOVED_TWICE, `two are moved to ${toHex(moveTo)}`)
    taken.add(target)
    if (moved.get(source) === own) moved.delete(source)
    moved.set(target, own)
  }
  return moved
}

/** JSON of each call's `value` or `error`, in lists of bundles. Source: Erigon's eth_callMany (form and order) */
export const callMany: Answer<'callMany'> = (session, query, limits) => {
  const { timeoutMs } = query
  const deadline = session.callDeadline(limits)
  const end = timeoutMs === null || timeoutMs === 0 ? Number.POSITIVE_INFINITY : limits.now() + timeoutMs
  const isOver = (): boolean => deadline.isOver() || limits.now() > end
  let characters = 0
  const lists: string[][] = []
  const run: BundleRun['run'] = (stage, message) => {
    const ran = session.messages.run({ ...stage, message, tracer: null, isOver })
    if (ran.aborted && limits.now() > end) throw failed(`execution aborted (timeout = ${timeoutMs}ms)`)
    deadline.check(ran)
    const result = mustHaveRun(ran.applied, message)
    const text = JSON.stringify(result.error === null ? { value: toHex(result.output) } : { error: errorOf(result) })
    characters += text.length
    if (characters > MAX_MANY_CHARACTERS) throw failed(`the answer has more than ${MAX_MANY_CHARACTERS} characters`)
    lists.at(-1)?.push(text)
  }
  onBundles(session, query, limits, { begin: () => void lists.push([]), run })
  return `[${lists.map((texts) => `[${texts.join(',')}]`).join(',')}]`
}

/** Of an answer to many calls. */
const MAX_MANY_CHARACTERS = 25 * 1024 * 1024

function errorOf(result: MessageResult) {
  const { isRevert, output } = result
  const message = reasonOf(result)
  return isRevert && output.length > 0 ? { message, data: toHex(output) } : { message }
}

interface BundleRun {
  /** Before a bundle's first call. */
  readonly begin: () => void
  /** One call; what it leaves stays for the next. */
  readonly run: (stage: Stage, message: Message) => void
}

/** Runs all calls in order on one state. Each further bundle is one higher and a second later, unless it says otherwise. */
export function onBundles(
  session: QuerySession,
  query: CallBundles,
  limits: QueryLimits,
  { begin, run }: BundleRun,
): void {
  const { overrides, bundles } = query
  const stage = bundleStage(session, query, limits)
  applyOverrides(stage.world, overrides)
  stage.world.finish()
  const builtIns = movedBuiltIns(BUILT_INS, overrides)
  let { header } = stage
  for (const { block, calls } of bundles) {
    header = overriddenHeader(header, block)
    begin()
    for (const call of calls) {
      run({ ...stage, header, builtIns }, messageOf(call, session.options))
      stage.world.finish()
    }
    header = { ...header, number: header.number + 1n, timestamp: header.timestamp + 1n }
  }
}

function bundleStage(session: QuerySession, { at, index }: Omit<CallBundles, 'bundles'>, limits: QueryLimits): Stage {
  if (index === null) return stageAt(session, session.blocks().find(at))
  const block = blockToTrace(session, at)
  const { length } = block.transactions
  if (index > length) throw failed(`transactionIndex ${index} is beyond the block's ${length} transactions`)
  return stageBefore(session, { block, index }, limits)
}
