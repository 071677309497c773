import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import { decodeRlp, encodeRlp, type RlpItem, rlpInteger, rlpSlices } from '../codec/rlp'
import { type Block, createBlock, decodeBlock, encodeBlock, transactionRoot } from '../model/block'
import { recoverSender, SenderReader } from '../model/sender'
import { type AnyTransaction, decodeTransaction, type Transaction } from '../model/transaction'
import { openTestChain } from '../testing/test-chain'
import { TestWallet } from '../testing/test-wallet'
import { prepareBlocks } from '../worker/preparation-thread'
import { BlockPreparation, type PreparationThread } from './block-preparation'
import { PreparationJob } from './preparation-job'

const CHAIN_ID = 1337n
const COUNT = 700
/** No point of the curve has this x. */
const NOBODYS_R = 5n
const [V, R, S] = [6, 7, 8]

const wallets = [1, 2, 3].map((seed) => new TestWallet(seed))
const good = Array.from({ length: COUNT }, (_, index) => signed(index))
const bad: readonly AnyTransaction[] = [
  changed(signed(1), R, NOBODYS_R),
  changed(signed(2), S, 0n),
  changed(signed(3), V, 29n),
  new TestWallet(1).sign({ chainId: 1n }),
  decoded(Uint8Array.of(2, 0xc0)),
]

function signed(index: number): Transaction {
  const wallet = wallets[index % wallets.length] ?? new TestWallet(9)
  return wallet.sign({ nonce: BigInt(index), ...(index % 5 === 0 ? { type: 1 } : {}) })
}

/** A legacy transaction with another value in one field. */
function changed({ raw }: Transaction, field: number, value: bigint): AnyTransaction {
  const list = decodeRlp(raw)
  if (!list.ok || list.value instanceof Uint8Array) throw new Error('not a legacy transaction')
  return decoded(encodeRlp(list.value.map((item: RlpItem, place) => (place === field ? rlpInteger(value) : item))))
}

function decoded(raw: Uint8Array): AnyTransaction {
  const tx = decodeTransaction(raw)
  if (!tx.ok) throw new Error(tx.error)
  return tx.value
}

/** A thread that runs nothing on its own. */
class Held implements PreparationThread {
  readonly jobs: PreparationJob[] = []
  isClosed = false

  post(job: PreparationJob): void {
    this.jobs.push(new PreparationJob(job.memory)) // as the other side sees it
  }

  async close(): Promise<void> {
    this.isClosed = true
  }
}

function opened() {
  const threads: Held[] = []
  const lost: (() => void)[] = []
  const preparation = new BlockPreparation({
    chainId: CHAIN_ID,
    open: (onLost) => {
      lost.push(onLost)
      const thread = new Held()
      threads.push(thread)
      return thread
    },
  })
  const run = () => {
    for (const job of threads.flatMap((thread) => thread.jobs)) prepareBlocks(job)
  }
  return { preparation, threads, run, lose: () => lost[0]?.() }
}

async function blockOf(transactions: readonly AnyTransaction[]): Promise<Block> {
  const { chain } = await openTestChain()
  return createBlock(chain.head.header, transactions)
}

const bytesOf = (blocks: readonly Block[]) => concatBytes(...blocks.map(encodeBlock))

function readAll(bytes: Uint8Array, decode: (block: Uint8Array) => ReturnType<typeof decodeBlock>): readonly Block[] {
  return [...rlpSlices(bytes)].map((part) => {
    const block = part.ok ? decode(part.value.encoded) : part
    if (!block.ok) throw new Error(block.error)
    return block.value
  })
}

const text = (outcome: ReturnType<typeof recoverSender>) => (outcome.ok ? toHex(outcome.value.sender) : outcome.error)
const alone = ({ transactions }: Block) => transactions.map((tx) => text(recoverSender(tx, CHAIN_ID)))
const withHelp = (preparation: BlockPreparation, block: Block) => {
  const senders = new SenderReader(block.transactions, CHAIN_ID, preparation.of(block) ?? undefined)
  return block.transactions.map((tx, index) => text(senders.of(tx, index)))
}

