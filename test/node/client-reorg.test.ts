// A reorg as ethers, viem and web3.js see it, on our node and on prlx: both import the same blocks, and what
// the clients read before and after has to be the same. Needs prlx in PEER_PROGRAMS (a folder), and
// web3.js in CLIENT_PROGRAMS.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { JsonRpcProvider, type Log, WebSocketProvider } from 'ethers'
import { createPublicClient, http, webSocket } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, type Json } from '../json-rpc'
import { clientProgram } from './clients/client-programs'
import { QueryNode } from './query-node'
import { HAS_REFERENCE, ReferenceNode } from './reference/reference-node'
import { VECTORS } from './rpc-cases/case-node'

const SHARED = 42
const text = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? String(part) : part)))

/** One client of each library on a node, with its filters. */
async function openClients(url: string) {
  const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1, batchMaxCount: 1 })
  const reader = createPublicClient({ transport: http(url), cacheTime: 0 })
  const filter = await reader.createEventFilter({})
  /** @param transactions hashes that may be in one branch only */
  const read = async (transactions: readonly string[]) => {
    const last = await provider.getBlockNumber()
    const blocks = []
    for (let number = SHARED; number <= last; number++) blocks.push((await provider.getBlock(number))?.toJSON() ?? null)
    const receipts = []
    for (const hash of transactions) {
      const receipt = await provider.getTransactionReceipt(hash)
      receipts.push(receipt === null ? null : [receipt.blockHash, receipt.status, String(receipt.gasUsed)])
    }
    const logs = await reader.getLogs({ fromBlock: BigInt(SHARED), toBlock: 'latest' })
    const changes = await reader.getFilterChanges({ filter })
    return text({ last, blocks, receipts, logs, changes })
  }
  return { read, close: () => provider.destroy() }
}

interface SeenLog {
  readonly removed: boolean
  readonly blockHash: string
  readonly transactionHash: string
}

/** One client of each library on a node's WebSocket, with its notifications. */
async function openWatchers(url: string) {
  const provider = new WebSocketProvider(url)
  const reader = createPublicClient({ transport: webSocket(url, { reconnect: false, keepAlive: false }) })
  const seen = { ethers: [] as SeenLog[], viem: [] as SeenLog[], heads: [] as string[] }
  const shown = ({ removed, blockHash, transactionHash }: SeenLog): SeenLog => ({ removed, blockHash, transactionHash })
  await provider.on({ topics: [] }, (log: Log) => seen.ethers.push(shown(log)))
  const { transport } = reader
  const logs = await transport.subscribe({
    params: ['logs', {}],
    onData: ({ result }) => seen.viem.push(shown(result)),
  })
  const heads = await transport.subscribe({
    params: ['newHeads'],
    onData: ({ result }) => seen.heads.push(result.hash),
  })
  await provider.send('eth_chainId', []) // answered after the subscription that was sent before it
  const close = async () => {
    await logs.unsubscribe()
    await heads.unsubscribe()
    const socket = await transport.getRpcClient()
    socket.close()
    await provider.destroy()
  }
  return { seen, close }
}

const WEB3 = clientProgram('web3')

/** web3.js on a node: its reads over HTTP, and its notifications over WebSocket. */
async function openWeb3(from: string, urls: { readonly http: string; readonly ws: string }) {
  const { Web3 }: Json = createRequire(join(from, 'package.json'))('web3')
  const [reader, listener] = [new Web3(urls.http), new Web3(urls.ws)]
  const seen = { logs: [] as SeenLog[], heads: [] as string[] }
  const shown = ({ removed, blockHash, transactionHash }: SeenLog) =>
    seen.logs.push({ removed, blockHash, transactionHash })
  const logs = await listener.eth.subscribe('logs', {})
  logs.on('data', shown)
  const heads = await listener.eth.subscribe('newBlockHeaders')
  heads.on('data', ({ hash }: { readonly hash: string }) => seen.heads.push(hash))
  const read = async () => {
    const last = Number(await reader.eth.getBlockNumber())
    const blocks: Json[] = []
    for (let number = SHARED; number <= last; number++) blocks.push(await reader.eth.getBlock(number, true))
    const receipts: Json[] = []
    for (const { transactions } of blocks)
      for (const { hash } of transactions ?? []) receipts.push(await reader.eth.getTransactionReceipt(hash))
    const past = await reader.eth.getPastLogs({ fromBlock: SHARED, toBlock: 'latest' })
    // In every block of ours, and in none of prlx's.
    for (const block of blocks) for (const name of ['sha3Uncles', 'uncles', 'size']) delete block[name]
    return text({ last, blocks, receipts, past })
  }
  return { seen, read, close: () => listener.currentProvider.disconnect() }
}

