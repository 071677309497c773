import { describe, expect, it } from 'vitest'
import { toHex } from '../../../base/hex'
import { TestWallet } from '../../testing/test-wallet'
import type { AccountContentInfo } from '../../worker/wire/pool-wire'
import type { TransactionInfo } from '../../worker/wire/shapes'
import type { MethodContext, RpcContext } from '../dispatch/method'
import { txpoolNamespace } from './txpool'

const wallet = new TestWallet(1)
const friend = new Uint8Array(20).fill(0xab)

function waiting(nonce: bigint, to: Uint8Array | null): TransactionInfo {
  const { kind: _kind, raw: _raw, data, accessList: _list, ...tx } = wallet.sign({ nonce, to, value: 5n })
  return { ...tx, input: data, accessList: [], from: wallet.address, place: null, outcome: null }
}

const content: readonly AccountContentInfo[] = [
  { address: wallet.address, pending: [waiting(0n, friend), waiting(1n, null)], queued: [waiting(10n, friend)] },
  { address: friend, pending: [], queued: [waiting(7n, friend)] },
]

const reader = {
  poolContent: async (address?: Uint8Array) =>
    content.filter((account) => address === undefined || toHex(account.address) === toHex(address)),
  counts: async () => ({ pending: 2, queued: 17 }),
}
const context = { node: { reader } } as unknown as RpcContext
const surroundings = {} as MethodContext
const ask = (name: string, ...params: unknown[]) => txpoolNamespace[name]?.call(context, params, surroundings)

/** EIP-55 spelling of twenty times 0xab. */
const FRIEND = '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB'

describe('what waits in the pool', () => {
  it('is keyed by checksummed sender and decimal nonce, only for senders that have something', async () => {
    const shown = (await ask('txpool_content')) as Record<string, Record<string, Record<string, unknown>>>

    expect(Object.keys(shown.pending ?? {})).toHaveLength(1)
    expect(Object.keys(shown.queued ?? {})).toContain(FRIEND)
    const [own = ''] = Object.keys(shown.pending ?? {})
    expect(own.toLowerCase()).toBe(toHex(wallet.address))
    expect(Object.keys(shown.pending?.[own] ?? {})).toEqual(['0', '1'])
    expect(Object.keys(shown.queued?.[own] ?? {})).toEqual(['10'])
    expect(shown.queued?.[own]?.['10']).toMatchObject({ nonce: '0xa', blockHash: null, transactionIndex: null })
  })

  it('is listed in words', async () => {
    const shown = (await ask('txpool_inspect')) as { pending: Record<string, Record<string, string>> }

    const [lines] = Object.values(shown.pending)
    expect(lines).toEqual({
      '0': `${FRIEND}: 5 wei + 21000 gas × 1000000000 wei`,
      '1': 'contract creation: 5 wei + 21000 gas × 1000000000 wei',
    })
  })

  it('is listed by sender, and counted', async () => {
    expect(await ask('txpool_contentFrom', toHex(friend))).toMatchObject({
      pending: {},
      queued: { '7': { nonce: '0x7' } },
    })
    expect(await ask('txpool_contentFrom', `0x${'00'.repeat(20)}`)).toEqual({ pending: {}, queued: {} })
    expect(await ask('txpool_status')).toEqual({ pending: '0x2', queued: '0x11' })
  })
})
