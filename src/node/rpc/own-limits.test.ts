import { request } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { networkTurn } from '../../net/testing/network-turn'
import type { AccountsPort } from '../ports/accounts-port'
import { closedNode, testFront } from '../testing/test-front'
import type { RpcFront } from './rpc-front'

const ADDRESS = `0x${'11'.repeat(20)}`
/** On a busy computer, ms. */
const PATIENCE = 9_000
let front: RpcFront | null = null

afterEach(() => front?.stop())

async function started(deps: Parameters<typeof testFront>[1] = {}): Promise<RpcFront> {
  front = testFront({ bodyLimitBytes: 200_000 }, deps)
  await front.start(new AbortController().signal)
  return front
}

/** Sends a call and leaves it open. */
function sent(method: string, params: readonly unknown[]) {
  const options = { method: 'POST', port: front?.address()?.port, headers: { 'content-type': 'application/json' } }
  const call = request(options)
  call.on('error', () => undefined)
  call.end(JSON.stringify({ id: 1, method, params }))
  return call
}

async function answerTo(method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${front?.address()?.port}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 1, method, params }),
  })
  return response.json()
}

describe('what one request may ask of a worker', () => {
  it('is at most 1024 keys of a proof', async () => {
    await started()

    expect(await answerTo('eth_getProof', [ADDRESS, Array(1_025).fill('0x0'), 'latest'])).toMatchObject({
      error: { code: -32602, message: 'invalid argument 1: 1025 keys, want at most 1024' },
    })
    expect(await answerTo('eth_getProof', [ADDRESS, Array(1_024).fill('0x0'), 'latest'])).toMatchObject({
      error: { code: -32000 },
    })
  })

  it('is at most 100 percentiles of a fee history', async () => {
    await started()

    expect(await answerTo('eth_feeHistory', ['0x400', 'latest', Array(101).fill(50)])).toMatchObject({
      error: { code: -32602, message: 'invalid argument 2: 101 percentiles, want at most 100' },
    })
  })
})

describe('eth_sendTransaction behind another of the same account', () => {
  it('signs nothing for a caller that has left by then', async () => {
    const asked: bigint[] = []
    const waiting: (() => void)[] = []
    const accounts: AccountsPort = {
      list: async () => [],
      known: () => null,
      signMessage: () => Promise.reject(new RangeError('not asked here')),
      signTypedData: () => Promise.reject(new RangeError('not asked here')),
      signTransaction: ({ value }) => {
        asked.push(value)
        return new Promise((_resolve, reject) => waiting.push(() => reject(new RangeError('over'))))
      },
    }
    const node = closedNode()
    let nonces = 0
    const reader = { ...node.reader, poolNonce: async () => BigInt(nonces++) }
    await started({ accounts, node: { ...node, reader } })
    const transaction = (value: string) => [{ from: ADDRESS, to: ADDRESS, gasPrice: '0x1', gas: '0x5208', value }]
    sent('eth_sendTransaction', transaction('0x1'))
    await vi.waitFor(() => expect(asked).toEqual([1n]), PATIENCE)

    const second = sent('eth_sendTransaction', transaction('0x2'))
    await vi.waitFor(() => expect(second.socket?.bytesWritten).toBeGreaterThan(0), PATIENCE)
    await answerTo('eth_chainId', []) // what was sent before has been read
    second.destroy()
    await networkTurn() // the end of its connection was noticed
    sent('eth_sendTransaction', transaction('0x3'))
    await answerTo('eth_chainId', [])
    waiting[0]?.()

    await vi.waitFor(() => expect(asked).toEqual([1n, 3n]), PATIENCE)
    waiting[1]?.()
  })
})
