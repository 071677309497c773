// Waiting transactions, through a real node's worker wire: contents, announcements, the pending block, settings,
// restarts.
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { toHex } from '../../src/base/hex'
import { systemClock } from '../../src/base/time'
import { decodeTransactions } from '../../src/node/model/block'
import { StoredReceipts } from '../../src/node/model/stored-receipts'
import { practiceGenesis } from '../../src/node/networks'
import type { NewPending, NodeService, NodeServiceOptions, PoolParams } from '../../src/node/node-service'
import { TestWallet } from '../../src/node/testing/test-wallet'
import { entriesOf } from '../../src/node/worker/wire/pending-shapes'
import { chainHere, newFolder, practiceNode } from './practice-node'

const signal = new AbortController().signal
const rich = new TestWallet(1)
const receiver = new Uint8Array(20).fill(7)

const poolParams = (folder: string): PoolParams => ({
  priceLimit: 1n,
  priceBumpPercent: 10,
  accountSlots: 32,
  globalSlots: 10_240,
  accountQueue: 128,
  globalQueue: 2048,
  lifetimeMs: 10_800_000,
  noLocals: false,
  locals: [],
  rejournalMs: 3_600_000,
  priceTarget: 'recent' as const,
  feeFile: null,
  journal: join(folder, 'transactions.journal'),
})

describe('a node with waiting transactions', () => {
  const nodes: NodeService[] = []
  const folders: string[] = []
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.stop()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })
  const folder = () => {
    const made = newFolder()
    folders.push(made)
    return made
  }
  const started = async (root: string, changes: Partial<NodeServiceOptions> = {}) => {
    const genesis = () => practiceGenesis(rich.address, 'none')
    // Blocks take what a quarter of a second allows, which is nothing on a busy machine: here no time passes.
    const chain = () => chainHere({ ...systemClock(), monotonic: () => 0 })
    const node = practiceNode(join(root, 'chain'), { genesis, pool: poolParams(root), ...changes }, { chain })
    nodes.push(node)
    await node.start(signal)
    return node
  }

  it('announces new ones, lists them by account and shows the pending block', async () => {
    const node = await started(folder(), { mining: false })
    const news: NewPending[] = []
    node.events.on('newPending', (batch) => void news.push(batch))
    const [first, gap] = [rich.sign({ to: receiver, value: 5n }), rich.sign({ nonce: 2n })]
    await node.addTransaction(first.raw)
    await node.addTransaction(gap.raw)

    const content = await node.reader.poolContent()
    expect(content.map(({ pending, queued }) => [pending[0]?.hash, queued[0]?.hash])).toEqual([[first.hash, gap.hash]])
    expect(await node.reader.poolContent(receiver)).toEqual([])
    expect(news.flatMap(({ hashes }) => hashes.map(toHex))).toEqual([toHex(first.hash)])
    expect(news[0]?.transactions[0]?.from).toEqual(rich.address)

    const pending = await node.reader.pendingBlock()
    expect(pending).toMatchObject({ number: 1, parentHash: node.head()?.hash, gasUsed: 21_000n })
    expect(pending.miner).toEqual(new Uint8Array(20).fill(0xcb))
    expect(pending).toMatchObject({ transactionCount: 1, fees: 21_000n * first.gasPrice })
    const sent = decodeTransactions(pending.transactions)
    expect(sent.ok && sent.value.map(({ hash }) => toHex(hash))).toEqual([toHex(first.hash)])
    const { outcomes } = new StoredReceipts(pending.receipts)
    expect(outcomes).toMatchObject([{ succeeded: true, cumulativeGasUsed: 21_000n }])
    expect([...entriesOf(pending.changes)].length).toBeGreaterThan(2)
    expect(await node.reader.pendingBlock()).toBe(pending)

    await node.addTransaction(rich.sign({ nonce: 1n }).raw)
    expect((await node.reader.pendingBlock()).transactionCount).toBe(3)
    expect(news.flatMap(({ hashes }) => hashes)).toHaveLength(3)
  })

  it('gives work only while mining is on, with current values', async () => {
    const node = await started(folder(), { mining: false })
    expect(node.mining()).toBe(false)
    expect(node.currentWork()).toBeNull()

    const state = await node.configureMining({ mining: true, extraData: Uint8Array.of(1), recommitMs: 10 })

    expect(state).toMatchObject({ mining: true, extraData: Uint8Array.of(1), recommitMs: 5000 })
    while (node.currentWork() === null) await new Promise((resolve) => setTimeout(resolve, 5))
    expect((await node.reader.pendingBlock()).extraData).toEqual(Uint8Array.of(1))
    await node.configureMining({ mining: false })
    expect(node.currentWork()).toBeNull()
    await expect(node.configureMining({ extraData: new Uint8Array(33) })).rejects.toMatchObject({
      code: 'CONTRACT_INVALID',
    })
  })

  it('keeps its own transactions when killed', async () => {
    const root = folder()
    const node = await started(root)
    const sent = [rich.sign({ gasPrice: 0n }), rich.sign({ nonce: 1n })]
    for (const tx of sent) await node.addTransaction(tx.raw)

    // What a killed process leaves: the files as they are while everything is open.
    const copy = folder()
    cpSync(root, copy, { recursive: true })
    const again = await started(copy)
    expect(again.counts()).toEqual({ pending: 2, queued: 0 })

    const [account] = await again.reader.poolContent()
    expect(account?.pending.map(({ hash }) => toHex(hash))).toEqual(sent.map(({ hash }) => toHex(hash)))
  })

  it('counts none while it is not running: nobody knows how many there are', async () => {
    const node = await started(folder(), { mining: false })
    expect(node.counts()).toEqual({ pending: 0, queued: 0 })
    await node.addTransaction(rich.sign().raw)
    expect(node.counts()).toEqual({ pending: 1, queued: 0 })
    await node.stop()
    expect(node.counts()).toBeNull()
  })

  it("uses its blocks' price while it mines, otherwise the pool's", async () => {
    const root = folder()
    const node = await started(root, { minimumGasPrice: 1000n, pool: { ...poolParams(root), noLocals: true } })
    const cheap = rich.sign({ gasPrice: 999n }).raw
    await expect(node.addTransaction(cheap)).rejects.toMatchObject({ data: { reason: 'transaction underpriced' } })
    await node.configureMining({ mining: false })
    await node.addTransaction(cheap)

    await node.configureMining({ mining: true, gasPrice: 999n })
    expect(await node.reader.counts()).toEqual({ pending: 1, queued: 0 })
    await node.configureMining({ gasPrice: 1000n })
    expect(await node.reader.counts()).toEqual({ pending: 0, queued: 0 })
  })
})
