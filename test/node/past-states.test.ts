// What a full node answers about states whose tries it has pruned, beside an archive node with the same blocks.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../json-rpc'
import { MOST_STATES, QueryNode } from './query-node'

const FOLDER = join(import.meta.dirname, '../vectors/chain/chain-small')
const CHAIN = { folder: FOLDER, blocks: 'blocks.rlp', networkId: 4242 }
const STEP = 7

interface Seen {
  readonly from: string
  readonly to: string | null
  readonly input: string
  readonly hash: string
}

describe('states older than the window', () => {
  const [archive, full] = [
    new QueryNode(CHAIN, {}, { gcMode: 'archive' }),
    new QueryNode(CHAIN, {}, { gcMode: 'full' }),
  ]
  beforeAll(() => Promise.all([archive.start(), full.start()]))
  afterAll(() => Promise.all([archive.stop(), full.stop()]))
  const answers = (method: string, ...params: unknown[]) =>
    Promise.all([archive, full].map(async (node) => await ask(node.url(), method, params)))

  it('are those of an archive node: accounts, code, slots, calls, traces', async () => {
    const head = Number((await ask(full.url(), 'eth_blockNumber', [])).result)
    const transactions: Seen[] = []
    const addresses = new Set<string>()
    for (let number = 1; number <= head; number++) {
      const { result } = await ask(archive.url(), 'eth_getBlockByNumber', [`0x${number.toString(16)}`, true])
      addresses.add(result.miner)
      for (const tx of result.transactions) {
        transactions.push(tx)
        addresses.add(tx.from)
        const { result: receipt } = await ask(archive.url(), 'eth_getTransactionReceipt', [tx.hash])
        addresses.add(tx.to ?? receipt.contractAddress)
      }
    }
    const calls = transactions.filter(({ to, input }) => to !== null && input !== '0x').slice(0, 12)
    const same = async (method: string, ...params: unknown[]): Promise<void> => {
      const [expected, seen] = await answers(method, ...params)
      expect(expected, `${method} ${JSON.stringify(params)}`).toHaveProperty('result')
      expect(seen, `${method} ${JSON.stringify(params)}`).toEqual(expected)
    }
    let compared = 0
    for (let number = head - MOST_STATES; number > 0; number -= STEP) {
      const tag = `0x${number.toString(16)}`
      for (const address of [...addresses].slice(number % 3).filter((_, index) => index % 3 === 0)) {
        await same('eth_getBalance', address, tag)
        await same('eth_getTransactionCount', address, tag)
        await same('eth_getCode', address, tag)
        for (const slot of ['0x0', '0x1']) await same('eth_getStorageAt', address, slot, tag)
        compared++
      }
      for (const { from, to, input } of calls) await sameCall({ from, to, data: input }, tag)
      for (const tracer of ['callTracer', 'prestateTracer']) await same('debug_traceBlockByNumber', tag, { tracer })
    }
    expect(calls.length).toBeGreaterThan(0)
    expect(compared).toBeGreaterThan(20)
    expect((await ask(full.url(), 'eth_getProof', [[...addresses][0], [], '0x1'])).error.message).toMatch(
      /missing trie node/,
    )

    /** Calls may fail, on both sides alike. */
    async function sameCall(call: object, tag: string): Promise<void> {
      const [expected, seen] = await answers('eth_call', call, tag)
      expect(seen, JSON.stringify([call, tag])).toEqual(expected)
    }
  })
})