describe.skipIf(!HAS_REFERENCE)('a reorganisation (skipped without prlx)', () => {
  const ours = new QueryNode({ folder: VECTORS, blocks: 'chain.rlp', networkId: 3110 })
  const theirs = new ReferenceNode()
  beforeAll(async () => {
    const files = { genesis: join(VECTORS, 'genesis.json'), blocks: join(VECTORS, 'chain.rlp'), networkId: 3110 }
    await Promise.all([ours.start(), theirs.start(files)])
  })
  afterAll(async () => {
    await Promise.all([ours.stop(), theirs.stop()])
  })

  it('shows clients the same blocks, receipts and logs before and after', async () => {
    const clients = [await openClients(ours.url()), await openClients(theirs.urls.http)]
    const transactions: string[] = []
    const heads: string[] = []
    for (const tail of ['tail-a.rlp', 'tail-b.rlp']) {
      const file = join(VECTORS, tail)
      await ours.node.importBlocks(readFileSync(file))
      await ask(theirs.urls.http, 'admin_importChain', [file])
      for (const number of [SHARED + 1, SHARED + 2]) {
        const { result } = await ask(ours.url(), 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
        transactions.push(...result.transactions)
        heads.push(result.hash)
      }

      const [mine, other] = await Promise.all(clients.map(({ read }) => read(transactions)))

      expect(mine, tail).toEqual(other)
      expect(mine.last).toBe(tail === 'tail-a.rlp' ? SHARED + 2 : SHARED + 3)
    }
    expect(transactions.length).toBeGreaterThan(2)
    expect(new Set(heads).size).toBe(4)
    for (const { close } of clients) close()
  })

  it('notifies subscribers: removed logs in the order of the chain, then the new ones', async () => {
    for (const one of [ours.url(), theirs.urls.http]) await ask(one, 'debug_setHead', [`0x${SHARED.toString(16)}`])
    const mine = await openWatchers(ours.wsUrl())
    const other = await openWatchers(theirs.urls.ws)
    const hashes: string[] = []
    for (const tail of ['tail-a.rlp', 'tail-b.rlp']) {
      const file = join(VECTORS, tail)
      await ours.node.importBlocks(readFileSync(file))
      await ask(theirs.urls.http, 'admin_importChain', [file])
      const { result } = await ask(ours.url(), 'eth_getBlockByNumber', ['latest', false])
      hashes.push(result.hash)
      await expect.poll(() => [mine.seen.heads.at(-1), other.seen.heads.at(-1)]).toEqual([result.hash, result.hash])
    }
    await expect.poll(() => mine.seen).toMatchObject({ ethers: other.seen.ethers, viem: other.seen.viem })

    const gone = mine.seen.viem.filter(({ removed }) => removed)
    expect(gone.length).toBeGreaterThan(0)
    for (const log of gone) expect(mine.seen.viem).toContainEqual({ ...log, removed: false })
    expect(mine.seen.ethers.length).toBeGreaterThan(0)
    expect(hashes.every((hash) => mine.seen.heads.includes(hash))).toBe(true)
    await Promise.all([mine.close(), other.close()])
  })

  const web3Missing = WEB3 === null ? ' (skipped: CLIENT_PROGRAMS has no web3)' : ''
  it.skipIf(WEB3 === null)(`reads and notifies the same with web3.js${web3Missing}`, async () => {
    for (const one of [ours.url(), theirs.urls.http]) await ask(one, 'debug_setHead', [`0x${SHARED.toString(16)}`])
    const mine = await openWeb3(WEB3 ?? '', { http: ours.url(), ws: ours.wsUrl() })
    const other = await openWeb3(WEB3 ?? '', theirs.urls)
    for (const tail of ['tail-a.rlp', 'tail-b.rlp']) {
      const file = join(VECTORS, tail)
      await ours.node.importBlocks(readFileSync(file))
      await ask(theirs.urls.http, 'admin_importChain', [file])

      const [read, theirRead] = [await mine.read(), await other.read()]

      expect(read, tail).toEqual(theirRead)
      expect(read.receipts.length).toBeGreaterThan(0)
      const head = read.blocks.at(-1).hash
      await expect.poll(() => [mine.seen.heads.at(-1), other.seen.heads.at(-1)]).toEqual([head, head])
    }
    await expect.poll(() => mine.seen.logs).toEqual(other.seen.logs)
    expect(mine.seen.logs.some(({ removed }) => removed)).toBe(true)
    mine.close()
    other.close()
  })
})
