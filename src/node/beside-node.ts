// Another node beside ours: every block's header, receipts, logs and the balances it touched are asked of both, over
// JSON-RPC, and compared. A difference means that one of the two is wrong.
import { messageOf } from '../base/errors'
import { isJsonObject } from '../base/json-text'
import { Disposables } from '../base/lifecycle'
import type { Logger } from '../base/logger'
import { toQuantity } from '../base/quantity'
import type { Clock } from '../base/time'
import { shownTarget } from '../net/rpc-client'
import { SETTLED_DEPTHS } from './model/block-argument'

const POLL_MS = 5_000
const ANSWER_MS = 20_000
/** Blocks compared in one go; then the next poll. */
const MAX_PER_TURN = 32
/** Blocks behind both heads: older ones are skipped, and counted. */
const MAX_BACKLOG = 2_048
/** Receipts of a block; those of further transactions are only covered by the header's root. */
const MAX_RECEIPTS = 256
const MAX_BALANCES = 64
const MAX_BATCH = 64
/** Heights with another block that are looked at again; those above them follow once they are the same. */
const MAX_FORKED = 16
/** Differences remembered; all are counted. */
const MAX_KEPT = 16
const MAX_SHOWN = 120

/** What differs in one block. */
interface BesideDifference {
  readonly height: number
  /** `head`: another block is there; else the part of the block. */
  readonly what: 'head' | 'header' | 'receipts' | 'logs' | 'balance'
  /** Which transaction, log, address or member; empty for `head`. */
  readonly where: string
  readonly ours: string
  readonly theirs: string
  /** wall clock, ms */
  readonly at: number
  /** Both have the same block there now. */
  readonly isHealed: boolean
}

/** What the comparison has found. */
export interface BesideState {
  /** Without a password. */
  readonly url: string
  /** `unanswered`: reached, but a comparison couldn't be completed; see `reason`. */
  readonly state: 'starting' | 'unreachable' | 'other chain' | 'unanswered' | 'agrees' | 'differs'
  /** Why nothing is known about the latest blocks; empty when they were compared. */
  readonly reason: string
  /** Height up to which all blocks were looked at; null before the first. */
  readonly checkedTo: number | null
  /** Height of the other node's head; null while unknown. */
  readonly theirHead: number | null
  /** Blocks since the start: alike, different, not completely answered, and passed over because there were too many. */
  readonly counts: Readonly<Record<BesideOutcome, number>>
  /** Oldest first, the last few. */
  readonly differences: readonly BesideDifference[]
}

/** How the comparison of one block ended. */
type BesideOutcome = 'same' | 'different' | 'unanswered' | 'skipped'

/** One side: JSON-RPC calls with their results, in order; rejects when one has none. */
export type BesideSide = (calls: readonly BesideCall[], signal: AbortSignal) => Promise<readonly unknown[]>

/** Method and its parameters. */
export type BesideCall = readonly [method: string, ...params: unknown[]]

interface BesideDeps {
  readonly ours: BesideSide
  readonly theirs: BesideSide
  /** Height of our head; null while there is none. */
  readonly head: () => number | null
  readonly clock: Clock
  readonly log: Logger
}

/** The comparison of one pair of nodes. */
export class BesideNode {
  readonly #held = new Disposables()
  #state: BesideState
  #ends = new AbortController()
  #isRunning = false
  #isSameChain = false
  /** Next height to compare; null before the first. */
  #next: number | null = null
  /** Why the latest blocks can't be compared, whatever older ones say; empty: they can. */
  #apart = ''
  /** Heights with another block on the other side, not deep enough to judge. */
  readonly #forked = new Set<number>()

  constructor(
    url: string,
    private readonly deps: BesideDeps,
  ) {
    const counts = { same: 0, different: 0, unanswered: 0, skipped: 0 }
    const empty = { reason: 'not asked yet', checkedTo: null, theirHead: null, counts, differences: [] }
    this.#state = { url: shownTarget(url), state: 'starting', ...empty }
  }

  start(): void {
    this.#ends = new AbortController()
    this.#held.add(this.deps.clock.setInterval(() => void this.poll(), POLL_MS))
    void this.poll()
  }

  stop(): void {
    this.#held.dispose()
    this.#ends.abort(new Error('stopped'))
  }

  state(): BesideState {
    return this.#state
  }

