// debug_setHead on a mining node: it continues from the older block, and mines the removed transactions again.
import { rmSync } from 'node:fs'
import { JsonRpcProvider, Wallet } from 'ethers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bytesOfHex } from '../../src/base/hex'
import { practiceGenesis } from '../../src/node/networks'
import { newFolder, practiceNode, reachesHeight, Sealer } from './practice-node'

const RICH = new Wallet(`0x${'4c'.repeat(32)}`)
const FRIEND = '0x7777777777777777777777777777777777777777'

const folder = newFolder()
const node = practiceNode(folder, {
  genesis: () => practiceGenesis(bytesOfHex(RICH.address, 20), 'none'),
  rpc: {
    http: { host: '127.0.0.1', port: 0, api: ['eth', 'debug'], vhosts: [], corsOrigins: [] },
    ws: null,
    ipcPath: null,
    bodyLimitBytes: 5_242_880,
    batchLimit: 1000,
    getworkHeight: false,
  },
})
const sealer = new Sealer()
beforeAll(async () => {
  await node.start(new AbortController().signal)
  await sealer.start(node)
})
afterAll(async () => {
  await sealer.stop()
  await node.stop()
  rmSync(folder, { recursive: true })
})

it("continues to mine from the older block, with the removed blocks' transactions", async () => {
  const address = node.rpcAddress()
  const options = { pollingInterval: 50, cacheTimeout: -1, batchMaxCount: 1 }
  const provider = new JsonRpcProvider(`http://127.0.0.1:${address?.port}`, undefined, options)
  const rich = RICH.connect(provider)
  const [first, second] = [
    await rich.sendTransaction({ to: FRIEND, value: 5n, nonce: 0 }),
    await rich.sendTransaction({ to: FRIEND, value: 7n, nonce: 1 }),
  ]
  const mined = await first.wait()
  await second.wait()
  const heights: number[] = []
  const heard = node.events.on('headChanged', ({ head }) => void heights.push(head.number))
  const before = (mined?.blockNumber ?? 1) - 1

  expect(await provider.send('debug_setHead', [`0x${before.toString(16)}`])).toBeNull()

  await reachesHeight(node, before + 3)
  heard.dispose()
  expect(Math.min(...heights)).toBe(before)
  for (const { hash } of [first, second]) await provider.waitForTransaction(hash)
  expect(await provider.getTransactionCount(RICH.address)).toBe(2)
  expect(await provider.getBalance(FRIEND)).toBe(12n)
  provider.destroy()
})
