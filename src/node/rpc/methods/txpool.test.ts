import { describe, expect, it } from 'vitest'
import { toHex } from '../../../base/hex'
import { JsonText, StreamedResult } from '../../../net/json-rpc/json-rpc'
import { encodeTransactions } from '../../model/block'
import type { PoolContentQuestion } from '../../query/query-wire'
import { writePoolContent } from '../../query/reads/blocks'
import type { QuerySession } from '../../query/session'
import { TestWallet } from '../../testing/test-wallet'
import type { AccountBytesInfo } from '../../worker/wire/pool-wire'
import type { MethodContext, RpcContext } from '../dispatch/method'
import { ethAccounts } from './eth/accounts'
import { txpoolNamespace } from './txpool'

const wallet = new TestWallet(1)
const other = new TestWallet(2)
const friend = new Uint8Array(20).fill(0xab)

function waiting(from: TestWallet, nonce: bigint, to: Uint8Array | null, dataBytes = 0) {
  const data = new Uint8Array(dataBytes).fill(1)
  return from.sign({ nonce, to, value: 5n, data, gasLimit: 21_000n + 16n * BigInt(dataBytes) })
}

const none = encodeTransactions([])
const content: readonly AccountBytesInfo[] = [
  {
    address: wallet.address,
    pending: encodeTransactions([waiting(wallet, 0n, friend), waiting(wallet, 1n, null)]),
    queued: encodeTransactions([waiting(wallet, 10n, friend)]),
  },
  { address: other.address, pending: none, queued: encodeTransactions([waiting(other, 7n, friend)]) },
]
/** The part of a worker that writes it. */
const session = { options: { chainId: 1337n } } as unknown as QuerySession

function contextOf(accounts: readonly AccountBytesInfo[]): RpcContext {
  const textOf = (question: PoolContentQuestion): string => {
    let text = ''
    writePoolContent(session, question, (part) => {
      text += part
      return true
    })
    return text
  }
  const reader = {
    poolBytes: async (addresses: readonly Uint8Array[] | null) =>
      accounts.filter(({ address }) => addresses === null || addresses.some((one) => toHex(one) === toHex(address))),
    counts: async () => ({ pending: 2, queued: 17 }),
  }
  const queries = {
    ask: async (question: PoolContentQuestion) => textOf(question),
    stream: async function* (question: PoolContentQuestion) {
      yield textOf(question)
    },
  }
  return { node: { reader, queries }, accounts: { known: () => [wallet.address] } } as unknown as RpcContext
}

type Content = Record<'pending' | 'queued', Record<string, Record<string, unknown>>>

async function ask(name: string, ...params: unknown[]): Promise<unknown> {
  const answer = await txpoolNamespace[name]?.call(contextOf(content), params, {} as MethodContext)
  return answer instanceof JsonText ? JSON.parse(answer.text) : answer
}

/** EIP-55 spelling of twenty times 0xab. */
const FRIEND = '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB'

describe('what waits in the pool', () => {
  it('is keyed by checksummed sender and decimal nonce, only for senders that have something', async () => {
    const shown = (await ask('txpool_content')) as Content

    const [own = ''] = Object.keys(shown.pending)
    expect(Object.keys(shown.pending)).toHaveLength(1)
    expect(own.toLowerCase()).toBe(toHex(wallet.address))
    expect(own).not.toBe(own.toLowerCase())
    expect(Object.keys(shown.queued)).toHaveLength(2)
    expect(Object.keys(shown.pending[own] ?? {})).toEqual(['0', '1'])
    expect(Object.keys(shown.queued[own] ?? {})).toEqual(['10'])
    const from = toHex(wallet.address)
    expect(shown.queued[own]?.['10']).toMatchObject({ nonce: '0xa', from, blockHash: null, transactionIndex: null })
  })

  it('is listed in words', async () => {
    const [lines] = Object.values(((await ask('txpool_inspect')) as Content).pending)

    expect(lines).toEqual({
      '0': `${FRIEND}: 5 wei + 21000 gas × 1000000000 wei`,
      '1': 'contract creation: 5 wei + 21000 gas × 1000000000 wei',
    })
  })

  it('is listed by sender, and counted', async () => {
    const one = await ask('txpool_contentFrom', toHex(other.address))
    expect(one).toMatchObject({ pending: {}, queued: { '7': { nonce: '0x7' } } })
    expect(await ask('txpool_contentFrom', toHex(wallet.address))).toMatchObject({
      pending: { '0': { nonce: '0x0' }, '1': { nonce: '0x1' } },
      queued: { '10': { nonce: '0xa' } },
    })
    expect(await ask('txpool_contentFrom', toHex(friend))).toEqual({ pending: {}, queued: {} })
    expect(await ask('txpool_status')).toEqual({ pending: '0x2', queued: '0x11' })
  })

  it("is listed for your node's accounts, streamed when it is long, too", async () => {
    const list = async (accounts: readonly AccountBytesInfo[]) =>
      ethAccounts.eth_pendingTransactions?.call(contextOf(accounts), [], {} as MethodContext)
    const short = await list(content)
    expect(short instanceof JsonText && JSON.parse(short.text)).toMatchObject([
      { nonce: '0x0', from: toHex(wallet.address), to: toHex(friend), blockHash: null },
      { nonce: '0x1', from: toHex(wallet.address), to: null },
    ])
    const none = await list([])
    expect(none instanceof JsonText && none.text).toBe('[]')
    const large = encodeTransactions([waiting(wallet, 0n, friend, 70_000), waiting(wallet, 1n, friend, 70_000)])
    expect(await list([{ address: wallet.address, pending: large, queued: large }])).toBeInstanceOf(StreamedResult)
  })

  it('is streamed when it is long, and ends where nobody reads on', async () => {
    const large = encodeTransactions([waiting(wallet, 0n, friend, 70_000), waiting(wallet, 1n, friend, 70_000)])
    const accounts = [{ address: wallet.address, pending: large, queued: none }]
    const answer = await txpoolNamespace.txpool_content?.call(contextOf(accounts), [], {} as MethodContext)
    expect(answer).toBeInstanceOf(StreamedResult)

    const parts: string[] = []
    const question = { kind: 'poolContent', accounts, form: 'whole', isOne: false } as const
    writePoolContent(session, question, (part) => parts.push(part) < 2)
    expect(parts).toHaveLength(2)
  })
})
