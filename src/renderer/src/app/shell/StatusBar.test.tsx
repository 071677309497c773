// What the status bar says on every screen.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { SwitchesView } from '../../../../contract/signer'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aPool, show } from '../../testing/scripted-pools'
import { aRig, someRigs } from '../../testing/scripted-rigs'
import { aGpu, anInfo, aRequest, aStatus, OTHER_ADDRESS, OWN_ADDRESS } from '../../testing/scripted-values'

afterEach(cleanup)

const SOURCE = { ...aStatus().source, kind: 'pool', host: 'pool.example:1' } as const
const mining = (backend: ScriptedBackend): void => {
  fill(backend)
  backend.emit('miner.status', aStatus({ source: SOURCE, lastProof: { at: NOW - 1_000, device: 0 } }))
}

const waiting = (backend: ScriptedBackend): void => {
  fill(backend)
  backend
    .answer('app.restart', () => ({}))
    .emit('app.status', { services: [], restartFor: ['cpu-threads'], takenAt: NOW })
}

describe('a pending restart', () => {
  it.each(['/', '/gpus', '/pools', '/node', '/accounts', '/activity'])('is shown on %s', async (path) => {
    await open(path, waiting)

    expect(screen.getByTestId('restart-bar').textContent).toContain('cpu-threads')
  })

  it('is done from the bar after a confirmation, once', async () => {
    const { backend } = await open('/', waiting)

    fireEvent.click(screen.getByTestId('restart-bar'))
    expect(backend.calls.filter(({ name }) => name === 'app.restart')).toEqual([])
    const confirm = await screen.findByTestId('restart-dialog-confirm')
    await act(async () => void fireEvent.click(confirm))

    expect(backend.calls.filter(({ name }) => name === 'app.restart')).toHaveLength(1)
    expect(screen.getByTestId('restart-bar').textContent).toContain('Headframe is restarting')
  })

  it('is shown for a first pool, too', async () => {
    await open('/', (backend) => {
      fill(backend)
      show(backend, [aPool(0, { state: 'planned', active: false })])
    })

    expect(screen.getByTestId('restart-bar').textContent).toContain('The pool you added is used after a restart.')
  })

  it('is hidden from read-only users, and if nothing waits', async () => {
    await open('/', fill)
    expect(screen.queryByTestId('restart-bar')).toBeNull()
    cleanup()

    await open('/', (backend) => {
      waiting(backend)
      backend.answer('app.info', () => anInfo({ access: { control: false, approve: false } }))
    })
    expect(screen.queryByTestId('restart-bar')).toBeNull()
  })
})

it('everything that a narrow bar has no room for stands in the sheet, in whole sentences', async () => {
  const { backend } = await open('/', (scripted) => {
    waiting(scripted)
    scripted.answer('app.info', () => anInfo({ network: 'practice' }))
  })

  fireEvent.click(screen.getByTestId('health'))
  const list = await screen.findByTestId('status-list')
  expect(list.textContent).toContain('practice-account.txt')
  expect(list.querySelector('a[href="#/node"]')).not.toBeNull()
  fireEvent.click(within(list).getByRole('button', { name: 'Restart now…' }))
  await act(async () => void fireEvent.click(await screen.findByTestId('restart-dialog-confirm')))

  expect(backend.calls.filter(({ name }) => name === 'app.restart')).toHaveLength(1)
})

it('a waiting request is said once', async () => {
  await open('/', (backend) => {
    fill(backend)
    backend.emit('signer.requests', { waiting: [aRequest()], waitingCount: 1, takenAt: NOW })
  })

  expect(screen.getByTestId('approval-review').textContent).toContain('1 request')
  expect(screen.getByTestId('approval-review').getAttribute('href')).toContain('#/accounts/approvals/')
  expect(screen.getByTestId('health').dataset.state).toBe('attention')
  expect(screen.queryByTestId('health-chip-health.approval-waiting')).toBeNull()
})

it('nothing is called well by readings that arrive late', async () => {
  const { backend, pass } = await open('/', mining)
  expect((await screen.findByTestId('health')).textContent).toContain('Everything is working')

  await pass(12_000)

  expect(screen.getByTestId('health').textContent).toContain('Latest reading: 12\u00a0s ago')
  expect(screen.getByTestId('health').textContent).not.toContain('Everything is working')
  act(() => void backend.emit('miner.status', aStatus({ source: SOURCE, takenAt: NOW + 12_000 })))
  await pass(1_000)
  expect(screen.getByTestId('health').textContent).not.toContain('Latest reading')
})

