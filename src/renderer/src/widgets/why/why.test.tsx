// Every figure opens what it is made of, and that adds up: each test computes the figure again from what is shown.
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { EarningsRowView } from '../../../../contract/pools'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aPool, aPoolHead } from '../../testing/scripted-pools'
import { aRig, someFigures, someRigs } from '../../testing/scripted-rigs'
import {
  aBalance,
  aBlock,
  aHead,
  aPeer,
  aStatus,
  aSync,
  OTHER_ADDRESS,
  OWN_ADDRESS,
} from '../../testing/scripted-values'
import { buttonIn, rowsOf } from '../../testing/why-rows'
// Preloaded, so that the timeout of a query doesn't include them.
import '../../screens/Accounts/Accounts'
import '../../screens/Node/Node'
import '../../screens/Pools/Pools'
import '../../screens/Rigs/Rigs'
import './BalanceWhy'
import './NodeWhy'
import './SourceWhy'

afterEach(cleanup)

const LAX = 10n ** 18n
const TEN_MINUTES = 600_000
const THIRD = '0x1111111111111111111111111111111111111111'
const POOL_SOURCE = { ...aStatus().source, kind: 'pool', host: 'pool.example:1', difficulty: 5e6 } as const

/** Newest first: of ten blocks five are ours, three another's and two a third's. */
const blocks = Array.from({ length: 200 }, (_, age) =>
  aBlock(200 - age, {
    time: NOW - age * TEN_MINUTES,
    miner: age % 10 < 5 ? OWN_ADDRESS : age % 10 < 8 ? OTHER_ADDRESS : THIRD,
  }),
)

const earned = (pool: string, lax: bigint): EarningsRowView => ({
  pool,
  shares: 400,
  rejected: 2,
  work: 4e11,
  pricedWork: 4e11,
  expected: String(lax * LAX),
  hashes: 4.2e11,
  expectedShares: 410,
  computed: String(lax * LAX),
})

/** Mines on a pool beside an own node. */
function mining(backend: ScriptedBackend): void {
  fill(backend)
  backend
    .answer('node.blocks', ({ from, count }) => {
      const first = from === null ? 0 : 200 - from
      return { blocks: blocks.slice(first, first + count) }
    })
    .answer('node.addressHistory', () => ({ transactions: [], newest: 200, oldest: 0 }))
    .answer('signer.audit', () => ({ rows: [] }))
    .answer('signer.policies', () => ({ policies: [] }))
    .answer('signer.policyMatches', () => ({ matches: [] }))
    .answer('miner.earnings', () => ({
      from: NOW - TEN_MINUTES,
      firstAt: NOW - TEN_MINUTES,
      rows: [earned('pool.example:1', 8n), earned('other.example:1', 3n)],
    }))
    .emit('node.head', aHead({ head: aBlock(200), nextDifficulty: '1000000', targetSpacingSeconds: 600, peers: 3 }))
    .emit('node.balances', {
      asOf: 200,
      accounts: [aBalance({ locked: String(250n * LAX), nextUnlock: { height: 201, amount: String(50n * LAX) } })],
      takenAt: NOW,
    })
    .emit('node.sync', aSync({ phase: 'idle' }))
    .emit('node.peers', {
      self: null,
      maxPeers: 50,
      peers: [aPeer(), aPeer({ direction: 'inbound' }), aPeer({ direction: 'inbound' })],
      bans: [],
      takenAt: NOW,
    })
    .emit('miner.pools', {
      kind: 'pools',
      pools: [
        aPool(0, {
          host: 'pool.example:1',
          active: true,
          difficulty: 5e6,
          shares: { accepted: 90, rejected: 7, lost: 3 },
          latency: { count: 40, medianMs: 41, p95Ms: 80 },
        }),
      ],
      takenAt: NOW,
    })
    .emit('miner.poolHead', aPoolHead())
    .emit('miner.status', aStatus({ source: POOL_SOURCE }))
}

const type = (testId: string, value: string) =>
  act(async () => void fireEvent.change(screen.getByTestId(testId), { target: { value } }))

