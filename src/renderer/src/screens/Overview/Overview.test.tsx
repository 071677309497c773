// The overview: what it earned, how much of it was chance, what was lost, and what to do about it.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { HeadframeError } from '../../../../base/errors'
import type { MoneyView } from '../../../../contract/money'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aLossRow, aMoney, anIncident, aPeriod, known, lax } from '../../testing/scripted-money'
import { aPool, show } from '../../testing/scripted-pools'
import { aDevice, aGpu, anInfo, aStatus } from '../../testing/scripted-values'
// Preloaded; the application loads them after the first figures.
import './DeviceStrip'
import './Flow'
import './Stopped'
import './Timeline'
import '../../app/shell/IncidentsSheet'
import { byModel } from './Flow'

afterEach(cleanup)

const MISSING = { value: null, missing: 'too-early' } as const
const earning =
  (money: Partial<MoneyView> = {}, more: (backend: ScriptedBackend) => void = () => undefined) =>
  (backend: ScriptedBackend): void => {
    fill(backend)
    backend.answer('miner.money', () => aMoney({ takenAt: NOW, ...money }))
    more(backend)
  }
const text = (testId: string) => screen.getByTestId(testId).textContent?.replaceAll('\u00a0', ' ')

describe('income', () => {
  it('is the figure of the period, with its luck, the next block and the margin', async () => {
    await open('/', earning())

    expect((await screen.findByTestId('earned')).dataset.value).toBe('200010000000000000000')
    expect(text('earned')).toBe('200.01LAX')
    expect(screen.getByText(/4 blocks, luck normal/)).toBeTruthy()
    expect(screen.getByText(/Next block: even odds by/)).toBeTruthy()
    expect(screen.getByTestId('luck').dataset.value).toBe('93')
    expect(screen.getByTestId('margin').dataset.value).toBe('1.44')
    expect(text('margin')).toContain('€1.44')
    expect(text('margin')).toContain('44% of income')
    expect(screen.getByTestId('expected-day').dataset.value).toBe('7140000000000000000')
    expect(screen.getByTestId('effort').dataset.value).toBe('38')
  })

  it('says what isn’t measured, and never 0', async () => {
    const total = { ...aPeriod().total, income: MISSING, expectedIncome: MISSING }
    const early = aPeriod({
      total: { ...total, luck: { found: 0, mean: 0.1, low: 0, high: 1, verdict: 'early' } },
      margin: { income: MISSING, expectedIncome: MISSING, margin: { value: null, missing: 'no-lax-price' } },
    })
    await open(
      '/',
      earning({
        whole: early,
        periods: [early],
        effort: MISSING,
        forecast: {
          blocksPerDay: MISSING,
          incomePerDay: MISSING,
          nextBlock: { median: MISSING, early: MISSING, late: MISSING },
        },
      }),
    )

    expect((await screen.findByTestId('earned')).textContent).toBe('Measuring')
    for (const testId of ['earned', 'earned-today', 'expected-day', 'effort', 'luck', 'margin'])
      expect(screen.getByTestId(testId).dataset.value, testId).toBe('')
    expect(text('luck')).toBe('Measuring')
    expect(text('expected-day')).toBe('Expected a day –')
    expect(screen.getByTestId('set-price').getAttribute('href')).toBe('#/settings/mining')
  })

  it('of a pool says which part of the work has a value', async () => {
    const { total } = aPeriod()
    const { source } = aStatus()
    const whole = aPeriod({ total: { ...total, pricedPart: 0.876 } })
    const isPool = aStatus({ source: { ...source, kind: 'pool', host: 'pool.example:1' } })
    await open(
      '/',
      earning({ whole }, (scripted) => scripted.emit('miner.status', isPool)),
    )

    expect((await screen.findByTestId('priced')).textContent).toContain('Only 87% of the work is valued')
  })

  it.each([
    ['no-power-price', 'no-lax-price', 'Set a power price'],
    [null, 'no-lax-price', 'Set a LAX price'],
  ] as const)('asks for the price that is missing first: %s, %s', async (power, missing, words) => {
    const period = aPeriod()
    const cost = power === null ? known(1.8) : { value: null, missing: power }
    const whole = aPeriod({
      energy: { ...period.energy, cost },
      margin: { ...period.margin, margin: { value: null, missing } },
    })
    await open('/', earning({ whole }))

    expect((await screen.findByTestId('set-price')).textContent).toBe(words)
  })

  it('names what isn’t in it: blocks that the chain replaced, and what rigs mined for the node', async () => {
    const { total } = aPeriod()
    const rigs = { ...total, income: lax(50_000) }
    await open('/', earning({ whole: aPeriod({ total: { ...total, sideBlocks: known(1) }, rigs }) }))

    expect((await screen.findByTestId('side-blocks')).textContent).toBe('1 block didn’t stay in the chain: not counted')
    expect(text('rigs-income')).toBe('Your rigs, not included: 50.00 LAX')
    cleanup()
    await open('/', earning())
    await screen.findByTestId('earned')
    expect([screen.queryByTestId('side-blocks'), screen.queryByTestId('rigs-income')]).toEqual([null, null])
  })

  it('of a pool is that of its shares, without a block', async () => {
    await open(
      '/',
      earning({}, (backend) => {
        show(backend, [aPool(0)])
        const { source } = aStatus()
        backend.emit('miner.status', aStatus({ source: { ...source, kind: 'pool', host: 'pool.example:1' } }))
      }),
    )

    expect(await screen.findByText(/4 shares, luck normal/)).toBeTruthy()
    expect(screen.queryByTestId('effort')).toBeNull()
    expect(screen.getByTestId('health').textContent).toContain('Mining to a pool')
  })

  it('keeps the chosen period on this device', async () => {
    const { backend, storage } = await open('/', earning())
    await screen.findByTestId('earned')

    await act(
      async () =>
        void fireEvent.click(within(screen.getByRole('group', { name: 'Period of income' })).getByLabelText('7 d')),
    )

    expect(storage.get('headframe.preferences')).toContain('"incomeSpan":"7d"')
    expect(backend.calls.filter(({ name }) => name === 'miner.money').length).toBeGreaterThan(2)
  })

  it('is asked for once for each period, however many parts show it', async () => {
    const { backend, clock } = await open('/', earning())
    await screen.findByTestId('earned')
    await screen.findByLabelText('Blocks found')
    const asked = () =>
      backend.calls.flatMap(({ name, params }) => (name === 'miner.money' ? [JSON.stringify(params)] : []))

    expect(asked()).toHaveLength(new Set(asked()).size)
    const before = asked().length
    await act(async () => clock.advance(30_000))

    const again = asked().slice(before)
    expect(again.length).toBeGreaterThan(0)
    expect(again).toHaveLength(new Set(again).size)
  })
})

