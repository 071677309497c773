// Random transactions, blocks and reorgs against a pool that is too simple to be wrong.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import { FakeClock } from '../../base/testing/fake-clock'
import type { HeadChanged } from '../chain/chain'
import { EMPTY_ACCOUNT } from '../execution/account'
import { type Block, createBlock } from '../model/block'
import type { Transaction } from '../model/transaction'
import { openTestChain } from '../testing/test-chain'
import { TestWallet } from '../testing/test-wallet'
import { maximumCost, type PoolTransaction } from './pool-transaction'
import { TXPOOL_DEFAULTS, TxPool, type TxPoolOptions } from './tx-pool'

const WALLETS = [new TestWallet(1), new TestWallet(2), new TestWallet(3)]
const NONCES = [0n, 1n, 2n, 3n, 4n]
const PRICES = [10n, 11n, 12n, 100n]
const GAS = [21_000n, 30_000n]

interface Signed {
  readonly tx: Transaction
  readonly owner: number
}

/** Signing is slow: everything that may be sent is signed once. */
const SIGNED: readonly Signed[] = WALLETS.flatMap((wallet, owner) =>
  NONCES.flatMap((nonce) =>
    PRICES.map((gasPrice, at) => {
      const gasLimit = GAS[at % GAS.length] ?? 21_000n
      return { owner, tx: wallet.sign({ nonce, gasPrice, gasLimit, value: 0n }) }
    }),
  ),
)

interface Account {
  readonly nonce: bigint
  readonly balance: bigint
}

interface World {
  accounts: readonly Account[]
  gasLimit: bigint
}

type Step =
  | { readonly kind: 'add'; readonly which: number; readonly local: boolean }
  | { readonly kind: 'block'; readonly owners: readonly number[]; readonly credit: number; readonly big: boolean }
  | { readonly kind: 'reorg'; readonly depth: number; readonly owners: readonly number[] }
  | { readonly kind: 'price'; readonly price: bigint }

const owners = fc.array(fc.nat(2), { maxLength: 3 })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('add' as const), which: fc.nat(59), local: fc.boolean() }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('block' as const), owners, credit: fc.nat(2), big: fc.boolean() }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reorg' as const), depth: fc.nat(2), owners }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('price' as const), price: fc.constantFrom(1n, 11n, 12n) }) },
  ),
  { maxLength: 60 },
)

const { chain } = await openTestChain()

/** A chain of worlds with blocks between them, and a pool on it. */
class Scene {
  readonly pool: TxPool
  /** How often each transaction in the pool was announced. */
  readonly told = new Map<string, number>()
  world: World = { accounts: WALLETS.map(() => ({ nonce: 0n, balance: 2_000_000n })), gasLimit: 30_000n }
  readonly #past: { readonly block: Block; readonly before: World }[] = []

  constructor(options: Partial<TxPoolOptions>) {
    const state = {
      account: (address: Uint8Array) => {
        const at = WALLETS.findIndex((wallet) => toHex(wallet.address) === toHex(address))
        const account = this.world.accounts[at]
        return account === undefined ? null : { ...EMPTY_ACCOUNT, ...account }
      },
      gasLimit: () => this.world.gasLimit,
    }
    this.pool = new TxPool({ ...TXPOOL_DEFAULTS, chainId: 1337n, ...options }, { state, clock: new FakeClock() })
    this.pool.events.on('becameExecutable', (batch) => {
      for (const { tx } of batch) this.told.set(toHex(tx.hash), (this.told.get(toHex(tx.hash)) ?? 0) + 1)
    })
  }

