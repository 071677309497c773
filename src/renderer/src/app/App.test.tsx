// The dashboard in the states every screen has: loading, empty, failed, offline, read-only, signed out.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WireError } from '../../../base/wire/define'
import type { DeviceView } from '../../../contract/miner'
import type { ScriptedBackend } from '../data/scripted'
import { aBalance, aBlock, aDevice, aGpu, aHead, anInfo, aRequest, aStatus, OWN_ADDRESS } from '../data/scripted-values'
import { type Stage, stage } from '../testing/render-app'
import { App } from './App'

const NOW = 1_700_000_000_000

beforeEach(() => {
  window.location.hash = '#/'
})
afterEach(cleanup)

function fill(backend: ScriptedBackend, devices: readonly DeviceView[] = [aDevice()]): void {
  backend
    .answer('app.info', () => anInfo())
    .answer('node.blocks', () => ({ blocks: [aBlock(42), aBlock(41)] }))
    .answer('miner.history', () => ({ stepMs: 1000, firstAt: NOW, values: [] }))
    .answer('miner.pause', () => ({}))
    .answer('miner.resume', () => ({}))
    .emit('miner.devices', { devices: [...devices], takenAt: NOW })
    .emit('miner.status', aStatus())
    .emit('node.head', aHead())
    .emit('node.balances', { asOf: 42, accounts: [aBalance()], takenAt: NOW })
    .emit('signer.accounts', {
      accounts: [{ address: OWN_ADDRESS, file: 'a', files: 1 }],
      problems: [],
      keystore: '/k',
      takenAt: NOW,
    })
    .emit('signer.requests', { waiting: [], waitingCount: 0, takenAt: NOW })
    .emit('app.activity', { entries: [{ at: NOW, level: 'warn', module: 'signer', text: 'a\u202Eb' }] })
}

async function open(path: string, prepare: (backend: ScriptedBackend) => void = fill): Promise<Stage> {
  window.location.hash = `#${path}`
  const scene = await stage(<App />, (backend) => prepare(backend))
  await act(async () => void (await new Promise((resolve) => setTimeout(resolve, 0))))
  return scene
}

describe('the overview', () => {
  it('shows hashrate, head, balance and health', async () => {
    await open('/')

    expect(screen.getByTestId('total-hashrate').dataset.value).toBe('14230')
    expect(screen.getByTestId('health').dataset.state).toBe('ok')
    expect(screen.getByTestId('total-power').dataset.value).toBe('')
    expect(await screen.findByTestId('block-row-42')).toBeTruthy()
    expect(screen.getByText('1,001,600')).toBeTruthy()
  })

  it('mutes a reading that is old and says how old', async () => {
    const { pass } = await open('/')

    await pass(40_000)

    const value = screen.getByTestId('total-hashrate')
    expect(value.dataset.stale).toBe('true')
    expect(value.textContent).toContain('40\u00a0s ago')
  })

  it('tells what practice is and where its password lies', async () => {
    await open('/')

    expect(screen.getByTestId('banner-network').textContent).toContain('/data/headframe/practice-account.txt')
    expect(screen.getByTestId('network-badge').dataset.state).toBe('practice')
  })

  it('is loud about a missing native engine', async () => {
    await open('/', (backend) => {
      fill(backend)
      backend.answer('app.info', () => anInfo({ engine: { kind: 'typescript', simd: '', loadError: 'no such file' } }))
    })

    expect(screen.getByTestId('engine-bar').textContent).toContain('no such file')
  })

  it('claims nothing before anything arrived', async () => {
    await open('/', () => undefined)

    expect(screen.getByTestId('shell')).toBeTruthy()
    expect(screen.getByTestId('header-hashrate').dataset.value).toBe('')
    expect(screen.queryByTestId('pause-all')).toBeNull()
  })

  it('says why blocks could not be read', async () => {
    await open('/', (backend) => {
      fill(backend)
      backend.answer('node.blocks', () => {
        throw new WireError('CONTRACT_FAILED', { name: 'node.blocks' })
      })
    })

    expect(screen.getByRole('alert').textContent).toContain('node.blocks failed')
  })
})

