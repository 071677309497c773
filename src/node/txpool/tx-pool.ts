// Transactions that wait for a block: executable ones (pending) and ones behind a nonce gap (queued), by sender and nonce.
// Source: prlx core/tx_pool.go; chain.md 9
import { Emitter } from '../../base/events'
import { toHex } from '../../base/hex'
import type { Clock } from '../../base/time'
import type { HeadChanged } from '../chain/chain'
import type { AnyTransaction, Transaction } from '../chain/transaction'
import { fail, ok, type Result } from '../codec/result'
import type { AccountState } from '../execution/account'
import type { CandidateQueue } from '../execution/engine'
import { AccountQueue } from './account-queue'
import { candidateQueue } from './candidates'
import { admit, maximumCost, mayReplace, type PoolTransaction, slotsOf } from './pool-transaction'

export interface TxPoolOptions {
  readonly chainId: bigint
  /** wei per gas for transactions of peers */
  readonly minimumPrice: bigint
  /** Slots of 32 KiB of all transactions together. */
  readonly capacity: number
  /** Executable ones of all accounts; over it, accounts of peers with more than their guaranteed number give way. */
  readonly executable: number
  /** Executable ones that an account may always have. */
  readonly executablePerAccount: number
  /** Queued ones of all accounts; over it, the newest of peers give way. */
  readonly queued: number
  readonly queuedPerAccount: number
  /** How long a transaction may wait behind a gap, ms. */
  readonly queuedLifetimeMs: number
  /** Reorgs deeper than this give nothing back. */
  readonly reorgDepth: number
}

/** The reference's numbers. */
export const TXPOOL_DEFAULTS = {
  minimumPrice: 1n,
  capacity: 12_288,
  executable: 10_240,
  executablePerAccount: 32,
  queued: 2048,
  queuedPerAccount: 128,
  queuedLifetimeMs: 3 * 3600 * 1000,
  reorgDepth: 64,
} as const

/** What the pool asks about the head. */
export interface PoolState {
  account(address: Uint8Array): AccountState | null
  gasLimit(): bigint
}

export interface PoolCounts {
  readonly pending: number
  readonly queued: number
}

export class TxPool {
  readonly events = new Emitter<{ changed: PoolCounts }>()
  readonly #accounts = new Map<string, AccountQueue>()
  readonly #byHash = new Map<string, PoolTransaction>()
  /** Senders that sent something here: what they send is ours too when it comes from a peer or back from a dropped block. */
  readonly #localSenders = new Set<string>()
  #sequence = 0
  #slots = 0

  constructor(
    private readonly options: TxPoolOptions,
    private readonly deps: { readonly state: PoolState; readonly clock: Clock },
  ) {}