describe('losses', () => {
  const rows = [
    aLossRow({ hashes: 1.2e7, income: lax(90) }),
    aLossRow({ cause: 'paused', kind: 'planned', reason: 'Api request', hashes: 8e6, income: lax(60) }),
  ]
  const losing = aPeriod({ losses: { ...aPeriod().losses, rows } })

  it('add up to the figure beside them', async () => {
    await open('/', earning({ whole: losing }))

    const found = await screen.findAllByTestId('losses-row')
    const sum = found.reduce((total, row) => total + Number(row.dataset.value), 0)
    expect(sum).toBe(Number(screen.getByTestId('losses').dataset.value))
    expect(text('losses')).toContain('Lost 2.0%')
    expect(text('losses')).toContain('0.150LAX')
    expect(found.map((row) => row.dataset.state)).toEqual(['heat', 'planned'])
  })

  it('are no part of what is usual while little of the work was watched', async () => {
    const losses = { ...losing.losses, usualHashes: known(3e7), lostHashes: known(2.8e7) }
    await open('/', earning({ whole: { ...losing, losses } }))

    await screen.findAllByTestId('losses-row')
    expect(text('losses')).toMatch(/^Lost0/)
  })

  it('name the devices as everywhere else', async () => {
    const devices = [0, 1].map((index) => ({ index, name: 'a device' }))
    const whole = aPeriod({ losses: { ...aPeriod().losses, rows: [aLossRow({ devices })] } })
    await open(
      '/',
      earning({ whole }, (backend) => backend.emit('miner.devices', { devices: [aDevice(), aGpu(1)], takenAt: NOW })),
    )

    expect((await screen.findAllByTestId('losses-row'))[0]?.textContent).toContain('CPU and GPU 1, ')
  })

  it('of shares last from the first to the last of them', async () => {
    const refused = { cause: 'rejected', kind: 'work', ms: 0, from: NOW - 700_000 } as const
    const rows = [aLossRow({ ...refused, to: NOW - 100_000 }), aLossRow({ ...refused, to: NOW - 700_000 })]
    await open('/', earning({ whole: aPeriod({ losses: { ...aPeriod().losses, rows } }) }))

    const [many, one] = await screen.findAllByTestId('losses-row')
    expect(many?.textContent).toMatch(/, 10\u00a0min$/)
    expect(one?.textContent).toMatch(/\d\d:\d\d$/)
  })

  it('read as the figure above when there is only one', async () => {
    const rows = [aLossRow({ cause: 'stale', kind: 'work', income: lax(50_000) })]
    await open('/', earning({ whole: aPeriod({ losses: { ...aPeriod().losses, rows, lostIncome: lax(50_000) } }) }))

    const [row] = await screen.findAllByTestId('losses-row')
    expect(row?.textContent).toMatch(/50\.00(?!\d)/)
    expect(text('losses')).toContain('50.00LAX')
  })

  it('add up with those that have no room, too', async () => {
    const causes = ['heat', 'error', 'silent', 'slow', 'no-work', 'stale', 'off'] as const
    const many = causes.map((cause, place) => aLossRow({ cause, hashes: 1e6 * (place + 1), income: lax(10) }))
    const losses = { ...aPeriod().losses, rows: many, lostHashes: known(28e6) }
    await open('/', earning({ whole: aPeriod({ losses }) }))

    const found = [...(await screen.findAllByTestId('losses-row')), screen.getByTestId('losses-more')]
    expect(found).toHaveLength(5)
    expect(found.reduce((total, row) => total + Number(row.dataset.value), 0)).toBe(28e6)
  })

  it('open the incident that they belong to', async () => {
    await open(
      '/',
      earning({ whole: losing }, (backend) =>
        backend
          .answer('miner.incidentHistory', () => ({ incidents: [], total: 0 }))
          .emit('miner.incidents', {
            open: [anIncident({ level: 'attention' })],
            recent: [],
            takenAt: NOW,
          }),
      ),
    )

    await act(async () => void fireEvent.click((await screen.findAllByTestId('losses-row'))[0] as HTMLElement))

    const sheet = within(await screen.findByTestId('incidents'))
    expect(sheet.getByTestId('incident-hot').textContent).toContain('Core at 90 °C')
  })
})

