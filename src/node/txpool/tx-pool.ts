// Transactions that wait for a block: executable ones (pending) and ones behind a nonce gap (queued), by sender and nonce.
// Source: prlx core/tx_pool.go; chain.md 9
import { Emitter } from '../../base/events'
import { toHex } from '../../base/hex'
import type { Clock } from '../../base/time'
import type { HeadChanged } from '../chain/chain'
import type { AnyTransaction } from '../chain/transaction'
import { fail, ok, type Result } from '../codec/result'
import type { AccountState } from '../execution/account'
import type { CandidateQueue } from '../execution/engine'
import { candidateQueue } from './candidates'
import { admit, maximumCost, mayReplace, type PoolTransaction } from './pool-transaction'

export interface TxPoolOptions {
  readonly chainId: bigint
  /** wei per gas for transactions of peers */
  readonly minimumPrice: bigint
  /** All transactions together. */
  readonly capacity: number
  readonly queuedPerAccount: number
  /** How long a transaction may wait behind a gap, ms. */
  readonly queuedLifetimeMs: number
  /** Reorgs deeper than this give nothing back. */
  readonly reorgDepth: number
}

/** The reference's numbers; 10240 executable and 2048 queued together. */
export const TXPOOL_DEFAULTS = {
  minimumPrice: 1n,
  capacity: 12_288,
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
  readonly #accounts = new Map<string, Map<bigint, PoolTransaction>>()
  readonly #byHash = new Map<string, PoolTransaction>()
  #sequence = 0

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
    return nonce + BigInt(this.#executable(toHex(address)).length)
  }

  counts(): PoolCounts {
    const pending = this.executable().length
    return { pending, queued: this.#byHash.size - pending }
  }

  /** All executable transactions, in no promised order. */
  executable(): readonly PoolTransaction[] {
    return [...this.#accounts.keys()].flatMap((name) => this.#executable(name))
  }

  /** In the order in which a block takes them. */
  candidates(): CandidateQueue {
    return candidateQueue([...this.#accounts.keys()].map((name) => this.#executable(name)))
  }

  /** Drops what was included, gives back what a reorg dropped, and forgets what can no longer run. */
  onHeadChanged({ removed, added }: HeadChanged): void {
    const included = new Set(added.flatMap((block) => block.transactions.map((tx) => toHex(tx.hash))))
    for (const hash of included) this.#dropHash(hash)
    const returned = removed.length > this.options.reorgDepth ? [] : removed.flatMap((block) => block.transactions)
    for (const tx of returned) if (!included.has(toHex(tx.hash))) this.#insert(tx, false)
    for (const [name, account] of [...this.#accounts]) this.#dropUnusable(name, account)
    this.events.emit('changed', this.counts())
  }

  #insert(tx: AnyTransaction, local: boolean): Result<PoolTransaction> {
    const { state, clock } = this.deps
    const admitted = admit(tx, local, {
      chainId: this.options.chainId,
      blockGasLimit: state.gasLimit(),
      minimumPrice: this.options.minimumPrice,
      account: (address) => state.account(address),
      isKnown: (hash) => this.#byHash.has(hash),
    })
    if (!admitted.ok) return admitted
    const name = toHex(admitted.value.sender)
    const nonce = admitted.value.tx.nonce
    const old = this.#accounts.get(name)?.get(nonce)
    if (old !== undefined && !mayReplace(old.tx, admitted.value.tx)) return fail('replacement transaction underpriced')
    if (old === undefined) {
      const full = this.#makeRoom(admitted.value.tx.gasPrice, local)
      if (full !== null) return fail(full)
    } else this.#drop(old)
    const entry = { ...admitted.value, local, sequence: this.#sequence++, arrivedAt: clock.monotonic() }
    const account = this.#accounts.get(name) ?? new Map<bigint, PoolTransaction>()
    this.#accounts.set(name, account.set(nonce, entry))
    this.#byHash.set(toHex(tx.hash), entry)
    this.#capQueued(name, account)
    return this.#byHash.has(toHex(tx.hash)) ? ok(entry) : fail('txpool is full')
  }

  /** Null when there is room for one more, else the refusal. Only the cheapest remote one gives way. */
  #makeRoom(gasPrice: bigint, local: boolean): string | null {
    if (this.#byHash.size < this.options.capacity) return null
    let cheapest: PoolTransaction | null = null
    for (const entry of this.#byHash.values()) {
      if (!entry.local && (cheapest === null || entry.tx.gasPrice < cheapest.tx.gasPrice)) cheapest = entry
    }
    if (cheapest === null) return 'txpool is full'
    if (!local && gasPrice <= cheapest.tx.gasPrice) return 'transaction underpriced'
    this.#drop(cheapest)
    return null
  }

  /** Keeps the lowest nonces of an account's queued ones. */
  #capQueued(name: string, account: Map<bigint, PoolTransaction>): void {
    const allowed = this.#executable(name).length + this.options.queuedPerAccount
    const highest = [...account.values()].sort(byNonce).slice(allowed)
    for (const entry of highest) this.#drop(entry)
  }

  #dropUnusable(name: string, account: Map<bigint, PoolTransaction>): void {
    const { state, clock } = this.deps
    const first = account.values().next().value
    if (first === undefined) return
    const stored = state.account(first.sender)
    const executable = new Set(this.#executable(name))
    for (const entry of [...account.values()]) {
      const expired =
        !entry.local && !executable.has(entry) && clock.monotonic() - entry.arrivedAt > this.options.queuedLifetimeMs
      const stale = entry.tx.nonce < (stored?.nonce ?? 0n)
      const unpayable = maximumCost(entry.tx) > (stored?.balance ?? 0n) || entry.tx.gasLimit > state.gasLimit()
      if (stale || unpayable || expired) this.#drop(entry)
    }
  }

  /** Consecutive nonces from the state's on. */
  #executable(name: string): readonly PoolTransaction[] {
    const account = this.#accounts.get(name)
    const sender = account?.values().next().value?.sender
    if (account === undefined || sender === undefined) return []
    const run: PoolTransaction[] = []
    for (let nonce = this.deps.state.account(sender)?.nonce ?? 0n; ; nonce++) {
      const entry = account.get(nonce)
      if (entry === undefined) return run
      run.push(entry)
    }
  }

  #dropHash(hash: string): void {
    const entry = this.#byHash.get(hash)
    if (entry !== undefined) this.#drop(entry)
  }

  #drop(entry: PoolTransaction): void {
    const name = toHex(entry.sender)
    const account = this.#accounts.get(name)
    account?.delete(entry.tx.nonce)
    if (account?.size === 0) this.#accounts.delete(name)
    this.#byHash.delete(toHex(entry.tx.hash))
  }
}

function byNonce(a: PoolTransaction, b: PoolTransaction): number {
  return a.tx.nonce < b.tx.nonce ? -1 : 1
}
