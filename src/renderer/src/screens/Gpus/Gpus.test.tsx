// The devices: a table, the chosen one below it, and the brake of each.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { WireError } from '../../../../base/wire/define'
import { aDevice, aGpu } from '../../data/scripted-values'
import { fill, NOW, open } from '../../testing/open-app'
// Loaded before the clock of a search runs; the application loads them when they are first visited.
import './GpuDetail'
import './Gpus'

afterEach(cleanup)

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

  it('say in one line which sensors are not reported', async () => {
    await open('/gpus/0')

    const missing = await screen.findByTestId('chart-0-temperature')
    expect(missing.dataset.state).toBe('missing')
    expect(missing.parentElement?.textContent).toBe('Not reported by this device:TemperaturesPowerFanClocks')
    expect(screen.getByTestId('chart-0-hashrate').textContent).toContain('Collecting…')
  })

  it('show the chosen one below the table: the first until a row is clicked or entered', async () => {
    await open('/gpus', (backend) => fill(backend, [aGpu(0), aGpu(1), aGpu(2)]), { isWide: true })
    const second = await screen.findByTestId('gpu-row-1')
    expect(screen.getByTestId('gpu-detail-0')).toBeTruthy()
    expect(screen.getByTestId('gpu-row-0').getAttribute('aria-current')).toBe('true')

    fireEvent.click(second)
    expect(screen.getByTestId('gpu-detail-1')).toBeTruthy()
    expect(screen.queryByTestId('gpu-detail-0')).toBeNull()
    second.focus()
    fireEvent.keyDown(second, { key: 'ArrowDown' })
    expect(document.activeElement).toBe(screen.getByTestId('gpu-row-2'))
    fireEvent.keyDown(screen.getByTestId('gpu-row-2'), { key: 'Enter' })

    expect(screen.getByTestId('gpu-detail-2')).toBeTruthy()
    expect(screen.getByTestId('chart-2-power')).toBeTruthy()
  })

  it('are not chosen by a press on their pause button', async () => {
    await open('/gpus', (backend) => fill(backend, [aGpu(0), aGpu(1)]), { isWide: true })

    await act(async () => void fireEvent.click(await screen.findByTestId('gpu-pause-1')))

    expect(screen.getByTestId('gpu-detail-0')).toBeTruthy()
  })

  it('lead to pages of their own where several are only cards', async () => {
    await open('/gpus', (backend) => fill(backend, [aGpu(0), aGpu(1)]))

    const row = within(await screen.findByTestId('gpu-row-1'))
    expect(row.getByRole('link').getAttribute('href')).toBe('#/gpus/1')
    expect(screen.queryByTestId(/^gpu-detail-\d/)).toBeNull()
  })

  it('are paused for a time from the menu beside the button, and say when they go on', async () => {
    const { backend } = await open('/gpus/0', (backend) => fill(backend, [aGpu(0)]))
    const trigger = await screen.findByTestId('gpu-pause-0-for')

    await act(async () => void fireEvent.keyDown(trigger, { key: 'Enter' }))
    await act(async () => void fireEvent.click(await screen.findByTestId('gpu-pause-0-for-for1h')))

    expect(backend.calls.at(-1)).toEqual({ name: 'miner.pause', params: { device: 0, forSeconds: 3600 } })
    expect(screen.getByTestId('gpu-pause-0').dataset.state).toBe('pending')
    const paused = { state: 'paused' as const, paused: true, pauseReasons: ['Api request'], canResume: true }
    const devices = [aGpu(0, { ...paused, pauseEndsAt: NOW + 3_600_000 })]
    act(() => void backend.emit('miner.devices', { devices, takenAt: NOW + 1000 }))

    expect(screen.getByTestId('gpu-resumes-0').textContent).toMatch(/^resumes \d\d:\d\d:\d\d$/)
    expect(screen.queryByTestId('gpu-pause-0-for')).toBeNull()
  })

  it('tell in words where their temperatures stand to the thresholds', async () => {
    const { pass } = await open('/gpus/0', (backend) => {
      fill(backend, [aGpu(0, { temperature: { core: 80, hotspot: 106, memory: 60 } })])
      const history = {
        hashrate: 1,
        core: 80,
        hotspot: 106,
        memory: 60,
        fan: 50,
        power: 1,
        coreClock: 1,
        memoryClock: 1,
      }
      backend.answer('miner.history', ({ series }) => ({
        stepMs: 1000,
        firstAt: NOW - 10_000,
        values: Array.from({ length: 5 }, () => history[series]),
      }))
    })

    const chart = await screen.findByTestId('chart-0-temperature')
    await pass(1100)
    expect(chart.getAttribute('aria-describedby')).not.toBeNull()
    expect(chart.textContent).toContain('Core is above the warning at 75\u00a0°C.')
    expect(chart.textContent).toContain('Hotspot is above the critical 105\u00a0°C.')
    expect(chart.textContent).toContain('Memory is below the warning at 95\u00a0°C.')
  })
})
