import { describe, expect, it } from 'vitest'
import { explorerCalls } from '../../../contract/explorer'
import type { AccountContentInfo } from '../../../node/worker/wire/pool-wire'
import type { TransactionInfo } from '../../../node/worker/wire/shapes'
import { rpcListeners } from '../../node/rpc-options'
import { poolPage, receiptView } from './explorer-handlers'

const bytes = (length: number, fill: number): Uint8Array => new Uint8Array(length).fill(fill)

function waiting(id: number, gasPrice: bigint, to: Uint8Array | null = bytes(20, 9)): TransactionInfo {
  return {
    hash: bytes(32, id),
    type: 0,
    chainId: 1n,
    from: bytes(20, 1),
    to,
    nonce: BigInt(id),
    value: 5n,
    gasLimit: 21_000n,
    gasPrice,
    input: new Uint8Array(),
    accessList: [],
    v: 0n,
    r: 0n,
    s: 0n,
    place: null,
    outcome: null,
  }
}

const pool: readonly AccountContentInfo[] = [
  { address: bytes(20, 1), pending: [waiting(1, 5n), waiting(2, 9n)], queued: [waiting(3, 99n)] },
  { address: bytes(20, 1), pending: [waiting(4, 7n, null)], queued: [] },
]
const ids = (page: ReturnType<typeof poolPage>) => page.transactions.map(({ nonce }) => nonce)

describe('a page of waiting transactions', () => {
  it('has the executable ones first, highest price first within each', () => {
    const page = poolPage(pool, { from: 0, count: 10, filter: '' })
    expect(page.transactions[0]).not.toHaveProperty('input')

    expect(ids(page)).toEqual(['2', '4', '1', '3'])
    expect(page).toMatchObject({ pending: 3, queued: 1, found: 4 })
    expect(page.transactions.map(({ place }) => place)).toEqual(['pending', 'pending', 'pending', 'queued'])
  })

  it('is readable whatever nonce and gas a sender chose', () => {
    const strange = { ...waiting(1, 5n), nonce: 2n ** 64n - 2n, gasLimit: 2n ** 63n - 1n }
    const page = poolPage([{ address: bytes(20, 1), pending: [], queued: [strange] }], {
      from: 0,
      count: 1,
      filter: '',
    })

    const { transactions } = explorerCalls['node.poolPage'].result.parse(page)

    expect(transactions[0]).toMatchObject({ nonce: '18446744073709551614', gasLimit: 2 ** 63 })
  })

  it('is a slice of the whole list, empty after its end', () => {
    expect(ids(poolPage(pool, { from: 1, count: 2, filter: '' }))).toEqual(['4', '1'])
    expect(ids(poolPage(pool, { from: 4, count: 2, filter: '' }))).toEqual([])
  })

  it('filters by hash, sender or receiver, ignoring case', () => {
    expect(ids(poolPage(pool, { from: 0, count: 10, filter: ' 0x0909 ' }))).toEqual(['2', '1', '3'])
    expect(ids(poolPage(pool, { from: 0, count: 10, filter: '0X0404' }))).toEqual(['4'])
    expect(poolPage(pool, { from: 0, count: 10, filter: 'zz' })).toMatchObject({
      pending: 3,
      found: 0,
      transactions: [],
    })
  })
})

describe('a receipt', () => {
  it('shows the fee and its logs as text', () => {
    const view = receiptView({
      transactionHash: bytes(32, 1),
      place: { blockHash: bytes(32, 2), blockNumber: 7, index: 3 },
      type: 0,
      from: bytes(20, 1),
      to: null,
      contractAddress: bytes(20, 0xab),
      succeeded: false,
      gasUsed: 21_000n,
      cumulativeGasUsed: 63_000n,
      gasPrice: 10n ** 18n,
      logs: [{ address: bytes(20, 4), topics: [bytes(32, 5)], data: bytes(2, 6), logIndex: 8 }],
      logsBloom: bytes(256, 0),
    })

    expect(view).toEqual({
      succeeded: false,
      blockHash: `0x${'02'.repeat(32)}`,
      blockNumber: 7,
      index: 3,
      gasUsed: 21_000,
      cumulativeGasUsed: 63_000,
      fee: '21000000000000000000000',
      contractAddress: `0x${'ab'.repeat(20)}`,
      logs: [{ index: 8, address: `0x${'04'.repeat(20)}`, topics: [`0x${'05'.repeat(32)}`], data: '0x0606' }],
    })
  })
})

describe('the listeners of JSON-RPC', () => {
  const node = {
    rpcAddress: () => ({ host: '::1', port: 8545 }),
    rpcWsAddress: () => null,
    rpcIpcPath: () => '/d/x.ipc',
  }
  type Options = Parameters<typeof rpcListeners>[0]
  const options = (change: { readonly http: boolean; readonly ws: boolean; readonly ipcDisable: boolean }): Options =>
    ({
      node: { http: change.http, httpVhosts: ['localhost'] },
      rpc: { ...change, httpApi: ['eth'], httpCors: [], wsApi: ['net'], wsOrigins: ['*'] },
    }) as unknown as Options

  it("are those that are switched on, including one that doesn't listen yet", () => {
    const found = rpcListeners(options({ http: true, ws: true, ipcDisable: false }), node)

    expect(found.map(({ kind, address }) => [kind, address])).toEqual([
      ['http', '[::1]:8545'],
      ['ws', null],
      ['ipc', '/d/x.ipc'],
    ])
    expect(found[2]?.namespaces).toContain('admin')
    expect(found[1]).toMatchObject({ origins: ['*'], hosts: null })
  })

  it('are none without a node or if all are off', () => {
    expect(rpcListeners(options({ http: false, ws: false, ipcDisable: true }), node)).toEqual([])
    expect(rpcListeners(options({ http: true, ws: true, ipcDisable: false }), null)).toEqual([])
  })
})
