// The trace namespace: re-executes transactions and writes their calls as one flat list.
import { bigintFromBytes, equalBytes } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import { LOCKBOX_ADDRESS } from '../../consensus/rewards'
import { EMPTY_CODE_HASH } from '../../execution/account'
import type { Message } from '../../execution/message'
import { payoutOf } from '../../execution/payout'
import { bytesOfWord } from '../../execution/word'
import type { World, WorldAccount } from '../../execution/world'
import type { Block } from '../../model/block'
import { decodeTransaction } from '../../model/transaction'
import {
  blockToTrace,
  onKeptStage,
  type Placed,
  placedTransaction,
  type Stage,
  stageAt,
  stageBefore,
  stageOf,
  transactionMessage,
} from '../block-stage'
import { failed } from '../block-state'
import { addressHex, wordHex } from '../encoding'
import type { FlatFilter, FlatParts, Streamed, StreamRequest } from '../query-wire'
import { messageOf } from '../run-call'
import type { QueryLimits, QuerySession } from '../session'
import type { TextSink } from '../text-sink'
import { computingLimit } from '../trace-runs'
import {
  type FlatCall,
  type FlatPlace,
  type FlatRun,
  flatView,
  isCreation,
  type Payout,
  placedView,
  rewardView,
  runFlat,
} from './flat-calls'

// State changes by transaction: balances, nonces, code and slots, before and after each.
// Source: OpenEthereum's trace module (`=` unchanged, `*` changed, `+` new, `-` removed)

type Change = '=' | { '*': { from: string; to: string } } | { '+': string } | { '-': string }

interface AccountChange {
  balance: Change
  code: Change
  nonce: Change
  storage: Record<string, Change>
}

type AccountFields = Readonly<Pick<WorldAccount, 'balance' | 'nonce' | 'codeHash'>>

/** A transaction's effect on an account, recorded before the world discards it. */
interface Seen {
  readonly address: bigint
  readonly account: WorldAccount
  readonly before: AccountFields | null
  /** Of the current code. */
  readonly code: string
  readonly slots: readonly { readonly key: bigint; readonly before: bigint; readonly after: bigint }[]
}

/** Follows one world across transactions; report each one's end to it. */
class StateDiffs {
  /** As left by the transactions so far; absent: as in the state below. */
  readonly #left = new Map<bigint, AccountFields | null>()

  /** @param world between two transactions */
  constructor(private readonly world: World) {
    for (const account of world.loaded()) this.#left.set(bigintFromBytes(account.address), fieldsOf(account))
  }

  /** Ends the running transaction. @param parties all that may have changed @returns changed accounts by address */
  finish(parties: Iterable<bigint>): Record<string, AccountChange> {
    const seen = [...parties].map((address) => this.#look(address))
    this.world.finish()
    const changes: Record<string, AccountChange> = {}
    for (const one of seen) {
      this.#left.set(one.address, fieldsOf(one.account))
      const change = changeOf(one)
      if (change !== null) changes[addressHex(one.address)] = change
    }
    return changes
  }

  #look(address: bigint): Seen {
    const account = this.world.account(address)
    const left = this.#left.get(address)
    const before = left === undefined ? account.stored : left
    return { address, account, before, code: toHex(account.code), slots: this.world.changedSlots(address) }
  }
}

function fieldsOf({ exists, balance, nonce, codeHash }: WorldAccount): AccountFields | null {
  return exists ? { balance, nonce, codeHash } : null
}

