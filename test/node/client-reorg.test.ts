// A reorganisation as ethers and viem see it, on our node and on the reference: the same blocks are taken in by both, and what the
// clients read before and after has to be the same. Needs the reference program in PEER_PROGRAMS (a folder).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { JsonRpcProvider } from 'ethers'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, QueryNode } from './query-node'
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

describe.skipIf(!HAS_REFERENCE)('a reorganisation (skipped without the reference program)', () => {
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
})