describe('a problem that stops all income', () => {
  it('takes the place of the income, with its price and one action', async () => {
    const { backend } = await open(
      '/',
      earning({}, (scripted) => {
        show(scripted, [aPool(0), aPool(1, { active: false, state: 'idle', host: 'backup.example:2' })])
        scripted
          .answer('miner.poolActivate', () => ({}))
          .emit('miner.incidents', {
            open: [
              anIncident({
                cause: 'pool-trouble',
                kind: 'work',
                pool: 'pool.example:1',
                values: { host: 'pool.example:1', trouble: 'share-unauthorized', answer: 'unauthorized worker' },
              }),
            ],
            recent: [],
            takenAt: NOW,
          })
      }),
    )

    expect((await screen.findByTestId('stopped')).textContent).toContain('Nothing earned since')
    expect(text('stopped')).toContain('0.098 LAX')
    expect(text('stopped')).toContain('unauthorized worker')
    expect(screen.queryByTestId('earned')).toBeNull()
    expect(screen.getByTestId('health').textContent).toContain('Earning nothing')
    await act(async () => void fireEvent.click(screen.getByTestId('incident-switch')))

    expect(backend.calls.at(-1)).toEqual({ name: 'miner.poolActivate', params: { index: 1, shown: aPool(1).url } })
  })
})

describe('the devices', () => {
  it('are tiles that link to their pages, and cells from thirteen on', async () => {
    const { backend } = await open('/', earning())
    expect((await screen.findByTestId('tile-0')).querySelector('a')?.getAttribute('href')).toBe('#/gpus/0')

    const many = Array.from({ length: 13 }, (_, index) => aGpu(index))
    await act(async () => void backend.emit('miner.devices', { devices: many, takenAt: NOW }))

    expect(screen.getByTestId('tile-12').textContent).toBe('12')
  })

  it.each([1, 13])('whose readings are old say so, as one of %i', async (count) => {
    const old = Array.from({ length: count }, (_, index) => aGpu(index, { takenAt: NOW - 3_600_000 }))
    await open('/', (backend) => {
      earning()(backend)
      backend.emit('miner.devices', { devices: old, takenAt: NOW })
    })

    const tile = await screen.findByTestId('tile-0')
    expect(`${tile.textContent} ${tile.getAttribute('aria-label')}`).toMatch(/1\sh ago/)
  })

  it('that failed say so', async () => {
    await open('/', (backend) => {
      earning()(backend)
      backend.emit('miner.devices', { devices: [aGpu(0, { state: 'error', error: 'lost' })], takenAt: NOW })
    })

    expect((await screen.findByTestId('tile-0')).textContent).toContain('lost')
  })
})