  /** Blocks from `height` on were replaced: they are compared again. */
  replaced(height: number): void {
    if (this.#next !== null && height < this.#next) this.#next = height
  }

  /** Compares what is there. One at a time; never rejects. */
  async poll(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      await this.#turn()
    } catch (error: unknown) {
      if (!this.#ends.signal.aborted) this.#unreachable(messageOf(error))
    } finally {
      this.#isRunning = false
    }
  }

  async #turn(): Promise<void> {
    const own = this.deps.head()
    if (own === null) return
    if (!this.#isSameChain && !(await this.#checkChain())) return
    const [number] = await this.#ask('theirs', [['eth_blockNumber']])
    const theirHead = heightOf(number)
    if (theirHead === null) throw new Error('eth_blockNumber is not a number')
    this.#change({ theirHead })
    this.#lookApart(own, theirHead)
    const common = Math.min(own, theirHead)
    this.#skipTo(common)
    const settled = common - SETTLED_DEPTHS.safe
    for (const height of [...this.#forked]) await this.#compare(height, settled)
    const first = this.#next ?? common
    for (let height = first; height <= Math.min(common, first + MAX_PER_TURN - 1); height++) {
      await this.#compare(height, settled)
      this.#next = height + 1
      this.#change({ checkedTo: height })
    }
  }

  /** The first time, and again after the other node couldn't be reached. */
  async #checkChain(): Promise<boolean> {
    const calls: BesideCall[] = [['eth_chainId'], ['eth_getBlockByNumber', '0x0', false]]
    const [mine, other] = await Promise.all([this.#ask('ours', calls), this.#ask('theirs', calls)])
    const nameOf = ([id, genesis]: readonly unknown[]) =>
      `chain ${textOf(id)}, genesis ${textOf(memberOf(genesis, 'hash'))}`
    this.#isSameChain = nameOf(mine) === nameOf(other)
    if (this.#isSameChain) return true
    const reason = `ours is ${nameOf(mine)}, theirs is ${nameOf(other)}`
    if (this.#state.state !== 'other chain')
      this.deps.log.error('the node beside is on another chain: nothing is compared', { url: this.#state.url, reason })
    this.#change({ state: 'other chain', reason })
    return false
  }

  /** A chain that stands still agrees with the other one for ever, also when it refuses the other's next block. */
  #lookApart(own: number, theirHead: number): void {
    const lag = Math.abs(own - theirHead)
    const was = this.#apart
    this.#apart = lag <= SETTLED_DEPTHS.safe ? '' : `our head is block ${own}, the other node's is block ${theirHead}`
    if (this.#apart === '') return
    if (was === '')
      this.deps.log.warn('the node beside is far from our head: the latest blocks are not compared', { own, theirHead })
    if (this.#state.state !== 'differs') this.#change(this.#calm())
  }

  /** The state where no difference stands. */
  #calm(): Pick<BesideState, 'state' | 'reason'> {
    return this.#apart === '' ? { state: 'agrees', reason: '' } : { state: 'unanswered', reason: this.#apart }
  }

  #skipTo(common: number): void {
    const from = this.#next ?? common
    const skipped = common - from - MAX_BACKLOG
    if (skipped <= 0) return
    this.#count('skipped', skipped)
    this.deps.log.warn('blocks are not compared with the node beside', { from, count: skipped })
    this.#next = from + skipped
  }

  /** @param settled heights up to here are deep in both chains */
  async #compare(height: number, settled: number): Promise<void> {
    const calls: BesideCall[] = [['eth_getBlockByNumber', toQuantity(height), true]]
    const [[mine], [other]] = await Promise.all([this.#ask('ours', calls), this.#ask('theirs', calls)])
    const [hash, theirs] = [memberOf(mine, 'hash'), memberOf(other, 'hash')]
    if (typeof hash !== 'string' || typeof theirs !== 'string') return this.#unanswered(height, 'a block is missing')
    if (hash !== theirs) {
      if (this.#forked.size < MAX_FORKED) this.#forked.add(height)
      // The blocks after the first one differ because it does.
      const isKnown = this.#state.differences.some(({ what, isHealed }) => what === 'head' && !isHealed)
      if (height <= settled && !isKnown) this.#differ([{ height, what: 'head', where: '', ours: hash, theirs }])
      return
    }
    this.#heal(height)
    try {
      const found = await this.#insideOf(height, mine, other)
      if (found.length > 0) return this.#differ(found)
    } catch (error: unknown) {
      if (this.#ends.signal.aborted) throw error
      return this.#unanswered(height, messageOf(error))
    }
    this.#count('same', 1)
    if (this.#state.state !== 'differs') this.#change(this.#calm())
  }

  async #insideOf(height: number, mine: unknown, other: unknown): Promise<readonly Found[]> {
    const transactions = listOf(memberOf(mine, 'transactions'))
    const hashes = transactions.map((tx) => textOf(memberOf(tx, 'hash'))).slice(0, MAX_RECEIPTS)
    const parties = transactions.flatMap((tx) => [memberOf(tx, 'from'), memberOf(tx, 'to')])
    parties.unshift(memberOf(mine, 'miner'))
    const addresses = [...new Set(parties.filter((one) => typeof one === 'string'))].slice(0, MAX_BALANCES)
    const calls: BesideCall[] = [
      ['eth_getLogs', { blockHash: memberOf(mine, 'hash') }],
      ...hashes.map((hash): BesideCall => ['eth_getTransactionReceipt', hash]),
      ...addresses.map((address): BesideCall => ['eth_getBalance', address, toQuantity(height)]),
    ]
    const [ours, theirs] = await Promise.all([this.#ask('ours', calls), this.#ask('theirs', calls)])
    const found = differing({ height, what: 'header' }, BLOCK_MEMBERS, [['', mine, other]])
    const [logs, theirLogs] = [ours[0], theirs[0]].map(listOf)
    const count = hasLogs(ours) && hasLogs(theirs) ? Math.max(logs?.length ?? 0, theirLogs?.length ?? 0) : 0
    const pairs = Array.from({ length: count }, (_, i) => [`log ${i}`, logs?.[i], theirLogs?.[i]] as const)
    found.push(...differing({ height, what: 'logs' }, LOG_MEMBERS, pairs))
    const receipts = hashes.map((hash, i) => [hash, ours[1 + i], theirs[1 + i]] as const)
    found.push(...differing({ height, what: 'receipts' }, RECEIPT_MEMBERS, receipts))
    const balances = addresses.map(
      (where, i) => [where, ours[1 + hashes.length + i], theirs[1 + hashes.length + i]] as const,
    )
    for (const [where, a, b] of balances)
      if (textOf(a) !== textOf(b)) found.push({ height, what: 'balance', where, ours: textOf(a), theirs: textOf(b) })
    if (found.length > 0) return found
    // Alike so far, also in what both leave out.
    const gap = [ours, theirs].find((answers) => !hasLogs(answers))
    if (gap !== undefined) throw new Error(`eth_getLogs: no list of logs: ${textOf(gap[0]).slice(0, MAX_SHOWN)}`)
    const receipt = receipts.find(([, mine]) => !isJsonObject(mine))
    if (receipt !== undefined) throw new Error(`neither has the receipt of ${receipt[0]}`)
    const balance = balances.find(([, mine]) => typeof mine !== 'string')
    if (balance !== undefined) throw new Error(`neither has the balance of ${balance[0]}`)
    return found
  }

  async #ask(side: 'ours' | 'theirs', calls: readonly BesideCall[]): Promise<readonly unknown[]> {
    const { clock } = this.deps
    const limit = new AbortController()
    const stopped = (): void => limit.abort(this.#ends.signal.reason)
    const timer = clock.setTimeout(() => limit.abort(new Error(`no answer within ${ANSWER_MS / 1_000} s`)), ANSWER_MS)
    this.#ends.signal.addEventListener('abort', stopped, { once: true })
    try {
      const results: unknown[] = []
      for (let first = 0; first < calls.length; first += MAX_BATCH)
        results.push(...(await this.deps[side](calls.slice(first, first + MAX_BATCH), limit.signal)))
      return results
    } finally {
      timer.dispose()
      this.#ends.signal.removeEventListener('abort', stopped)
    }
  }

  #unreachable(reason: string): void {
    this.#isSameChain = false // whoever answers next may be somebody else
    if (this.#state.state !== 'unreachable')
      this.deps.log.warn('the node beside cannot be compared', { url: this.#state.url, reason })
    this.#change({ state: 'unreachable', reason, theirHead: null })
  }

  #unanswered(height: number, reason: string): void {
    this.#count('unanswered', 1)
    this.deps.log.warn('a block could not be compared with the node beside', { height, reason })
    const told = `block ${height}: ${reason}`.slice(0, 4 * MAX_SHOWN)
    if (this.#state.state !== 'differs') this.#change({ state: 'unanswered', reason: told })
  }

  #differ(found: readonly Found[]): void {
    this.#count('different', 1)
    const at = this.deps.clock.now()
    const fresh = found.slice(0, MAX_KEPT).map((one) => ({ ...shortened(one), at, isHealed: false }))
    const differences = [...this.#state.differences, ...fresh].slice(-MAX_KEPT)
    this.#change({ state: 'differs', reason: '', differences })
    for (const one of fresh) this.deps.log.error('the node beside differs', { url: this.#state.url, ...one })
  }

  /** The block of this height is the same again. */
  #heal(height: number): void {
    if (!this.#forked.delete(height)) return
    if (this.#next !== null && height < this.#next) this.#next = height + 1 // those after it may have changed, too
    const differences = this.#state.differences.map((one) =>
      one.height === height && one.what === 'head' ? { ...one, isHealed: true } : one,
    )
    const isOver = this.#state.state === 'differs' && differences.every(({ isHealed }) => isHealed)
    this.#change({ differences, ...(isOver ? this.#calm() : {}) })
    if (isOver) this.deps.log.warn('the node beside has the same chain again', { height })
  }

  #count(outcome: BesideOutcome, by: number): void {
    const { counts } = this.#state
    this.#change({ counts: { ...counts, [outcome]: counts[outcome] + by } })
  }

  #change(part: Partial<BesideState>): void {
    this.#state = { ...this.#state, ...part }
  }
}

type Found = Omit<BesideDifference, 'at' | 'isHealed'>

/** Members that every node of this family has; others differ by documented choice. */
const BLOCK_MEMBERS = [
  ...['number', 'parentHash', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom', 'miner', 'difficulty'],
  ...['totalDifficulty', 'gasLimit', 'gasUsed', 'timestamp', 'extraData', 'nonce', 'mixHash', 'size'],
]
const RECEIPT_MEMBERS = [
  ...['transactionHash', 'transactionIndex', 'blockHash', 'blockNumber', 'from', 'to', 'contractAddress', 'status'],
  ...['gasUsed', 'cumulativeGasUsed', 'logsBloom', 'type', 'logs'],
]
const LOG_MEMBERS = [
  ...['address', 'topics', 'data', 'logIndex', 'transactionHash', 'transactionIndex', 'blockHash', 'removed'],
]

/** The first differing member of each pair. */
function differing(
  place: Pick<Found, 'height' | 'what'>,
  members: readonly string[],
  pairs: readonly (readonly [where: string, ours: unknown, theirs: unknown])[],
): Found[] {
  return pairs.flatMap(([where, ours, theirs]) => {
    const member = members.find((name) => textOf(memberOf(ours, name)) !== textOf(memberOf(theirs, name)))
    if (member === undefined) return []
    const told = (one: unknown) => (one == null ? 'absent' : textOf(memberOf(one, member)))
    return [{ ...place, where: where === '' ? member : `${where} ${member}`, ours: told(ours), theirs: told(theirs) }]
  })
}

function shortened({ where, ours, theirs, ...rest }: Found): Found {
  const short = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text)
  return { ...rest, where: where.slice(0, MAX_SHOWN), ours: short(ours), theirs: short(theirs) }
}

/** Comparable text: letters of hex in lower case, lists member by member. */
function textOf(value: unknown): string {
  if (value === undefined) return 'absent'
  return typeof value === 'string' ? value.toLowerCase() : JSON.stringify(sorted(value)).toLowerCase()
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, one]) => [name, sorted(one)]))
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Whether the first answer is a list: anything else isn't the same as no logs. */
function hasLogs([logs]: readonly unknown[]): boolean {
  return Array.isArray(logs)
}

/** Null for anything but a QUANTITY below 2^53. */
function heightOf(value: unknown): number | null {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,13}$/i.test(value)) return null
  return Number(value)
}

/** A side that sends the calls as one batch. @param exchange sends a request's text and resolves with the answer's */
export function batchSide(exchange: (body: string, signal: AbortSignal) => Promise<string>): BesideSide {
  return async (calls, signal) => {
    const batch = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
    const answers: unknown = JSON.parse(await exchange(JSON.stringify(batch), signal))
    if (!Array.isArray(answers)) throw new Error(`no list of answers: ${JSON.stringify(answers).slice(0, MAX_SHOWN)}`)
    const byId = new Map(answers.map((answer: unknown) => [memberOf(answer, 'id'), answer]))
    return calls.map(([method], id) => {
      const answer = byId.get(id)
      const error = memberOf(answer, 'error')
      if (error !== undefined && error !== null)
        throw new Error(`${method}: ${textOf(memberOf(error, 'message')).slice(0, MAX_SHOWN)}`)
      if (!isJsonObject(answer) || !('result' in answer)) throw new Error(`${method}: no answer`)
      return answer.result
    })
  }
}
