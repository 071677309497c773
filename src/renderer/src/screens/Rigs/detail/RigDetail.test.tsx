// The page of one rig: who may control it, the outcome of a command, and what is known about it.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { RigView } from '../../../../../contract/rigs'
import { fill, open } from '../../../testing/open-app'
import type { ScriptedBackend } from '../../../testing/scripted'
import { aRig, aRigGpu, someFigures, someRigs } from '../../../testing/scripted-rigs'
import { anInfo } from '../../../testing/scripted-values'
// Preloaded, so that the timeout of a query doesn't include it; the application loads them on their first visit.
import './RigDetail'
import '../Rigs'

afterEach(cleanup)

const press = (element: HTMLElement) => act(async () => void fireEvent.click(element))
const paused = { paused: true, pauseReason: 'Api request' }
const gpus = (first: Partial<RigView['figures'] & object> | object = {}) => [
  aRigGpu(first),
  aRigGpu({ name: 'RTX 3060' }),
]

/** The page of a rig `a` with two GPUs; `say` emits its next report. */
async function visit(change: Partial<RigView> = {}, prepare: (backend: ScriptedBackend) => void = () => undefined) {
  const first = aRig('a', { figures: someFigures({ gpus: gpus() }), ...change })
  const scene = await open('/rigs/a', (backend) => {
    fill(backend)
    backend.answer('miner.rigHistory', () => null).answer('miner.rigGpuHistory', () => null)
    prepare(backend)
    backend.emit('miner.rigs', someRigs([first]))
  })
  const say = (next: Partial<RigView>): Promise<void> =>
    act(async () => void scene.backend.emit('miner.rigs', someRigs([{ ...first, ...next }])))
  const commands = () =>
    scene.backend.calls.flatMap(({ name, params }) => (name === 'miner.rigCommand' ? [params] : []))
  await screen.findByRole('heading', { level: 1, name: 'a' })
  return { ...scene, say, commands }
}

const answers = (error: string, status: number | null) => (backend: ScriptedBackend) =>
  void backend.answer('miner.rigCommand', () => ({ results: [{ rig: 'a', error, status, reading: 4 }] }))

