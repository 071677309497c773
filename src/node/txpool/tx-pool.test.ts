import { describe, expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import { decodeTransaction, type Transaction } from '../model/transaction'
import { openTestChain } from '../testing/test-chain'
import { TestWallet } from '../testing/test-wallet'

const local = { local: true }
const remote = { local: false }

async function fundedPool(options: Parameters<typeof openTestChain>[0] = {}) {
  const test = await openTestChain(options)
  const add = (tx: Transaction, origin = local) => {
    const added = test.pool.add(tx, origin)
    return added.ok ? 'added' : added.error
  }
  return { ...test, add }
}

/** Two senders that can pay: `rich` at nonce 1, `second` at 0. */
async function twoSenders(options: Parameters<typeof openTestChain>[0]) {
  const test = await fundedPool(options)
  const second = new TestWallet(2)
  const gift = test.rich.sign({ to: second.address, value: 10n ** 18n })
  await test.chain.importBlock(await test.nextBlock({ transactions: [gift] }))
  return { ...test, second }
}

describe('transaction pool', () => {
  it('distinguishes executable ones from ones after a gap', async () => {
    const { pool, rich, add } = await fundedPool()
    expect([add(rich.sign({ nonce: 0n })), add(rich.sign({ nonce: 2n }))]).toEqual(['added', 'added'])
    expect(pool.counts()).toEqual({ pending: 1, queued: 1 })
    expect(pool.nextNonce(rich.address)).toBe(1n)

    add(rich.sign({ nonce: 1n }))

    expect(pool.counts()).toEqual({ pending: 3, queued: 0 })
    expect(pool.nextNonce(rich.address)).toBe(3n)
  })

  it("rejects in prlx's words", async () => {
    const { add, rich } = await fundedPool()
    const poor = new TestWallet(9)
    const highS = rich.sign({ nonce: 5n })
    add(rich.sign())
    expect([
      add(rich.sign()),
      add(rich.sign({ nonce: 1n, data: new Uint8Array(131_072) })),
      add(rich.sign({ nonce: 1n, gasLimit: 30_000_001n })),
      add(rich.sign({ nonce: 1n, chainId: 1n })),
      add({ ...highS, s: 2n ** 255n, hash: new Uint8Array(32) }),
      add(poor.sign({ gasPrice: 0n }), remote),
      add(poor.sign()),
      add(rich.sign({ nonce: 1n, gasLimit: 20_999n })),
      add(rich.sign({ value: 2n })),
    ]).toEqual([
      'already known',
      'oversized data',
      'exceeds block gas limit',
      'invalid sender',
      'invalid sender',
      'transaction underpriced',
      'insufficient funds for gas * price + value',
      'intrinsic gas too low',
      'replacement transaction underpriced',
    ])
  })

  it('drops a transaction with a reason, and repeats it if the transaction comes again', async () => {
    const { pool, rich, add } = await fundedPool()
    const slow = rich.sign({ nonce: 0n })
    add(slow)
    add(rich.sign({ nonce: 1n }))

    pool.refuse(slow.hash, 'too slow')

    expect(pool.counts()).toEqual({ pending: 0, queued: 1 })
    expect([add(slow), add(slow, remote)]).toEqual(['too slow', 'too slow'])
    expect(add(rich.sign({ nonce: 0n, value: 5n }))).toBe('added')
  })

  it('knows only legacy and access-list transactions', async () => {
    const { pool, rich, add } = await fundedPool()
    const typed = (type: number) => {
      const decoded = decodeTransaction(Uint8Array.of(type, 0xc0))
      if (!decoded.ok) throw new Error(decoded.error)
      const added = pool.add(decoded.value, local)
      return added.ok ? 'added' : added.error
    }
    expect([typed(2), typed(3)]).toEqual(['invalid sender', 'transaction type not supported'])
    expect(add(rich.sign({ type: 1, accessList: [], gasLimit: 21_000n }))).toBe('added')
  })

  it('accepts local transactions without a price', async () => {
    const { add, rich } = await fundedPool()
    expect(add(rich.sign({ gasPrice: 0n }))).toBe('added')
  })

  it('replaces at ten percent more', async () => {
    const { pool, add, rich } = await fundedPool()
    add(rich.sign({ gasPrice: 1000n }))
    expect(add(rich.sign({ gasPrice: 1099n }))).toBe('replacement transaction underpriced')

    const better = rich.sign({ gasPrice: 1100n })

    expect(add(better)).toBe('added')
    expect(pool.executable().map(({ tx }) => toHex(tx.hash))).toEqual([toHex(better.hash)])
  })

  it('makes room by dropping the cheapest remote one', async () => {
    const { pool, add, rich } = await fundedPool({ capacity: 2 })
    add(rich.sign({ nonce: 0n, gasPrice: 5n }), remote)
    add(rich.sign({ nonce: 1n, gasPrice: 9n }), remote)

    expect(add(rich.sign({ nonce: 2n, gasPrice: 5n }), remote)).toBe('transaction underpriced')
    expect(add(rich.sign({ nonce: 2n, gasPrice: 6n }), remote)).toBe('added')

    expect(pool.counts()).toEqual({ pending: 0, queued: 2 })
  })

  it('says that it is full of local ones', async () => {
    const { add, rich } = await fundedPool({ capacity: 1 })
    add(rich.sign())
    expect(add(rich.sign({ nonce: 1n }), remote)).toBe('txpool is full')
  })

  it('drops what a block included and keeps the rest', async () => {
    const { chain, pool, add, rich, nextBlock } = await fundedPool()
    const first = rich.sign()
    add(first)
    add(rich.sign({ nonce: 1n }))

    await chain.importBlock(await nextBlock({ transactions: [first] }))

    expect(pool.get(first.hash)).toBeNull()
    expect(pool.counts()).toEqual({ pending: 1, queued: 0 })
  })

  it("limits the transactions after one account's gap, keeping the lowest nonces", async () => {
    const { pool, add, rich } = await fundedPool({ queuedPerAccount: 2 })
    const nonces = [9n, 5n, 7n, 3n]

    const outcomes = nonces.map((nonce) => add(rich.sign({ nonce })))

    expect(outcomes).toEqual(['added', 'added', 'added', 'added'])
    expect(nonces.map((nonce) => pool.get(rich.sign({ nonce }).hash) !== null)).toEqual([false, true, false, true])
    expect(add(rich.sign({ nonce: 8n }))).toBe('txpool is full')
  })

  it('takes from the account with most executable ones if there are too many, never the guaranteed ones', async () => {
    const { pool, add, rich, second } = await twoSenders({ executable: 4, executablePerAccount: 2 })
    for (const nonce of [1n, 2n, 3n]) expect(add(rich.sign({ nonce }), remote)).toBe('added')
    expect(add(second.sign({ nonce: 0n }), remote)).toBe('added')

    expect(add(second.sign({ nonce: 1n }), remote)).toBe('added')

    expect(pool.get(rich.sign({ nonce: 3n }).hash)).toBeNull()
    expect(pool.counts()).toEqual({ pending: 4, queued: 0 })
    expect(add(rich.sign({ nonce: 3n }), remote)).toBe('txpool is full')
    expect(add(rich.sign({ nonce: 3n }), local)).toBe('added')
  })

  it("evicts peers' newest if too many wait after gaps", async () => {
    const { pool, add, rich, second } = await twoSenders({ queued: 2 })
    add(rich.sign({ nonce: 5n }), remote)
    add(rich.sign({ nonce: 6n }), remote)

    expect(add(second.sign({ nonce: 5n }), remote)).toBe('txpool is full')
    expect(add(second.sign({ nonce: 5n }), local)).toBe('added')

    expect(pool.counts()).toEqual({ pending: 0, queued: 2 })
    expect(pool.get(rich.sign({ nonce: 6n }).hash)).toBeNull()
  })

  it('counts large ones by their slots of 32 KiB', async () => {
    const { add, rich } = await fundedPool({ capacity: 3 })
    const data = new Uint8Array(32_768)
    expect(add(rich.sign({ data, gasLimit: 1_000_000n }))).toBe('added')
    expect(add(rich.sign({ nonce: 1n, data, gasLimit: 1_000_000n }))).toBe('txpool is full')
    expect(add(rich.sign({ nonce: 1n }))).toBe('added')
  })

  it('restores our own free transaction after a reorg', async () => {
    const { chain, clock, pool, add, rich, nextBlock } = await fundedPool()
    const free = rich.sign({ gasPrice: 0n })
    add(free)
    const first = await nextBlock({ transactions: [free], tag: 1 })
    const sibling = await nextBlock({ tag: 2 })
    await chain.importBlock(first)
    await chain.importBlock(sibling)
    const other = await openTestChain()
    await other.chain.importBlock(sibling)
    other.clock.advance(5000)
    clock.advance(5000)

    await chain.importBlock(await other.nextBlock())

    expect(pool.get(free.hash)?.local).toBe(true)
  })

  it('restores what a reorg dropped', async () => {
    const { chain, clock, pool, rich, nextBlock } = await fundedPool()
    const payment = rich.sign()
    const first = await nextBlock({
      transactions: [payment, rich.sign({ nonce: 1n, data: new Uint8Array(5000), gasLimit: 100_000n })],
      tag: 1,
    })
    const sibling = await nextBlock({ tag: 2 })
    await chain.importBlock(first)
    await chain.importBlock(sibling)
    const other = await openTestChain()
    await other.chain.importBlock(sibling)
    other.clock.advance(5000)
    clock.advance(5000)

    await chain.importBlock(await other.nextBlock())

    const [restored, long] = pool.executable()
    expect([restored, long].map((entry) => entry?.tx.nonce)).toEqual([0n, 1n])
    expect(toHex(restored?.tx.hash ?? new Uint8Array(0))).toBe(toHex(payment.hash))
    // Each on its own: the block's bytes aren't kept for it.
    expect(restored?.tx.raw.buffer.byteLength).toBe(payment.raw.length)
  })

  it('evicts what peers left after a gap for three hours, checking once a minute', async () => {
    const { clock, pool, add, rich, second } = await twoSenders({})
    pool.start()
    add(second.sign({ nonce: 0n }), remote)
    clock.advance(30_000)
    add(second.sign({ nonce: 4n }), remote)
    add(rich.sign({ nonce: 6n }), local)

    clock.advance(3 * 3600 * 1000)
    expect(pool.counts()).toEqual({ pending: 1, queued: 2 })
    clock.advance(60_000)

    expect(pool.counts()).toEqual({ pending: 1, queued: 1 })
    pool.stop()
    expect(clock.pending).toBe(0)
  })

  it('announces each one once, when a block could first include it', async () => {
    const { chain, pool, add, rich, nextBlock } = await fundedPool()
    const told: string[][] = []
    pool.events.on(
      'becameExecutable',
      (batch) => void told.push(batch.map(({ tx }) => `${tx.nonce} at ${tx.gasPrice}`)),
    )
    add(rich.sign({ nonce: 1n, gasPrice: 100n }))
    add(rich.sign({ nonce: 3n, gasPrice: 100n }))
    add(rich.sign({ nonce: 1n, gasPrice: 200n }))
    expect(told).toEqual([])
    const first = rich.sign({ gasPrice: 100n })
    add(first)
    add(rich.sign({ nonce: 1n, gasPrice: 300n }))
    expect(told).toEqual([['0 at 100', '1 at 200'], ['1 at 300']])

    const others = [rich.sign({ nonce: 1n, gasPrice: 7n }), rich.sign({ nonce: 2n, gasPrice: 7n })]
    await chain.importBlock(await nextBlock({ transactions: [first, ...others] }))

    expect(told.slice(2)).toEqual([['3 at 100']])
  })

  it('drops what peers offered too little for when the minimum price rises', async () => {
    const { pool, add, rich, second } = await twoSenders({})
    add(rich.sign({ nonce: 1n, gasPrice: 5n }), local)
    add(second.sign({ gasPrice: 5n }), remote)
    add(second.sign({ nonce: 1n, gasPrice: 6n }), remote)

    pool.setMinimumPrice(6n)

    expect(pool.counts()).toEqual({ pending: 1, queued: 1 })
    expect(add(second.sign({ gasPrice: 5n }), remote)).toBe('transaction underpriced')
    pool.setMinimumPrice(1n)
    expect(add(second.sign({ gasPrice: 5n }), remote)).toBe('added')
  })

  it('counts an account as ours from the first one sent here, including what peers brought before', async () => {
    const { pool, add, rich } = await fundedPool()
    add(rich.sign({ gasPrice: 5n }), remote)
    add(rich.sign({ nonce: 1n }), local)
    pool.setMinimumPrice(10n ** 10n)
    expect(pool.localTransactions().map(({ tx }) => tx.nonce)).toEqual([0n, 1n])
    expect(pool.counts()).toEqual({ pending: 2, queued: 0 })
  })

  it('has no local ones with noLocals, and treats named accounts as local from the start', async () => {
    const none = await fundedPool({ noLocals: true, minimumPrice: 10n })
    expect(none.add(none.rich.sign({ gasPrice: 9n }), local)).toBe('transaction underpriced')
    const named = await fundedPool({ locals: [new TestWallet(1).address], minimumPrice: 10n })
    expect(named.add(named.rich.sign({ gasPrice: 9n }), remote)).toBe('added')
    expect(named.pool.localTransactions()).toHaveLength(1)
  })

  it('demands the configured price increase of a replacement', async () => {
    const { add, rich } = await fundedPool({ priceBumpPercent: 50 })
    add(rich.sign({ gasPrice: 100n }))
    expect(add(rich.sign({ gasPrice: 149n }))).toBe('replacement transaction underpriced')
    expect(add(rich.sign({ gasPrice: 150n }))).toBe('added')
  })

  it('replaces a small one by a large one only if there is room', async () => {
    const { pool, add, rich } = await fundedPool({ capacity: 2 })
    const big = { data: new Uint8Array(70_000), gasLimit: 2_000_000n }
    add(rich.sign({ gasPrice: 100n }))
    expect(add(rich.sign({ gasPrice: 200n, ...big }))).toBe('txpool is full')
    expect(pool.executable().map(({ tx }) => tx.gasPrice)).toEqual([100n])
  })

  it('drops the higher nonce at equal prices', async () => {
    const { pool, add, rich, second } = await twoSenders({ capacity: 3 })
    for (const nonce of [1n, 2n, 3n]) add(rich.sign({ nonce, gasPrice: 5n }), remote)
    expect(add(second.sign({ gasPrice: 6n }), remote)).toBe('added')
    expect(pool.content(rich.address)[0]?.pending.map(({ tx }) => tx.nonce)).toEqual([1n, 2n])
  })

  it("sets aside what a poorer sender can't pay anymore", async () => {
    const { chain, pool, add, second, nextBlock } = await twoSenders({})
    add(second.sign({ nonce: 1n, value: 6n * 10n ** 17n }), remote)
    add(second.sign({ nonce: 2n }), remote)
    const spend = second.sign({ value: 5n * 10n ** 17n })

    await chain.importBlock(await nextBlock({ transactions: [spend] }))

    expect(pool.counts()).toEqual({ pending: 0, queued: 1 })
  })

  it('orders candidates by price between accounts and by nonce within one', async () => {
    const { pool, add, rich, second } = await twoSenders({})
    add(rich.sign({ nonce: 1n, gasPrice: 10n }), remote)
    add(rich.sign({ nonce: 2n, gasPrice: 90n }), remote)
    add(second.sign({ nonce: 0n, gasPrice: 50n }), remote)
    add(second.sign({ nonce: 1n, gasPrice: 5n }), remote)

    const queue = pool.candidates()
    const prices: bigint[] = []
    for (let next = queue.peek(); next !== null; next = queue.peek()) {
      prices.push(next.tx.gasPrice)
      queue.shift()
    }

    expect(prices).toEqual([50n, 10n, 90n, 5n])
  })
})
