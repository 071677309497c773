// Transactions waiting for a block: executable ones (pending) and those after a nonce gap (queued), by sender and
// nonce. Source: prlx core/tx_pool.go
import { Emitter } from '../../base/events'
import { toHex } from '../../base/hex'
import { Disposables } from '../../base/lifecycle'
import type { Clock } from '../../base/time'
import type { HeadChanged } from '../chain/chain'
import { fail, ok, type Result } from '../codec/result'
import type { AccountState } from '../execution/account'
import type { CandidateQueue } from '../execution/engine'
import { recoverSender } from '../model/sender'
import { type AnyTransaction, decodeTransaction, type Transaction } from '../model/transaction'
import { admit, maximumCost, mayReplace, type PoolTransaction, slotsOf } from './pool-transaction'

// The order in which a block includes pool transactions: local accounts first, then by price, in nonce order within an
// account. Source: prlx core/types/transaction.go (TransactionsByPriceAndNonce), miner/worker.go

/** @param accounts executable transactions per account, ascending nonces */
export function candidateQueue(accounts: readonly (readonly PoolTransaction[])[]): CandidateQueue {
  const queues = accounts.filter((account) => account.length > 0).map((account) => [...account])
  queues.sort(byRank)
  return {
    peek: () => queues[0]?.[0] ?? null,
    shift: () => {
      const account = queues.shift()
      account?.shift()
      if (account !== undefined && account.length > 0) queues.splice(placeOf(queues, account), 0, account)
    },
    pop: () => void queues.shift(),
  }
}

function byRank(a: readonly PoolTransaction[], b: readonly PoolTransaction[]): number {
  const [first, second] = [a[0], b[0]]
  if (first === undefined || second === undefined) return 0
  if (first.local !== second.local) return first.local ? -1 : 1
  if (first.tx.gasPrice !== second.tx.gasPrice) return first.tx.gasPrice > second.tx.gasPrice ? -1 : 1
  return first.sequence - second.sequence
}

