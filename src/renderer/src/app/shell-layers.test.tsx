// The layers over every screen: frozen values, the keys' dialogs, menu commands, and announcements.
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { MENU_EVENT } from '../../../contract/menu'
import { fill, NOW, open } from '../testing/open-app'
import { stage } from '../testing/render-app'
import { aRig, someRigs } from '../testing/scripted-rigs'
import { aDevice, anInfo, aStatus } from '../testing/scripted-values'
import { ErrorState } from '../widgets/facts/States'
import { itemsFor } from './shell/use-nav-items'

afterEach(cleanup)

const press = (key: string, change: KeyboardEventInit = {}) =>
  act(async () => void fireEvent.keyDown(document.body, { key, ...change }))
const total = () => screen.getByTestId('hashrate').dataset.value
const rate = (now: number) => aStatus({ hashrate: { now, s60: now, m15: now, effective: now } })

describe('freezing', () => {
  it('keeps values as they were, says since when, and unfreezes', async () => {
    const { backend, pass } = await open('/')
    await screen.findByTestId('hashrate') // its part of the page loads later
    await press('.')
    expect(screen.getByTestId('frozen-bar').textContent).toMatch(/frozen/)
    act(() => void backend.emit('miner.status', rate(5)))
    await pass(10_000)
    expect([total(), screen.getByTestId('hashrate').dataset.stale]).toEqual(['14230', undefined])

    await act(async () => void fireEvent.click(screen.getByTestId('frozen-bar')))

    expect(screen.queryByTestId('frozen-bar')).toBeNull()
    expect(total()).toBe('5')
  })

  it('ends with the first command, so that its outcome is visible', async () => {
    await open('/')
    await press('.')

    await act(async () => void fireEvent.click(screen.getByTestId('pause-all')))

    expect(screen.queryByTestId('frozen-bar')).toBeNull()
  })

  it('still says that contact is lost, and when the next attempt is', async () => {
    const { backend, clock, pass } = await open('/')
    await press('.')
    act(() => backend.setConnection({ kind: 'lost', since: clock.now(), retryAt: clock.now() + 30_000, reason: '' }))

    await pass(20_000)

    expect(screen.getByTestId('offline-retry').textContent).toContain('Retrying in 10 s.')
  })
})

describe('the key that pauses everything', () => {
  it('asks the first time after startup, and not again', async () => {
    const { backend } = await open('/')
    await press('P', { ctrlKey: true, shiftKey: true })
    expect(await screen.findByTestId('pause-all-question')).toBeTruthy()
    await act(async () => void fireEvent.click(screen.getByTestId('pause-here')))
    act(() => void backend.emit('miner.devices', { devices: [aDevice({ paused: true })], takenAt: NOW }))

    await press('P', { ctrlKey: true, shiftKey: true })

    expect(backend.calls.map(({ name }) => name).filter((name) => /pause|resume/.test(name))).toEqual([
      'miner.pause',
      'miner.resume',
    ])
  })

  it('names a few of many rigs, so that the answers stay in sight', async () => {
    const rigs = Array.from({ length: 20 }, (_, index) => aRig(`r${index}`))
    await open('/', (scripted) => {
      fill(scripted)
      scripted.emit('miner.rigs', someRigs(rigs))
    })

    await press('P', { ctrlKey: true, shiftKey: true })

    expect((await screen.findByTestId('pause-all-question')).textContent).toContain('20 other rigs from here: r0, r1')
    expect(screen.getByTestId('pause-all-question').textContent).toContain('r7 and 12 more.')
    expect(screen.getByTestId('pause-everywhere').textContent).toBe('Pause all 21 rigs')
  })

  it('does nothing without control', async () => {
    const { backend } = await open('/', (scripted) => {
      fill(scripted)
      scripted.answer('app.info', () => anInfo({ access: { control: false, approve: false } }))
    })

    await press('P', { ctrlKey: true, shiftKey: true })

    expect(screen.queryByTestId('pause-all-question')).toBeNull()
    expect(backend.calls.some(({ name }) => name === 'miner.pause')).toBe(false)
  })
})

describe('the application menu', () => {
  const menu = (detail: unknown) => act(async () => void window.dispatchEvent(new CustomEvent(MENU_EVENT, { detail })))

  it('shows the keys, freezes, and changes the theme', async () => {
    const { storage } = await open('/')

    await menu({ do: 'theme', theme: 'light' })
    await menu({ do: 'freeze' })
    await menu({ do: 'keys' })

    expect(document.documentElement.dataset.theme).toBe('light')
    expect(storage.get('headframe.preferences')).toContain('"theme":"light"')
    expect(screen.getByTestId('frozen-bar')).toBeTruthy()
    expect(await screen.findByTestId('key-help')).toBeTruthy()
  })

  it("ignores words that aren't its own", async () => {
    await open('/')

    await menu({ do: 'theme', theme: 'pink' })
    await menu('freeze')

    expect(screen.queryByTestId('frozen-bar')).toBeNull()
  })
})

describe('the screens of a run', () => {
  it.each([
    [null, 8],
    [['node', 'signer'], 5],
    [['monitor'], 4],
    [['node', 'miner', 'signer'], 8],
  ])('with %j are %i', (services, count) => {
    expect(itemsFor(services)).toHaveLength(count)
  })

  it("are missing from the rail if they aren't there", async () => {
    await open('/', (backend) => {
      fill(backend)
      backend.emit('app.status', { services: [{ name: 'node', state: 'running', reason: '' }], takenAt: NOW })
    })

    expect(screen.queryByTestId('nav-gpus')).toBeNull()
    expect(screen.getByTestId('nav-node')).toBeTruthy()
  })
})