/** Null when unchanged. */
function changeOf({ account, before, code, slots }: Seen): AccountChange | null {
  const after = fieldsOf(account)
  if (before === null && after === null) return null
  if (after === null || before === null) {
    const [sign, fields] = before === null ? (['+', after] as const) : (['-', before] as const)
    if (fields === null) return null
    return {
      balance: oneSided(sign, toQuantity(fields.balance)),
      code: oneSided(sign, equalBytes(fields.codeHash, EMPTY_CODE_HASH) ? '0x' : code),
      nonce: oneSided(sign, toQuantity(fields.nonce)),
      storage: sign === '-' ? {} : slotChanges(slots, (slot) => oneSided('+', wordHex(slot.after))),
    }
  }
  const isSameCode = equalBytes(before.codeHash, after.codeHash)
  const isSame = isSameCode && before.balance === after.balance && before.nonce === after.nonce && slots.length === 0
  if (isSame) return null
  return {
    balance: changed(toQuantity(before.balance), toQuantity(after.balance)),
    // Within a transaction, code never replaces other code.
    code: isSameCode ? '=' : { '*': { from: '0x', to: code } },
    nonce: changed(toQuantity(before.nonce), toQuantity(after.nonce)),
    storage: slotChanges(slots, (slot) => changed(wordHex(slot.before), wordHex(slot.after))),
  }
}

function slotChanges(slots: Seen['slots'], changeOfSlot: (slot: Seen['slots'][number]) => Change) {
  return Object.fromEntries(slots.map((slot) => [wordHex(slot.key), changeOfSlot(slot)]))
}

function oneSided(sign: '+' | '-', value: string): Change {
  return sign === '+' ? { '+': value } : { '-': value }
}

function changed(from: string, to: string): Change {
  return from === to ? '=' : { '*': { from, to } }
}

/** The two sides of `trace_filter`; an empty one matches everybody. */
class FlatMatch {
  readonly #senders: ReadonlySet<bigint>
  readonly #receivers: ReadonlySet<bigint>

  constructor(private readonly filter: FlatFilter) {
    this.#senders = new Set(filter.senders.map(bigintFromBytes))
    this.#receivers = new Set(filter.receivers.map(bigintFromBytes))
  }

  /** A failed creation has no callee. */
  takes(call: FlatCall): boolean {
    return this.#takes(call.from, isCreation(call) && call.end.error !== null ? null : call.to)
  }

  takesPayout({ receiver }: Payout): boolean {
    return this.#takes(null, bigintFromBytes(receiver))
  }

  #takes(from: bigint | null, to: bigint | null): boolean {
    const isFrom = from !== null && this.#senders.has(from)
    const isTo = to !== null && this.#receivers.has(to)
    if (this.filter.both) return (isFrom || this.#senders.size === 0) && (isTo || this.#receivers.size === 0)
    return isFrom || isTo || (this.#senders.size === 0 && this.#receivers.size === 0)
  }
}

/** ms of computing per transaction or call. */
const RUN_MS = 5_000
/** ms of computing per request. */
const REQUEST_MS = 30_000
/** Blocks that one filter may scan. */
const MAX_FILTER_BLOCKS = 10_000
/** Entries in one filter's answer. */
const MAX_FILTER_COUNT = 10_000

const FLAT_KINDS = [
  'flatBlock',
  'flatTransaction',
  'flatFilter',
  'replayTransaction',
  'replayBlock',
  'flatCalls',
  'flatRaw',
] as const
type FlatRequest = Streamed<(typeof FLAT_KINDS)[number]>

export function isFlat(request: StreamRequest): request is FlatRequest {
  return FLAT_KINDS.some((kind) => kind === request.kind)
}

/** Holds one transaction's calls at a time; the answer is sent as it is generated. */
export class FlatRuns {
  readonly #isRequestOver: () => boolean

  constructor(
    private readonly session: QuerySession,
    private readonly limits: QueryLimits,
    private readonly sink: TextSink,
  ) {
    this.#isRequestOver = computingLimit({ limits, sink }, REQUEST_MS)
  }

  /** Writes the JSON text of the answer. @throws RpcFault RPC_FAILED, STORE_MISSING_NODE */
  run(request: FlatRequest): void {
    switch (request.kind) {
      case 'flatBlock':
        return void this.#list((write) => this.#eachOf(blockToTrace(this.session, request.at), null, write))
      case 'flatTransaction':
        return void this.#transaction(request)
      case 'flatFilter':
        return void this.#filter(request)
      case 'replayTransaction':
        return void this.#replayTransaction(request)
      case 'replayBlock':
        return void this.#replayBlock(request)
      case 'flatCalls':
        return void this.#calls(request)
      case 'flatRaw':
        return void this.#raw(request)
    }
  }

