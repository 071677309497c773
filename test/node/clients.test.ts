// The libraries that wallets and scripts use, against the real server over HTTP and WebSocket, on a chain that is
// really mined: balance, send, wait, deploy, call, logs, subscribe. And a getwork miner that finds a block.
import { rmSync } from 'node:fs'
import { Contract, ContractFactory, JsonRpcProvider, Wallet, WebSocketProvider } from 'ethers'
import { createPublicClient, createWalletClient, defineChain, http, parseAbi, webSocket } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOfHex } from '../../src/base/hex'
import { practiceGenesis } from '../../src/node/networks'
import type { NodeService } from '../../src/node/node-service'
import { XHASH_PRACTICE } from '../../src/xhash/params'
import { mineOneBlock } from './getwork-miner'
import { newFolder, practiceNode, Sealer } from './practice-node'

const KEY = `0x${'4c'.repeat(32)}` as const
const FRIEND = '0x7777777777777777777777777777777777777777'

// solc 0.8.37 --evm-version berlin --optimize of: contract Box { uint256 public held; event Stored(address indexed by,
// uint256 value); function store(uint256 value) public { held = value; emit Stored(msg.sender, value); } }
const BOX_CODE =
  '0x6080604052348015600f57600080fd5b5060b780601d6000396000f3fe6080604052348015600f57600080fd5b506004361060325760003560e01c80636057361d146037578063a285aed7146048575b600080fd5b60466042366004609f565b6062565b005b605060005481565b60405190815260200160405180910390f35b600081905560405181815233907febfcf7c0a1b09f6499e519a8d8bb85ce33cd539ec6cbd964e116cd74943ead1a9060200160405180910390a250565b60006020828403121560b057600080fd5b503591905056'
const BOX = [
  'function held() view returns (uint256)',
  'function store(uint256 value)',
  'event Stored(address indexed by, uint256 value)',
] as const

const API = ['eth', 'net', 'web3', 'miner']

function servingNode(folder: string, changes: Parameters<typeof practiceNode>[1] = {}): NodeService {
  const account = privateKeyToAccount(KEY)
  return practiceNode(folder, {
    genesis: () => practiceGenesis(bytesOfHex(account.address, 20), 'none'),
    rpc: {
      http: { host: '127.0.0.1', port: 0, api: API, vhosts: [], corsOrigins: [] },
      ws: { host: '127.0.0.1', port: 0, api: API, origins: [] },
      ipcPath: null,
      bodyLimitBytes: 5_242_880,
      batchLimit: 1000,
      getworkHeight: false,
    },
    ...changes,
  })
}

function urlsOf(node: NodeService) {
  const [web, socket] = [node.rpcAddress(), node.rpcWsAddress()]
  return { http: `http://${web?.host}:${web?.port}`, ws: `ws://${socket?.host}:${socket?.port}` }
}

