// Figures of blocks, waiting transactions, JSON-RPC, callers, reports and devices open what they are made of: each test
// computes the figure again from what is shown.
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { PoolReportView } from '../../../../contract/explorer'
import type { BlockView } from '../../../../contract/node'
import type { EarningsRowView } from '../../../../contract/pools'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aRig, aRigGpu, someFigures, someRigs } from '../../testing/scripted-rigs'
import { aBlock, aDevice, aGpu, aStatus, hashOf, OTHER_ADDRESS, OWN_ADDRESS } from '../../testing/scripted-values'
import { rowsOf } from '../../testing/why-rows'
// Preloaded, so that the timeout of a query doesn't include them.
import '../../screens/Accounts/Accounts'
import '../../screens/Gpus/Gpus'
import '../../screens/Node/Node'
import '../../screens/Node/blocks/Address'
import '../../screens/Node/blocks/Block'
import '../../screens/Node/blocks/Transaction'
import '../../screens/Activity/Activity'
import '../../screens/Rigs/detail/RigDetail'
import './WhyText'

afterEach(cleanup)

const LAX = 10n ** 18n
const GWEI = 10n ** 9n
const DAY = 86_400_000
const HASH = hashOf('7')

const numbers = (rows: readonly (readonly [string, string])[]): readonly number[] =>
  rows.map(([, value]) => Number(value))

const withAnswers = (prepare: (backend: ScriptedBackend) => unknown) => (backend: ScriptedBackend) => {
  fill(backend)
  prepare(backend)
}

describe('waiting transactions', () => {
  const report: PoolReportView = {
    prices: [
      { from: String(GWEI), below: String(2n * GWEI), pending: 3, queued: 1 },
      { from: String(2n * GWEI), below: String(4n * GWEI), pending: 2, queued: 0 },
    ],
    template: {
      number: 43,
      transactions: 4,
      gasUsed: 84_000,
      gasLimit: 8_400_000,
      fees: String(84_000n * 2n * GWEI),
      sizeBytes: 900,
    },
  }
  const show = () =>
    open(
      '/node/mempool',
      withAnswers((backend) =>
        backend
          .answer('node.poolReport', () => report)
          .answer('node.poolPage', () => ({ pending: 5, queued: 1, found: 0, transactions: [] })),
      ),
    )

  it('are those of each price step together', async () => {
    await show()

    const counts = numbers(await rowsOf('gas-histogram', 'Transactions'))

    expect(counts).toEqual([4, 2, 6])
    expect(screen.getByTestId('pool-sum').dataset.value).toBe('6')
  })

  it('are in the next block or left over', async () => {
    await show()

    const [pending = 0, left = 0, taken = 0] = numbers(await rowsOf('block-template', 'Transactions'))

    expect(pending).toBe(5)
    expect(pending - left).toBe(taken)
    expect(screen.getByTestId('template-transactions').dataset.value).toBe(String(taken))
  })

  it('pay for their gas', async () => {
    await show()

    const [gas, price, fees] = await rowsOf('block-template', 'Fees')

    expect(price?.[1]).toBe('2\u00a0gwei')
    expect(BigInt(gas?.[1] ?? 0) * 2n * GWEI).toBe(BigInt(fees?.[1] ?? 1))
  })

  it('leave gas', async () => {
    await show()

    const [used = 0, limit = 1, share] = numbers(await rowsOf('block-template', 'Gas'))

    expect(share).toBe((100 * used) / limit)
  })
})

