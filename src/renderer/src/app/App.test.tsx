// The dashboard in the states every screen has: loading, empty, failed, offline, read-only, signed out.
import { act, cleanup, createEvent, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { anEntry, fill, NOW, open } from '../testing/open-app'
import { aBlock, aDevice, aHead, anInfo, aRequest, hashOf, OWN_ADDRESS } from '../testing/scripted-values'

beforeEach(() => {
  window.location.hash = '#/'
})
afterEach(cleanup)

describe('the overview', () => {
  it('shows hashrate, income and health', async () => {
    await open('/')

    expect((await screen.findByTestId('hashrate')).dataset.value).toBe('14230')
    expect(screen.getByTestId('health').dataset.state).toBe('ok')
    expect(screen.getByTestId('earned').dataset.value).toBe('200010000000000000000')
  })

  it('mutes an old reading and says how old it is', async () => {
    const { pass } = await open('/')

    await pass(40_000)

    const value = screen.getByTestId('hashrate')
    expect(value.dataset.stale).toBe('true')
    expect(value.textContent).toContain('40\u00a0s ago')
  })

  it("doesn't call a node with an old head synced", async () => {
    const { pass } = await open('/')
    expect(screen.getByTestId('sync-state').dataset.state).toBe('synced')

    await pass(60_000)

    expect(screen.getByTestId('sync-state').dataset.state).toBe('stalled')
    expect(screen.getByTestId('sync-state').textContent).toContain('No new blocks')
  })

  it('says nothing about health before miner and node have reported', async () => {
    await open('/', (backend) => void backend.answer('app.info', () => anInfo()))

    expect(screen.queryByTestId('health')).toBeNull()
  })

  it("doesn't say all is well while a device is paused", async () => {
    await open('/', (backend) => fill(backend, [aDevice({ state: 'paused', paused: true, pauseReasons: ['x'] })]))

    expect(screen.getByTestId('health').dataset.state).toBe('attention')
  })

  it('says what practice is and where its password is stored', async () => {
    await open('/')

    expect(screen.getByTestId('banner-network').textContent).toContain('/data/headframe/practice-account.txt')
    expect(screen.getByTestId('network-badge').dataset.state).toBe('practice')
  })

  it('warns loudly about a missing native engine', async () => {
    await open('/', (backend) => {
      fill(backend)
      backend.answer('app.info', () => anInfo({ engine: { kind: 'typescript', simd: '', loadError: 'no such file' } }))
    })

    expect(screen.getByTestId('engine-bar').textContent).toContain('no such file')
  })

  it('says on every screen that it runs on a test Electron', async () => {
    await open('/pools', (backend) => {
      fill(backend)
      backend.answer('app.info', () => anInfo({ oldElectron: '22.3.25' }))
    })

    expect(screen.getByTestId('old-electron-bar').textContent).toContain('Electron 22.3.25 gets no security fixes')
  })

  it('claims nothing before anything arrived', async () => {
    await open('/', () => undefined)

    expect(screen.getByTestId('shell')).toBeTruthy()
    expect(screen.queryByTestId('pause-all')).toBeNull()
  })

  it('says on every screen that coins have no value here', async () => {
    await open('/')
    expect(screen.getByTestId('banner-network')).toBeTruthy()

    await act(async () => {
      window.location.hash = '#/accounts'
      window.dispatchEvent(new HashChangeEvent('hashchange'))
    })

    expect(screen.getByTestId('banner-network').textContent).toContain('nothing at stake')
  })

  it('links to the first steps in one line', async () => {
    await open('/', (backend) => {
      fill(backend)
      backend.answer('app.info', () => anInfo({ welcome: true }))
    })

    expect(screen.getByTestId('welcome-card').textContent).toContain('You’re on the practice network')
    expect(screen.getByTestId('welcome-card').getAttribute('href')).toBe('#/welcome')
  })

  it('shows no age for a genesis, since nobody mined it', async () => {
    await open('/', (backend) => {
      fill(backend)
      const head = aHead()
      backend.emit('node.head', { ...head, head: { ...aBlock(0), time: NOW - 400 * 86_400_000 } })
    })

    expect(screen.getByTestId('health').dataset.state).toBe('ok')
    expect(screen.getByTestId('sync-state').dataset.state).not.toBe('stalled')
  })
})

describe('contact', () => {
  it('reports lost contact after 15 s, with its time, and returns without a reload', async () => {
    const { backend, clock, pass } = await open('/')
    act(() => backend.setConnection({ kind: 'lost', since: clock.now(), retryAt: clock.now() + 30_000, reason: '' }))
    await pass(14_000)
    expect(screen.queryByTestId('offline-bar')).toBeNull()

    await pass(1000)
    expect(screen.getByTestId('offline-bar').textContent).toContain('No contact since')
    expect(screen.getByTestId('pause-all').getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(screen.getByTestId('offline-retry'))
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

describe('a read-only connection', () => {
  it('has a mark, a way to sign in, and no controls on the page', async () => {
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

  it('says that a caller is blocked, and can undo it', async () => {
    const { backend } = await open('/', (scripted) => {
      fill(scripted)
      scripted.answer('signer.hearAll', () => ({}))
      scripted.emit('signer.requests', { waiting: [], waitingCount: 0, quietUntil: NOW + 60_000, takenAt: NOW })
    })

    await act(async () => void fireEvent.click(within(await screen.findByTestId('quiet-bar')).getByText('Undo')))

    expect(backend.calls.some(({ name }) => name === 'signer.hearAll')).toBe(true)
    await act(async () => void backend.emit('signer.requests', { waiting: [], waitingCount: 0, takenAt: NOW }))
    expect(screen.queryByTestId('quiet-bar')).toBeNull()
  })

  it('offers no approvals, and says where they are', async () => {
    await open('/accounts', (backend) => {
      fill(backend)
      backend.answer('app.info', () => anInfo({ access: { control: false, approve: false } }))
      backend.emit('signer.requests', { waiting: [], waitingCount: 1, takenAt: NOW })
    })

    expect(screen.getByTestId('approval-bar').textContent).toContain(
      '1 request is waiting: approve it on the computer running Headframe',
    )
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

    expect((await screen.findByTestId('log-row')).textContent).toContain('AU+202Eb')
  })

  it('show events as sentences, with short hashes whose digits are in the tooltip and the copy', async () => {
    const hash = hashOf('b')
    const fields = [
      { name: 'number', value: '41' },
      { name: 'hash', value: hash },
      { name: 'miner', value: OWN_ADDRESS },
    ]
    const writeText = vi.fn(async (_text: string) => undefined)
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
    await open('/activity', (backend) => {
      fill(backend)
      backend.emit('app.activity', { entries: [anEntry({ fields })] })
    })

    const row = within(await screen.findByTestId('log-row'))
    expect(row.getByText('Block mined')).toBeTruthy()
    expect(row.getByText('0xbbbbbb…bbbb').closest('a')?.title).toBe(hash)
    expect(row.getByText('0x529084…9EE7').closest('a')?.title).toBe('0x52908400098527886E0F7030069857D2E4169EE7')
    await act(async () => void fireEvent.click(row.getByRole('button', { name: 'Copy: Block mined' })))
    expect(writeText.mock.lastCall?.[0]).toContain(`info chain block mined number=41 hash=${hash} miner=${OWN_ADDRESS}`)
  })

  it('show two equal events of one moment as one with a count, newest first', async () => {
    await open('/activity', (backend) => {
      fill(backend)
      backend.emit('app.activity', { entries: [anEntry(), anEntry({ id: 1 }), anEntry({ id: 2, message: 'newest' })] })
    })

    const rows = await screen.findAllByTestId('log-row')
    expect(rows).toHaveLength(2)
    expect(rows[0]?.textContent).toContain('Newest')
    expect(rows[1]?.textContent).toMatch(/2 times since \d\d:\d\d:\d\d/)
  })

  it('keep the chosen theme on this device', async () => {
    const { storage } = await open('/settings')

    fireEvent.click(await screen.findByLabelText('Light'))

    expect(document.documentElement.dataset.theme).toBe('light')
    expect(storage.get('headframe.preferences')).toContain('"theme":"light"')
  })

  it.each([
    ['within a second, heard of later', 1000, '#/accounts'],
    ['two seconds apart, heard of at once', 2000, '#/'],
  ])('open by two keys pressed %s', async (_how, apartMs, hash) => {
    const { pass } = await open('/')
    const press = (key: string, at: number): void => {
      const event = createEvent.keyDown(window, { key })
      Object.defineProperty(event, 'timeStamp', { value: at })
      fireEvent(window, event)
    }

    press('g', 5000)
    if (apartMs === 1000) await pass(3000)
    press('a', 5000 + apartMs)

    expect(window.location.hash).toBe(hash)
  })

  it('stay where they are while text is typed', async () => {
    await open('/')
    const field = document.body.appendChild(document.createElement('input'))

    fireEvent.keyDown(field, { key: 'g' })
    fireEvent.keyDown(field, { key: 'a' })
    field.remove()

    expect(window.location.hash).toBe('#/')
  })

  it('say that an address leads nowhere', async () => {
    await open('/nowhere')

    expect(screen.getByText('Page not found')).toBeTruthy()
  })
})