  /** Null for an unknown transaction, and for a path without a call. */
  #transaction({ hash, path }: Streamed<'flatTransaction'>): void {
    const placed = placedTransaction(this.session, hash)
    if (placed === null) return void this.sink.write('null')
    const { tracer } = this.#runStored(placed)
    const place = placeOf(placed.block, placed)
    if (path === null)
      return void this.#list((write) => {
        for (const call of tracer.calls) write(placedView(call, place))
      })
    const found = tracer.calls.find((call) => call.path.join() === path.join())
    this.sink.write(found === undefined ? 'null' : JSON.stringify(placedView(found, place)))
  }

  #runStored(placed: Placed): FlatRun {
    const isOver = this.#runLimit()
    const message = transactionMessage(this.session, placed.tx)
    return onKeptStage(this.session, placed, this.limits, (stage) => runFlat(this.session, stage, message, isOver))
  }

  #filter({ filter }: Streamed<'flatFilter'>): void {
    const [first, last] = this.#heights(filter.from, filter.to)
    const blocks = last - first + 1
    if (blocks > MAX_FILTER_BLOCKS)
      throw failed(`${blocks} blocks are too many for one filter: at most ${MAX_FILTER_BLOCKS}`)
    if (filter.count !== null && filter.count > MAX_FILTER_COUNT)
      throw failed(`count ${filter.count} is too large: at most ${MAX_FILTER_COUNT}`)
    const match = new FlatMatch(filter)
    let toSkip = filter.after
    let left = filter.count ?? MAX_FILTER_COUNT
    this.#list((write) => {
      const take = (view: object): void => {
        if (toSkip > 0) toSkip--
        else if (left-- > 0) write(view)
        else if (filter.count === null)
          throw failed(`more than ${MAX_FILTER_COUNT} traces: ask for fewer blocks, or with after and count`)
      }
      for (let number = first; number <= last && (left > 0 || filter.count === null); number++)
        this.#eachOf(blockToTrace(this.session, { kind: 'number', number }), match, take)
    })
  }

  /** A block's entries in order. @param match null: all of them */
  #eachOf(block: Block, match: FlatMatch | null, write: (view: object) => void): void {
    if (block.header.number === 0n) return
    const stage = stageOf(this.session, block)
    for (const [index, tx] of block.transactions.entries()) {
      const { tracer } = runFlat(this.session, stage, transactionMessage(this.session, tx), this.#runLimit())
      stage.world.finish()
      const place = placeOf(block, { index, tx })
      for (const call of tracer.calls) if (match === null || match.takes(call)) write(placedView(call, place))
    }
    const payout = payoutAt(this.session, block, stage)
    if (payout !== null && (match === null || match.takesPayout(payout)))
      write(rewardView(payout, placeOf(block, null)))
    this.#checkTime(block)
  }

  #replayTransaction({ hash, parts }: Streamed<'replayTransaction'>): void {
    const placed = placedTransaction(this.session, hash)
    if (placed === null) throw failed('transaction not found')
    const stage = stageBefore(this.session, placed, this.limits)
    const message = transactionMessage(this.session, placed.tx)
    const view = this.#replayed({ stage, message, parts, diffs: new StateDiffs(stage.world) })
    this.sink.write(JSON.stringify(view))
  }

  #replayBlock({ at, parts }: Streamed<'replayBlock'>): void {
    const block = blockToTrace(this.session, at)
    if (block.header.number === 0n) return void this.sink.write('[]')
    const stage = stageOf(this.session, block)
    const diffs = new StateDiffs(stage.world)
    this.#list((write) => {
      for (const tx of block.transactions) {
        const message = transactionMessage(this.session, tx)
        write({ ...this.#replayed({ stage, message, parts, diffs }), transactionHash: toHex(tx.hash) })
        this.#checkTime(block)
      }
    })
  }

  #calls({ at, calls, isList }: Streamed<'flatCalls'>): void {
    if (at.kind === 'tag' && at.tag === 'pending') throw failed('tracing on top of pending is not supported')
    const block = this.session.blocks().find(at)
    const stage = stageAt(this.session, block)
    const diffs = new StateDiffs(stage.world)
    const one = ({ call, parts }: (typeof calls)[number]) =>
      this.#replayed({ stage, parts, diffs, message: messageOf(call, this.session.options) })
    const [first] = calls
    if (!isList && first !== undefined) return void this.sink.write(JSON.stringify(one(first)))
    this.#list((write) => {
      for (const call of calls) {
        if (this.#isRequestOver()) throw failed('execution timeout')
        write(one(call))
      }
    })
  }

  #raw({ raw, parts }: Streamed<'flatRaw'>): void {
    const tx = decodeTransaction(raw)
    if (!tx.ok) throw failed(tx.error)
    const block = this.session.blocks().find({ kind: 'tag', tag: 'latest' })
    const stage = stageAt(this.session, block)
    const message = transactionMessage(this.session, tx.value)
    const view = this.#replayed({ stage, message, parts, diffs: new StateDiffs(stage.world) })
    this.sink.write(JSON.stringify(view))
  }

  /** One complete message; afterwards the stage's world is at its end. */
  #replayed({ stage, message, parts, diffs }: Replay) {
    const flat = runFlat(this.session, stage, message, this.#runLimit())
    const coinbase = bigintFromBytes(stage.header.coinbase)
    const changes = diffs.finish(new Set([message.from, coinbase, ...flat.tracer.parties]))
    return {
      output: toHex(flat.result.output),
      stateDiff: parts.stateDiff ? changes : null,
      trace: parts.trace ? flat.tracer.calls.map(flatView) : [],
      vmTrace: null,
    }
  }

  #list(body: (write: (view: object) => void) => void): void {
    const start = this.sink.mark()
    let text = '['
    try {
      body((view) => {
        this.sink.write(text + JSON.stringify(view))
        text = ','
      })
    } catch (error: unknown) {
      this.sink.rewind(start) // once something was sent, a failure can only close the connection
      throw error
    }
    this.sink.write(text === '[' ? '[]' : ']')
  }

  #runLimit(): () => boolean {
    const isRunOver = computingLimit({ limits: this.limits, sink: this.sink }, RUN_MS)
    return () => isRunOver() || this.#isRequestOver()
  }

  #checkTime({ header }: Block): void {
    if (this.#isRequestOver())
      throw failed(`execution timeout: after ${REQUEST_MS / 1_000} s at block ${header.number}, ask for fewer blocks`)
  }

  #heights(...range: readonly FlatFilter['from'][]): [number, number] {
    const [first, last] = range.map((at) =>
      at.kind === 'number' ? at.number : Number(this.session.blocks().find(at).header.number),
    )
    const head = Number(this.session.view().head.header.number)
    if (first === undefined || last === undefined || first > last)
      throw failed(`invalid block range: ${first} is behind ${last}`)
    if (last > head) throw failed(`block range goes to ${last}, beyond the head block ${head}`)
    return [first, last]
  }
}

interface Replay {
  readonly stage: Stage
  readonly message: Message
  readonly parts: FlatParts
  readonly diffs: StateDiffs
}

function placeOf({ hash, header }: Block, placed: Omit<Placed, 'block'> | null): FlatPlace {
  const transaction = placed === null ? null : { hash: placed.tx.hash, index: placed.index }
  return { blockHash: hash, blockNumber: header.number, transaction }
}

/** The payout at the end of `block`; null when nothing is due. @param stage the block's own, at any transaction */
function payoutAt(session: QuerySession, { header }: Block, { world }: Stage): Payout | null {
  const lockbox = bigintFromBytes(LOCKBOX_ADDRESS)
  const slot = (key: Uint8Array): Uint8Array => bytesOfWord(world.slot(lockbox, bigintFromBytes(key)))
  return payoutOf(session.options.subsidies, header, slot)
}