describe('a block', () => {
  const block: BlockView = {
    ...aBlock(41),
    difficulty: '300',
    totalDifficulty: '1000',
    stateRoot: HASH,
    transactionsRoot: HASH,
    receiptsRoot: HASH,
    mixDigest: HASH,
    nonce: '0x1',
    sealHash: HASH,
    extraData: '0x',
    epoch: 0,
    epochStartTime: NOW,
    unlockHeight: 141,
    transactions: [],
    isCanonical: true,
    subsidy: String(50n * LAX),
    fees: String(21_000n * 3n * GWEI),
    gasUsed: 21_000,
  }
  const show = (change: Partial<typeof block> = {}) =>
    open(
      '/node/block/41',
      withAnswers((backend) => backend.answer('node.block', () => ({ block: { ...block, ...change } }))),
    )

  it('pays new coins and fees', async () => {
    await show()

    const [subsidy = 0n, fees = 0n, sum] = (await rowsOf('block-detail', 'Reward')).map(([, wei]) => BigInt(wei))

    expect(subsidy + fees).toBe(sum)
    expect(screen.getByTestId('block-reward').dataset.value).toBe(String(sum))
  })

  it('keeps new coins for as many blocks as lie between', async () => {
    await show()

    const [height = 0, locked = 0, unlock] = numbers(await rowsOf('block-detail', 'Matures at block'))

    expect([height + locked, unlock]).toEqual([141, 141])
  })

  it.each([{ isCanonical: false }, { subsidy: '0' }])('has no new coins that mature: %o', async (change) => {
    await show(change)

    expect((await screen.findByTestId('block-detail')).textContent).not.toContain('Matures at block')
  })

  it('adds its difficulty to those before it', async () => {
    await show()
    await screen.findByTestId('block-detail')

    expect(numbers(await rowsOf('shell', 'Total difficulty'))).toEqual([700, 300, 1000])
  })
})

it('a transaction costs its gas, and adds it to that of the block', async () => {
  const receipt = {
    succeeded: true,
    blockHash: hashOf('1'),
    blockNumber: 42,
    index: 1,
    gasUsed: 21_000,
    cumulativeGasUsed: 50_000,
    fee: String(21_000n * GWEI),
    contractAddress: null,
    logs: [],
  }
  const transaction = {
    hash: HASH,
    blockNumber: 42,
    from: OWN_ADDRESS,
    to: OTHER_ADDRESS,
    value: '1',
    gasPrice: String(GWEI),
    gasUsed: 21_000,
    nonce: '3',
    input: '0x',
    succeeded: true,
  }
  await open(
    `/node/tx/${HASH}`,
    withAnswers((backend) =>
      backend.answer('node.transaction', () => ({ transaction })).answer('node.receipt', () => ({ receipt })),
    ),
  )

  expect(numbers(await rowsOf('receipt', 'Cumulative gas'))).toEqual([29_000, 21_000, 50_000])
})

it('an address outside the keystore adds up like our own', async () => {
  const account = {
    asOf: 42,
    available: String(3n * LAX),
    locked: String(2n * LAX),
    nextUnlock: null,
    nonce: '7',
    codeBytes: 0,
  }
  await open(
    `/node/address/${OTHER_ADDRESS}`,
    withAnswers((backend) => backend.answer('node.address', () => ({ account }))),
  )

  const amounts = (await rowsOf('address-detail', 'Available')).map(([, wei]) => BigInt(wei))

  expect(amounts).toEqual([3n * LAX, 2n * LAX, 5n * LAX])
  expect(screen.getByTestId('because').textContent).toContain('Balance in block 42.')
})

it('calls of JSON-RPC are those of each method, also of methods that are not listed', async () => {
  const methods = Array.from({ length: 20 }, (_, index) => ({
    method: `eth_m${index}`,
    total: 100 - index,
    failed: index < 2 ? 4 : 0,
    lastMinute: 20 - index,
  }))
  await open(
    '/node/rpc',
    withAnswers((backend) => backend.answer('node.rpcTraffic', () => ({ methods }))),
  )

  const rows = await rowsOf('rpc-traffic', 'Last minute')

  expect(rows).toHaveLength(17)
  expect(rows.at(-2)?.[0]).toBe('Other methods')
  const counts = numbers(rows)
  const sum = counts.slice(0, -1).reduce((total, count) => total + count, 0)
  expect([sum, counts.at(-1)]).toEqual([210, 210])
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Failed' })))
  await waitFor(() => expect(screen.getByTestId('why-rows').children).toHaveLength(3))
})