  /** Takes `tx`, or says why not (the reference's text). */
  add(tx: AnyTransaction, origin: { readonly local: boolean }): Result<PoolTransaction> {
    const added = this.#insert(tx, origin.local)
    if (added.ok) this.events.emit('changed', this.counts())
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
    let pending = 0
    for (const account of this.#accounts.values()) pending += account.executable().length
    return { pending, queued: this.#byHash.size - pending }
  }

  /** All executable transactions, in no promised order. */
  executable(): readonly PoolTransaction[] {
    return [...this.#accounts.values()].flatMap((account) => account.executable())
  }

  /** In the order in which a block takes them. */
  candidates(): CandidateQueue {
    return candidateQueue([...this.#accounts.values()].map((account) => account.executable()))
  }

  /** Drops what was included, gives back what a reorg dropped, and forgets what can no longer run. */
  onHeadChanged({ removed, added }: HeadChanged): void {
    const { state } = this.deps
    const included = new Set(added.flatMap((block) => block.transactions.map((tx) => toHex(tx.hash))))
    for (const hash of included) this.#dropHash(hash)
    for (const account of this.#accounts.values()) {
      const sender = account.all()[0]?.sender
      if (sender !== undefined) account.setStateNonce(state.account(sender)?.nonce ?? 0n)
    }
    const returned = removed.length > this.options.reorgDepth ? [] : removed.flatMap((block) => block.transactions)
    for (const tx of returned) if (!included.has(toHex(tx.hash))) this.#insert(tx, false)
    for (const account of [...this.#accounts.values()]) this.#dropUnusable(account)
    this.#keepLimits()
    this.events.emit('changed', this.counts())
  }

  #insert(tx: AnyTransaction, fromHere: boolean): Result<PoolTransaction> {
    const { state, clock } = this.deps
    const admitted = admit(tx, fromHere, {
      chainId: this.options.chainId,
      blockGasLimit: state.gasLimit(),
      minimumPrice: this.options.minimumPrice,
      account: (address) => state.account(address),
      isKnown: (hash) => this.#byHash.has(hash),
      isLocal: (sender) => this.#localSenders.has(toHex(sender)),
    })
    if (!admitted.ok) return admitted
    const { sender, tx: known } = admitted.value
    const name = toHex(sender)
    const local = fromHere || this.#localSenders.has(name)
    const old = this.#accounts.get(name)?.get(known.nonce)
    if (old !== undefined && !mayReplace(old.tx, known)) return fail('replacement transaction underpriced')
    if (old !== undefined) this.#drop(old)
    else {
      const refusal = this.#makeRoom(known, local)
      if (refusal !== null) return fail(refusal)
    }
    if (fromHere) this.#localSenders.add(name)
    const entry = { ...admitted.value, local, sequence: this.#sequence++, arrivedAt: clock.monotonic() }
    this.#put(name, entry)
    this.#keepLimits()
    return this.#byHash.has(toHex(tx.hash)) ? ok(entry) : fail('txpool is full')
  }

  #put(name: string, entry: PoolTransaction): void {
    const nonce = this.deps.state.account(entry.sender)?.nonce ?? 0n
    const account = this.#accounts.get(name) ?? new AccountQueue(nonce)
    this.#accounts.set(name, account)
    account.setStateNonce(nonce)
    account.set(entry)
    this.#byHash.set(toHex(entry.tx.hash), entry)
    this.#slots += slotsOf(entry.tx)
    const { queuedPerAccount } = this.options
    if (account.queuedCount > queuedPerAccount)
      for (const last of account.queued().slice(queuedPerAccount)) this.#drop(last)
  }

  /** Null when there is room for `tx`, else the refusal. Only remote ones give way, the cheapest first. */
  #makeRoom(tx: Transaction, local: boolean): string | null {
    const needed = this.#slots + slotsOf(tx) - this.options.capacity
    if (needed <= 0) return null
    const given: PoolTransaction[] = []
    for (let freed = 0; freed < needed; ) {
      const cheapest = this.#cheapestRemote(given)
      if (cheapest === null) return 'txpool is full'
      if (!local && tx.gasPrice <= cheapest.tx.gasPrice) return 'transaction underpriced'
      given.push(cheapest)
      freed += slotsOf(cheapest.tx)
    }
    for (const entry of given) this.#drop(entry)
    return null
  }

  #cheapestRemote(except: readonly PoolTransaction[]): PoolTransaction | null {
    let cheapest: PoolTransaction | null = null
    for (const entry of this.#byHash.values()) {
      if (entry.local || except.includes(entry)) continue
      if (cheapest === null || entry.tx.gasPrice < cheapest.tx.gasPrice) cheapest = entry
    }
    return cheapest
  }

  /** What is over the totals goes, never of local senders: first where one account has most, then what came last. */
  #keepLimits(): void {
    const { executable, executablePerAccount, queued } = this.options
    for (let over = this.counts().pending - executable; over > 0; over--) {
      const longest = this.#remoteWithMost((account) => account.executable().length)
      const last = longest?.executable().at(-1)
      if (longest === null || last === undefined || longest.executable().length <= executablePerAccount) break
      this.#drop(last)
    }
    for (let over = this.counts().queued - queued; over > 0; over--) {
      const newest = this.#remoteWithMost((account) => (account.queuedCount === 0 ? -1 : account.lastSequence))
      const last = newest?.queued().at(-1)
      if (last === undefined) break
      this.#drop(last)
    }
  }

  #remoteWithMost(measure: (account: AccountQueue) => number): AccountQueue | null {
    let most: AccountQueue | null = null
    for (const [name, account] of this.#accounts) {
      if (this.#localSenders.has(name)) continue
      if (most === null || measure(account) > measure(most)) most = account
    }
    return most
  }

  #dropUnusable(account: AccountQueue): void {
    const { state, clock } = this.deps
    const sender = account.all()[0]?.sender
    const stored = sender === undefined ? null : state.account(sender)
    const executable = new Set(account.executable())
    for (const entry of account.all()) {
      const expired =
        !entry.local && !executable.has(entry) && clock.monotonic() - entry.arrivedAt > this.options.queuedLifetimeMs
      const stale = entry.tx.nonce < (stored?.nonce ?? 0n)
      const unpayable = maximumCost(entry.tx) > (stored?.balance ?? 0n) || entry.tx.gasLimit > state.gasLimit()
      if (stale || unpayable || expired) this.#drop(entry)
    }
  }

  #dropHash(hash: string): void {
    const entry = this.#byHash.get(hash)
    if (entry !== undefined) this.#drop(entry)
  }

  #drop(entry: PoolTransaction): void {
    const name = toHex(entry.sender)
    const account = this.#accounts.get(name)
    if (account === undefined) return
    account.delete(entry.tx.nonce)
    if (account.size === 0) this.#accounts.delete(name)
    this.#byHash.delete(toHex(entry.tx.hash))
    this.#slots -= slotsOf(entry.tx)
  }
}
