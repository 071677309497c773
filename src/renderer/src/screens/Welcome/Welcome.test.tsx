// The page of a first start: what it offers, what it writes, and that nothing is written before Start.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { WireError } from '../../../../base/wire/define'
import type { MeasurementView } from '../../../../contract/miner'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aDevice, anInfo, aStatus, OTHER_ADDRESS, OWN_ADDRESS } from '../../testing/scripted-values'
// Preloaded; the application loads it on its first visit.
import './Welcome'

afterEach(cleanup)

const press = (testId: string) => act(async () => void fireEvent.click(screen.getByTestId(testId)))
const type = (testId: string, value: string) => fireEvent.change(screen.getByTestId(testId), { target: { value } })
const choose = (testId: string) =>
  act(async () => void fireEvent.click(within(screen.getByTestId(testId)).getByRole('radio')))
const page = () => screen.getByTestId('welcome')
const written = (backend: ScriptedBackend) =>
  backend.calls.filter(({ name }) => name === 'app.setOption').map(({ params }) => params)

const fresh = (backend: ScriptedBackend): void => {
  fill(backend)
  backend
    .answer('app.info', () => anInfo({ welcome: true }))
    .answer('app.place', () => ({ freeBytes: 500_000_000_000, addresses: ['192.0.2.7'], isNetworkDrive: false }))
    .answer('app.setOption', () => ({ applies: 'process' }))
    .answer('app.restart', () => ({}))
    .answer('signer.requestNewAccount', () => ({ id: '1' }))
}