it('requests of an app were allowed or rejected', async () => {
  const caller = {
    id: 'c1',
    transport: 'http' as const,
    host: '127.0.0.1',
    origin: '',
    userAgent: '',
    process: 'node',
    path: '/usr/bin/node',
    firstSeenAt: NOW - DAY,
    lastSeenAt: NOW,
    allowed: 4,
    denied: 2,
    blockedUntil: null,
  }
  await open(
    '/accounts',
    withAnswers((backend) => backend.emit('signer.callers', { callers: [caller], takenAt: NOW })),
  )

  expect(numbers(await rowsOf('caller-c1', '4 allowed, 2 rejected'))).toEqual([4, 2, 6])
})

describe('the morning report', () => {
  const row = (pool: string, shares: number, lax: bigint): EarningsRowView => ({
    pool,
    shares,
    rejected: 0,
    work: 1,
    pricedWork: 1,
    expected: '1',
    hashes: 9,
    expectedShares: shares + 1,
    computed: String(lax * LAX),
  })
  const show = () =>
    open(
      '/activity',
      withAnswers((backend) =>
        backend.emit('miner.reports', {
          reports: [
            {
              from: NOW - DAY,
              to: NOW,
              rows: [row('a.example:1', 60, 2n), row('b.example:1', 40, 1n), row('', 3, 7n)],
              energy: 12.5,
              watchedFrom: NOW - DAY,
              devices: [],
              refused: [
                { reason: 'stale', count: 5 },
                { reason: '', count: 2 },
              ],
              pools: [],
            },
          ],
        }),
      ),
    )

  it('counts the shares of each pool', async () => {
    await show()

    const rows = await rowsOf('day-report', 'Shares accepted')

    expect(rows.map(([label]) => label)).toEqual(['a.example:1', 'b.example:1', 'Total', 'Average for these hashes'])
    expect(numbers(rows)).toEqual([60, 40, 100, 102])
    expect(screen.getByTestId('report-shares').dataset.value).toBe('100')
  })

  it('adds up what the hashes are worth', async () => {
    await show()

    const amounts = (await rowsOf('day-report', /^Average worth/)).map(([, wei]) => BigInt(wei) / LAX)

    expect(amounts).toEqual([2n, 1n, 7n, 10n])
  })

  it('lists every reason for a refused share', async () => {
    await show()

    const rows = await rowsOf('day-report', 'Refused')

    expect(rows.map(([label]) => label)).toEqual(['stale', 'no reason given', 'Total'])
    expect(numbers(rows)).toEqual([5, 2, 7])
  })
})

it('columns of the device table have the part of each device', async () => {
  const devices = [aDevice(), aGpu(1, { powerWatts: 100 }), aGpu(2, { powerWatts: 120 })]
  await open('/gpus', (backend) => {
    fill(backend, devices)
    backend.emit('miner.status', aStatus({ hashrate: { now: 1, s60: 2, m15: 3, effective: null } }))
  })

  await waitFor(() => expect(screen.getByTestId('gpu-total-powerSum').dataset.value).toBe('220'))
  await act(async () =>
    fireEvent.click(screen.getByTestId('gpu-totals').querySelector('[data-column=power] button') as Element),
  )
  const parts = await screen.findByTestId('why-parts')
  const watts = [...parts.children].map((part) =>
    Number(part.querySelector<HTMLElement>('[data-value]')?.dataset.value),
  )
  expect(watts).toEqual([0, 100, 120])
  expect(screen.getByTestId('gpu-total-s60').dataset.value).toBe('2')
})

it('figures of a rig are those of its devices', async () => {
  const gpus = [aRigGpu({ powerWatts: 100 }), aRigGpu({ name: 'RX 6700', powerWatts: 0 })]
  await open(
    '/rigs/a',
    withAnswers((backend) =>
      backend
        .answer('miner.rigHistory', () => ({ stepMs: 1000, firstAt: NOW, values: [], min: [], max: [] }))
        .emit('miner.rigs', someRigs([aRig('a', { figures: someFigures({ gpus, powerWatts: 100 }) })])),
    ),
  )

  expect(await rowsOf('rig-facts', 'Power')).toEqual([
    ['0 RTX 3070', '100'],
    ['1 RX 6700', ''],
  ])
})