function placeOf(queues: readonly (readonly PoolTransaction[])[], account: readonly PoolTransaction[]): number {
  let low = 0
  let high = queues.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = queues[middle]
    if (other !== undefined && byRank(other, account) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

export interface TxPoolOptions {
  readonly chainId: bigint
  /** wei per gas for peers' transactions */
  readonly minimumPrice: bigint
  /** Minimum price increase of a replacement, percent. */
  readonly priceBumpPercent: number
  /** Slots of 32 KiB for all transactions. */
  readonly capacity: number
  /** Executable ones over all accounts; above it, peers' accounts with more than guaranteed are trimmed. */
  readonly executable: number
  /** Executable ones guaranteed to each account. */
  readonly executablePerAccount: number
  /** Queued ones over all accounts; above it, the newest of peers are dropped. */
  readonly queued: number
  readonly queuedPerAccount: number
  /** How long a peer's account with queued transactions may be inactive, ms. */
  readonly queuedLifetimeMs: number
  /** Deeper reorganisations reinject nothing. */
  readonly reorgDepth: number
  /** Whether local transactions are treated like peers'. */
  readonly noLocals: boolean
  /** Accounts that are local from the start, 20 bytes each. */
  readonly locals: readonly Uint8Array[]
}

export const TXPOOL_DEFAULTS = {
  minimumPrice: 1n,
  priceBumpPercent: 10,
  capacity: 12_288,
  executable: 10_240,
  executablePerAccount: 32,
  queued: 2048,
  queuedPerAccount: 128,
  queuedLifetimeMs: 3 * 3600 * 1000,
  reorgDepth: 64,
  noLocals: false,
  locals: [],
} as const satisfies Partial<TxPoolOptions>

/** Removed entries are purged when they exceed this fraction. */
const MAX_LEFT = 0.25
const SMALL = 64

/** A heap of remote transactions by price. */
export class PriceHeap {
  #entries: PoolTransaction[] = []
  #left = 0

  /** @param isIn whether the entry is in the pool, as a remote one */
  constructor(private readonly isIn: (entry: PoolTransaction) => boolean) {}

  push(entry: PoolTransaction): void {
    this.#entries.push(entry)
    this.#rise(this.#entries.length - 1)
  }

  /** Records that an entry left the pool. */
  leave(): void {
    this.#left++
    if (this.#entries.length <= SMALL || this.#left <= this.#entries.length * MAX_LEFT) return
    this.#entries = this.#entries.filter((entry) => this.isIn(entry))
    this.#left = 0
    for (let at = (this.#entries.length >>> 1) - 1; at >= 0; at--) this.#sink(at)
  }

  /** Removes the cheapest; null when empty. At equal price the one with the higher nonce. */
  pop(): PoolTransaction | null {
    for (;;) {
      const first = this.#entries[0]
      const last = this.#entries.pop()
      if (first === undefined || last === undefined) return null
      if (this.#entries.length > 0) {
        this.#entries[0] = last
        this.#sink(0)
      }
      if (this.isIn(first)) return first
      this.#left--
    }
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >>> 1
      if (!this.#swapIfCheaper(at, above)) return
      at = above
    }
  }

  #sink(from: number): void {
    for (let at = from; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const child = this.#isCheaper(right, left) ? right : left
      if (!this.#swapIfCheaper(child, at)) return
      at = child
    }
  }

  #swapIfCheaper(below: number, above: number): boolean {
    const [lower, upper] = [this.#entries[below], this.#entries[above]]
    if (lower === undefined || upper === undefined || !this.#isCheaper(below, above)) return false
    this.#entries[below] = upper
    this.#entries[above] = lower
    return true
  }

  #isCheaper(first: number, second: number): boolean {
    const [a, b] = [this.#entries[first]?.tx, this.#entries[second]?.tx]
    if (a === undefined || b === undefined) return false
    return a.gasPrice === b.gasPrice ? a.nonce > b.nonce : a.gasPrice < b.gasPrice
  }
}

export class AccountQueue {
  /** How many executable ones the pool has counted. */
  counted = 0
  /** When a transaction was last added or included, monotonic ms. */
  activeAt = 0
  /** Of the newest arrival. */
  lastSequence = -1
  readonly #byNonce = new Map<bigint, PoolTransaction>()
  /** The executable ones; null when they must be recomputed. */
  #run: PoolTransaction[] | null = null

  /** @param sender 20 bytes @param stateNonce of the sender at the head */
  constructor(
    readonly sender: Uint8Array,
    public stateNonce: bigint,
  ) {}

  get size(): number {
    return this.#byNonce.size
  }

  get queuedCount(): number {
    return this.#byNonce.size - this.executable().length
  }

  get(nonce: bigint): PoolTransaction | undefined {
    return this.#byNonce.get(nonce)
  }

  /** In no particular order. */
  all(): readonly PoolTransaction[] {
    return [...this.#byNonce.values()]
  }

  /** Replaces the one with its nonce. */
  set(entry: PoolTransaction): void {
    const { nonce } = entry.tx
    this.#byNonce.set(nonce, entry)
    if (entry.sequence > this.lastSequence) this.lastSequence = entry.sequence
    const run = this.#run
    if (run === null) return
    const place = Number(nonce - this.stateNonce)
    if (place === run.length) this.#extend(run)
    else if (run[place] !== undefined) run[place] = entry
  }

  delete(nonce: bigint): void {
    if (!this.#byNonce.delete(nonce) || this.#run === null) return
    const place = Number(nonce - this.stateNonce)
    if (place === this.#run.length - 1) this.#run.pop()
    else if (this.#run[place] !== undefined) this.#run = null
  }

  setStateNonce(nonce: bigint): void {
    if (nonce === this.stateNonce) return
    this.stateNonce = nonce
    this.#run = null
  }

  /** Consecutive nonces from the state's on. A live list: the next change may alter it. */
  executable(): readonly PoolTransaction[] {
    this.#run ??= this.#extend([])
    return this.#run
  }

  /** Ascending nonces. */
  queued(): readonly PoolTransaction[] {
    const end = this.stateNonce + BigInt(this.executable().length)
    return this.all()
      .filter(({ tx }) => tx.nonce < this.stateNonce || tx.nonce >= end)
      .sort((a, b) => (a.tx.nonce < b.tx.nonce ? -1 : 1))
  }

  #extend(run: PoolTransaction[]): PoolTransaction[] {
    for (let nonce = this.stateNonce + BigInt(run.length); ; nonce++) {
      const entry = this.#byNonce.get(nonce)
      if (entry === undefined) return run
      run.push(entry)
    }
  }
}

/** Recovering a sender costs about as much as this many account reads. */
const READS_PER_RECOVERY = 8

interface SenderQuestion {
  readonly chainId: bigint
  /** How many accounts would have to be examined otherwise. */
  readonly most: number
  /** The sender of a transaction in the pool. */
  readonly known: (hash: Uint8Array) => Uint8Array | null
}

/** Senders in hex; null when examining all accounts is cheaper than recovering them. */
export function sendersOf(transactions: readonly AnyTransaction[], question: SenderQuestion): readonly string[] | null {
  const unknown = transactions.filter((tx) => question.known(tx.hash) === null)
  if (unknown.length > 0 && unknown.length * READS_PER_RECOVERY >= question.most) return null
  const names = new Set<string>()
  for (const tx of transactions) {
    const sender = question.known(tx.hash)
    const signed = sender === null ? recoverSender(tx, question.chainId) : null
    if (sender !== null) names.add(toHex(sender))
    else if (signed?.ok === true) names.add(toHex(signed.value.sender))
  }
  return [...names]
}

interface PoolCounts {
  readonly pending: number
  readonly queued: number
}

interface PoolEvents {
  changed: PoolCounts
  /** Each transaction once, when it first becomes executable. */
  becameExecutable: readonly PoolTransaction[]
  localAdded: PoolTransaction
  dropped: DroppedTransaction
}

export interface DroppedTransaction {
  readonly entry: PoolTransaction
  /** Others that pay more took its place; else it was included, overtaken, replaced, can't be paid, or was not wanted. */
  readonly isPricedOut: boolean
}

const EXPIRY_CHECK_MS = 60_000

/** Rejected transactions that are remembered. */
const MAX_REFUSED = 4_096

export class TxPool {
  readonly events = new Emitter<PoolEvents>()
  readonly #accounts = new Map<string, AccountQueue>()
  readonly #byHash = new Map<string, PoolTransaction>()
  /** Senders of local transactions: their later ones are local too, even from a peer or a removed block. */
  readonly #locals: Set<string>
  readonly #prices = new PriceHeap((entry) => !entry.local && this.#byHash.get(toHex(entry.tx.hash)) === entry)
  /** Hashes of pool transactions that were already announced as executable. */
  readonly #told = new Set<string>()
  readonly #held = new Disposables()
  /** By hash, why it isn't accepted again. */
  readonly #refused = new Map<string, string>()
  #minimumPrice: bigint
  #sequence = 0
  #slots = 0
  #executable = 0
  #gasLimit: bigint

  constructor(
    private readonly options: TxPoolOptions,
    private readonly deps: {
      readonly state: { account(address: Uint8Array): AccountState | null; gasLimit(): bigint }
      readonly clock: Clock
    },
  ) {
    this.#minimumPrice = options.minimumPrice
    this.#locals = new Set(options.locals.map(toHex))
    this.#gasLimit = deps.state.gasLimit()
  }

  /** Checks for expired transactions once a minute, until `stop`. */
  start(): void {
    this.#held.add(this.deps.clock.setInterval(() => this.#expire(), EXPIRY_CHECK_MS))
  }

  stop(): void {
    this.#held.dispose()
  }

  /** Adds `tx`, or says why not (prlx's text). */
  add(tx: AnyTransaction, origin: { readonly local: boolean }): Result<PoolTransaction> {
    const added = this.#insert(tx, origin.local && !this.options.noLocals)
    if (added.ok) this.#tell([added.value])
    return added
  }

  get(hash: Uint8Array): PoolTransaction | null {
    return this.#byHash.get(toHex(hash)) ?? null
  }

  /** Next nonce of `address` after everything executable here. */
  nextNonce(address: Uint8Array): bigint {
    const nonce = this.deps.state.account(address)?.nonce ?? 0n
    return nonce + BigInt(this.#accounts.get(toHex(address))?.executable().length ?? 0)
  }

  counts(): PoolCounts {
    return { pending: this.#executable, queued: this.#byHash.size - this.#executable }
  }

  /** All executable transactions, in no particular order. */
  executable(): readonly PoolTransaction[] {
    return [...this.#accounts.values()].flatMap((account) => account.executable())
  }

  /** By account; only one when given. @param address 20 bytes */
  content(address: Uint8Array | null = null): readonly {
    readonly sender: Uint8Array
    readonly pending: readonly PoolTransaction[]
    readonly queued: readonly PoolTransaction[]
  }[] {
    const one = address === null ? undefined : this.#accounts.get(toHex(address))
    const accounts = address === null ? [...this.#accounts.values()] : one === undefined ? [] : [one]
    return accounts.map((account) => {
      return { sender: account.sender, pending: [...account.executable()], queued: account.queued() }
    })
  }

  /** Transactions of local accounts, in order of arrival: the ones to persist. */
  localTransactions(): readonly PoolTransaction[] {
    return [...this.#byHash.values()].filter((entry) => entry.local).sort((a, b) => a.sequence - b.sequence)
  }

  /** In the order in which a block includes them. */
  candidates(): CandidateQueue {
    return candidateQueue([...this.#accounts.values()].map((account) => account.executable()))
  }

  /** Drops the transaction and rejects it from now on. @param reason returned when it is submitted again */
  refuse(hash: Uint8Array, reason: string): void {
    if (this.#refused.size >= MAX_REFUSED) this.#refused.clear()
    this.#refused.set(toHex(hash), reason)
    const entry = this.get(hash)
    if (entry === null) return
    this.#drop(entry)
    this.#tell([])
  }

  /** @param price wei per gas; remote transactions below it are dropped */
  setMinimumPrice(price: bigint): void {
    this.#minimumPrice = price
    const cheap = [...this.#byHash.values()].filter((entry) => !entry.local && entry.tx.gasPrice < price)
    for (const entry of cheap) this.#drop(entry)
    if (cheap.length === 0) return
    this.#keepLimits()
    this.#tell([])
  }

  /** Drops what was included, reinjects what a reorganisation removed, and drops what can no longer run. */
  onHeadChanged({ removed, added }: HeadChanged): void {
    const { state } = this.deps
    const touched = this.#touchedBy(removed.length > 0, added)
    for (const account of touched) this.#settle(account)
    const before = this.#gasLimit
    this.#gasLimit = state.gasLimit()
    if (this.#gasLimit < before)
      for (const entry of [...this.#byHash.values()]) if (entry.tx.gasLimit > this.#gasLimit) this.#drop(entry)
    // What the new branch contains too is rejected as already used.
    const returned = removed.length > this.options.reorgDepth ? [] : removed.flatMap((block) => block.transactions)
    const inserted = returned.flatMap(({ raw, hash }) => {
      const own = decodeTransaction(raw.slice(), hash) // its block's bytes needn't stay
      const entry = own.ok ? this.#insert(own.value, false) : own
      return entry.ok ? [entry.value] : []
    })
    this.#keepLimits()
    if (touched.length > 0 || inserted.length > 0 || this.#gasLimit < before)
      this.#tell([...inserted, ...touched.flatMap((account) => account.executable()[0] ?? [])])
  }

  /** Accounts whose nonce or balance may be outdated: except in a reorganisation, those that sent something. */
  #touchedBy(reorg: boolean, added: HeadChanged['added']): readonly AccountQueue[] {
    const accounts = [...this.#accounts.values()]
    if (reorg || accounts.length === 0) return accounts
    const known = (hash: Uint8Array) => this.get(hash)?.sender ?? null
    const question = { chainId: this.options.chainId, most: accounts.length, known }
    const senders = sendersOf(
      added.flatMap((block) => block.transactions),
      question,
    )
    return senders?.flatMap((name) => this.#accounts.get(name) ?? []) ?? accounts
  }

  /** Updates one account to the head's state. */
  #settle(account: AccountQueue): void {
    const stored = this.deps.state.account(account.sender)
    const nonce = stored?.nonce ?? 0n
    if (nonce !== account.stateNonce) account.activeAt = this.deps.clock.monotonic()
    account.setStateNonce(nonce)
    this.#recount(account)
    for (const entry of account.all()) {
      if (entry.tx.nonce < nonce || maximumCost(entry.tx) > (stored?.balance ?? 0n)) this.#drop(entry)
    }
  }

  #insert(tx: AnyTransaction, fromHere: boolean): Result<PoolTransaction> {
    const { state, clock } = this.deps
    const refused = this.#refused.get(toHex(tx.hash))
    if (refused !== undefined) return fail(refused)
    const admitted = admit(tx, fromHere, {
      chainId: this.options.chainId,
      blockGasLimit: state.gasLimit(),
      minimumPrice: this.#minimumPrice,
      account: (address) => state.account(address),
      isKnown: (hash) => this.#byHash.has(hash),
      isLocal: (sender) => this.#locals.has(toHex(sender)),
    })
    if (!admitted.ok) return admitted
    const { sender, tx: known } = admitted.value
    const name = toHex(sender)
    const local = fromHere || this.#locals.has(name)
    const old = this.#accounts.get(name)?.get(known.nonce)
    if (old !== undefined && !mayReplace(old.tx, known, this.options.priceBumpPercent))
      return fail('replacement transaction underpriced')
    const refusal = this.#makeRoom(known, local, old)
    if (refusal !== null) return fail(refusal)
    if (fromHere) this.#makeLocal(name)
    const entry = { ...admitted.value, local, sequence: this.#sequence++, arrivedAt: clock.monotonic() }
    this.#put(name, entry, old)
    this.#keepLimits()
    if (!this.#byHash.has(toHex(tx.hash))) return fail('txpool is full')
    if (local) this.events.emit('localAdded', entry)
    return ok(entry)
  }

  #put(name: string, entry: PoolTransaction, old: PoolTransaction | undefined): void {
    if (old !== undefined) this.#forget(old)
    const nonce = this.deps.state.account(entry.sender)?.nonce ?? 0n
    const account = this.#accounts.get(name) ?? new AccountQueue(entry.sender, nonce)
    this.#accounts.set(name, account)
    account.setStateNonce(nonce)
    account.set(entry)
    account.activeAt = entry.arrivedAt
    this.#byHash.set(toHex(entry.tx.hash), entry)
    this.#slots += slotsOf(entry.tx)
    if (!entry.local) this.#prices.push(entry)
    this.#recount(account)
    const { queuedPerAccount } = this.options
    if (account.queuedCount > queuedPerAccount)
      for (const last of account.queued().slice(queuedPerAccount)) this.#drop(last)
  }

  /** Remote transactions of this account become local. */
  #makeLocal(name: string): void {
    if (this.#locals.has(name)) return
    this.#locals.add(name)
    const account = this.#accounts.get(name)
    for (const entry of account?.all() ?? []) {
      const ours = { ...entry, local: true }
      account?.set(ours)
      this.#byHash.set(toHex(entry.tx.hash), ours)
      this.#prices.leave()
    }
  }

  /** Null when there is room for `tx`, else the rejection. Only remote ones are evicted, the cheapest first. */
  #makeRoom(tx: Transaction, local: boolean, old: PoolTransaction | undefined): string | null {
    const needed = this.#slots + slotsOf(tx) - (old === undefined ? 0 : slotsOf(old.tx)) - this.options.capacity
    const given: PoolTransaction[] = []
    const taken: PoolTransaction[] = []
    let refusal: string | null = null
    for (let freed = 0; freed < needed && refusal === null; ) {
      const cheapest = this.#prices.pop()
      if (cheapest === null) refusal = 'txpool is full'
      else taken.push(cheapest)
      if (cheapest === null || cheapest === old) continue
      if (!local && tx.gasPrice <= cheapest.tx.gasPrice) refusal = 'transaction underpriced'
      given.push(cheapest)
      freed += slotsOf(cheapest.tx)
    }
    for (const entry of taken) this.#prices.push(entry)
    if (refusal === null) for (const entry of given) this.#drop(entry, true)
    return refusal
  }

  /** Enforces the totals, never on local senders: first where one account has most, then the newest. */
  #keepLimits(): void {
    const { executable, executablePerAccount, queued } = this.options
    while (this.counts().pending > executable) {
      const longest = this.#remoteWithMost((account) => account.counted)
      const last = longest?.executable().at(-1)
      if (longest === null || last === undefined || longest.counted <= executablePerAccount) break
      this.#drop(last)
    }
    while (this.counts().queued > queued) {
      const newest = this.#remoteWithMost((account) => (account.queuedCount === 0 ? -1 : account.lastSequence))
      const last = newest?.queued().at(-1)
      if (last === undefined) break
      this.#drop(last)
    }
  }

  #remoteWithMost(measure: (account: AccountQueue) => number): AccountQueue | null {
    let most: AccountQueue | null = null
    let highest = Number.NEGATIVE_INFINITY
    for (const [name, account] of this.#accounts) {
      const measured = measure(account)
      if (measured <= highest || this.#locals.has(name)) continue
      most = account
      highest = measured
    }
    return most
  }

  /** Drops queued transactions of remote accounts that were inactive for the lifetime. */
  #expire(): void {
    const oldest = this.deps.clock.monotonic() - this.options.queuedLifetimeMs
    const old = [...this.#accounts].flatMap(([name, account]) =>
      this.#locals.has(name) || account.activeAt > oldest ? [] : account.queued(),
    )
    for (const entry of old) this.#drop(entry)
    if (old.length > 0) this.#tell([])
  }

  #drop(entry: PoolTransaction, isPricedOut = false): void {
    const name = toHex(entry.sender)
    const account = this.#accounts.get(name)
    if (account === undefined) return
    account.delete(entry.tx.nonce)
    this.#forget(entry, isPricedOut)
    this.#recount(account)
    if (account.size === 0) this.#accounts.delete(name)
  }

  #forget(entry: PoolTransaction, isPricedOut = false): void {
    const hash = toHex(entry.tx.hash)
    this.#byHash.delete(hash)
    this.#told.delete(hash)
    this.#slots -= slotsOf(entry.tx)
    if (!entry.local) this.#prices.leave()
    this.events.emit('dropped', { entry, isPricedOut })
  }

  #recount(account: AccountQueue): void {
    const { length } = account.executable()
    this.#executable += length - account.counted
    account.counted = length
  }

  /** Announces what became executable from each of `from` on in its account, and the new counts. */
  #tell(from: readonly PoolTransaction[]): void {
    const fresh: PoolTransaction[] = []
    for (const entry of from) {
      const account = this.#accounts.get(toHex(entry.sender))
      const run = account?.executable() ?? []
      const start = Math.max(0, Number(entry.tx.nonce - (account?.stateNonce ?? 0n)))
      for (let at = start; at < run.length; at++) {
        const next = run[at]
        const hash = next === undefined ? '' : toHex(next.tx.hash)
        if (next === undefined || this.#told.has(hash)) break
        this.#told.add(hash)
        fresh.push(next)
      }
    }
    if (fresh.length > 0) this.events.emit('becameExecutable', fresh)
    this.events.emit('changed', this.counts())
  }
}