describe('blocks prepared ahead', async () => {
  const blocks = [
    await blockOf(good.slice(0, 300)),
    await blockOf([]),
    await blockOf([...good.slice(300, 310), ...bad, ...good.slice(310)]),
  ]
  const bytes = bytesOf(blocks)

  it('are the blocks that are read without, with root and senders', () => {
    const { preparation, threads, run } = opened()
    const reader = preparation.ahead(bytes)
    run()

    const read = readAll(bytes, (block) => reader?.decode(block) ?? decodeBlock(block))

    expect(read).toEqual(readAll(bytes, decodeBlock))
    expect(read.map((block) => preparation.of(block)?.root)).toEqual(
      blocks.map(({ transactions }) => transactionRoot(transactions)),
    )
    const [job] = threads[0]?.jobs ?? []
    expect(good.slice(0, 300).map((_, index) => job?.addressOf(index))).not.toContain(null)
    expect(read.map((block) => withHelp(preparation, block))).toEqual(blocks.map(alone))
    expect(alone(blocks[2] ?? (blocks[0] as Block)).slice(10, 15)).toEqual([
      'recovery failed',
      'invalid transaction v, r, s values',
      'invalid transaction v, r, s values',
      'invalid chain id for signer',
      'transaction type not supported',
    ])
  })

  it('are the same when the thread comes too late, and then it recovers nothing twice', () => {
    const { preparation, threads, run } = opened()
    const reader = preparation.ahead(bytes)
    const read = readAll(bytes, (block) => reader?.decode(block) ?? decodeBlock(block))
    const [first] = read

    expect(read).toEqual(readAll(bytes, decodeBlock))
    expect(read.map((block) => preparation.of(block)?.root)).toEqual([null, null, null])
    expect(first && withHelp(preparation, first)).toEqual(alone(blocks[0] as Block))
    run()

    const [job] = threads[0]?.jobs ?? []
    const given = good.map((_, index) => (job?.addressOf(index) ?? null) !== null)
    expect(given.indexOf(true)).toBe(300)
    expect(job?.claim(310)).toBe(false)
    expect(read.map((block) => withHelp(preparation, block))).toEqual(blocks.map(alone))
  })

  it('end where the bytes are no block, and where there is no room: the rest is left to the caller', () => {
    for (const end of [Uint8Array.of(0xc0), concatBytes(encodeBlock(blocks[0] as Block)).subarray(0, 5_000)]) {
      const { preparation, threads, run } = opened()
      preparation.ahead(concatBytes(bytes, end))
      run()
      const [job] = threads[0]?.jobs ?? []
      expect([0, 1, 2, 3].map((place) => job?.hasBlock(place))).toEqual([true, true, true, false])
    }
    const job = PreparationJob.of(bytes.slice(0, 500), CHAIN_ID)
    expect([job.hasRoomFor(1, 6), job.hasRoomFor(2, 0), job.hasRoomFor(0, 7)]).toEqual([true, false, false])
    expect([job.claim(7), job.addressOf(7), job.hasBlock(2)]).toEqual([false, null, false])
  })

  it('are left to the caller when the thread is lost, and none is started again', () => {
    const { preparation, threads, lose } = opened()
    const reader = preparation.ahead(bytes)

    lose()

    expect(preparation.ahead(bytes)).toBeNull()
    const read = readAll(bytes, (block) => reader?.decode(block) ?? decodeBlock(block))
    expect(read.map((block) => withHelp(preparation, block))).toEqual(blocks.map(alone))
    expect(threads.map((thread) => thread.jobs.length)).toEqual([1])
  })

  it('are left to the caller when there can be no thread', () => {
    let asked = 0
    const open = () => {
      asked++
      return null
    }
    const preparation = new BlockPreparation({ chainId: CHAIN_ID, open })

    expect([preparation.ahead(bytes), preparation.ahead(bytes)]).toEqual([null, null])
    expect(asked).toBe(1)
  })

  it('need no thread for a few transactions or many headers, and use one that runs for most', async () => {
    const { preparation, threads } = opened()
    const few = bytesOf([await blockOf(good.slice(0, 20))])
    const empty = bytesOf(Array.from({ length: 300 }, () => blocks[1] as Block))

    expect([preparation.ahead(few), preparation.ahead(empty)]).toEqual([null, null])
    expect(threads).toEqual([])
    preparation.ahead(bytes)
    preparation.ahead(few)
    expect(preparation.ahead(empty)).toBeNull()

    expect(threads.map(({ jobs }) => jobs.map((job) => job.bytes.length))).toEqual([[bytes.length, few.length]])
  })

  it('end with the chain: the thread is closed and no other opened', async () => {
    const { preparation, threads } = opened()
    preparation.ahead(bytes)

    await preparation.close()
    await preparation.close()

    expect(preparation.ahead(bytes)).toBeNull()
    expect(threads.map(({ isClosed, jobs }) => [isClosed, jobs.length])).toEqual([[true, 1]])
  })
})