describe('devices', () => {
  it('show a dash for a sensor that is missing, never a zero', async () => {
    await open('/gpus', (backend) => fill(backend, [aGpu(0)]))

    const row = within(await screen.findByTestId('gpu-row-0'))
    expect(row.getByTestId('gpu-temp-core-0').textContent).toBe('61\u00a0°C')
    expect(row.getByTestId('gpu-temp-memory-0').textContent).toBe('–')
    expect(row.getByTestId('gpu-temp-memory-0').dataset.value).toBe('')
    expect(row.getByTestId('gpu-power-0').dataset.value).toBe('115.2')
  })

  it.each([1, 4, 16])('are one row each for %s of them', async (count) => {
    await open('/gpus', (backend) =>
      fill(
        backend,
        Array.from({ length: count }, (_, index) => aGpu(index)),
      ),
    )

    expect(await screen.findAllByTestId(/^gpu-row-/)).toHaveLength(count)
  })

  it('are missed when there are none', async () => {
    await open('/gpus', (backend) => fill(backend, []))

    expect(await screen.findByText('No device to mine with was found')).toBeTruthy()
  })

  it('pause at once, and for sure with the next reading', async () => {
    const { backend } = await open('/gpus')
    const button = await screen.findByTestId('gpu-pause-0')

    await act(async () => void fireEvent.click(button))
    expect(button.dataset.state).toBe('pending')
    expect(button.getAttribute('aria-busy')).toBe('true')
    expect(screen.getByTestId('gpu-row-0').dataset.state).toBe('mining')
    const paused = aDevice({ state: 'paused', paused: true, pauseReasons: ['Api request'], canResume: true })
    act(() => void backend.emit('miner.devices', { devices: [paused], takenAt: NOW + 1000 }))

    expect(button.dataset.state).toBe('confirmed')
    expect(button.textContent).toBe('Resume')
    expect(screen.getByTestId('gpu-reason-0').textContent).toBe('Api request')
  })

  it('name the option that allows control when it is refused', async () => {
    const { backend } = await open('/gpus')
    backend.answer('miner.pause', () => {
      throw new WireError('CONTRACT_DENIED', { name: 'miner.pause', access: 'control', reason: 'read only' })
    })
    const button = await screen.findByTestId('gpu-pause-0')

    await act(async () => void fireEvent.click(button))

    expect(button.dataset.state).toBe('failed')
    expect(within(screen.getByTestId('gpu-row-0')).getByRole('alert').textContent).toContain('--api-allow-control')
  })

  it('cannot be resumed by hand when they resume by themselves', async () => {
    const { backend } = await open('/gpus', (backend) =>
      fill(backend, [aDevice({ state: 'paused', paused: true, pauseReasons: ['Overheating'], canResume: false })]),
    )
    const button = await screen.findByTestId('gpu-pause-0')

    await act(async () => void fireEvent.click(button))

    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(backend.calls.some(({ name }) => name === 'miner.resume')).toBe(false)
  })

  it('say in place of a chart that a sensor is not reported', async () => {
    await open('/gpus/0')

    expect((await screen.findByTestId('chart-0-temperature')).dataset.state).toBe('missing')
    expect(screen.getByTestId('chart-0-hashrate')).toBeTruthy()
  })
})

