// What is shown of a device beyond its readings, and of unused devices.
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { IncidentRulesView } from '../../../../contract/incidents'
import type { InventoryView, TunedCardView } from '../../../../contract/miner'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aDevice, aGpu, anInfo } from '../../testing/scripted-values'
// Preloaded, so that the timeout of a query doesn't include it; the application loads them on their first visit.
import './GpuDetail'
import './Gpus'
import { aMoney } from '../../testing/scripted-money'

afterEach(cleanup)

const DETAILS: InventoryView['devices'][number] = {
  driver: 'CUDA 12.4',
  memoryBytes: 8 * 2 ** 30,
  epoch: 3,
  neededBytes: 2 ** 30,
  nextNeededBytes: 1.5 * 2 ** 30,
  lastEpoch: 812,
  memoryFullAt: Date.UTC(2037, 1, 11, 12),
  nextChangeAt: Date.UTC(2026, 10, 25, 12, 30),
  changeSeconds: 41.3,
  temperatureLimits: { stop: 85, start: 60 },
  launch: { groupSize: 128, batchHashes: 1_048_576 },
  buildSeconds: 40.2,
}

function answers(backend: ScriptedBackend, change: Partial<InventoryView> = {}): void {
  backend
    .answer('miner.tuning', () => ({ card: null, hasTariff: false }))
    .answer('miner.inventory', () => ({ devices: [DETAILS], excluded: [], missing: [], ...change }))
    .answer('miner.solutions', () => ({
      shares: [
        { at: NOW, outcome: 'accepted', jobDifficulty: 4e9, ownDifficulty: 9e9, latencyMs: 31.4, reason: '' },
        { at: NOW - 9, outcome: 'rejected', jobDifficulty: 4e9, ownDifficulty: 5e9, latencyMs: 8, reason: 'low\u202e' },
      ],
      failed: [{ at: NOW - 5000, epoch: 3, nonce: '00000000000000ff' }],
    }))
}

const factsOf = (card: HTMLElement) =>
  [...card.querySelectorAll('dl > div')].map((fact) => [...fact.children].map((part) => part.textContent).join(': '))