describe('the calculator', () => {
  it('multiplies blocks of a day by the reward', async () => {
    await open('/pools', mining)

    const rows = await rowsOf('calculator', 'Solo: average per day')

    const [rate = 0, difficulty = 0, good = 0, found = 0] = rows.map(([, value]) => Number(value))
    expect(rate).toBe(13_950)
    expect(difficulty).toBe(1_000_000)
    expect(good).toBe((rate * 86_400) / difficulty)
    // No more than the chain's pace: 144 blocks of ten minutes.
    expect(found).toBe(Math.min(144, good))
    expect(rows[4]?.[1]).toBe(String(50n * LAX))
    expect(rows[5]).toEqual(['Expected per day', String(7_200n * LAX)])
    expect(screen.getByTestId('calculator-solo').dataset.value).toBe(rows[5]?.[1])
  })

  it('takes the fee off the average', async () => {
    await open('/pools', mining)
    await type('calculator-fee', '2')

    const [solo, fee, pool] = await rowsOf('calculator', /^Pool: per day/)

    expect(fee?.[0]).toBe('Pool fee, 2.0%')
    expect(BigInt(solo?.[1] ?? 0) - BigInt(fee?.[1] ?? 0)).toBe(BigInt(pool?.[1] ?? 0))
    expect(pool?.[1]).toBe(String(7_056n * LAX))
  })

  it('divides the difficulty by the hashrate, as typed', async () => {
    await open('/pools', mining)
    await type('calculator-hashrate', '2k')

    expect(await rowsOf('calculator', 'Solo: average time per block')).toEqual([
      ['Network difficulty', '1000000'],
      ['Hashrate', '2000'],
      ['Average time per block', '500'],
    ])
  })

  it('gives each wait its chance', async () => {
    await open('/pools', mining)
    await type('calculator-hashrate', '1000')

    const rows = await rowsOf('calculator', /^Solo: 10 \/ 50 \/ 90/)

    const chances = rows.slice(1).map(([, seconds]) => 1 - Math.exp(-Number(seconds) / 1_000))
    expect(chances.map((chance) => Math.round(100 * chance))).toEqual([10, 50, 90])
  })

  it('charges the power of a day at the price', async () => {
    await open('/pools', mining)
    await type('calculator-watts', '500')
    await type('calculator-tariff', '0.285')

    expect(await rowsOf('calculator', 'Power cost per day')).toEqual([
      ['Power', '500'],
      ['Energy per day', '12'],
      ['Price per kWh', '0.285 EUR'],
      ['Power cost per day', '3.42 EUR'],
    ])
  })
})

describe('a pool', () => {
  it('counts every share it was sent', async () => {
    await open('/pools', mining)

    const rows = await rowsOf('pool-row-0', 'Accepted')

    const counts = rows.map(([, value]) => Number(value))
    expect(rows.map(([label]) => label)).toEqual(['Accepted', 'Rejected', 'Unanswered', 'Total'])
    expect(counts.slice(0, 3).reduce((sum, count) => sum + count, 0)).toBe(counts[3])
    expect(screen.getByTestId('pool-why-0').textContent).toContain('(90%)')
  })

  it('says how often a share of its difficulty is found, and closes again', async () => {
    await open('/pools', mining)

    const rows = await rowsOf('pool-row-0', 'Difficulty')

    expect(rows.map(([, value]) => Number(value))).toEqual([5e6, 13_950, 5e6 / 13_950])
    const button = buttonIn(screen.getByTestId('pool-row-0'), 'Difficulty')
    expect(button?.getAttribute('aria-expanded')).toBe('true')
    await act(async () => void (button && fireEvent.click(button)))
    expect(screen.queryByTestId('pool-why-0')).toBeNull()
  })

  it('says how many answers its latency is measured on', async () => {
    await open('/pools', mining)

    expect(await rowsOf('pool-row-0', 'Latency')).toEqual([
      ['Median', '41\u00a0ms'],
      ['95th percentile', '80\u00a0ms'],
      ['Answers measured', '40'],
    ])
  })
})

it('the pool’s head has the job beside the head, and all delays', async () => {
  await open('/pools', mining)

  const rows = await rowsOf('pool-head-check', 'Pool is mining block')
  expect(rows.map(([label]) => label)).toEqual([
    'Mining block',
    'Job received',
    'Your node’s latest block',
    'Block received',
  ])
  expect([rows[0]?.[1], rows[2]?.[1]]).toEqual(['201', '200'])
  await act(async () => buttonIn(screen.getByTestId('pool-head-check'), 'Pool is mining block')?.click())
  expect(await rowsOf('pool-head-check', 'New work after a block (median)')).toEqual([
    ['After the latest block', '800\u00a0ms'],
    ['Median', '420\u00a0ms'],
    ['95th percentile', '2.2\u00a0s'],
    ['Blocks measured', '12'],
  ])
})