describe('contact', () => {
  it('that is lost is said after 15 s, with its time, and comes back without a reload', async () => {
    const { backend, clock, pass } = await open('/')
    act(() => backend.setConnection({ kind: 'lost', since: clock.now(), retryAt: clock.now() + 30_000, reason: '' }))
    await pass(14_000)
    expect(screen.queryByTestId('offline-bar')).toBeNull()

    await pass(1000)
    expect(screen.getByTestId('offline-bar').textContent).toContain('No contact with the miner since')
    expect(screen.getByTestId('pause-all').getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(within(screen.getByTestId('offline-bar')).getByRole('button'))
    expect(backend.retries).toBe(1)
    await act(async () => backend.setConnection({ kind: 'open' }))

    expect(screen.queryByTestId('offline-bar')).toBeNull()
  })

  it('without a token shows the login page and nothing else', async () => {
    const { backend } = await open('/')
    act(() => backend.setConnection({ kind: 'signedOut', refused: true }))
    expect(screen.queryByTestId('shell')).toBeNull()

    fireEvent.input(screen.getByTestId('login-token'), { target: { value: ' secret ' } })
    fireEvent.click(screen.getByTestId('login-submit'))

    expect(backend.tokens).toEqual(['secret'])
  })
})

describe('read-only', () => {
  it('has a mark, a way to sign in, and no control in the page', async () => {
    await open('/gpus', (backend) => {
      fill(backend)
      backend.answer('app.info', () => anInfo({ access: { control: false, approve: false }, canSignIn: true }))
    })
    await screen.findByTestId('gpu-row-0')

    expect(screen.getByTestId('read-only-mark')).toBeTruthy()
    expect(screen.getByTestId('sign-in')).toBeTruthy()
    expect(screen.queryByTestId('gpu-pause-0')).toBeNull()
    expect(screen.queryByTestId('pause-all')).toBeNull()
  })

  it('does not offer approvals, and says where they are', async () => {
    await open('/accounts', (backend) => {
      fill(backend)
      backend.answer('app.info', () => anInfo({ access: { control: false, approve: false } }))
      backend.emit('signer.requests', { waiting: [], waitingCount: 1, takenAt: NOW })
    })

    expect(screen.getByTestId('approval-bar').textContent).toBe('1 request waits: approve at the machine')
    expect(screen.queryByTestId('approval-review')).toBeNull()
    expect(screen.queryByTestId('new-account')).toBeNull()
  })
})

describe('accounts', () => {
  it('show exact balances in their data', async () => {
    await open('/accounts')

    const available = await screen.findByTestId(`balance-available-${OWN_ADDRESS}`)
    expect(available.dataset.value).toBe('1001600000000000000000000')
    expect(available.textContent).toBe('1,001,600\u00a0LAX')
  })

  it('open the approval of a new one', async () => {
    const { backend } = await open('/accounts')
    backend.answer('signer.requestNewAccount', () => ({ id: 'request-9' }))
    const request = aRequest({ id: 'request-9', kind: 'newAccount', transaction: null })
    backend.emit('signer.requests', { waiting: [request], waitingCount: 1, takenAt: NOW })

    await act(async () => void fireEvent.click(await screen.findByTestId('new-account')))

    expect(window.location.hash).toBe('#/accounts/approvals/request-9')
    expect((await screen.findByTestId('approval-kind')).dataset.state).toBe('newAccount')
  })
})

describe('other screens', () => {
  it('show what happened, with invisible characters made visible', async () => {
    await open('/activity')

    expect((await screen.findByTestId('log-row')).textContent).toContain('aU+202Eb')
  })

  it('keep the chosen theme on this device', async () => {
    const { storage } = await open('/settings')

    fireEvent.click(await screen.findByLabelText('Light'))

    expect(document.documentElement.dataset.theme).toBe('light')
    expect(storage.get('headframe.preferences')).toContain('"theme":"light"')
  })

  it('are reached by two keys, but not while typing', async () => {
    await open('/')

    fireEvent.keyDown(window, { key: 'g' })
    fireEvent.keyDown(window, { key: 'a' })

    expect(window.location.hash).toBe('#/accounts')
  })

  it('say that an unknown address leads nowhere', async () => {
    await open('/nowhere')

    expect(screen.getByText('There is no such page')).toBeTruthy()
  })
})