describe('a rig', () => {
  it('pauses a GPU: pending at once, confirmed only by a reading after the answer', async () => {
    const { say, commands, pass } = await visit({ reading: 3 }, answers('', null))
    const button = screen.getByTestId('gpu-pause-1')
    expect(button.getAttribute('aria-label')).toBe('Pause GPU 1, RTX 3060, of a')

    await press(button)
    expect([button.dataset.state, button.textContent]).toEqual(['pending', 'Pausing…'])
    await press(button)
    expect(commands()).toEqual([{ rigs: ['a'], action: 'pause', gpu: 1 }])

    const now = { figures: someFigures({ gpus: [aRigGpu(), aRigGpu({ name: 'RTX 3060', ...paused })] }) }
    await say({ ...now, reading: 4 })
    expect(button.dataset.state).toBe('pending')
    await say({ ...now, reading: 5 })
    expect(button.dataset.state).toBe('confirmed')
    expect(screen.getByTestId('gpu-reason-1').textContent).toBe('Api request')
    await pass(3000)
    expect([button.dataset.state, button.textContent]).toEqual(['idle', 'Resume'])
  })

  it("doesn't count as paused if nothing confirms it for 5 s", async () => {
    const { pass } = await visit({}, answers('', null))

    await press(screen.getByTestId('rig-pause'))
    await pass(5000)

    expect(screen.getByTestId('rig-pause').dataset.state).toBe('unconfirmed')
    expect(screen.getByText('No confirmation after 5 s; the rig still reports mining.')).toBeTruthy()
  })

  it.each([
    [400, 'HTTP 400: gpu must be an integer from 0 to 1', 'HTTP 400: gpu must be an integer from 0 to 1'],
    [401, 'HTTP 401: token missing or wrong', 'Token rejected. Save the right token for this rig.'],
    [403, 'HTTP 403', 'Remote control is off. Start the rig with --api-allow-control.'],
    [404, 'HTTP 404', 'This is a monitor without GPUs.'],
    [null, 'connection refused', 'No contact: connection refused'],
  ])('says why it refused with %s, for half a minute', async (status, error, words) => {
    const { pass } = await visit({}, answers(error, status))

    await press(screen.getByTestId('gpu-pause-0'))

    expect(screen.getByRole('alert').textContent).toBe(words)
    expect(screen.getByTestId('gpu-pause-0').dataset.state).toBe('failed')
    await pass(30_000)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it("has a card for each GPU if a table doesn't fit: state, rate, heat and power", async () => {
    await visit({
      figures: someFigures({ gpus: [aRigGpu({ temperature: { core: 0, hotspot: 0, memory: 0 } }), aRigGpu()] }),
    })

    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.getByTestId('gpu-row-0').textContent).toContain('Hottest–')
    expect(screen.getByTestId('gpu-row-1').textContent).toContain('Hottest74\u00a0°C')
    expect(screen.getByTestId('gpu-power-1').textContent).toBe('118\u00a0W')
  })

  it('resumes by hand only what was paused by hand', async () => {
    await visit({ figures: someFigures({ gpus: gpus({ paused: true, pauseReason: 'Overheating' }) }) })

    expect(screen.getByTestId('gpu-pause-0').getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByTestId('gpu-pause-0').title).toBe('Resumes by itself: Overheating')
  })

  it('asks before it restarts', async () => {
    const { commands } = await visit({}, answers('', null))

    await press(screen.getByTestId('rig-restart'))
    expect(commands()).toEqual([])
    await press(screen.getByTestId('rig-restart-confirm-confirm'))

    expect(commands()).toEqual([{ rigs: ['a'], action: 'restart', gpu: null }])
    expect(screen.getByText('Restarting.')).toBeTruthy()
  })

  it.each([
    ['noToken', { hasToken: false }],
    ['noControl', { figures: someFigures({ control: false }) }],
  ])('has no controls and says why: %s', async (state, change) => {
    await visit(change)

    expect(screen.getByTestId('rig-read-only').dataset.state).toBe(state)
    for (const id of ['rig-pause', 'rig-restart', 'gpu-pause-0']) expect(screen.queryByTestId(id)).toBeNull()
  })

  it('has nothing to change for read-only users', async () => {
    await visit({}, (backend) => {
      backend.answer('app.info', () => anInfo({ access: { control: false, approve: false } }))
    })

    for (const id of ['rig-pause', 'gpu-pause-0', 'rig-change', 'rig-remove', 'rig-read-only'])
      expect(screen.queryByTestId(id)).toBeNull()
    expect(screen.getByRole('button', { name: /Copy link/ })).toBeTruthy()
  })

  it("isn't changed here if it comes from its own file", async () => {
    await visit({ isFixed: true })

    expect(screen.queryByTestId('rig-change')).toBeNull()
    expect(screen.getByText('Set by --rig-file; edit that file')).toBeTruthy()
  })

  it('draws its recorded history, and that of each GPU', async () => {
    const { backend } = await visit()
    const asked = (name: string) => backend.calls.flatMap((call) => (call.name === name ? [call.params] : []))
    expect(within(screen.getByTestId('chart-rig-all-hashrate')).getByText(/No samples yet|Collecting/i)).toBeTruthy()
    expect(asked('miner.rigHistory')).toContainEqual({ rig: 'a', series: 'hottest', window: '1h' })

    await press(screen.getByRole('radio', { name: '24 h' }))
    expect(asked('miner.rigHistory')).toContainEqual({ rig: 'a', series: 'hashrate', window: '24h' })
    await act(async () => void fireEvent.change(screen.getByTestId('rig-charts-of'), { target: { value: '1' } }))

    expect(asked('miner.rigGpuHistory')).toContainEqual({ rig: 'a', gpu: 1, series: 'hotspot' })
    expect(asked('miner.history')).toEqual([])
  })

  it('of the stratum port shows what its shares tell, and takes no commands', async () => {
    const worker = {
      software: 'miner/1',
      dialect: 'nicehash',
      connections: 1,
      difficulty: 6e8,
      reportedHashrate: 61e6,
      effectiveHashrate: 57e6,
      stale: 2,
      blocks: 3,
      lastSeenAt: 1_700_000_000_000,
      lastShareAt: null,
    }
    await visit({
      host: '10.0.0.7',
      hasToken: false,
      isFixed: true,
      worker,
      figures: someFigures({ control: false, gpus: [] }),
    })

    expect(screen.getByText(/^Mines for your node over stratum/)).toBeTruthy()
    expect(screen.queryByTestId('rig-change')).toBeNull()
    const facts = screen.getByTestId('rig-facts').textContent
    for (const text of ['nicehash', '61.00', 'Blocks found3', 'Last share']) expect(facts).toContain(text)
    expect(facts).not.toContain('Token')
  })

  it('is removed after a confirmation', async () => {
    const { backend } = await visit({}, (scripted) => {
      scripted.answer('miner.rigRemove', () => ({ kept: true, reason: '' }))
    })

    await press(screen.getByTestId('rig-remove'))
    await press(screen.getByTestId('rig-remove-confirm-confirm'))

    expect(backend.calls).toContainEqual({ name: 'miner.rigRemove', params: { name: 'a' } })
    expect(window.location.hash).toBe('#/rigs')
  })
})