it('isn’t green where nothing mines', async () => {
  const { backend } = await open('/', mining)
  const tone = () => screen.getByTestId('health').querySelector<HTMLElement>('[data-tone]')?.dataset.tone
  expect([(await screen.findByTestId('health')).textContent, tone()]).toEqual([expect.stringContaining('Mining'), 'ok'])

  act(() => void backend.emit('miner.devices', { devices: [], takenAt: NOW }))

  expect(screen.getByTestId('health').textContent).toContain('Not mining')
  expect(tone()).toBe('plain')
})

it('a run without a miner has no readings that could be late', async () => {
  const { pass } = await open('/', (backend) => {
    fill(backend)
    backend.emit('miner.status', aStatus({ state: 'off', takenAt: NOW }))
  })
  await screen.findByTestId('health')

  await pass(60_000)
  expect(screen.getByTestId('health').textContent).toContain('Not mining')
})

it('a monitor goes by the readings of its rigs, not by its own miner, which is off', async () => {
  const offline = aRig('far', { online: false, figures: null, ageSeconds: null, reading: 0 })
  const rigsAt = (seconds: number, rigs: readonly ReturnType<typeof aRig>[]) =>
    someRigs(rigs, { mining: false, takenAt: NOW + seconds * 1_000 })
  const { backend, pass } = await open('/', (scripted) => {
    fill(scripted)
    scripted.emit('miner.devices', { devices: [], takenAt: NOW })
    scripted.emit('miner.status', aStatus({ state: 'off', takenAt: NOW }))
    scripted.emit('miner.rigs', rigsAt(0, [aRig('near'), offline]))
  })
  expect((await screen.findByTestId('health')).textContent).toContain('1 rig hasn’t answered yet')

  await pass(12_000)
  act(() => void backend.emit('miner.rigs', rigsAt(12, [aRig('near')])))
  await pass(1_000)
  expect(screen.getByTestId('health').textContent).not.toContain('Latest reading')
  await pass(12_000)
  expect(screen.getByTestId('health').textContent).toContain('Latest reading')
})

it('a hung device isn’t counted among those that mine', async () => {
  const { backend } = await open('/', mining)
  const devices = [aGpu(0), aGpu(1), aGpu(2)]
  act(() => void backend.emit('miner.devices', { devices, takenAt: NOW }))
  expect((await screen.findByTestId('health')).textContent).toContain('3 of 3 devices')

  act(
    () =>
      void backend.emit('miner.devices', {
        devices: devices.map((device) => (device.index === 1 ? { ...device, responds: false } : device)),
        takenAt: NOW,
      }),
  )

  expect(screen.getByTestId('health').textContent).toContain('2 of 3 devices')
})

it('opens a sheet whose first tab counts what it lists, findings too', async () => {
  await open('/', (backend) => {
    fill(backend)
    const services = [{ name: 'node', state: 'failed', reason: 'out of disk' }] as const
    backend.emit('app.status', { services: [...services], restartFor: [], takenAt: NOW })
  })
  await act(async () => void fireEvent.keyDown(document.body, { key: 'i' }))
  await screen.findByTestId('incidents')

  const listed = screen.getByTestId('findings').querySelectorAll('li').length
  expect(listed).toBeGreaterThan(0)
  expect(screen.getByTestId('incidents-tab-now').textContent).toBe(`Now${listed}`)
})

it('has a color while another pool than the first one is mined on', async () => {
  const { backend } = await open('/', mining)
  const lead = await screen.findByTestId('health')
  const tone = (): string | null | undefined => lead.querySelector('[data-tone]')?.getAttribute('data-tone')

  act(() => void show(backend, [aPool(0, { active: false }), aPool(1, { active: true })]))
  expect(lead.textContent).toContain('Mining on a backup pool')
  expect(tone()).toBe('warn')

  act(() => void show(backend, [aPool(0)]))
  expect(tone()).toBe('ok')
})

