import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { AddressHistoryView } from '../../../../contract/explorer'
import type { EarningsView, PoolHeadView, PoolsView } from '../../../../contract/pools'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aPool, aPoolHead } from '../../testing/scripted-pools'
import { aBlock, aHead, aStatus, aSync, hashOf, OTHER_ADDRESS, OWN_ADDRESS } from '../../testing/scripted-values'
// Preloaded, so that the timeout of a query doesn't include it; the application loads them on their first visit.
import './Pools'

afterEach(cleanup)

const LAX = 10n ** 18n
const DAY_MS = 86_400_000
const TEN_MINUTES = 600_000
const POOL = '0x1111111111111111111111111111111111111111'

const THE_POOL = aPool(0, { host: 'pool.example:1', user: OWN_ADDRESS })

const blocks = Array.from({ length: 200 }, (_, age) =>
  aBlock(200 - age, { time: NOW - age * TEN_MINUTES, miner: age % 4 === 0 ? POOL : OTHER_ADDRESS }),
)

const EARNED: EarningsView = {
  from: NOW - DAY_MS,
  firstAt: NOW - 20 * DAY_MS,
  rows: [
    {
      pool: 'pool.example:1',
      shares: 400,
      rejected: 2,
      work: 4e11,
      pricedWork: 4e11,
      expected: String(8n * LAX),
      hashes: 4.2e11,
      expectedShares: 410,
      computed: '0',
    },
  ],
}

const aPayment = {
  hash: hashOf('b'),
  from: POOL,
  to: OWN_ADDRESS,
  value: String(7n * LAX),
  nonce: '1',
  gasPrice: '1',
  gasUsed: 21_000,
  succeeded: true,
  blockNumber: 150,
  input: '0x',
}

function prepared(change: Partial<PoolsView['pools'][number]> = {}, kind: PoolsView['kind'] = 'pools') {
  return (backend: ScriptedBackend): void => {
    fill(backend)
    backend
      .answer('node.blocks', ({ from, count }) => {
        const first = from === null ? 0 : 200 - from
        return { blocks: blocks.slice(first, first + count) }
      })
      .answer('node.addressHistory', ({ from }): AddressHistoryView => {
        const newest = from ?? 200
        const oldest = Math.max(1, newest - 60)
        const isIn = aPayment.blockNumber <= newest && aPayment.blockNumber >= oldest
        return { transactions: isIn ? [aPayment] : [], newest, oldest }
      })
      .answer('miner.earnings', () => EARNED)
      .emit('node.head', aHead({ head: aBlock(200), nextDifficulty: '1000000000000' }))
      .emit('miner.pools', { kind, pools: [{ ...THE_POOL, ...change }], takenAt: NOW })
      .emit('miner.poolHead', aPoolHead())
      .emit('miner.status', aStatus({ source: { ...aStatus().source, kind: 'pool', host: 'pool.example:1' } }))
  }
}

describe('the pool’s head', () => {
  it('shows where the job stands and how soon work comes after a new head', async () => {
    await open('/pools', prepared())

    expect((await screen.findByTestId('pool-head-state')).textContent).toBe('Up to date')
    expect(screen.getByTestId('pool-head-p50').textContent).toBe('420\u00a0ms or less')
    expect(screen.getByTestId('pool-head-p95').textContent).toBe('2.2\u00a0s or less')
    expect(screen.getByTestId('pool-head-check').textContent).toContain('Stratum jobs don’t name their parent block')
  })

  it.each<[Partial<PoolHeadView>, string]>([
    [{ state: 'behind', since: NOW - 12_000 }, 'Behind by 12\u00a0s'],
    [{ state: 'noJob', since: NOW - 61_000, job: null }, 'No job for 1\u00a0min 1\u00a0s'],
    [{ state: 'unknown', why: 'noNode', head: null }, 'Unknown: no node of your own to compare with'],
    [{ state: 'unknown', why: 'oldHead' }, 'Unknown: your node’s latest block is old'],
    [{ state: 'ahead' }, 'Ahead of your node, which may be syncing'],
  ])('says %j as "%s"', async (change, text) => {
    const { backend } = await open('/pools', prepared())

    act(() => void backend.emit('miner.poolHead', aPoolHead(change)))

    expect(screen.getByTestId('pool-head-state').textContent).toBe(text)
  })

  it('says so if the pool was first', async () => {
    const { backend } = await open('/pools', prepared())

    act(
      () =>
        void backend.emit(
          'miner.poolHead',
          aPoolHead({ delays: { count: 1, p50Ms: -300, p95Ms: -300, lastMs: -300 } }),
        ),
    )

    expect(screen.getByTestId('pool-head-p50').textContent).toBe('300\u00a0ms before your node')
  })
})

describe('who finds the blocks', () => {
  it("is shown with its range, and with the counts behind the pool's warning", async () => {
    const { backend } = await open('/pools', prepared())
    await screen.findByTestId('dominance')
    expect(screen.queryByTestId('dominance-pool')).toBeNull()

    act(() => void backend.emit('miner.poolHead', aPoolHead({ coinbases: [POOL.toUpperCase().replace('0X', '0x')] })))

    const [few, many] = screen.getAllByTestId('dominance-pool')
    expect(few?.textContent).toContain('36 of the last 144 blocks, 25% (95% range 19% to 33%)')
    expect(many?.textContent).toContain('50 of the last 200 blocks')
    expect(screen.getByTestId('dominance').textContent).toContain('this pool')
  })
})