describe('the status over every screen', () => {
  it('is that of the watched rigs if nothing runs here', async () => {
    const far = aRig('far', { online: false, figures: null })
    await open('/rigs', (backend) => {
      fill(backend)
      backend.emit('app.status', { services: [], takenAt: NOW })
      backend.emit('miner.rigs', someRigs([aRig('near'), far], { mining: false }))
    })

    expect(screen.getByTestId('health').textContent).toContain('1 of 2 rigs online')
    expect(screen.queryByTestId('sync-current')).toBeNull()
  })
})

describe('the announcement', () => {
  const said = () => screen.getByTestId('announcer').textContent

  it('tells the state, immediately when health changes, otherwise after half a minute', async () => {
    const { backend, pass } = await open('/')
    expect(said()).toBe('Everything is working. One device is mining.')
    act(() => void backend.emit('signer.requests', { waiting: [], waitingCount: 1, takenAt: NOW }))
    await pass(0)
    expect(said()).toBe('One thing needs attention. One device is mining. One request is waiting.')

    act(() => void backend.emit('miner.devices', { devices: [aDevice(), aDevice({ index: 1 })], takenAt: NOW }))
    await pass(5_000)
    expect(said()).toContain('One device is mining.')
    await pass(30_000)

    expect(said()).toContain('2 devices are mining.')
  })

  it('of a monitor says what its rigs do, and how many don’t answer, not what its own miner does', async () => {
    const { backend, pass } = await open('/', (scripted) => {
      fill(scripted)
      scripted.emit('app.status', { services: [], takenAt: NOW })
      const far = aRig('far', { online: false, figures: null })
      scripted.emit('miner.rigs', someRigs([aRig('near'), far], { mining: false }))
      scripted.emit('miner.status', aStatus({ state: 'off' }))
    })
    await pass(0)
    expect(said()).toBe('1 rig hasn’t answered yet. 1 of 2 rigs online.')

    act(() => void backend.emit('miner.rigs', someRigs([aRig('near'), aRig('far')], { mining: false })))
    await pass(0)
    expect(said()).toBe('Everything is working. 2 of 2 rigs online.')
  })

  it('says that devices wait for work, not that everything works', async () => {
    const { backend, pass } = await open('/')
    act(() => void backend.emit('miner.devices', { devices: [aDevice({ state: 'waiting' })], takenAt: NOW }))
    await pass(0)

    expect(said()).toBe('Waiting for work. No device is mining.')
    expect(screen.getByTestId('health').textContent).toContain('Waiting for work. The device isn’t mining')
  })

  it('drops what was true before contact was lost, and is repeated once it is back', async () => {
    const { backend, clock, pass } = await open('/')
    expect(said()).toContain('Everything is working.')

    act(() => backend.setConnection({ kind: 'lost', since: clock.now(), retryAt: clock.now() + 1_000, reason: '' }))
    await pass(0)
    expect(said()).toBe('')
    await pass(40_000)
    expect(said()).toBe('')
    act(() => backend.setConnection({ kind: 'open' }))
    await pass(0)

    expect(said()).toContain('One device is mining.')
  })
})

describe('a failure', () => {
  it('says since when, retries by itself, and counts down to it', async () => {
    const tries: string[] = []
    const { pass } = await stage(<ErrorState title="No list" reason="broken" onRetry={() => tries.push('try')} />)
    const since = screen.getByTestId('error-since')
    expect(since.textContent).toContain('Retrying in 15 s.')
    await pass(5_000)
    expect(since.textContent).toContain('Retrying in 10 s.')
    expect(tries).toEqual([])

    await pass(10_000)

    expect(tries).toEqual(['try'])
    expect(screen.getByRole('alert').textContent).toBe('No listbroken')
  })

  it("isn't retried without contact, which queries again by itself", async () => {
    const tries: string[] = []
    const { pass } = await stage(
      <ErrorState title="No list" reason="broken" onRetry={() => tries.push('try')} />,
      (backend) => backend.setConnection({ kind: 'lost', since: NOW, retryAt: NOW, reason: '' }),
    )

    await pass(60_000)

    expect(tries).toEqual([])
    expect(screen.getByTestId('error-since').textContent).not.toContain('Next try')
    expect(screen.getByText('Retry').getAttribute('aria-disabled')).toBe('true')
  })
})

describe('a dialog', () => {
  it.each([
    ['the keys', '?', 'key-help'],
    ['the incidents', 'i', 'incidents'],
  ])('of %s gives the focus back to what had it', async (_what, key, testId) => {
    await open('/')
    const before = screen.getByTestId('nav-overview')
    act(() => before.focus())
    await press(key)
    const dialog = await screen.findByTestId(testId)
    expect(dialog.contains(document.activeElement)).toBe(true)

    await act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }))
    await waitFor(() => expect(document.activeElement).toBe(before))

    expect(screen.queryByTestId(testId)).toBeNull()
  })

  it('gives it to the page if that is gone', async () => {
    await open('/')
    await press('?')
    await screen.findByTestId('key-help')
    await act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }))

    await waitFor(() => expect(document.activeElement?.id).toBe('main'))
  })
})
