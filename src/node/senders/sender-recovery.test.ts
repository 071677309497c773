import { describe, expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import { type Block, createBlock } from '../model/block'
import { RecoveryJob } from '../model/recovery-job'
import { recoverSender } from '../model/sender'
import type { AnyTransaction, Transaction } from '../model/transaction'
import { openTestChain } from '../testing/test-chain'
import { TestWallet } from '../testing/test-wallet'
import { runRecovery } from './run-recovery'
import { type RecoveryThread, SenderRecovery } from './sender-recovery'

const CHAIN_ID = 1337n
const COUNT = 520
/** No point of the curve has this x. */
const NOBODYS_R = 5n

const wallets = [1, 2, 3].map((seed) => new TestWallet(seed))
const good = Array.from({ length: COUNT }, (_, index) => signed(index))
const bad: readonly AnyTransaction[] = [
  { ...signed(0), r: NOBODYS_R },
  { ...signed(1), s: 0n },
  { ...signed(2), v: 99n },
  { ...signed(3), chainId: 1n },
  { kind: 'unsupported', type: 2, raw: Uint8Array.of(2, 0xc0), hash: new Uint8Array(32) },
]

function signed(index: number): Transaction {
  const wallet = wallets[index % wallets.length] ?? new TestWallet(9)
  return wallet.sign({ nonce: BigInt(index), ...(index % 5 === 0 ? { type: 1 } : {}) })
}

/** A thread that runs nothing on its own. */
class Held implements RecoveryThread {
  readonly jobs: RecoveryJob[] = []
  isClosed = false

  post(job: RecoveryJob): void {
    this.jobs.push(new RecoveryJob(job.memory)) // as the other side sees it
  }

  async close(): Promise<void> {
    this.isClosed = true
  }
}

function opened() {
  const threads: Held[] = []
  const lost: (() => void)[] = []
  const recovery = new SenderRecovery({
    chainId: CHAIN_ID,
    open: (onLost) => {
      lost.push(onLost)
      const thread = new Held()
      threads.push(thread)
      return thread
    },
  })
  const run = () => {
    for (const job of threads.flatMap((thread) => thread.jobs)) runRecovery(job)
  }
  return { recovery, threads, run, lose: () => lost[0]?.() }
}

async function blockOf(transactions: readonly AnyTransaction[]): Promise<Block> {
  const { chain } = await openTestChain()
  return createBlock(chain.head.header, transactions)
}

const text = (outcome: ReturnType<typeof recoverSender>) => (outcome.ok ? toHex(outcome.value.sender) : outcome.error)
const alone = (tx: AnyTransaction) => text(recoverSender(tx, CHAIN_ID))

describe('senders recovered ahead', async () => {
  const block = await blockOf([...good.slice(0, 300), ...bad, ...good.slice(300)])

  it('are the ones that are recovered without', () => {
    const { recovery, run } = opened()

    recovery.ahead([block])
    run()

    expect(good.map((tx) => recovery.addressOf(tx))).not.toContain(null)
    for (const tx of block.transactions) expect(text(recoverSender(tx, CHAIN_ID, recovery))).toBe(alone(tx))
    expect(new Set(bad.map((tx) => text(recoverSender(tx, CHAIN_ID, recovery))))).toEqual(
      new Set([
        'invalid transaction v, r, s values',
        'recovery failed',
        'invalid chain id for signer',
        'transaction type not supported',
      ]),
    )
  })

  it('are the same when the thread comes too late, and then it does nothing twice', () => {
    const { recovery, threads, run } = opened()
    recovery.ahead([block])

    for (const tx of good.slice(0, 100)) expect(text(recoverSender(tx, CHAIN_ID, recovery))).toBe(alone(tx))
    run()

    const [job] = threads[0]?.jobs ?? []
    const given = good.map((tx) => recovery.addressOf(tx) !== null)
    expect(given.indexOf(true)).toBe(100)
    expect(given.lastIndexOf(false)).toBe(99)
    expect(job?.take(500)).toBeNull()
  })

  it('are recovered by the caller when the thread is lost, and none is started again', () => {
    const { recovery, threads, lose } = opened()
    recovery.ahead([block])

    lose()
    recovery.ahead([block])

    for (const tx of block.transactions) expect(text(recoverSender(tx, CHAIN_ID, recovery))).toBe(alone(tx))
    expect(threads.map((thread) => thread.jobs.length)).toEqual([1])
  })

  it('are recovered by the caller when there can be no thread', () => {
    let asked = 0
    const open = () => {
      asked++
      return null
    }
    const recovery = new SenderRecovery({ chainId: CHAIN_ID, open })

    recovery.ahead([block])
    recovery.ahead([block])

    for (const tx of good.slice(0, 10)) expect(text(recoverSender(tx, CHAIN_ID, recovery))).toBe(alone(tx))
    expect(asked).toBe(1)
  })

  it('need no thread for a few transactions, and use one that runs for most', async () => {
    const { recovery, threads } = opened()
    const few = await blockOf(good.slice(0, 20))

    recovery.ahead([few])
    expect(threads).toEqual([])
    recovery.ahead([block])
    recovery.ahead([few])
    recovery.ahead([])

    expect(threads.map(({ jobs }) => jobs.map(({ size }) => size))).toEqual([[COUNT + 1, 20]])
  })

  it('end with the chain: the thread is closed and no other opened', async () => {
    const { recovery, threads } = opened()
    recovery.ahead([block])

    await recovery.close()
    await recovery.close()
    recovery.ahead([block])

    expect(threads.map(({ isClosed, jobs }) => [isClosed, jobs.length])).toEqual([[true, 1]])
  })
})
