// Many machines on one page: sums, what they lack, and one command to several.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { RigView } from '../../../../contract/rigs'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aFleet, aRig, someFigures } from '../../testing/scripted-rigs'
import { anInfo } from '../../testing/scripted-values'
// Preloaded, so that the timeout of a query doesn't include it; the application loads them on their first visit.
import './detail/RigDetail'
import './Rigs'

afterEach(cleanup)

const show = (backend: ScriptedBackend, rigs: readonly RigView[]): void =>
  void backend.emit('miner.rigs', aFleet(rigs, { takenAt: NOW }))

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

  it('keep their last report while offline, with the reason in their own words and the age', async () => {
    await open('/rigs', withRigs(aRig('b', { online: false, error: 'HTTP 401\u202e', ageSeconds: 90 })))

    const row = await screen.findByTestId('rig-b')
    expect(row.dataset.state).toBe('offline')
    expect(screen.getByTestId('rig-error-b').textContent).toContain('HTTP 401')
    expect(screen.getByTestId('rig-error-b').textContent).toContain('U+202E')
    expect(screen.getByTestId('rig-age-b').textContent).toBe('last seen 1\u00a0min 30\u00a0s ago')
    expect(row.textContent).toContain('59.00')
  })

  it('say above the table what a column means, until its name is pressed again', async () => {
    await open('/rigs', withRigs(aRig('a')))
    const row = await screen.findByTestId('rig-a')
    const column = within(row.closest('table') as HTMLElement).getByRole('button', { name: 'Uptime' })

    await press(column)
    expect((await screen.findByTestId('because')).textContent).toContain('Since the rig’s own startup.')
    expect(column.getAttribute('aria-expanded')).toBe('true')
    await press(column)

    expect(screen.queryByTestId('because')).toBeNull()
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
    expect((await screen.findByTestId('rig-pause-selected')).getAttribute('aria-disabled')).toBe('true')

    await press(screen.getByRole('checkbox', { name: 'Select a' }))
    await press(screen.getByRole('checkbox', { name: 'Select shut' }))
    await press(screen.getByTestId('rig-pause-selected'))
    expect(screen.getByTestId('rig-confirm').textContent).toContain('Pause all GPUs of 2 rigs?')
    expect(screen.getByTestId('rig-targets-open').textContent).toBe('Command goes to:a')
    expect(screen.getByTestId('rig-targets-noControl').textContent).toBe('Remote control is off on:shut')
    expect(callsOf(backend)).toEqual([])
    await press(screen.getByTestId('rig-confirm-confirm'))

    expect(callsOf(backend).map(({ params }) => params)).toEqual([{ rigs: ['a', 'shut'], action: 'pause', gpu: null }])
    expect(screen.getByTestId('rig-results').textContent).toBe(
      'a: pausedshut: Remote control is off. Start the rig with --api-allow-control.',
    )
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
    expect(await screen.findAllByTestId(/^rig-rig-\d+$/)).toHaveLength(200)

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

  it('that are unknown have a page that says so', async () => {
    await open('/rigs/ghost', withRigs(LOCAL))

    expect(await screen.findByText('Rig ghost doesn’t exist')).toBeTruthy()
  })
})
