// The steps of a first start: what they offer, what they write, and that nothing is written before the last one.
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
const step = () => screen.getByTestId('welcome-step').dataset.state
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
  it('offers its steps on every screen until they are dismissed, here and in the file', async () => {
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

  it('is over with two clicks on the practice network, and changes nothing', async () => {
    const { backend } = await open('/welcome', fresh)
    await press('welcome-next')
    await press('welcome-short')

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
    await press('welcome-next')
    await choose(`welcome-${network}`)

    const note = screen.queryByTestId('welcome-no-window')?.textContent ?? ''
    expect(note !== '').toBe(isSaid)
    if (isSaid) {
      expect(note).toContain('Electron (22.3.25) gets no security fixes')
      expect(note).toContain('open the link in /data/headframe/dashboard-link')
    }
  })

  it('says it again before the start', async () => {
    await open('/welcome', (backend) => {
      fresh(backend)
      backend.answer('app.info', () => anInfo({ welcome: true, oldElectron: '22.3.25', headless: false }))
    })
    await press('welcome-next')
    await choose('welcome-main')
    for (let pressed = 0; pressed < 6; pressed++) await press('welcome-next')

    expect(step()).toBe('summary')
    expect(screen.getByTestId('welcome-no-window').textContent).toContain('install a current Electron')
  })

  it('warns of a folder on another computer', async () => {
    await open('/welcome', (backend) => {
      fresh(backend)
      backend.answer('app.place', () => ({ freeBytes: null, addresses: [], isNetworkDrive: true }))
    })
    await press('welcome-next')
    await press('welcome-next')

    expect(screen.getByTestId('welcome-network-drive').textContent).toContain('network drive')
    expect(screen.queryByTestId('welcome-no-room')).toBeNull()
  })

  it('goes to every step and back, and writes all choices at the end', async () => {
    const { backend } = await open('/welcome', fresh)
    await press('welcome-next')
    await choose('welcome-main')
    await press('welcome-next')
    expect(screen.getByText('/data/headframe')).toBeTruthy()
    await press('welcome-next')
    type('welcome-coinbase', OTHER_ADDRESS)
    await press('welcome-next')
    expect(step()).toBe('devices')
    await press('welcome-back')
    expect(screen.getByTestId('welcome-coinbase')).toHaveProperty('value', OTHER_ADDRESS)
    await press('welcome-next')
    await press('welcome-next')
    await choose('welcome-pool')
    type('welcome-pool-url', 'stratum+tcp://pool.example:4444')
    type('welcome-pool-user', 'acct')
    type('welcome-pool-password', 'secret')
    expect(screen.getByTestId('pool-parts').textContent).toContain('acct')
    await press('welcome-next')
    await choose('welcome-home')
    const token = screen.getByTestId('welcome-token').textContent ?? ''
    expect(screen.getByTestId('qr-code')).toBeTruthy()
    await press('welcome-next')
    expect(written(backend)).toEqual([])
    expect(screen.getByTestId('welcome-step').textContent).not.toContain('secret')

    await press('welcome-start')

    expect(written(backend)).toEqual([
      { key: 'app.network', value: 'main' },
      { key: 'node.coinbase', value: OTHER_ADDRESS },
      { key: 'pool.urls', value: 'stratum+tcp://acct:secret@pool.example:4444' },
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
    await open('/welcome', fresh)
    await press('welcome-next')
    await choose('welcome-main')
    await press('welcome-next')
    await press('welcome-next')

    expect(step()).toBe('account')
    const account = screen.getByTestId('welcome-step')
    expect(account.textContent).toContain('Your practice account stays on the practice network')
    expect(within(account).queryByRole('list', { name: 'Keystore' })).toBeNull()
    type('welcome-coinbase', OWN_ADDRESS.toUpperCase().replace('0X', '0x'))
    expect(account.textContent).toContain('This is your practice account')
  })

  it("says what to do if the program can't restart by itself", async () => {
    await open('/welcome', (backend) => {
      fresh(backend)
      backend.answer('app.restart', () => {
        throw new Error('no')
      })
    })
    await press('welcome-next')
    await choose('welcome-test')
    for (let count = 0; count < 6; count++) await press('welcome-next')

    await press('welcome-start')

    expect(screen.getByTestId('welcome-done').textContent).toContain('start it again')
  })

  it('continues where it was left, without the pool that was typed', async () => {
    const { storage } = await open('/welcome', fresh)
    await press('welcome-next')
    await choose('welcome-test')
    await press('welcome-next')
    const kept = storage.get('headframe.preferences') ?? ''

    expect(JSON.parse(kept)).toMatchObject({ plan: { step: 'folder', network: 'test' } })
    expect(kept).not.toContain('token')
  })

  it('says which choice was refused, and stays', async () => {
    const { backend } = await open('/welcome', fresh)
    backend.answer('app.setOption', ({ key }) => {
      if (key === 'app.welcome') throw new WireError('CONTRACT_INVALID', { name: key, reason: 'the file is read-only' })
      return { applies: 'process' }
    })
    await press('welcome-next')
    await press('welcome-short')
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
    for (let count = 0; count < 4; count++) await press('welcome-next')
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
    for (let count = 0; count < 5; count++) await press('welcome-next')

    expect(screen.getByText('50% chance within')).toBeTruthy()
    expect(screen.getByTestId('calculator-hashrate').getAttribute('placeholder')).toBe('13.95\u00a0kH/s')
    expect(screen.getByTestId('calculator-solo').dataset.value).not.toBe('')
    for (let count = 0; count < 4; count++) await press('welcome-back')
    await choose('welcome-main')
    for (let count = 0; count < 4; count++) await press('welcome-next')
    expect(screen.queryByText('50% chance within')).toBeNull()
    expect(screen.queryByTestId('calculator')).toBeNull()
  })
})