  /** A block with the cheapest transaction of each owner's next nonce, from the pool or not. */
  extend(takers: readonly number[], credit: number, big: boolean): Block {
    const before = this.world
    const accounts = [...before.accounts]
    const transactions: Transaction[] = []
    for (const owner of takers) {
      const account = accounts[owner]
      const next = SIGNED.find((signed) => signed.owner === owner && signed.tx.nonce === account?.nonce)
      if (account === undefined || next === undefined || maximumCost(next.tx) > account.balance) continue
      transactions.push(next.tx)
      accounts[owner] = { nonce: account.nonce + 1n, balance: account.balance - maximumCost(next.tx) }
    }
    const lucky = accounts[credit]
    if (lucky !== undefined) accounts[credit] = { ...lucky, balance: lucky.balance + 100_000n }
    this.world = { accounts, gasLimit: big ? 30_000n : 25_000n }
    const block = createBlock({ ...chain.head.header, number: BigInt(this.#past.length + 1) }, transactions)
    this.#past.push({ block, before })
    return block
  }

  back(depth: number): readonly Block[] {
    const gone = this.#past.splice(Math.max(0, this.#past.length - depth))
    const [first] = gone
    if (first !== undefined) this.world = first.before
    return gone.map(({ block }) => block)
  }

  announce(removed: readonly Block[], added: readonly Block[]): HeadChanged {
    const change = { head: chain.head, removed, added }
    this.pool.onHeadChanged(change)
    return change
  }
}

/** The rules of admission, replacement and heads, without limits, by checking everything each time. */
class SimplePool {
  readonly entries = new Map<string, Signed & { local: boolean }>()
  readonly #locals = new Set<number>()
  #minimum = 1n

  constructor(private readonly scene: Scene) {}

  add(signed: Signed, fromHere: boolean): void {
    const { tx, owner } = signed
    const local = fromHere || this.#locals.has(owner)
    const same = [...this.entries.values()].find((other) => other.owner === owner && other.tx.nonce === tx.nonce)
    if (same !== undefined && !(tx.gasPrice > same.tx.gasPrice && tx.gasPrice >= (same.tx.gasPrice * 11n) / 10n)) return
    if (!this.#fits(signed) || (!local && tx.gasPrice < this.#minimum)) return
    if (same !== undefined) this.entries.delete(toHex(same.tx.hash))
    this.entries.set(toHex(tx.hash), { ...signed, local })
    if (!fromHere) return
    this.#locals.add(owner)
    for (const entry of this.entries.values()) if (entry.owner === owner) entry.local = true
  }

  head({ removed }: HeadChanged): void {
    this.#dropWhere((entry) => !this.#fits(entry))
    for (const tx of removed.flatMap((block) => block.transactions)) {
      const signed = SIGNED.find((other) => toHex(other.tx.hash) === toHex(tx.hash))
      if (signed !== undefined) this.add(signed, false)
    }
  }

  price(minimum: bigint): void {
    this.#minimum = minimum
    this.#dropWhere((entry) => !entry.local && entry.tx.gasPrice < minimum)
  }

  #fits({ tx, owner }: Signed): boolean {
    const { accounts, gasLimit } = this.scene.world
    const account = accounts[owner]
    if (account === undefined) return false
    return tx.nonce >= account.nonce && maximumCost(tx) <= account.balance && tx.gasLimit <= gasLimit
  }

  #dropWhere(isGone: (entry: Signed & { local: boolean }) => boolean): void {
    for (const [hash, entry] of this.entries) if (isGone(entry)) this.entries.delete(hash)
  }
}

function run(scene: Scene, simple: SimplePool, step: Step): void {
  if (step.kind === 'add') {
    const signed = SIGNED[step.which]
    if (signed === undefined) throw new Error('no such transaction')
    scene.pool.add(signed.tx, { local: step.local })
    simple.add(signed, step.local)
  } else if (step.kind === 'block') {
    simple.head(scene.announce([], [scene.extend(step.owners, step.credit, step.big)]))
  } else if (step.kind === 'reorg') {
    const removed = scene.back(step.depth)
    const added = removed.map((_block, at) => scene.extend(step.owners.slice(at), 0, true))
    simple.head(scene.announce(removed, added))
  } else {
    scene.pool.setMinimumPrice(step.price)
    simple.price(step.price)
  }
}

const hashOf = ({ tx }: PoolTransaction): string => toHex(tx.hash)

/** What must hold whatever happened. */
function checkShape(
  { pool, world, told }: Scene,
  options: Pick<TxPoolOptions, 'capacity' | 'queued' | 'executable'>,
): void {
  const content = pool.content()
  const pending = content.flatMap((account) => account.pending)
  const queued = content.flatMap((account) => account.queued)
  expect(pool.counts()).toEqual({ pending: pending.length, queued: queued.length })
  expect(new Set(pool.executable().map(hashOf))).toEqual(new Set(pending.map(hashOf)))
  for (const [owner, wallet] of WALLETS.entries()) {
    const { nonce = 0n, balance = 0n } = world.accounts[owner] ?? {}
    const [account] = pool.content(wallet.address)
    const run = account?.pending.map(({ tx }) => tx.nonce) ?? []
    expect(run).toEqual(run.map((_nonce, at) => nonce + BigInt(at)))
    expect(pool.nextNonce(wallet.address)).toBe(nonce + BigInt(run.length))
    const waiting = account?.queued.map(({ tx }) => tx.nonce) ?? []
    expect(waiting.every((queuedNonce) => queuedNonce > nonce + BigInt(run.length))).toBe(true)
    const all = [...(account?.pending ?? []), ...(account?.queued ?? [])]
    expect(all.every(({ tx }) => maximumCost(tx) <= balance && tx.gasLimit <= world.gasLimit)).toBe(true)
  }
  const all = [...pending, ...queued]
  expect(all.every((entry) => pool.get(entry.tx.hash) === entry)).toBe(true)
  expect(pending.every((entry) => (told.get(hashOf(entry)) ?? 0) >= 1)).toBe(true)
  expect(all.length).toBeLessThanOrEqual(options.capacity)
  const remote = (entries: readonly PoolTransaction[]) => entries.filter((entry) => !entry.local).length
  if (remote(queued) > 0) expect(queued.length).toBeLessThanOrEqual(options.queued)
}

/** The order of a block: prices descending between accounts, nonces ascending within one. */
function checkOrder({ pool }: Scene): void {
  const queue = pool.candidates()
  const taken: PoolTransaction[] = []
  for (let next = queue.peek(); next !== null; next = queue.peek()) {
    taken.push(next as PoolTransaction)
    queue.shift()
  }
  expect(new Set(taken.map(hashOf))).toEqual(new Set(pool.executable().map(hashOf)))
  for (const wallet of WALLETS) {
    const nonces = taken.filter(({ sender }) => toHex(sender) === toHex(wallet.address)).map(({ tx }) => tx.nonce)
    expect(nonces).toEqual([...nonces].sort((a, b) => Number(a - b)))
  }
}

describe('the pool under random transactions, blocks and reorgs', () => {
  it('holds what a simple pool holds', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const scene = new Scene({})
        const simple = new SimplePool(scene)
        for (const step of taken) {
          run(scene, simple, step)
          const held = scene.pool.content().flatMap(({ pending, queued }) => [...pending, ...queued])
          expect(new Set(held.map(hashOf))).toEqual(new Set(simple.entries.keys()))
          expect(held.filter(({ local }) => local).length).toBe(
            [...simple.entries.values()].filter((e) => e.local).length,
          )
        }
        checkShape(scene, TXPOOL_DEFAULTS)
        checkOrder(scene)
      }),
      { numRuns: 150 },
    )
  })

  it('keeps its limits and its order if it is too small', () => {
    const limits = { capacity: 8, executable: 5, executablePerAccount: 2, queued: 3, queuedPerAccount: 2 }
    fc.assert(
      fc.property(steps, (taken) => {
        const scene = new Scene(limits)
        const simple = new SimplePool(scene)
        for (const step of taken) {
          run(scene, simple, step)
          checkShape(scene, limits)
          checkOrder(scene)
        }
      }),
      { numRuns: 100 },
    )
  })
})
