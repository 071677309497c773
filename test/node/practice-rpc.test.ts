// JSON-RPC over a practice chain that is really mined: blocks, a transfer, a contract, states, work.

import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../src/base/hex'
import { practiceGenesis } from '../../src/node/networks'
import type { NodeService } from '../../src/node/node-service'
import { TestWallet } from '../../src/node/testing/test-wallet'
import { ask } from '../json-rpc'
import { newFolder, practiceNode, reachesHeight, Sealer } from './practice-node'

interface RpcAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at member by member
  readonly result?: any
  readonly error?: { readonly code: number; readonly message: string }
}

const rich = new TestWallet(1)
const friend = `0x${'77'.repeat(20)}`
const coinbase = `0x${'cb'.repeat(20)}`

describe('JSON-RPC of a practice node', () => {
  const folder = newFolder()
  const sealer = new Sealer()
  let node: NodeService
  beforeAll(async () => {
    node = practiceNode(folder, {
      genesis: () => practiceGenesis(rich.address, 'none'),
      rpc: {
        http: { host: '127.0.0.1', port: 0, api: ['eth', 'net', 'web3'], vhosts: [], corsOrigins: [] },
        ws: null,
        ipcPath: null,
        bodyLimitBytes: 5_242_880,
        batchLimit: 1000,
        getworkHeight: true,
      },
    })
    await node.start(new AbortController().signal)
    await sealer.start(node)
    await reachesHeight(node, 2)
  })
  afterAll(async () => {
    await sealer.stop()
    await node.stop()
    rmSync(folder, { recursive: true })
  })

  const call = (method: string, ...params: unknown[]): Promise<RpcAnswer> => {
    const address = node.rpcAddress()
    return ask(`http://${address?.host}:${address?.port}/`, method, params)
  }
  const result = async (method: string, ...params: unknown[]) => (await call(method, ...params)).result
  const mined = async (hash: string) => {
    for (;;) {
      const receipt = await result('eth_getTransactionReceipt', hash)
      if (receipt !== null) return receipt
      await reachesHeight(node, (node.head()?.number ?? 0) + 1)
    }
  }

  it('identifies itself', async () => {
    expect(await result('eth_chainId')).toBe('0x539')
    expect(await result('net_version')).toBe('1337')
    expect(await result('net_peerCount')).toBe('0x0')
    expect(await result('net_listening')).toBe(true)
    expect(await result('eth_syncing')).toBe(false)
    expect(await result('eth_mining')).toBe(true)
    expect(await result('eth_accounts')).toEqual([])
    expect(await result('eth_coinbase')).toBe(coinbase)
    expect(await result('web3_clientVersion')).toMatch(/^headframe\/test\//)
    expect(await result('rpc_modules')).toEqual({ eth: '1.0', net: '1.0', rpc: '1.0', web3: '1.0' })
    expect(await result('eth_gasPrice')).toBe('0x3b9aca00')
  })

  it("returns blocks with all of prlx's members and the constants of an empty uncle list", async () => {
    const block = await result('eth_getBlockByNumber', '0x1', false)
    expect(Object.keys(block).sort()).toEqual(
      (
        'difficulty epochStartTime extraData gasLimit gasUsed hash logsBloom miner mixHash nonce number parentHash ' +
        'receiptsRoot sha3Uncles size stateRoot timestamp totalDifficulty transactions transactionsRoot uncles'
      ).split(' '),
    )
    const genesis = await result('eth_getBlockByNumber', 'earliest', true)
    expect(block).toMatchObject({
      parentHash: genesis.hash,
      miner: coinbase,
      totalDifficulty: '0x8000',
      uncles: [],
      sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    })
    expect(await result('eth_getBlockByHash', block.hash, false)).toEqual(block)
    expect(await result('eth_getBlockByNumber', '0xfffff', false)).toBeNull()
    expect(await result('eth_getBlockTransactionCountByNumber', '0x1')).toBe('0x0')
    expect(await result('eth_getBlockTransactionCountByHash', friend.padEnd(66, '0'))).toBeNull()
    expect(await result('eth_getUncleCountByBlockNumber', '0x1')).toBe('0x0')
  })

  it('sends a transfer, mines it, and shows it', async () => {
    const tx = rich.sign({ to: fromHex(friend) ?? new Uint8Array(20), value: 12345n })
    expect(await result('eth_getTransactionCount', toHex(rich.address), 'pending')).toBe('0x0')
    const hash = await result('eth_sendRawTransaction', toHex(tx.raw))
    expect(hash).toBe(toHex(tx.hash))
    expect((await call('eth_sendRawTransaction', toHex(tx.raw))).error?.message).toMatch(/already known|nonce too low/)

    const receipt = await mined(hash)

    expect(receipt).toMatchObject({ status: '0x1', gasUsed: '0x5208', logs: [], to: friend, contractAddress: null })
    expect(receipt.effectiveGasPrice).toBe('0x3b9aca00')
    const shown = await result('eth_getTransactionByHash', hash)
    expect(shown).toMatchObject({ hash, from: toHex(rich.address), to: friend, value: '0x3039', type: '0x0' })
    expect(shown.blockHash).toBe(receipt.blockHash)
    expect(await result('eth_getBalance', friend, 'latest')).toBe('0x3039')
    expect(await result('eth_getBalance', friend, '0x0')).toBe('0x0')
    expect(await result('eth_getBalance', friend, { blockHash: receipt.blockHash })).toBe('0x3039')
    expect(await result('eth_getTransactionCount', toHex(rich.address), 'latest')).toBe('0x1')
    const block = await result('eth_getBlockByHash', receipt.blockHash, true)
    expect(block.transactions).toEqual([shown])
    expect(await result('eth_getTransactionByBlockHashAndIndex', receipt.blockHash, '0x0')).toEqual(shown)
  })

  it('creates a contract whose code and storage can be read, also in older states', async () => {
    // Stores 42 in slot 0 and logs nothing; leaves the one-byte code 0x00.
    const init = fromHex('0x602a600055600160006000396001 6000f3'.replace(/ /g, '')) ?? new Uint8Array(0)
    const tx = rich.sign({ nonce: 1n, to: null, value: 0n, data: init, gasLimit: 200_000n })
    const receipt = await mined(await result('eth_sendRawTransaction', toHex(tx.raw)))

    expect(receipt).toMatchObject({ status: '0x1', to: null })
    const contract = receipt.contractAddress
    expect(await result('eth_getCode', contract, 'latest')).toMatch(/^0x[0-9a-f]{2}$/)
    expect(await result('eth_getStorageAt', contract, '0x0', 'latest')).toBe(`0x${'00'.repeat(31)}2a`)
    expect(await result('eth_getStorageAt', contract, `0x${'00'.repeat(32)}`, '0x1')).toBe(`0x${'00'.repeat(32)}`)
    expect(await result('eth_getCode', contract, 'earliest')).toBe('0x')
  })

  it('rejects what prlx rejects', async () => {
    const error = async (raw: string) => (await call('eth_sendRawTransaction', raw)).error
    const dear = rich.sign({ nonce: 9n, gasPrice: 10n ** 14n })
    const unprotected = rich.sign({ nonce: 9n, chainId: null })
    const poor = new TestWallet(5).sign()
    expect(await error(toHex(dear.raw))).toEqual({
      code: -32000,
      message: 'tx fee (2.10 laxes) exceeds the configured cap (1.00 laxes)',
    })
    expect((await error(toHex(unprotected.raw)))?.message).toBe(
      'only replay-protected (EIP-155) transactions allowed over RPC',
    )
    expect((await error(toHex(poor.raw)))?.message).toBe('insufficient funds for gas * price + value')
    expect((await error(toHex(rich.sign({ nonce: 0n }).raw)))?.message).toBe('nonce too low')
    expect((await error('0x01'))?.message).toBe('typed transaction too short')
    expect((await error('0x'))?.message).toBe('typed transaction too short')
    expect((await error('0xc0'))?.message).toMatch(/^transaction: want 9 fields/)
  })

  it("knows block tags and reports what it doesn't have", async () => {
    expect(await result('eth_getBlockByNumber', 'finalized', false)).toMatchObject({ number: '0x0' })
    expect((await result('eth_getBlockByNumber', 'safe', false)).number).toMatch(/^0x/)
    expect((await call('eth_getBalance', friend, '0xfffff')).error).toEqual({
      code: -32000,
      message: 'header not found',
    })
    expect((await call('eth_getBalance', friend, `0x${'ab'.repeat(32)}`)).error?.message).toBe(
      'header for hash not found',
    )
    expect((await call('eth_getBalance', friend, {})).error?.message).toBe(
      'invalid arguments; neither block nor hash specified',
    )
    expect(await result('eth_getTransactionReceipt', `0x${'ab'.repeat(32)}`)).toBeNull()
    expect(await result('eth_getTransactionByHash', `0x${'ab'.repeat(32)}`)).toBeNull()
  })

  it('gives work and rejects invalid seals', async () => {
    const work = await result('eth_getWork')
    expect(work).toHaveLength(4)
    expect(work[1]).toBe(`0x${'00'.repeat(32)}`)
    expect(await result('eth_submitWork', '0x0000000000000001', work[0], `0x${'00'.repeat(32)}`)).toBe(false)
    expect(await result('eth_submitWork', '0x0000000000000001', `0x${'00'.repeat(32)}`, work[0])).toBe(false)
  })
})
