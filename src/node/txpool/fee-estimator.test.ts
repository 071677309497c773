import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createLogger, type LogRecord } from '../../base/logger'
import { headState } from '../execution/state-reader'
import type { Transaction } from '../model/transaction'
import { openTestChain } from '../testing/test-chain'
import { TestWallet } from '../testing/test-wallet'
import { type FeeChoice, FeeEstimator } from './fee-estimator'

const GWEI = 10n ** 9n
const RECENT = 77n
const MINER = new Uint8Array(20).fill(0xcb)
/** Each pays with one transaction at a time, enough of them for an estimate. */
const SENDERS = 20
const folder = mkdtempSync(join(tmpdir(), 'fees-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface World {
  readonly file?: string | null
  readonly target?: FeeChoice
  readonly coinbase?: Uint8Array | null
  readonly capacity?: number
}

/** A chain whose senders can pay, with a pool and an estimator. */
async function openWorld({ file = null, target = 1, coinbase = null, capacity }: World = {}) {
  const records: LogRecord[] = []
  let fees: FeeEstimator | null = null
  const test = await openTestChain(
    capacity === undefined ? {} : { capacity },
    {},
    {
      aheadOfPool: (change) => fees?.onHeadChanged(change),
    },
  )
  const { chain, clock, pool, store, rich, nextBlock } = test
  const senders = Array.from({ length: SENDERS }, (_, i) => new TestWallet(10 + i))
  const open = async () => {
    const sink = { write: (record: LogRecord) => void records.push(record) }
    const log = createLogger('fees', { minLevel: 'info', now: () => 0, sink })
    const settings = {
      coinbase: () => coinbase,
      minimumPrice: () => 1n,
      maximumPrice: 500n * GWEI,
      recentPrice: () => RECENT,
    }
    fees = new FeeEstimator(
      { file, target },
      { chain, pool, account: headState(store).account, ...settings, clock, log },
    )
    await fees.start()
    return fees
  }
  const mine = async (transactions: readonly Transaction[] = [], miner: Uint8Array = MINER) => {
    clock.advance(600_000)
    const outcome = await chain.importBlock(await nextBlock({ transactions, coinbase: miner }))
    if (outcome.kind !== 'head') throw new Error(`the block is ${outcome.kind}`)
  }
  await mine(senders.map((sender, nonce) => rich.sign({ nonce: BigInt(nonce), to: sender.address, value: 10n ** 18n })))
  const add = (tx: Transaction, local = false) => {
    const added = pool.add(tx, { local })
    if (!added.ok) throw new Error(added.error)
    return tx
  }
  /** All senders pay this price with this nonce. */
  const all = (nonce: bigint, gasPrice: bigint) => senders.map((sender) => add(sender.sign({ nonce, gasPrice })))
  return { ...test, fees: await open(), open, senders, mine, add, all, records }
}

const pricesOf = (fees: FeeEstimator) => fees.estimates().estimates.map(({ gasPrice }) => gasPrice)
const seenOf = (fees: FeeEstimator) => fees.estimates().estimates.map(({ transactions }) => Math.round(transactions))

describe('the fee estimator', () => {
  it('says what it does not know, and names where the price comes from then', async () => {
    const { fees, all, mine } = await openWorld()

    expect(fees.estimates()).toMatchObject({
      target: 1,
      gasPrice: RECENT,
      source: 'recentBlocks',
      since: null,
      isWatching: true,
      estimates: [1, 3, 6, 24].map((blocks) => ({ blocks, gasPrice: null, reason: 'too few transactions' })),
    })

    const waiting = all(0n, 3n * GWEI)
    await mine(waiting)

    expect(fees.estimates()).toMatchObject({ gasPrice: 3n * GWEI, source: 'waitingTimes', since: 2 })
    expect(pricesOf(fees)).toEqual([3n * GWEI, 3n * GWEI, 3n * GWEI, 3n * GWEI])
  })

  it('asks for more blocks or a higher price of what waited longer', async () => {
    const { fees, all, mine, senders, add } = await openWorld()
    const cheap = all(0n, 2n * GWEI)
    await mine()
    expect(pricesOf(fees)).toEqual([null, null, null, null]) // 20 missed one block, nobody knows more
    await mine()
    await mine(cheap)

    expect(fees.estimates().estimates.map(({ gasPrice, reason }) => [gasPrice, reason])).toEqual([
      [null, 'unreached'],
      [2n * GWEI, 'known'],
      [2n * GWEI, 'known'],
      [2n * GWEI, 'known'],
    ])

    await mine(senders.map((sender) => add(sender.sign({ nonce: 1n, gasPrice: 9n * GWEI }))))
    // For three blocks, too: of those at 2 gwei, none was confirmed in the first.
    expect(pricesOf(fees)).toEqual([9n * GWEI, 9n * GWEI, 2n * GWEI, 2n * GWEI])
  })

  it('counts a transaction on the branch that keeps it, from its arrival on', async () => {
    const { fees, all, mine, chain, clock } = await openWorld()
    const waiting = all(0n, 2n * GWEI)
    const other = await openTestChain()
    const gifts = chain.reads.block(chain.head.hash)
    if (gifts === null) throw new Error('no head')
    other.clock.advance(clock.monotonic() + 1_000)
    await other.chain.importBlock(gifts)
    await mine(waiting)
    expect(pricesOf(fees)).toEqual(Array(4).fill(2n * GWEI))

    clock.advance(1_200_000)
    for (const transactions of [[], [], waiting]) {
      const block = await other.nextBlock({ transactions, tag: 9 })
      await other.chain.importBlock(block)
      await chain.importBlock(block)
      other.clock.advance(600_000)
      if (chain.head.header.number === 3n) expect(seenOf(fees)).toEqual([20, 0, 0, 0]) // one target missed, none reached
    }

    expect(chain.head.header.number).toBe(4n)
    expect(fees.estimates().estimates.map(({ gasPrice, reason }) => [gasPrice, reason])).toEqual([
      [null, 'unreached'],
      [2n * GWEI, 'known'],
      [2n * GWEI, 'known'],
      [2n * GWEI, 'known'],
    ])
  })

  it('does not take for a price what a miner did for itself', async () => {
    const ours = await openWorld({ coinbase: MINER })
    const own = ours.senders.map((sender) => ours.add(sender.sign({ gasPrice: 2n * GWEI }), true))
    await ours.mine(own)
    expect(seenOf(ours.fees)).toEqual([0, 0, 0, 0])

    const theirs = await openWorld()
    const waiting = theirs.all(0n, 2n * GWEI)
    const [first] = theirs.senders
    await theirs.mine(waiting, first?.address)
    expect(seenOf(theirs.fees)).toEqual([19, 19, 19, 19])

    const others = await openWorld({ coinbase: MINER })
    await others.mine(others.all(0n, 2n * GWEI))
    expect(seenOf(others.fees)).toEqual([20, 20, 20, 20])
  })

  it('counts what a replaced transaction missed, and its replacement from its own arrival on', async () => {
    const { fees, all, mine } = await openWorld()
    all(0n, 2n * GWEI)
    await mine()
    const raised = all(0n, 4n * GWEI)
    expect(seenOf(fees)).toEqual([20, 0, 0, 0])
    await mine(raised)

    expect(seenOf(fees)).toEqual([40, 20, 20, 20].map((count) => Math.round(count * 0.98)))
    expect(pricesOf(fees)).toEqual(Array(4).fill(4n * GWEI))
  })

  it('counts one that another with its nonce overtook as missed, not as confirmed', async () => {
    const { fees, all, senders, mine } = await openWorld()
    all(0n, 2n * GWEI)
    await mine(senders.map((sender) => sender.sign({ gasPrice: 3n * GWEI, value: 9n })))

    expect(seenOf(fees)).toEqual([20, 0, 0, 0])
    expect(fees.estimates().estimates[0]?.reason).toBe('unreached')
  })

  it('counts one that the pool drops for its price as missed by all', async () => {
    const { fees, all, rich, add, mine } = await openWorld({ capacity: SENDERS })
    all(0n, 2n * GWEI)
    for (let nonce = 20n; nonce < 40n; nonce++) add(rich.sign({ nonce, gasPrice: 5n * GWEI }))

    expect(seenOf(fees)).toEqual([20, 20, 20, 20])
    await mine()
    expect(fees.estimates().estimates.map(({ reason }) => reason)).toEqual(Array(4).fill('unreached'))
  })

  it('follows neither what waits for an earlier one of its sender, nor what arrives while the node is behind', async () => {
    const { fees, all, clock, mine } = await openWorld()
    const first = all(0n, 2n * GWEI)
    const second = all(1n, 2n * GWEI)
    await mine([...first, ...second])
    expect(seenOf(fees)).toEqual([20, 20, 20, 20])

    clock.advance(4 * 3_600_000)
    expect(fees.estimates().isWatching).toBe(false)
    await mine(all(2n, 2n * GWEI))
    expect(seenOf(fees)).toEqual([19, 19, 19, 20]) // faded by one block, the day's horizon less
  })

  it('says no less than the pool accepts, and eth_gasPrice no more than the limit', async () => {
    const { fees, all, mine } = await openWorld()
    await mine(all(0n, 900n * GWEI))

    expect(fees.estimates()).toMatchObject({ gasPrice: 500n * GWEI, source: 'waitingTimes' })
    expect(pricesOf(fees)[0]).toBe(900n * GWEI)
  })
})

describe("the fee estimator's file", () => {
  it('keeps what was learned, with what still waits as missed', async () => {
    const file = join(folder, 'kept.json')
    const { fees, all, mine, open } = await openWorld({ file })
    await mine(all(0n, 3n * GWEI))
    const late = all(1n, 2n * GWEI)
    await mine()
    const before = fees.estimates()
    await fees.stop()

    const again = await open()

    expect(again.estimates()).toMatchObject({ since: before.since, gasPrice: before.gasPrice })
    expect(seenOf(again)).toEqual(before.estimates.map(({ transactions }) => Math.round(transactions)))
    await mine(late) // nobody follows them any more
    expect(seenOf(again).at(-1)).toBe(20)
  })

  it.each([
    ['garbled', () => 'x{'],
    ['cut off', (text: string) => text.slice(0, text.length / 2)],
    ['of another version', (text: string) => text.replace('"version":1', '"version":0')],
    ['with a member that nobody knows', (text: string) => text.replace('{', '{"more":1,')],
    ['with a bucket that does not exist', (text: string) => text.replace(/\[\[\[\d+/, '[[[9999')],
    ['with more in time than confirmed', (text: string) => text.replace(/\[\[\[(\d+),/, '[[[$1,0.5,1,1e300,')],
    ['of another chain', (text: string) => text.replace(/"genesis":"0x..../, '"genesis":"0xffff')],
  ])('that is %s is refused, and said', async (name, spoil) => {
    const file = join(folder, `${name}.json`)
    const { fees, all, mine, open, records } = await openWorld({ file })
    await mine(all(0n, 3n * GWEI))
    await fees.stop()
    writeFileSync(file, spoil(readFileSync(file, 'utf8')))

    const again = await open()

    expect(again.estimates()).toMatchObject({ source: 'recentBlocks', since: null, gasPrice: RECENT })
    const told = records.map(({ level, message, fields }) => [level, message, fields.file])
    expect(told).toContainEqual([
      expect.stringMatching(/^(warn|error)$/),
      expect.stringMatching(
        /^(file cannot be used and is moved aside|fee estimates start without what they had learned)$/,
      ),
      file,
    ])
    await again.stop() // the next save replaces or renews it
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1, since: null })
  })

  it('that cannot be written is said once, and the estimates continue', async () => {
    const { fees, all, mine, records } = await openWorld({ file: join(folder, 'kept.json', 'below-a-file.json') })
    await mine(all(0n, 3n * GWEI))
    await mine()
    await mine()
    await fees.stop()

    expect(records.filter(({ message }) => message === 'fee estimates are not saved')).toHaveLength(1)
    expect(pricesOf(fees)[0]).toBe(3n * GWEI)
  })
})