describe('that the wallet is backed up', () => {
  const noteOf = (address: string, backup: 'unknown' | 'none' | 'saved' | 'done' | 'old') => ({
    address,
    label: '',
    backup,
    lastUsedAt: null,
  })
  const wallet = async (notes: readonly ReturnType<typeof noteOf>[] | null): Promise<string> => {
    await open('/', (backend) => {
      fill(backend)
      backend.answer('app.info', () => anInfo({ network: 'main' }))
      backend.emit('signer.accounts', {
        accounts: [OWN_ADDRESS, OTHER_ADDRESS].map((address) => ({ address, file: address, files: 1 })),
        problems: [],
        keystore: '/k',
        takenAt: NOW,
      })
      if (notes !== null) backend.emit('signer.notes', { accounts: [...notes], watched: [], takenAt: NOW })
    })
    return screen.getByTestId('status-wallet').textContent ?? ''
  }

  it('is said once a copy of every key was opened', async () => {
    expect(await wallet([noteOf(OWN_ADDRESS, 'done'), noteOf(OTHER_ADDRESS, 'done')])).toContain('backed up')
  })

  it.each([
    ['nothing is known of backups', null],
    ['one account has no note', [noteOf(OWN_ADDRESS, 'done')]],
    ['one predates the records', [noteOf(OWN_ADDRESS, 'done'), noteOf(OTHER_ADDRESS, 'unknown')]],
    ['a copy has an older password', [noteOf(OWN_ADDRESS, 'done'), noteOf(OTHER_ADDRESS, 'old')]],
    ['a copy was never opened', [noteOf(OWN_ADDRESS, 'done'), noteOf(OTHER_ADDRESS, 'saved')]],
  ] as const)('is not said while %s', async (_name, notes) => {
    expect(await wallet(notes)).not.toContain('backed up')
  })
})

const switches: SwitchesView = {
  remote: { mode: 'off', expiresAt: null, hasToken: true },
  keepUnlocked: true,
  maySet: true,
  unlocked: [],
  takenAt: NOW,
}
const owner = { control: true, approve: true }

it.each([
  ['Accounts', owner, null],
  ['Accounts', { control: false, approve: false }, switches],
  ['Wallet locked', owner, switches],
  ['Wallet unlocked', owner, { ...switches, unlocked: [{ address: OWN_ADDRESS, until: NOW + 60_000 }] }],
  ['Wallet unlocked', owner, { ...switches, always: [OWN_ADDRESS] }],
] as const)('says “%s” of a wallet to %j, told %j', async (words, access, told) => {
  await open('/', (backend) => {
    fill(backend)
    backend.answer('app.info', () => anInfo({ access }))
    if (told !== null) backend.emit('signer.switches', { ...told, unlocked: [...told.unlocked] } as SwitchesView)
  })

  expect(screen.getByTestId('status-wallet').textContent).toContain(words)
})

describe('that everything is working', () => {
  const lead = () => screen.queryByTestId('health')?.textContent ?? ''
  const proven = aStatus({ source: SOURCE, lastProof: { at: NOW - 1_000, device: 0 } })

  it.each(['miner.devices', 'miner.incidents'] as const)('is not said before %s arrived', async (name) => {
    await open('/', (backend) => {
      mining(backend)
      backend.emit('miner.status', proven).forget(name)
    })

    expect(lead()).not.toContain('Everything is working')
  })

  it('is not said to a link that is told of no incidents, and what it does is', async () => {
    await open('/', (backend) => {
      mining(backend)
      const link = { hides: true, expiresAt: NOW + 3_600_000 }
      backend.answer('app.info', () => anInfo({ access: { control: false, approve: false }, link }))
      backend.emit('miner.status', proven).forget('miner.incidents')
    })

    expect(lead()).not.toContain('Everything is working')
    expect(lead()).toContain('Mining to a pool')
    expect(screen.getByTestId('announcer').textContent).toContain('isn’t told about incidents')
  })

  it('is said once all of it arrived', async () => {
    await open('/', (backend) => {
      mining(backend)
      backend.emit('miner.status', proven)
    })

    expect(lead()).toContain('Everything is working')
  })
})

it('a part of what the program sends that this page can’t read is a problem, until it can', async () => {
  const { backend } = await open('/', mining)

  act(() => backend.setUnread(['miner.incidents']))
  expect(screen.getByTestId('health').dataset.state).toBe('problem')
  expect(screen.getByTestId('health-chip-health.unread').textContent).toContain('miner.incidents')
  act(() => backend.setUnread([]))
  expect(screen.getByTestId('health').dataset.state).toBe('ok')
})
