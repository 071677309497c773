// Many machines on one page: sums, what they lack, and one command to several.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { RigView } from '../../../../contract/rigs'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aRig, aRigGpu, someFigures, someRigs } from '../../testing/scripted-rigs'
import { anInfo } from '../../testing/scripted-values'
// Preloaded, so that the timeout of a query doesn't include it; the application loads them on their first visit.
import './detail/RigDetail'
import './Rigs'

afterEach(cleanup)

const show = (backend: ScriptedBackend, rigs: readonly RigView[]): void =>
  void backend.emit('miner.rigs', someRigs(rigs, { takenAt: NOW }))

const withRigs =
  (...rigs: readonly RigView[]) =>
  (backend: ScriptedBackend): void => {
    fill(backend)
    show(backend, rigs)
  }

const LOCAL = aRig('here', { local: true, host: '', hasToken: false })
const press = (element: HTMLElement) => act(async () => void fireEvent.click(element))
const callsOf = (backend: ScriptedBackend) => backend.calls.filter((call) => call.name === 'miner.rigCommand')

describe('rigs', () => {
  it('are summed over those online, and missing ones are counted', async () => {
    await open(
      '/rigs',
      withRigs(LOCAL, aRig('a'), aRig('b', { online: false, error: 'connect ECONNREFUSED', ageSeconds: 90 })),
    )

    const totals = await screen.findByTestId('rigs-totals')
    expect(totals.textContent).toContain('2 of 3 online')
    expect(totals.textContent).toContain('Totals leave out 1 rig')
    expect(screen.getByTestId('rigs-hashrate').dataset.value).toBe('118000000')
  })

  it('say how many devices the power and the efficiency leave out', async () => {
    const gpu = someFigures().gpus[0]
    if (gpu === undefined) throw new Error('a rig without a device')
    const figures = someFigures({ gpus: [gpu, { ...gpu, powerWatts: 0 }] })
    await open('/rigs', withRigs(LOCAL, aRig('a', { figures }), aRig('b', { figures, online: false })))

    const totals = await screen.findByTestId('rigs-totals')
    expect(totals.textContent).toContain('Power and efficiency leave out 1 device')
  })

  it('say nothing of power while none is reported: a dash does', async () => {
    const figures = someFigures({ powerWatts: 0, gpus: someFigures().gpus.map((gpu) => ({ ...gpu, powerWatts: 0 })) })
    await open('/rigs', withRigs(aRig('a', { figures })))

    const totals = await screen.findByTestId('rigs-totals')
    expect(totals.textContent).not.toContain('leave out')
  })

  it('keep their last report while offline, with the reason in their own words and the age', async () => {
    await open('/rigs', withRigs(aRig('b', { online: false, error: 'HTTP 401\u202e', ageSeconds: 90 })))

    const row = await screen.findByTestId('rig-b')
    expect(row.dataset.state).toBe('offline')
    expect(screen.getByTestId('rig-error-b').textContent).toContain('HTTP 401')
    expect(screen.getByTestId('rig-error-b').textContent).toContain('U+202E')
    expect(screen.getByTestId('rig-age-b').textContent).toBe('last seen 1\u00a0min 30\u00a0s ago')
    expect(row.textContent).toContain('59.00')
  })

  it('are sorted by a column, figures from the largest, and by the same again the other way', async () => {
    const at = (s60: number) => someFigures({ hashrate: { now: s60, s60, m15: s60, effective: s60 } })
    await open(
      '/rigs',
      withRigs(aRig('a', { figures: at(2e6) }), aRig('b', { figures: at(3e6) }), aRig('c', { figures: at(1e6) })),
    )
    const names = () => screen.getAllByTestId(/^rig-[abc]$/).map(({ dataset }) => dataset.testid)
    expect((await screen.findByTestId('rig-sort-name')).closest('th')?.getAttribute('aria-sort')).toBe('ascending')

    await press(screen.getByTestId('rig-sort-rate'))
    expect(names()).toEqual(['rig-b', 'rig-a', 'rig-c'])
    expect(screen.getByTestId('rig-sort-rate').closest('th')?.getAttribute('aria-sort')).toBe('descending')
    await press(screen.getByTestId('rig-sort-rate'))

    expect(names()).toEqual(['rig-c', 'rig-a', 'rig-b'])
  })

  it('with a group label stand in groups with subtotals, which open', async () => {
    const away = { online: false, error: 'no route', ageSeconds: 60, group: 'rack 2' }
    await open('/rigs', withRigs(aRig('a', { group: 'rack 1' }), aRig('b', { group: 'rack 1' }), aRig('c', away)))
    const group = await screen.findByTestId('rig-group-rack 1')
    expect(group.textContent).toContain('2 online')
    expect(group.textContent).toContain('118.0')
    expect(screen.getByTestId('rig-group-rack 2').textContent).toContain('1 offline')
    expect(screen.queryByTestId('rig-a')).toBeNull()

    await press(within(group).getByRole('button'))
    expect(screen.getAllByTestId(/^rig-[abc]$/)).toHaveLength(2)
    await press(screen.getByRole('checkbox', { name: 'Select rack 1' }))

    expect(screen.getByTestId('rig-commands').textContent).toContain('2 rigs selected 2 GPUs, 118.0')
  })

  it('say what is wrong with their pool, also through a closed group', async () => {
    const pool = { connected: true, host: 'pool.example:4444', warning: 'rejects every share' }
    const refused = { labels: { group: 'rack 1' }, group: 'rack 1', figures: someFigures({ pool }) }
    const cut = someFigures({ pool: { ...pool, connected: false, warning: '' } })
    const wasted = someFigures({ shares: { accepted: 1, rejected: 99, failed: 0 } })
    const mute = aRig('mute', { figures: null })
    await open(
      '/rigs',
      withRigs(aRig('a', refused), aRig('cut', { figures: cut }), aRig('w', { figures: wasted }), mute),
    )
    const group = await screen.findByTestId('rig-group-rack 1')
    expect(group.textContent).toContain('1 needs a look')

    await press(within(group).getByRole('button'))

    expect(screen.getByTestId('rig-a').textContent).toContain('rejects every share')
    await press(within(screen.getByTestId('rig-group-')).getByRole('button'))
    expect(screen.getByTestId('rig-cut').textContent).toContain('No contact with pool.example:4444')
    expect(screen.getByTestId('rig-w').textContent).toContain('99% of its shares rejected')
    expect(screen.getByTestId('rig-mute').textContent).toContain('No figures')
  })

  it('are shown by state, each with its count, and such a view can be saved and dropped', async () => {
    const hot = { gpus: [aRigGpu({ temperature: { core: 60, hotspot: 70, memory: 101 } })] }
    const { storage } = await open('/rigs', withRigs(aRig('a'), aRig('b', { figures: someFigures(hot) })))
    expect((await screen.findByTestId('rig-view-hot')).textContent).toBe('Hot1')
    await press(screen.getByTestId('rig-view-hot'))
    expect(screen.getAllByTestId(/^rig-[ab]$/)).toHaveLength(1)

    await press(screen.getByTestId('rig-save-view'))
    fireEvent.change(screen.getByRole('textbox', { name: 'Name of the view' }), { target: { value: 'Night shift' } })
    await press(screen.getByRole('button', { name: 'Save' }))
    await press(screen.getByTestId('rig-view-all'))
    expect(screen.getAllByTestId(/^rig-[ab]$/)).toHaveLength(2)
    await press(screen.getByRole('button', { name: 'Night shift' }))

    expect(screen.getAllByTestId(/^rig-[ab]$/)).toHaveLength(1)
    expect(storage.get('headframe.preferences')).toContain('Night shift')
    await press(screen.getByRole('button', { name: 'Delete view Night shift' }))
    expect(storage.get('headframe.preferences')).not.toContain('Night shift')
  })

  it('show dashes if they were never reached, and a dash for a sensor that reads zero', async () => {
    await open('/rigs', withRigs(aRig('c', { online: false, figures: null, ageSeconds: null, error: 'no route' })))

    const row = await screen.findByTestId('rig-c')
    expect(row.textContent).toContain('Never reached')
    expect(within(row).getAllByText('–').length).toBeGreaterThan(5)
  })

  it('take one command together, after a confirmation that names those who will refuse', async () => {
    const closed = aRig('shut', { figures: someFigures({ control: false }) })
    const { backend } = await open('/rigs', withRigs(LOCAL, aRig('a'), aRig('b'), closed))
    backend.answer('miner.rigCommand', ({ rigs }) => ({
      results: rigs.map((rig) =>
        rig === 'shut'
          ? { rig, error: 'HTTP 403: control is off', status: 403, reading: 1 }
          : { rig, error: '', status: null, reading: 1 },
      ),
    }))
    await screen.findByTestId('rig-a')
    expect(screen.queryByTestId('rig-pause-selected')).toBeNull()

    await press(screen.getByRole('checkbox', { name: 'Select a' }))
    await press(screen.getByRole('checkbox', { name: 'Select shut' }))
    await press(screen.getByTestId('rig-pause-selected'))
    expect(screen.getByTestId('rig-confirm').textContent).toContain('Pause all GPUs of 2 rigs?')
    expect(screen.getByTestId('rig-targets-open').textContent).toBe('Command goes to:a')
    expect(screen.getByTestId('rig-targets-noControl').textContent).toBe('Remote control is off on:shut')
    expect(callsOf(backend)).toEqual([])
    await press(screen.getByTestId('rig-confirm-confirm'))

    expect(callsOf(backend).map(({ params }) => params)).toEqual([{ rigs: ['a', 'shut'], action: 'pause', gpu: null }])
    // What failed comes first.
    expect(screen.getByTestId('rig-results').textContent).toBe(
      'shut: Remote control is off. Start the rig with --api-allow-control.a: paused',
    )
  })

  it('do again what they did before a pause, GPU by GPU', async () => {
    const mixed = [aRigGpu({ paused: true }), aRigGpu()]
    const { backend } = await open('/rigs', withRigs(aRig('a'), aRig('b', { figures: someFigures({ gpus: mixed }) })))
    backend.answer('miner.rigCommand', ({ rigs }) => ({
      results: rigs.map((rig) => ({ rig, error: '', status: null, reading: 1 })),
    }))
    await press(await screen.findByRole('checkbox', { name: 'Select all shown rigs' }))
    await press(screen.getByTestId('rig-pause-selected'))
    expect(screen.getByTestId('rig-confirm').textContent).toContain('Stops 2 GPUs')
    await press(screen.getByTestId('rig-confirm-confirm'))
    await press(screen.getByTestId('rig-undo'))

    expect(callsOf(backend).map(({ params }) => params)).toEqual([
      { rigs: ['a', 'b'], action: 'pause', gpu: null },
      { rigs: ['a'], action: 'resume', gpu: null },
      { rigs: ['b'], action: 'resume', gpu: 1 },
    ])
    expect(screen.queryByTestId('rig-undo')).toBeNull()
  })

  it('are selected all at once, except for this computer', async () => {
    await open('/rigs', withRigs(LOCAL, aRig('a'), aRig('b')))

    await press(await screen.findByRole('checkbox', { name: 'Select all shown rigs' }))

    expect(screen.getByTestId('rig-commands').textContent).toContain('2 rigs selected')
    expect(screen.queryByRole('checkbox', { name: 'Select here' })).toBeNull()
  })

  it('are two hundred as well, and found by part of their name', async () => {
    const many = Array.from({ length: 200 }, (_, index) => aRig(`rig-${index}`))
    await open('/rigs', withRigs(...many))
    expect((await screen.findAllByTestId(/^rig-rig-\d+$/)).length).toBeLessThan(60)
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('201')

    fireEvent.change(screen.getByRole('searchbox', { name: 'Filter rigs' }), { target: { value: 'RIG-19' } })

    expect(screen.getAllByTestId(/^rig-rig-\d+$/)).toHaveLength(11)
  })

  it("can't be controlled by read-only users", async () => {
    await open('/rigs', (backend) => {
      withRigs(LOCAL, aRig('a'))(backend)
      backend.answer('app.info', () => anInfo({ access: { control: false, approve: false } }))
    })

    expect(within(await screen.findByTestId('rig-a')).queryByRole('checkbox')).toBeNull()
    expect(screen.queryByLabelText('Select all shown rigs')).toBeNull()
    expect(screen.queryByTestId('rig-commands')).toBeNull()
  })

  it('say if there are no others', async () => {
    await open('/rigs', withRigs(LOCAL))

    expect(await screen.findByText('No other rigs yet')).toBeTruthy()
  })

  it('have pages of their own with their GPUs', async () => {
    await open('/rigs/my%20rig', withRigs(aRig('my rig')), { isWide: true })

    expect(await screen.findByRole('heading', { level: 1, name: 'my rig' })).toBeTruthy()
    const row = screen.getByRole('row', { name: /RTX 3070/ })
    expect(row.textContent).toContain('74\u00a0°C')
    expect(within(row).getAllByText('–')).toHaveLength(1)
    expect(screen.getByTestId('gpu-temp-memory-0').textContent).toBe('–')
  })

  it('have pages that say when their pool is lost', async () => {
    const pool = { connected: false, host: 'pool.example:4444', warning: '' }
    await open('/rigs/a', withRigs(aRig('a', { figures: someFigures({ pool }) })), { isWide: true })

    expect(await screen.findByText('No contact with pool.example:4444')).toBeTruthy()
  })

  it('without contact don’t count among what a command stops', async () => {
    const away = aRig('away', { online: false, error: 'refused', ageSeconds: 1_740 })
    await open('/rigs', withRigs(aRig('a'), away))
    await press(await screen.findByRole('checkbox', { name: 'Select all shown rigs' }))
    await press(screen.getByTestId('rig-pause-selected'))

    expect(screen.getByTestId('rig-confirm').textContent).toContain('Pause all GPUs of 2 rigs?')
    expect(screen.getByTestId('rig-confirm').textContent).toContain('Stops 1 GPU,')
  })

  it('that are unknown have a page that says so', async () => {
    await open('/rigs/ghost', withRigs(LOCAL))

    expect(await screen.findByText('Rig ghost doesn’t exist')).toBeTruthy()
  })
})