describe('a first start', () => {
  it('offers its page on every screen until it is dismissed, here and in the file', async () => {
    await open('/', fresh)
    expect((await screen.findByTestId('welcome-card')).getAttribute('href')).toBe('#/welcome')
    cleanup()
    const { backend, storage } = await open('/welcome', fresh)

    await act(async () => void fireEvent.click(await screen.findByTestId('welcome-dismiss')))

    expect(screen.queryByTestId('welcome-card')).toBeNull()
    expect(written(backend)).toEqual([{ key: 'app.welcome', value: 'false' }])
    expect(storage.get('headframe.preferences')).toContain('"isWelcomed":true')
  })

  it.each([
    ['was done before', { welcome: false }],
    ['may only be looked at', { welcome: true, access: { control: false, approve: false } }],
  ])('offers nothing if it %s', async (_why, info) => {
    await open('/', (backend) => {
      fresh(backend)
      backend.answer('app.info', () => anInfo(info))
    })

    expect(await screen.findByTestId('health')).toBeTruthy()
    expect(screen.queryByTestId('welcome-card')).toBeNull()
  })

  it('is over with one click on the practice network, and changes nothing', async () => {
    const { backend } = await open('/welcome', fresh)

    expect(screen.getByTestId('welcome-command').textContent).toBe('headframe')
    await press('welcome-start')

    expect(written(backend)).toEqual([{ key: 'app.welcome', value: 'false' }])
    expect(screen.getByTestId('welcome-done').textContent).toContain('Headframe is running with these settings')
  })

  it.each([
    ['main', { oldElectron: '22.3.25', headless: false }, true],
    ['test', { oldElectron: '22.3.25', headless: false }, true],
    ['practice', { oldElectron: '22.3.25', headless: false }, false],
    ['main', { oldElectron: '22.3.25', headless: true }, false],
    ['main', { headless: false }, false],
  ])('says before the restart if no window follows: on %s with %j', async (network, info, isSaid) => {
    await open('/welcome', (backend) => {
      fresh(backend)
      backend.answer('app.info', () => anInfo({ welcome: true, ...info }))
    })
    await choose(`welcome-${network}`)

    const note = screen.queryByTestId('welcome-no-window')?.textContent ?? ''
    expect(note !== '').toBe(isSaid)
    if (isSaid) {
      expect(note).toContain('Electron (22.3.25) gets no security fixes')
      expect(note).toContain('open the link in /data/headframe/dashboard-link')
    }
  })

  it('warns of a folder on another computer', async () => {
    await open('/welcome', (backend) => {
      fresh(backend)
      backend.answer('app.place', () => ({ freeBytes: null, addresses: [], isNetworkDrive: true }))
    })

    expect(screen.getByTestId('welcome-network-drive').textContent).toContain('network drive')
    expect(screen.queryByTestId('welcome-no-room')).toBeNull()
  })

  it('says what the pool will be told, and writes all choices with Start', async () => {
    const { backend } = await open('/welcome', fresh)
    await choose('welcome-main')
    expect(screen.getByText('/data/headframe')).toBeTruthy()
    type('welcome-coinbase', OTHER_ADDRESS)
    await choose('welcome-pool')
    expect(screen.getByTestId('welcome-coinbase')).toHaveProperty('value', OTHER_ADDRESS)
    await press('welcome-start')
    expect(written(backend), 'no pool is typed').toEqual([])
    type('welcome-pool-url', 'stratum+tcp://pool.example:4444')
    type('welcome-pool-user', 'acct')
    expect(page().textContent).toContain('Logs in as acct, no worker name, no password')
    type('welcome-pool-worker', 'rig')
    type('welcome-pool-password', 'secret')
    expect(page().textContent).toContain('Logs in as acct, worker rig, password set')
    await choose('welcome-home')
    const token = screen.getByTestId('welcome-token').textContent ?? ''
    expect(screen.getByTestId('qr-code')).toBeTruthy()
    expect(written(backend)).toEqual([])
    expect(page().textContent).not.toContain('secret')

    await press('welcome-start')

    expect(written(backend)).toEqual([
      { key: 'app.network', value: 'main' },
      { key: 'node.coinbase', value: OTHER_ADDRESS },
      { key: 'pool.urls', value: 'stratum+tcp://acct.rig:secret@pool.example:4444' },
      { key: 'api.token', value: token },
      { key: 'api.bind', value: '0.0.0.0:3333' },
      { key: 'app.welcome', value: 'false' },
    ])
    expect(token).toMatch(/^[0-9a-f]{32}$/)
    expect(screen.getByTestId('welcome-done').textContent).toContain('Restarting with your settings')
    expect(backend.calls.filter(({ name }) => name === 'app.restart')).toHaveLength(1)

    // The program is back: restarted, over a new connection.
    backend.answer('app.info', () => anInfo({ welcome: false, network: 'main', startedAt: NOW + 5_000 }))
    await act(async () => {
      backend.setConnection({ kind: 'lost', since: NOW, retryAt: NOW, reason: '' })
      backend.setConnection({ kind: 'open' })
    })
    expect(screen.getByTestId('welcome-done').textContent).toContain('Headframe is running with these settings')
  })

  it("doesn't offer the practice account, nor accept its address, for a network with real money", async () => {
    const { backend } = await open('/welcome', fresh)
    await choose('welcome-main')

    const payout = screen.getByTestId('welcome-payout')
    expect(payout.textContent).toContain('Your practice account stays on the practice network')
    expect(within(payout).queryByRole('list', { name: 'Keystore' })).toBeNull()
    type('welcome-coinbase', OWN_ADDRESS.toUpperCase().replace('0X', '0x'))
    expect(payout.textContent).toContain('This is your practice account')
    await press('welcome-start')
    expect(written(backend)).toEqual([])
  })

  it("says what to do if the program can't restart by itself", async () => {
    await open('/welcome', (backend) => {
      fresh(backend)
      backend.answer('app.restart', () => {
        throw new Error('no')
      })
    })
    await choose('welcome-test')

    await press('welcome-start')

    expect(screen.getByTestId('welcome-done').textContent).toContain('start it again')
  })

  it('continues where it was left, without the pool that was typed', async () => {
    const { storage } = await open('/welcome', fresh)
    await choose('welcome-test')
    await choose('welcome-pool')
    type('welcome-pool-url', 'stratum+tcp://acct:secret@pool.example:4444')
    const kept = storage.get('headframe.preferences') ?? ''

    expect(JSON.parse(kept)).toMatchObject({ plan: { network: 'test', work: 'pool' } })
    expect(kept).not.toMatch(/token|pool\.example/)
  })

  it('says which choice was refused, and stays', async () => {
    const { backend } = await open('/welcome', fresh)
    backend.answer('app.setOption', ({ key }) => {
      if (key === 'app.welcome') throw new WireError('CONTRACT_INVALID', { name: key, reason: 'the file is read-only' })
      return { applies: 'process' }
    })
    await press('welcome-start')

    expect(screen.getByRole('alert').textContent).toContain('--welcome')
    expect(screen.getByRole('alert').textContent).toContain('the file is read-only')
    expect(screen.getByTestId('welcome-start')).toBeTruthy()
  })

  it('measures this computer at full size, and shows no rate of the practice network', async () => {
    const nothing = { secondsLeft: null, devices: [], reason: '', hashrate: null } as const
    const unknown = { value: null, missing: 'too-early' } as const
    const none: MeasurementView = { kind: 'none', ...nothing, devices: [], incomePerDay: unknown }
    const card = { index: 0, name: 'RTX 3070', state: 'building', progress: 0.42, hashrate: null, error: '' } as const
    const shown = { measurement: none }
    const { backend, pass } = await open('/welcome', (scripted) => {
      fresh(scripted)
      scripted.answer('miner.measurement', () => shown.measurement)
      scripted.answer('miner.measure', ({ run }) => {
        shown.measurement = run ? { ...none, kind: 'preparing', devices: [card] } : none
        return shown.measurement
      })
      scripted.emit('miner.devices', {
        devices: [aDevice({ hashrate: { now: 10_000, s60: 1, m15: 1 } })],
        takenAt: NOW,
      })
    })
    const row = () => screen.getByTestId('welcome-device-0').textContent
    const said = () => screen.getByTestId('welcome-measurement').textContent
    expect(row()).not.toContain('H/s')

    await press('welcome-benchmark')
    expect(row()).toContain('42%')
    expect(said()).toContain('Building the full DAG')
    shown.measurement = { ...none, kind: 'measuring', secondsLeft: 7, devices: [{ ...card, state: 'mining' }] }
    await pass(1_000)
    expect(said()).toBe('Measuring, 7 s left')
    shown.measurement = {
      ...none,
      kind: 'done',
      devices: [{ ...card, state: 'mining', progress: null, hashrate: 2e7 }],
      hashrate: 2e7,
      incomePerDay: { value: null, missing: 'no-network-difficulty' },
    }
    await pass(1_000)
    expect(row()).toContain('20.00')
    expect(said()).toMatch(/Measured at full size: 20\.00.MH\/s\. Expected a day Needs a node in sync/)
    shown.measurement = {
      ...none,
      kind: 'failed',
      devices: [{ ...card, state: 'error', error: 'out of memory' }],
      reason: 'out of memory',
    }
    await pass(1_000)
    expect(said()).toContain('Not measured. out of memory')
    expect(backend.calls.filter(({ name }) => name === 'miner.measure')).toEqual([
      { name: 'miner.measure', params: { run: true } },
    ])
  })

  it('says what waiting for a block means here, and not for another network', async () => {
    await open('/welcome', (backend) => {
      fresh(backend)
      backend.emit('miner.status', aStatus())
    })

    expect(screen.getByText('50% chance within')).toBeTruthy()
    await choose('welcome-main')
    expect(screen.queryByText('50% chance within')).toBeNull()
  })
})