describe('a device', () => {
  it('shows its driver, its memory against the epochs, and when heat pauses it', async () => {
    await open('/gpus/0/about', (backend) => {
      fill(backend, [aGpu(0)])
      answers(backend)
    })

    expect(factsOf(await screen.findByTestId('gpu-facts-0'))).toEqual([
      'Driver: CUDA 12.4',
      'Memory: 8.00\u00a0GiB',
      'Needed for epoch 3: 1.00\u00a0GiB',
      'Needed for the next epoch, 4: 1.50\u00a0GiB',
      'Last epoch that fits: 812',
      'Last DAG build: 40\u00a0s',
      expect.stringMatching(/^Next DAG change: about Nov 25, 2026, \d\d:30$/),
      'No mining during the change: 41\u00a0s',
      'Memory full: about Feb 11, 2037',
      'Temperature pause: at 85\u00a0°C, resumes below 60\u00a0°C',
      'Batch size: 1,048,576 hashes, work groups of 128',
      'Locate: Not possible: Headframe can’t set this GPU’s fan',
    ])
  })

  it('shows a free change if its next DAG is built ahead, and claims no unknown dates', async () => {
    const devices = [{ ...DETAILS, changeSeconds: 0, nextChangeAt: null, memoryFullAt: null }]
    await open('/gpus/0/about', (backend) => {
      fill(backend, [aGpu(0)])
      answers(backend, { devices })
    })
    const facts = factsOf(await screen.findByTestId('gpu-facts-0'))

    expect(facts).toContain('No mining during the change: none, the DAG is built before')
    expect(facts.filter((fact) => /Next DAG change|Memory full/.test(fact))).toEqual([])
  })

  it('lists wrong results with nonce and epoch, and its last shares on demand', async () => {
    await open('/gpus/0', (backend) => {
      fill(backend, [aGpu(0)])
      answers(backend)
    })
    const card = within(await screen.findByTestId('gpu-solutions-0'))
    expect(card.getByText(/found 1 wrong result. Lower this device’s clocks/)).toBeTruthy()
    expect(screen.getByTestId('gpu-failed-0').textContent).toContain('30x00000000000000ff')
    expect(screen.queryByTestId('gpu-shares-0')).toBeNull()

    fireEvent.click(card.getByRole('button', { name: 'Show last 2 shares' }))

    const rows = within(screen.getByTestId('gpu-shares-0')).getAllByRole('row').slice(1)
    expect(rows.map((row) => [...row.children].slice(1).map((cell) => cell.textContent))).toEqual([
      ['Accepted', '4.00\u00a0G', '9.00\u00a0G', '31 ms'],
      ['RejectedlowU+202E', '4.00\u00a0G', '5.00\u00a0G', '8 ms'],
    ])
  })

  it('is copied as a diagnosis with its readings of that moment', async () => {
    const writeText = vi.fn(async (_text: string) => undefined)
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
    await open('/gpus/0/about', (backend) => {
      fill(backend, [aGpu(0)])
      answers(backend)
    })

    await act(async () => void fireEvent.click(await screen.findByTestId('gpu-diagnosis-0')))

    const copied = JSON.parse(writeText.mock.calls[0]?.[0] ?? '{}')
    expect(copied).toMatchObject({
      program: { version: '0.1.0' },
      device: { name: 'NVIDIA GeForce RTX 3070', powerWatts: 115.2 },
      details: { driver: 'CUDA 12.4' },
      failed: [{ epoch: 3, nonce: '00000000000000ff' }],
    })
    expect(screen.getAllByText('Copied').length).toBeGreaterThan(0)
  })

  it("that finishes nothing doesn't respond, whatever it reports", async () => {
    await open('/gpus', (backend) => fill(backend, [aGpu(0, { responds: false })]))

    const state = await screen.findByTestId('gpu-state-0')
    expect([state.dataset.state, state.textContent]).toEqual(['silent', 'Not responding'])
  })

  it('that is too hot says below which temperature it resumes', async () => {
    const hot = { state: 'paused' as const, paused: true, pauseReasons: ['Overheating'], canResume: false }
    await open('/gpus', (backend) => fill(backend, [aGpu(0, { ...hot, temperatureLimits: { stop: 85, start: 60 } })]))

    const row = await screen.findByTestId('gpu-row-0')
    expect(screen.getByTestId('gpu-reason-0').textContent).toBe('Overheating; resumes after cooling down')
    expect(within(row).getByText('resumes below 60 °C')).toBeTruthy()
  })

  it('has levels for its fan and its power, too', async () => {
    const { backend } = await open('/gpus/0/tuning', (scripted) => {
      fill(scripted, [aGpu(0)])
      scripted.answer('miner.incidentRulesSave', () => ({}))
    })
    const kept = () => {
      const saved = backend.calls.filter(({ name }) => name === 'miner.incidentRulesSave').at(-1)?.params
      return (saved as IncidentRulesView | undefined)?.levels['01:00.0']
    }
    fireEvent.change(await screen.findByTestId('level-fan-0'), { target: { value: '101' } })
    expect(screen.getByText('Enter a whole number from 1 to 100.')).toBeTruthy()
    expect(kept()).toBeUndefined()

    await act(async () => {
      fireEvent.change(screen.getByTestId('level-fan-0'), { target: { value: '70' } })
      fireEvent.change(screen.getByTestId('level-power-0'), { target: { value: '90' } })
    })

    expect(kept()).toMatchObject({ fan: 70, power: 90, core: { warn: 75, critical: 85 } })
  })

  it.each([
    [0.4, '1.20 EUR'],
    [null, 'enter a tariff'],
  ])('costs what the program says of a kWh: %s', async (power, words) => {
    await open('/gpus/0/about', (backend) => {
      fill(backend, [aGpu(0, { powerWatts: 125 })])
      backend.answer('miner.money', () => aMoney({ prices: { lax: null, power, currency: 'EUR' } }))
    })

    expect(await screen.findByText(words)).toBeTruthy()
  })

  it('is paused by Space on its row, once', async () => {
    const { backend } = await open('/gpus', (backend) => fill(backend, [aGpu(0), aGpu(1)]))
    const row = await screen.findByTestId('gpu-row-1')
    row.focus()

    await act(async () => void fireEvent.keyDown(row, { key: ' ' }))
    await act(async () => void fireEvent.keyDown(row, { key: ' ', repeat: true }))

    const pauses = backend.calls.filter(({ name }) => name === 'miner.pause')
    expect(pauses.map(({ params }) => params)).toEqual([{ device: 1 }])
    expect(screen.getByTestId('gpu-row-0')).toBeTruthy()
  })
})