describe('libraries against a mining node', () => {
  const folder = newFolder()
  const node = servingNode(folder)
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

  it('read the pending block', async () => {
    const { http: url } = urlsOf(node)
    const provider = new JsonRpcProvider(url)
    const client = createPublicClient({ transport: http(url) })

    const blocks = [await provider.getBlock('pending'), await client.getBlock({ blockTag: 'pending' })]

    expect(blocks.map((block) => [typeof block?.number, block?.hash])).toEqual([
      ['number', null],
      ['bigint', null],
    ])
    provider.destroy()
  })

  const workWithEthers = async (provider: JsonRpcProvider | WebSocketProvider) => {
    const wallet = new Wallet(KEY, provider)
    const before = await provider.getBalance(FRIEND)
    const heads = new Promise<number>((resolve) => void provider.once('block', resolve))
    const sent = await wallet.sendTransaction({ to: FRIEND, value: 5n })
    const receipt = await sent.wait()
    expect(receipt?.status).toBe(1)
    expect(await provider.getBalance(FRIEND)).toBe(before + 5n)
    expect(await heads).toBeGreaterThan(0)

    const box = await new ContractFactory(BOX, BOX_CODE, wallet).deploy()
    await box.waitForDeployment()
    const contract = new Contract(await box.getAddress(), BOX, wallet)
    const told = new Promise<bigint>((resolve) => {
      void contract.once('Stored', (_by: string, value: bigint) => resolve(value))
    })
    await (await contract.getFunction('store').send(42n)).wait()
    expect(await contract.getFunction('held').staticCall()).toBe(42n)
    const logs = await contract.queryFilter('Stored', 0, 'latest')
    expect(logs).toHaveLength(1)
    expect(await told).toBe(42n)
  }

  it('ethers does its work over HTTP', async () => {
    // Its cache would return a balance of a quarter of a second ago.
    const provider = new JsonRpcProvider(urlsOf(node).http, undefined, { pollingInterval: 100, cacheTimeout: -1 })
    try {
      await workWithEthers(provider)
    } finally {
      provider.destroy()
    }
  })

  it('ethers does its work over WebSocket', async () => {
    const provider = new WebSocketProvider(urlsOf(node).ws, undefined, { cacheTimeout: -1 })
    try {
      await workWithEthers(provider)
    } finally {
      await provider.destroy()
    }
  })

  it.each(['http', 'ws'] as const)('viem does its work over %s', async (kind) => {
    const url = urlsOf(node)[kind]
    const chain = defineChain({
      id: 1337,
      name: 'practice',
      nativeCurrency: { name: 'Lax', symbol: 'LAX', decimals: 18 },
      rpcUrls: { default: { http: [url] } },
    })
    const transport = kind === 'http' ? http(url) : webSocket(url)
    const account = privateKeyToAccount(KEY)
    const reader = createPublicClient({ chain, transport, pollingInterval: 100 })
    const writer = createWalletClient({ chain, transport, account })
    const abi = parseAbi(BOX)
    const wait = (hash: `0x${string}`) => reader.waitForTransactionReceipt({ hash })

    const stops: (() => void)[] = []
    const before = await reader.getBalance({ address: FRIEND })
    const heads = new Promise<bigint>((resolve) => {
      const stop = reader.watchBlockNumber({ onBlockNumber: resolve })
      stops.push(stop)
    })
    const sent = await wait(await writer.sendTransaction({ to: FRIEND, value: 7n, type: 'legacy' }))
    expect(sent.status).toBe('success')
    expect(await reader.getBalance({ address: FRIEND })).toBe(before + 7n)
    expect(await heads).toBeGreaterThan(0n)

    const deployed = await wait(await writer.deployContract({ abi, bytecode: BOX_CODE, type: 'legacy' }))
    const address = deployed.contractAddress ?? '0x'
    const told = new Promise<bigint | undefined>((resolve) => {
      const stop = reader.watchContractEvent({
        address,
        abi,
        eventName: 'Stored',
        onLogs: ([log]) => resolve(log?.args.value),
      })
      stops.push(stop)
    })
    await wait(await writer.writeContract({ address, abi, functionName: 'store', args: [9n], type: 'legacy' }))
    expect(await reader.readContract({ address, abi, functionName: 'held' })).toBe(9n)
    const logs = await reader.getContractEvents({ address, abi, eventName: 'Stored', fromBlock: 0n })
    expect(logs.map((log) => log.args.value)).toEqual([9n])
    expect(await told).toBe(9n)
    for (const stop of stops) stop()
  })
})

describe('a getwork miner', () => {
  const folder = newFolder()
  const node = servingNode(folder, { mining: false })
  beforeAll(() => node.start(new AbortController().signal))
  afterAll(async () => {
    await node.stop()
    rmSync(folder, { recursive: true })
  })

  it('finds a block once mining was started, and none before', async () => {
    const provider = new JsonRpcProvider(urlsOf(node).http, undefined, { batchMaxCount: 1 })
    const call = (method: string, ...params: unknown[]): Promise<unknown> => provider.send(method, params)
    await expect(call('eth_getWork')).rejects.toThrow('no mining work available yet')

    await call('miner_start', 0)
    await expect.poll(() => call('eth_mining')).toBe(true)
    const sealHash = await mineOneBlock(call, XHASH_PRACTICE)

    await expect.poll(() => call('eth_blockNumber')).toBe('0x1')
    expect(sealHash).toMatch(/^0x[0-9a-f]{64}$/)
    await call('miner_stop')
    expect(await call('eth_mining')).toBe(false)
    provider.destroy()
  })
})
