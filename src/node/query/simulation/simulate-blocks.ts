// eth_simulateV1: blocks of calls on a state, each seeing what the previous ones left. Nothing is stored. Source: the
// execution API (eth_simulateV1) as go-ethereum documents it, in the form of a chain without a base fee
import { bytesFromBigint, EMPTY_BYTES } from '../../../base/bytes'
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import { encodedList } from '../../codec/rlp'
import type { WorldLog } from '../../execution/tracer'
import { addressBytes, bytesOfWord } from '../../execution/word'
import type { World } from '../../execution/world'
import { BLOOM_BYTES, bloomOf } from '../../model/bloom'
import { type BlockHeader, blockHash, encodeHeader } from '../../model/header'
import { encodeReceipt } from '../../model/receipt'
import { rawToBodyBytes } from '../../model/transaction'
import { EMPTY_TRIE_ROOT, orderedRoot } from '../../trie/trie'
import { failed, type StateBlock } from '../block-state'
import { addressHex, encodeTransaction, NO_UNCLES_HASH, wordHex } from '../encoding'
import { BUILT_INS } from '../message-engine'
import type { BlockOverride, SimulateRequest } from '../query-wire'
import { WorldTries } from '../reads/world-tries'
import { applyOverrides, movedBuiltIns, refusedAs, SIMULATION } from '../run-call'
import type { QueryLimits, QuerySession } from '../session'
import { type CallResult, runSimulated, type SimulatedRun } from './simulated-call'

/** How far above its base block one request may reach. */
const MAX_BLOCKS = 256n
/** Characters of the answer. */
const MAX_CHARACTERS = 25 * 1024 * 1024
/** Accounts and slots that all blocks may read together. */
const MAX_HELD = 200_000
/** default seconds between a block and its parent */
const STEP_SECONDS = 12n
const ZERO = new Uint8Array(32)

type Asked = SimulateRequest['blocks'][number]

/** A block before its transactions. */
interface Planned {
  readonly header: BlockHeader
  /** Null: nothing was requested of it. */
  readonly asked: Asked | null
}

/** JSON list of the blocks with the outcomes of their calls. @throws RpcFault RPC_FAILED, RPC_SIMULATION_REFUSED */
export function simulateBlocks(session: QuerySession, request: SimulateRequest, limits: QueryLimits): string {
  const start = session.blocks().find(request.at)
  if (start.hash === null) throw failed('blocks are simulated on a block that is there, not on the pending one')
  const simulation = new Simulation(session, request, start, session.callDeadline(limits))
  return `[${simulation.run().join(',')}]`
}

class Simulation {
  readonly #world: World
  readonly #tries: WorldTries
  /** Hashes of simulated blocks by height. */
  readonly #hashes = new Map<bigint, Uint8Array>()
  #builtIns = BUILT_INS
  #gasLeft: number
  #characters = 0
  /** Accounts and slots that all calls read. */
  #loaded = 0

  constructor(
    private readonly session: QuerySession,
    private readonly request: SimulateRequest,
    private readonly start: StateBlock,
    private readonly deadline: SimulatedRun['deadline'],
  ) {
    this.#world = session.newWorld(start)
    this.#tries = new WorldTries(start.store, session.keccak256)
    this.#gasLeft = session.options.gasCap
  }

  run(): readonly string[] {
    const { base } = this.start
    let parent = base.hash
    return planned(base.header, this.request.blocks).map(({ header, asked }) => {
      const { hash, text } = this.#block({ header: { ...header, parentHash: parent }, asked })
      this.#hashes.set(header.number, hash)
      parent = hash
      this.#characters += text.length
      if (this.#characters > MAX_CHARACTERS)
        throw refusedAs(SIMULATION.limit, `the answer has more than ${MAX_CHARACTERS} characters`)
      return text
    })
  }

  #block({ header, asked }: Planned): { readonly hash: Uint8Array; readonly text: string } {
    if (asked !== null) this.#override(asked)
    const runs: CallResult[] = []
    let gasUsed = 0
    for (const call of asked?.calls ?? []) {
      const run = runSimulated({
        session: this.session,
        world: this.#world,
        base: this.start.base,
        header,
        call,
        gasUsed,
        gasLeft: this.#gasLeft,
        builtIns: this.#builtIns,
        ancestor: (height) => this.#hashes.get(height) ?? null,
        deadline: this.deadline,
        isChecked: this.request.validation,
        tellsTransfers: this.request.traceTransfers,
      })
      gasUsed += run.gasUsed
      this.#gasLeft -= run.gasUsed
      runs.push(run)
      this.#loaded += run.loaded
      if (this.#loaded > MAX_HELD)
        throw refusedAs(SIMULATION.limit, `more than ${MAX_HELD} accounts and slots are read`)
    }
    return this.#finished(header, runs, gasUsed)
  }

  #override({ overrides }: Asked): void {
    this.#builtIns = movedBuiltIns(this.#builtIns, overrides)
    applyOverrides(this.#world, overrides)
    this.#world.finish()
  }

  /** Completes the header from what its transactions did. */
  #finished(before: BlockHeader, runs: readonly CallResult[], gasUsed: number) {
    const { keccak256 } = this.session
    let total = 0n
    const receipts = runs.map(({ type, isGood, gasUsed: used, receiptLogs }) => {
      total += BigInt(used)
      const logs = receiptLogs.map(plainLog)
      return { type, succeeded: isGood, cumulativeGasUsed: total, gasUsed: BigInt(used), logs, contractAddress: null }
    })
    const rootOf = (items: readonly Uint8Array[]): Uint8Array => orderedRoot(items, keccak256)
    const header = {
      ...before,
      gasUsed: BigInt(gasUsed),
      stateRoot: this.#tries.stateRoot(this.#world, this.start.header.stateRoot),
      logsBloom: bloomOf(receipts.flatMap(({ logs }) => logs)),
      txRoot: rootOf(runs.map(({ raw }) => raw)),
      receiptRoot: rootOf(receipts.map((receipt) => encodeReceipt(receipt))),
    }
    const hash = blockHash(header)
    const transactions = runs.map((run, index) =>
      this.request.fullTransactions ? transactionView(run, { header, hash, index }) : toHex(run.hash),
    )
    const size = encodedList([encodeHeader(header), encodedList(runs.map(({ raw }) => rawToBodyBytes(raw)))]).length
    let firstLog = 0
    const calls = runs.map((run, index) => {
      const logs = logViews(run, { header, hash, index }, firstLog)
      firstLog += run.logs.length
      return {
        status: run.isGood ? '0x1' : '0x0',
        returnData: toHex(run.output),
        gasUsed: toQuantity(run.gasUsed),
        logs,
        ...run.fault,
      }
    })
    const view = { ...headerView(header), hash: toHex(hash), uncles: [], transactions, size: toQuantity(size), calls }
    return { hash, text: JSON.stringify(view) }
  }
}