describe("devices that don't mine", () => {
  it('are listed as excluded, and no driver is missed if there is a GPU', async () => {
    await open('/gpus', (backend) => {
      fill(backend, [aGpu(0)])
      answers(backend, {
        excluded: [{ name: 'RX 6700 XT', pci: '02:00.0', backend: 'opencl', driver: 'OpenCL 3.0' }],
        missing: [{ backend: 'cuda', reason: 'libcuda.so.1: cannot open shared object file' }],
      })
    })

    const list = await screen.findByTestId('gpus-left-out')
    expect(list.textContent).toContain('Excluded')
    expect(list.textContent).toContain('RX 6700 XTOpenCL · 02:00.0 · OpenCL 3.0')
    expect(list.textContent).not.toContain('libcuda')
  })

  it('name the library that could not be opened', async () => {
    await open('/gpus', (backend) => {
      fill(backend, [aDevice()])
      answers(backend, { missing: [{ backend: 'cuda', reason: 'libcuda.so.1: cannot open shared object file' }] })
    })

    const list = await screen.findByTestId('gpus-left-out')
    expect(list.textContent).toBe('No CUDA driverlibcuda.so.1: cannot open shared object file')
  })
})

describe('a restart', () => {
  it('names the longest of the last builds, and is confirmed once nothing is being built', async () => {
    const { backend } = await open('/gpus', (backend) => {
      fill(backend, [aGpu(0)])
      answers(backend)
      backend.answer('miner.restart', () => ({}))
    })
    fireEvent.click(await screen.findByTestId('gpus-restart'))
    expect(await screen.findByText(/All GPUs stop for about 41 s/)).toBeTruthy()
    await act(async () => void fireEvent.click(screen.getByTestId('gpus-restart-dialog-confirm')))
    const button = screen.getByTestId('gpus-restart')
    expect(button.dataset.state).toBe('pending')

    const tell = (state: 'building' | 'mining') =>
      act(() => void backend.emit('miner.devices', { devices: [aGpu(0, { state })], takenAt: NOW }))
    tell('building')
    expect(button.dataset.state).toBe('pending')
    tell('mining')

    expect(button.dataset.state).toBe('confirmed')
  })

  it('is reported if nothing confirms it within two minutes', async () => {
    const { backend, pass } = await open('/gpus', (backend) => {
      fill(backend, [aGpu(0)])
      backend.answer('miner.restart', () => ({}))
    })
    fireEvent.click(await screen.findByTestId('gpus-restart'))
    await act(async () => void fireEvent.click(screen.getByTestId('gpus-restart-dialog-confirm')))
    act(() => void backend.emit('miner.devices', { devices: [aGpu(0, { state: 'building' })], takenAt: NOW }))

    await pass(120_000)

    expect(screen.getByTestId('gpus-restart').dataset.state).toBe('unconfirmed')
    expect(screen.getByText(/still building after 2 minutes/)).toBeTruthy()
  })
})

describe('locating a GPU', () => {
  const power = { knob: 'power', least: 115, most: 220, now: 220, usual: 220, allowed: true, isSet: false } as const
  const fan = { knob: 'fan', least: 28, most: 100, now: null, usual: null, allowed: null, isSet: false } as const
  const openWith = (knobs: TunedCardView['knobs'], isReadOnly = false) =>
    open('/gpus/0/about', (backend) => {
      fill(backend, [aGpu(0)])
      answers(backend)
      if (isReadOnly) backend.answer('app.info', () => anInfo({ access: { control: false, approve: false } }))
      backend.answer('miner.tuning', () => ({ card: { knobs, search: null }, hasTariff: false }))
      backend.answer('miner.locate', () => ({ runsMs: 7_000 }))
    })

  it('runs its fans, and says so for as long as they run', async () => {
    const { backend, clock } = await openWith([power, fan])
    const button = await screen.findByTestId('gpu-locate-0')
    await act(async () => void fireEvent.click(button))

    expect(backend.calls).toContainEqual({ name: 'miner.locate', params: { device: 0 } })
    expect(screen.getByTestId('gpu-facts-0').textContent).toContain('Fans at full speed for 7\u00a0s.')
    await act(async () => clock.advance(7_000))
    expect(screen.getByTestId('gpu-facts-0').textContent).not.toContain('full speed for')
  })

  it.each([
    ['it has no fan to set', [power], 'can’t set this GPU’s fan'],
    ['it lacks the rights', [{ ...fan, allowed: false }], 'without the right'],
  ])('says why it can not: %s', async (_why, knobs, words) => {
    await openWith(knobs)

    await waitFor(() => expect(screen.getByTestId('gpu-facts-0').textContent).toContain(words))
    expect(screen.queryByTestId('gpu-locate-0')).toBeNull()
  })

  it('is nothing for those who may only look', async () => {
    await openWith([fan], true)

    expect((await screen.findByTestId('gpu-facts-0')).textContent).not.toContain('Locate')
  })
})