it('the ledger’s silence is said', async () => {
  const known14 = known(14_230)
  await open(
    '/',
    earning({
      devices: [{ index: 0, name: 'EPYC 7763', usualHashrate: known14, usualHashes: known14, lostHashes: known(0) }],
      firstAt: null,
    }),
  )

  expect((await screen.findByTestId('hashrate')).dataset.value).toBe('14230')
  expect(screen.getByTestId('losses').textContent).toContain('Nothing lost')
})

describe('power that not every device reports', () => {
  const metered = (meteredPart: number, devices: Parameters<typeof fill>[1]) => (backend: ScriptedBackend) => {
    fill(backend, devices)
    const whole = aPeriod()
    backend.answer('miner.money', () =>
      aMoney({ takenAt: NOW, whole: { ...whole, energy: { ...whole.energy, meteredPart } } }),
    )
  }
  const silent = aGpu(1, { powerWatts: null, meanPowerWatts: null })

  it.each([
    ['in the period', metered(0.6, [aGpu(0), aGpu(1)])],
    ['now', metered(1, [aGpu(0), silent])],
  ])('%s is said beside its cost and the margin', async (_name, prepare) => {
    await open('/', prepare)

    expect(text('margin')).toContain('Without devices that don’t report their power')
  })

  it('is no matter where all report it, or none does', async () => {
    await open('/', metered(1, [aGpu(0), aGpu(1)]))
    expect(text('margin')).not.toContain('Without devices')
    cleanup()

    await open('/', metered(1, [silent]))
    expect(text('margin')).not.toContain('Without devices')
  })
})

describe('a ledger that can’t be read', () => {
  const broken = (backend: ScriptedBackend): void => {
    fill(backend)
    let asked = 0
    backend.answer('miner.money', () => {
      asked += 1
      if (asked <= 8) throw new Error('the ledger is broken')
      return aMoney({ takenAt: NOW })
    })
  }

  it('is said with its reason, and read again', async () => {
    const { pass } = await open('/', broken)

    expect(screen.getByText(/the ledger is broken/)).toBeTruthy()
    for (let turn = 0; turn < 4; turn++) await pass(31_000)
    expect(screen.queryByText(/the ledger is broken/)).toBeNull()
    expect(screen.getByTestId('earned').dataset.value).toBe('200010000000000000000')
  })

  it('is none where this run neither mines nor serves rigs: only that is said', async () => {
    await open('/', (backend) => {
      fill(backend)
      backend.emit('miner.status', aStatus({ state: 'off' })).answer('miner.money', () => {
        throw new HeadframeError('HOST_SERVICE_OFF', 'Headframe was started without the miner', {})
      })
    })

    expect(screen.getByText('The miner is off')).toBeTruthy()
    for (const words of [/Can’t read/, /Hashrate/, /Lost/]) expect(screen.queryByText(words)).toBeNull()
  })

  it('is said beside figures that were read before', async () => {
    const { backend, pass } = await open('/', earning())
    backend.answer('miner.money', () => {
      throw new Error('the ledger is broken')
    })
    await pass(31_000)

    expect(screen.getByText(/the ledger is broken/)).toBeTruthy()
    expect(screen.getByTestId('earned')).toBeTruthy()
  })

  it('isn’t asked for by a link that hides money: nothing stays loading', async () => {
    const { backend } = await open('/', (scripted) => {
      broken(scripted)
      const link = { hides: true, expiresAt: NOW + 3_600_000 }
      scripted.answer('app.info', () => anInfo({ access: { control: false, approve: false }, link }))
      scripted.forget('miner.incidents')
    })

    expect(screen.queryAllByLabelText('Loading')).toEqual([])
    expect(screen.queryByText(/the ledger is broken/)).toBeNull()
    expect(screen.queryByTestId('losses')).toBeNull()
    expect(backend.calls.filter(({ name }) => name === 'miner.money')).toEqual([])
  })
})

describe('the layers of models', () => {
  it('have a gap where one of their devices has no reading, but not before its first one', () => {
    const layer = (key: string, values: readonly (number | null)[], now: number | null) =>
      ({ key, label: key, color: '', values, usual: 5, now }) as const

    const [model, other] = byModel(
      [layer('0', [1, 2, 3], 3), layer('1', [null, 2, null], null), layer('2', [], 1)],
      ['a', 'a', 'b'],
    )

    expect(model).toMatchObject({ label: '2 × a', values: [1, 4, null], usual: 10, now: null })
    expect(other).toMatchObject({ values: [], now: 1 })
  })
})
