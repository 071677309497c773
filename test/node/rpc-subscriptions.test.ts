// Notifications of a practice chain that is really mined, over a WebSocket: heads, and the logs of a contract's
// creation.
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { toHex } from '../../src/base/hex'
import { practiceGenesis } from '../../src/node/networks'
import type { NodeService } from '../../src/node/node-service'
import { TestWallet } from '../../src/node/testing/test-wallet'
import { newFolder, practiceNode, Sealer } from './practice-node'

/** Init code: PUSH1 0, PUSH1 0, LOG0. */
const LOGS_ONCE = Uint8Array.from([0x60, 0x00, 0x60, 0x00, 0xa0])

// biome-ignore lint/suspicious/noExplicitAny: messages are looked at member by member
type Message = any

describe('subscriptions', () => {
  const folder = newFolder()
  const sealer = new Sealer()
  const rich = new TestWallet(1)
  const messages: Message[] = []
  let node: NodeService
  let client: WebSocket
  beforeAll(async () => {
    const ws = { host: '127.0.0.1', port: 0, api: ['eth'], origins: [] }
    const rpc = { http: null, ws, ipcPath: null, bodyLimitBytes: 100_000, batchLimit: 10, getworkHeight: false }
    node = practiceNode(folder, { genesis: () => practiceGenesis(rich.address, 'none'), rpc })
    await node.start(new AbortController().signal)
    const { host, port } = node.rpcWsAddress() ?? {}
    client = new WebSocket(`ws://${host}:${port}/`)
    client.on('message', (data) => messages.push(JSON.parse(String(data))))
    await new Promise((resolve) => client.once('open', resolve))
  })
  afterAll(async () => {
    client.close()
    await sealer.stop()
    await node.stop()
    rmSync(folder, { recursive: true })
  })

  const first = async (fits: (message: Message) => boolean): Promise<Message> => {
    await expect.poll(() => messages.some(fits), { timeout: 240_000 }).toBe(true)
    return messages.find(fits)
  }
  const subscribe = async (id: number, ...params: unknown[]): Promise<string> => {
    client.send(JSON.stringify({ id, method: 'eth_subscribe', params }))
    return (await first((message) => message.id === id)).result
  }
  const told = (subscription: string) => first((message) => message.params?.subscription === subscription)

  it('reports pending transactions, logs and heads', async () => {
    const [heads, logs, pending] = [
      await subscribe(1, 'newHeads'),
      await subscribe(2, 'logs', {}),
      await subscribe(3, 'newPendingTransactions'),
    ]
    const tx = rich.sign({ to: null, data: LOGS_ONCE, gasLimit: 100_000n, value: 0n })
    await node.addTransaction(tx.raw)

    expect((await told(pending)).params.result).toBe(toHex(tx.hash))
    await sealer.start(node)
    const log = (await told(logs)).params.result
    expect(log).toMatchObject({ transactionHash: toHex(tx.hash), topics: [], data: '0x', removed: false })
    const head = (await told(heads)).params.result
    const block = await node.reader.header(Number(head.number))
    expect(head.hash).toBe(toHex(block?.hash ?? new Uint8Array(0)))
    expect(head).not.toHaveProperty('size')
    expect(head).not.toHaveProperty('totalDifficulty')
    expect(head).not.toHaveProperty('transactions')
  })
})