/** In order, skipped heights as empty blocks. Hashes and roots aren't final. @throws RpcFault RPC_SIMULATION_REFUSED */
function planned(base: BlockHeader, blocks: readonly Asked[]): readonly Planned[] {
  const plan: Planned[] = []
  let last = base
  const add = (header: BlockHeader, asked: Asked | null): void => {
    plan.push({ header, asked })
    last = header
  }
  for (const one of blocks) {
    const number = one.block.number ?? last.number + 1n
    if (number <= last.number)
      throw refusedAs(SIMULATION.blockNumber, `block numbers must be in order: ${number} <= ${last.number}`)
    if (number - base.number > MAX_BLOCKS)
      throw refusedAs(SIMULATION.limit, `too many blocks: ${number - base.number}, at most ${MAX_BLOCKS}`)
    while (last.number + 1n < number) add(nextHeader(last, {}), null)
    const header = nextHeader(last, one.block)
    const times = `${header.timestamp} <= ${last.timestamp}`
    if (header.timestamp <= last.timestamp)
      throw refusedAs(SIMULATION.blockTime, `block timestamps must be in order: ${times}`)
    add(header, one)
  }
  return plan
}

function nextHeader(before: BlockHeader, { time, gasLimit, feeRecipient, difficulty }: BlockOverride): BlockHeader {
  return {
    parentHash: ZERO,
    coinbase: feeRecipient ?? before.coinbase,
    stateRoot: ZERO,
    txRoot: EMPTY_TRIE_ROOT,
    receiptRoot: EMPTY_TRIE_ROOT,
    logsBloom: new Uint8Array(BLOOM_BYTES),
    difficulty: difficulty ?? before.difficulty,
    number: before.number + 1n,
    gasLimit: gasLimit ?? before.gasLimit,
    gasUsed: 0n,
    timestamp: time ?? before.timestamp + STEP_SECONDS,
    epochStartTime: before.epochStartTime,
    extraData: EMPTY_BYTES,
    mixHash: ZERO,
    nonce: 0n,
  }
}

function plainLog({ address, topics, data }: WorldLog) {
  return { address: addressBytes(address), topics: topics.map((topic) => bytesOfWord(topic)), data }
}

/** Of a call's transaction. */
interface Place {
  readonly header: BlockHeader
  readonly hash: Uint8Array
  readonly index: number
}

/** @param firstLog number of earlier logs in the block */
function logViews({ logs, hash: transaction }: CallResult, { header, hash, index }: Place, firstLog: number) {
  return logs.map(({ address, topics, data }, at) => ({
    address: addressHex(address),
    topics: topics.map(wordHex),
    data: toHex(data),
    blockNumber: toQuantity(header.number),
    transactionHash: toHex(transaction),
    transactionIndex: toQuantity(index),
    blockHash: toHex(hash),
    logIndex: toQuantity(firstLog + at),
    removed: false,
  }))
}

/** With a zero signature. */
function transactionView({ message, nonce, type, hash }: CallResult, { header, hash: blockHash, index }: Place) {
  const place = { blockHash, blockNumber: Number(header.number), index }
  const unsigned = { hash, type, nonce, place, chainId: null, v: 0n, r: 0n, s: 0n }
  const { chainId: _none, ...view } = encodeTransaction({
    ...message,
    ...unsigned,
    from: addressBytes(message.from),
    to: message.to === null ? null : addressBytes(message.to),
    gasLimit: BigInt(message.gas),
    input: message.data,
  })
  return view
}

function headerView(header: BlockHeader) {
  return {
    difficulty: toQuantity(header.difficulty),
    epochStartTime: toQuantity(header.epochStartTime),
    extraData: toHex(header.extraData),
    gasLimit: toQuantity(header.gasLimit),
    gasUsed: toQuantity(header.gasUsed),
    logsBloom: toHex(header.logsBloom),
    miner: toHex(header.coinbase),
    mixHash: toHex(header.mixHash),
    nonce: toHex(bytesFromBigint(header.nonce, 8)),
    number: toQuantity(header.number),
    parentHash: toHex(header.parentHash),
    receiptsRoot: toHex(header.receiptRoot),
    sha3Uncles: NO_UNCLES_HASH,
    stateRoot: toHex(header.stateRoot),
    timestamp: toQuantity(header.timestamp),
    transactionsRoot: toHex(header.txRoot),
  }
}