describe('payouts', () => {
  it('are compared with the value of accepted shares, with a range and its basis', async () => {
    await open('/pools', prepared())

    expect((await screen.findByTestId('payout-verdict')).dataset.state).toBe('within')
    expect(screen.getByTestId('payout-expected').dataset.value).toBe(String(8n * LAX))
    expect(screen.getByTestId('payout-received').dataset.value).toBe(String(7n * LAX))
    expect(screen.getByTestId('payout-basis').textContent).toContain('Blocks 57 to 200')
    expect(screen.getByTestId('payout-basis').textContent).toContain('400 accepted shares')
    expect(screen.getByTestId('payout-basis').textContent).toContain('36 blocks')
    expect(screen.getByTestId('payouts').textContent).toContain('Not included: pool fees')
  })

  it('are searched down to the end of the window, and only new blocks are read again', async () => {
    const { backend } = await open('/pools', prepared())
    await screen.findByTestId('payout-verdict')
    const asked = () => backend.calls.flatMap(({ name, params }) => (name === 'node.addressHistory' ? [params] : []))
    expect(asked()).toEqual([
      { address: OWN_ADDRESS, from: null },
      { address: OWN_ADDRESS, from: 139 },
      { address: OWN_ADDRESS, from: 78 },
    ])

    await act(async () => void backend.emit('node.head', aHead({ head: aBlock(201) })))

    expect(asked().slice(3)).toEqual([{ address: OWN_ADDRESS, from: null }])
    expect(screen.getByTestId('payout-received').dataset.value).toBe(String(7n * LAX))
  })

  it('are unknown without an address, until one is entered, which is saved', async () => {
    const { storage } = await open('/pools', prepared({ user: 'somebody' }))
    expect((await screen.findByTestId('payouts-missing')).dataset.state).toBe('noAddress')
    const field = screen.getByTestId('payout-address')

    fireEvent.change(field, { target: { value: '0x12' } })
    expect(field.getAttribute('aria-invalid')).toBe('true')
    await act(async () => void fireEvent.change(field, { target: { value: ` ${OWN_ADDRESS} ` } }))

    expect((await screen.findByTestId('payout-received')).dataset.value).toBe(String(7n * LAX))
    expect([...storage.values()].join()).toContain(OWN_ADDRESS)
  })

  it('are unknown while the node is behind, and without a node', async () => {
    const { backend } = await open('/pools', prepared())
    await screen.findByTestId('payout-verdict')

    act(() => void backend.emit('node.sync', aSync()))
    expect(screen.getByTestId('payouts-missing').dataset.state).toBe('syncing')
    act(() => void backend.emit('node.head', aHead({ state: 'stopped', head: null })))

    expect(screen.getByTestId('payouts-missing').dataset.state).toBe('noNode')
  })

  it('say that nothing was recorded', async () => {
    await open('/pools', (backend) => {
      prepared()(backend)
      backend.answer('miner.earnings', () => ({ from: 0, firstAt: null, rows: [] }))
    })

    expect((await screen.findByTestId('payouts-missing')).dataset.state).toBe('noRecord')
  })

  it('say when the record could not be read, until it can', async () => {
    const { pass } = await open('/pools', (backend) => {
      prepared()(backend)
      let asked = 0
      backend.answer('miner.earnings', () => {
        asked += 1
        if (asked === 1) throw new Error('the record is broken')
        return EARNED
      })
    })

    expect((await screen.findByTestId('payouts')).textContent).toContain('the record is broken')
    await pass(61_000)
    expect(screen.getByTestId('payout-verdict')).toBeTruthy()
  })

  it('say when the chain could not be read', async () => {
    await open('/pools', (backend) => {
      prepared()(backend)
      backend.answer('node.addressHistory', () => {
        throw new Error('worker gone')
      })
    })

    expect((await screen.findByText('Can’t read payments')).closest('section')?.textContent).toContain('worker gone')
  })
})

describe('the calculator', () => {
  const type = (name: string, value: string): void =>
    void fireEvent.change(screen.getByTestId(`calculator-${name}`), { target: { value } })

  it('takes typed values, and shows waits, fee and power cost', async () => {
    await open('/pools', prepared())
    await screen.findByTestId('calculator')

    type('hashrate', '100 M')
    type('difficulty', '864 G')
    type('watts', '250')
    type('tariff', '0,5')
    type('fee', '2')

    expect(screen.getByTestId('calculator-mean').dataset.value).toBe('8640')
    expect(screen.getByTestId('calculator-waits').textContent).toBe(
      '15\u00a0min 10\u00a0s / 1\u00a0h 39\u00a0min / 5\u00a0h 31\u00a0min',
    )
    expect(screen.getByTestId('calculator-solo').dataset.value).toBe(String(500n * LAX))
    expect(screen.getByTestId('calculator-pool').dataset.value).toBe(String(490n * LAX))
    expect(screen.getByTestId('calculator-cost').textContent).toBe('3.00 EUR')
    expect(screen.getByTestId('calculator-per-lax').textContent).toBe('0.01 EUR / 0.01 EUR')
  })

  it("names what isn't a number, and what is missing", async () => {
    await open('/pools', prepared())
    await screen.findByTestId('calculator')

    type('hashrate', 'fast')
    type('fee', '100')

    expect(screen.getByTestId('calculator-hashrate').getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByTestId('calculator-fee').getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByTestId('calculator').textContent).toContain('Enter a hashrate and a difficulty')
  })
})