it('the block finders add up to all blocks counted', async () => {
  await open('/pools', mining)
  await waitFor(() => expect(within(screen.getByTestId('dominance')).getAllByRole('table')).toHaveLength(2))

  const [, week] = screen.getAllByText('Share', { selector: 'button' })
  await act(async () => week?.click())

  const counts = [...screen.getByTestId('why-rows').children].map((row) => Number(row.lastElementChild?.textContent))
  expect(counts).toEqual([100, 60, 40, 200])
})

describe('the node', () => {
  it('has its peers by direction', async () => {
    await open('/node', mining)

    const counts = (await rowsOf('shell', 'Peers')).map(([, value]) => Number(value))

    expect(counts.slice(0, 3)).toEqual([1, 2, 3])
  })

  it('says by how much the difficulty changes', async () => {
    await open('/node', mining)

    const [latest, change, next] = await rowsOf('shell', 'Next difficulty')

    expect([latest?.[1], next?.[1]]).toEqual(['71300', '1000000'])
    expect(change?.[1]).toBe('+1,303%')
  })
})

describe('an account', () => {
  it('has every locked reward, and they add up to what is locked', async () => {
    await open(`/accounts/${OWN_ADDRESS}`, mining)

    const rows = await rowsOf(`account-${OWN_ADDRESS}`, 'Locked')

    const amounts = rows.map(([, wei]) => BigInt(wei))
    const [sum = 0n, ...parts] = amounts.reverse()
    expect(rows.map(([label]) => label)).toEqual([
      'at block 206',
      'at block 207',
      'at block 208',
      '2 later rewards',
      'Total',
    ])
    expect(parts.reduce((total, wei) => total + wei, 0n)).toBe(sum)
    expect(String(sum)).toBe(screen.getByTestId(`balance-locked-${OWN_ADDRESS}`).dataset.value)
  })

  it('adds what is locked to what is available', async () => {
    await open(`/accounts/${OWN_ADDRESS}`, mining)

    const [available, locked, total] = await rowsOf(`account-${OWN_ADDRESS}`, 'Available')

    expect(BigInt(available?.[1] ?? 0) + BigInt(locked?.[1] ?? 0)).toBe(BigInt(total?.[1] ?? 0))
    expect(screen.getByTestId('because').textContent).toContain('Balance in block 200.')
  })
})

it('totals of rigs are those of the rigs that are online', async () => {
  const rigs = [
    aRig('a', { figures: someFigures({ hashrate: { now: 1e6, s60: 1e6, m15: 1e6, effective: 1e6 } }) }),
    aRig('b', { figures: someFigures({ hashrate: { now: 2e6, s60: 2e6, m15: 2e6, effective: 2e6 } }) }),
    aRig('c', { online: false }),
  ]
  await open('/rigs', (backend) => {
    mining(backend)
    backend.emit('miner.rigs', someRigs(rigs))
  })

  const rows = await rowsOf('rigs-totals', 'Hashrate')

  expect(rows).toEqual([
    ['a', '1000000'],
    ['b', '2000000'],
    ['c', 'offline'],
  ])
  expect(screen.getByTestId('rigs-hashrate').dataset.value).toBe('3000000')
})

it.each(['/pools', '/node', '/rigs', `/accounts/${OWN_ADDRESS}`])(
  'each figure on %s opens words without gaps',
  async (path) => {
    await open(path, (backend) => {
      mining(backend)
      backend.emit('miner.rigs', someRigs([aRig('a')]))
    })
    await screen.findByRole('heading', { level: 1 })
    const buttons = (): readonly HTMLElement[] => [
      ...document.querySelectorAll<HTMLElement>(
        'dt button[aria-expanded], th button[aria-expanded], td button[aria-expanded]',
      ),
    ]
    await waitFor(() => expect(buttons().length).toBeGreaterThan(2))

    for (const button of buttons()) {
      await act(async () => void fireEvent.click(button))
      const words = await waitFor(() => {
        const text = screen.getByTestId('because').textContent ?? ''
        expect(text.length, button.textContent ?? '').toBeGreaterThan(20)
        return text
      })
      expect(words).not.toMatch(/NaN|undefined|ui\.|\{/)
      await act(async () => void fireEvent.click(button))
    }
  },
)
