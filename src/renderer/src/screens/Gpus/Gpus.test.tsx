// The devices: a table, the selected one below it, and the pause button of each.
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { WireError } from '../../../../base/wire/define'
import type { IncidentRulesView } from '../../../../contract/incidents'
import type { Figure } from '../../../../contract/money'
import { goTo } from '../../navigation/router'
import { fill, NOW, open } from '../../testing/open-app'
import { aMoney, aPeriod, known, lax } from '../../testing/scripted-money'
import { aDevice, aGpu, aStatus } from '../../testing/scripted-values'
// Preloaded, so that the timeout of a query doesn't include it; the application loads them on their first visit.
import './GpuDetail'
import './Gpus'

afterEach(cleanup)

describe('devices', () => {
  it('show a dash for a missing sensor, never a zero', async () => {
    await open('/gpus', (backend) => fill(backend, [aGpu(0)]))

    const row = within(await screen.findByTestId('gpu-row-0'))
    expect(row.getByTestId('gpu-temp-core-0').textContent).toBe('61\u00a0°C')
    expect(row.getByTestId('gpu-temp-memory-0').textContent).toBe('–')
    expect(row.getByTestId('gpu-temp-memory-0').dataset.value).toBe('')
    expect(row.getByTestId('gpu-power-0').dataset.value).toBe('115.2')
  })

  it('show one dash for a device without sensors', async () => {
    await open('/gpus', (backend) => fill(backend, [aDevice(), aGpu(1)]))

    const row = await screen.findByTestId('gpu-row-0')
    const cell = (column: string): string =>
      [...row.querySelectorAll(`[data-column="${column}"]`)].map(({ textContent }) => textContent).join(' ')
    expect(cell('temperatures')).toBe('– –') // one in each of its two widths
    expect(cell('clocks')).toBe('–')
  })

  it('look old in every figure, the sums too, once readings stop', async () => {
    const { pass } = await open('/gpus', (backend) => fill(backend, [aGpu(0), aGpu(1)]))
    const row = await screen.findByTestId('gpu-row-0')
    const stale = (element: HTMLElement, column: string): boolean =>
      element.querySelector(`[data-column="${column}"] [data-stale="true"]`) !== null
    const columns = ['s60', 'power', 'efficiency', 'fan'] as const
    const tone = () => /ok|neutral/.exec(screen.getByTestId('gpu-state-0').className)?.[0]
    expect([columns.filter((column) => stale(row, column)), tone()]).toEqual([[], 'ok'])

    await pass(12_000)

    expect(tone()).toBe('neutral')
    expect(columns.filter((column) => stale(row, column))).toEqual(columns)
    expect(columns.filter((column) => stale(screen.getByTestId('gpu-totals'), column))).toEqual(columns)
  })

  it('name the hottest beside the chart of all temperatures', async () => {
    const warm = aGpu(1, { temperature: { core: 60, hotspot: 88, memory: null } })
    await open('/gpus', (backend) => fill(backend, [aGpu(0), warm]))

    const chart = await screen.findByTestId('chart-all-temperature')
    expect(chart.querySelector('figcaption')?.textContent).toContain('88\u00a0°C GPU 1')
  })

  it('say in their row how many threads a CPU mines with, and nothing of threads for a GPU', async () => {
    await open('/gpus', (backend) => fill(backend, [aDevice({ threads: 2 }), aGpu(1)]))

    expect((await screen.findByTestId('gpu-row-0')).textContent).toContain('EPYC 7B13 · 2 threads')
    expect(screen.getByTestId('gpu-row-1').textContent).not.toContain('thread')
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

  it('are reported missing if there are none', async () => {
    await open('/gpus', (backend) => fill(backend, []))

    expect(await screen.findByText('No mining devices found')).toBeTruthy()
    // The name of an option isn't broken at its hyphens.
    expect(screen.getByText('--cpu').style.whiteSpace).toBe('nowrap')
  })

  it('pause at once, confirmed by the next reading', async () => {
    const { backend } = await open('/gpus')
    const button = await screen.findByTestId('gpu-pause-0')

    await act(async () => void fireEvent.click(button))
    expect(button.dataset.state).toBe('pending')
    expect(button.getAttribute('aria-busy')).toBe('true')
    expect(screen.getByTestId('gpu-row-0').dataset.state).toBe('mining')
    const paused = aDevice({ state: 'paused', paused: true, pauseReasons: ['Api request'], canResume: true })
    act(() => void backend.emit('miner.devices', { devices: [paused], takenAt: NOW + 1000 }))

    expect(button.dataset.state).toBe('confirmed')
    expect(button.title).toBe('Resume')
    expect(button.getAttribute('aria-label')).toBe('Resume device 0, AMD EPYC 7B13')
    expect(screen.getByTestId('gpu-reason-0').textContent).toBe('Paused by you or a program with the control token')
    expect(screen.getByTestId('gpu-reason-0').title).toBe('Api request')
  })

  it('name the option that allows control if a command is refused', async () => {
    const { backend } = await open('/gpus')
    backend.answer('miner.pause', () => {
      throw new WireError('CONTRACT_DENIED', { name: 'miner.pause', access: 'control', reason: 'read only' })
    })
    const button = await screen.findByTestId('gpu-pause-0')

    await act(async () => void fireEvent.click(button))

    expect(button.dataset.state).toBe('failed')
    expect(within(screen.getByTestId('gpu-row-0')).getByRole('alert').textContent).toContain('--api-allow-control')
  })

  it("can't be resumed by hand if they resume by themselves", async () => {
    const { backend } = await open('/gpus', (backend) =>
      fill(backend, [aDevice({ state: 'paused', paused: true, pauseReasons: ['Overheating'], canResume: false })]),
    )
    const button = await screen.findByTestId('gpu-pause-0')

    await act(async () => void fireEvent.click(button))

    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(backend.calls.some(({ name }) => name === 'miner.resume')).toBe(false)
  })

  it("say in one line which sensors aren't reported", async () => {
    await open('/gpus/0')

    const missing = await screen.findByTestId('chart-0-temperature')
    expect(missing.dataset.state).toBe('missing')
    expect(missing.parentElement?.textContent).toBe('Not reported by this device:TemperaturesPowerFanClocks')
    expect(screen.getByTestId('chart-0-hashrate').textContent).toContain('Collecting…')
  })

  it('lead to pages of their own, by click and by Enter', async () => {
    await open('/gpus', (backend) => fill(backend, [aGpu(0), aGpu(1), aGpu(2)]))
    const second = await screen.findByTestId('gpu-row-1')
    expect(within(second).getByRole('link').getAttribute('href')).toBe('#/gpus/1')

    second.focus()
    fireEvent.keyDown(second, { key: 'ArrowDown' })
    expect(document.activeElement).toBe(screen.getByTestId('gpu-row-2'))
    fireEvent.keyDown(screen.getByTestId('gpu-row-2'), { key: 'Enter' })
    expect(await screen.findByTestId('chart-2-power')).toBeTruthy()
    act(() => goTo('/gpus'))
    fireEvent.click(await screen.findByTestId('gpu-row-1'))

    expect(await screen.findByTestId('chart-1-power')).toBeTruthy()
  })

  it("aren't opened by a press on their pause button", async () => {
    await open('/gpus', (backend) => fill(backend, [aGpu(0), aGpu(1)]))

    await act(async () => void fireEvent.click(await screen.findByTestId('gpu-pause-1')))

    expect(screen.getByTestId('gpu-row-0')).toBeTruthy()
  })

  it('say what each lost in 24 hours and what is left a day, and name those that cost more than they earn', async () => {
    const hashrate = { now: 75e6, s60: 75e6, m15: 75e6 }
    const lost = { usualHashes: known(1_000), lostHashes: known(33) }
    const unknown: Figure = { value: null, missing: 'no-usual-hashrate' }
    await open('/gpus', (backend) => {
      fill(backend, [aGpu(0, { hashrate, meanPowerWatts: 100 }), aGpu(1, { hashrate, meanPowerWatts: 300 })])
      backend.answer('miner.money', () =>
        aMoney({
          devices: [
            { index: 0, name: 'a', usualHashrate: known(75e6), ...lost },
            { index: 1, name: 'b', usualHashrate: unknown, usualHashes: unknown, lostHashes: unknown },
          ],
          forecast: { ...aMoney().forecast, incomePerDay: lax(2_000) },
          prices: { lax: 1.5, power: 0.25, currency: 'EUR' },
        }),
      )
      backend.emit('miner.status', { ...aStatus(), hashrate: { now: 150e6, s60: 150e6, m15: 150e6, effective: 150e6 } })
    })

    // Each has half of 2 LAX at 1.50; 100 W cost 24 × 0.1 × 0.25 a day.
    await waitFor(() => expect(screen.getByTestId('gpu-margin-0').dataset.value).toBe('0.9'))
    expect(screen.getByTestId('gpu-margin-1').dataset).toMatchObject({ value: '-0.3', level: 'danger' })
    expect(screen.getByTestId('gpu-total-margin').dataset).toMatchObject({ value: '0.6' })
    expect(screen.getByTestId('gpu-total-lost').textContent).toBe('2.0%')
    expect(screen.getByTestId('gpu-lost-0').dataset).toMatchObject({ value: '0.033', level: 'warn' })
    expect(screen.getByTestId('gpu-lost-0').textContent).toBe('3.3%')
    expect(screen.getByTestId('gpu-lost-1').textContent).toBe('–')
    const chart = within(screen.getByTestId('scatter'))
    expect(chart.getByRole('img').dataset.losing).toBe('1')
    expect(chart.getByRole('img').getAttribute('aria-label')).toContain(
      'GPU 0 has the best efficiency, GPU 1 the worst',
    )
    expect(screen.getByTestId('scatter').textContent).toContain('1 costs more than it earns')
  })

  it('lost no part of what is usual while little of the work was watched', async () => {
    const lost = { usualHashes: known(1_000), lostHashes: known(900) }
    const whole = aPeriod({ losses: { ...aPeriod().losses, ...lost }, total: { ...aPeriod().total, hashes: 40_000 } })
    await open('/gpus', (backend) => {
      fill(backend, [aGpu(0)])
      backend.answer('miner.money', () =>
        aMoney({ whole, devices: [{ index: 0, name: 'a', usualHashrate: known(75e6), ...lost }] }),
      )
    })

    expect((await screen.findByTestId('gpu-lost-0')).textContent).toBe('–')
    expect(screen.getByTestId('gpu-total-lost').textContent).toBe('–')
  })

  it('have a bar under a figure, as long as its part of the largest', async () => {
    const half = { hashrate: { now: 30e6, s60: 30e6, m15: 30e6 } }
    const whole = { hashrate: { now: 60e6, s60: 60e6, m15: 60e6 } }
    const { backend } = await open('/gpus', (backend) => fill(backend, [aGpu(0, whole), aGpu(1, half)]))

    const bar = await screen.findByTestId('gpu-bar-s60-1')
    expect(screen.getByTestId('gpu-bar-s60-0').style.inlineSize).toBe('100%')
    expect(bar.style.inlineSize).toBe('50%')
    const later = [aGpu(0, whole), aGpu(1, { ...whole, takenAt: NOW + 1000 })]
    act(() => void backend.emit('miner.devices', { devices: later, takenAt: NOW + 1000 }))
    await waitFor(() => expect(bar.style.inlineSize).toBe('100%'))
  })

  it('count accepted, rejected and wrong shares in columns of their own', async () => {
    await open('/gpus', (backend) => {
      fill(backend, [aGpu(0, { shares: { accepted: 591, rejected: 4, failed: 2 } }), aGpu(1)])
      backend.emit('miner.status', { ...aStatus(), shares: { accepted: 600, rejected: 5, failed: 2 } })
    })

    expect((await screen.findByTestId('gpu-shares-0')).textContent).toBe('591')
    expect(screen.getByTestId('gpu-rejected-0').dataset.value).toBe('4')
    expect(screen.getByTestId('gpu-wrong-0').dataset).toMatchObject({ value: '2', level: 'warn' })
    expect(screen.getByTestId('gpu-total-shares').textContent).toBe('600')
    expect(screen.getByTestId('gpu-total-wrong').textContent).toBe('2')
    expect(screen.getByTestId('gpus-summary').textContent).toBe('2 devices, 2 mining')
  })

  it("don't count a hung device as mining", async () => {
    await open('/gpus', (backend) => fill(backend, [aGpu(0), aGpu(1, { responds: false })]))

    expect((await screen.findByTestId('gpus-summary')).textContent).toBe('2 devices, 1 mining')
  })

  it.each([
    ['24 h', 3_600_000],
    ['10 min', 3_000_000],
  ])('show the history of %s when %s ms are recorded', async (span, ageMs) => {
    await open('/gpus', (backend) => {
      fill(backend, [aGpu(0)])
      backend.answer('miner.history', () => ({ stepMs: 60_000, firstAt: NOW - ageMs, values: [59e6, 59e6] }))
    })

    const row = within(await screen.findByTestId('gpu-row-0'))
    await waitFor(() => expect(row.getByRole('img').getAttribute('aria-label')).toContain(span))
    expect(screen.getByRole('columnheader', { name: span })).toBeTruthy()
  })

  it('claim no margin while a price is missing', async () => {
    await open('/gpus', (backend) => {
      fill(backend, [aGpu(0), aGpu(1)])
      backend.answer('miner.money', () => aMoney({ prices: { lax: null, power: 0.25, currency: 'EUR' } }))
    })

    const table = (await screen.findByTestId('gpu-row-0')).closest('table')
    expect(table?.dataset.hidden).toBe('margin')
    expect(screen.getByTestId('gpu-margin-0').textContent).toBe('–')
  })

  it('are paused for a time from the menu beside the button, and say when they resume', async () => {
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

  it('compare their temperatures with the thresholds in words', async () => {
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
        effective: 1,
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

  it('keep the same twelve in their common chart while they drift, and let one in that got hot', async () => {
    const heated = (hot: number, celsius: number) =>
      Array.from({ length: 14 }, (_, index) =>
        aGpu(index, { temperature: { core: index === hot ? celsius : 60, hotspot: null, memory: null } }),
      )
    const { backend, pass } = await open('/gpus', (filled) => fill(filled, heated(0, 61)))
    await screen.findByTestId('chart-all-temperature')
    const asked = () =>
      backend.calls.flatMap(({ name, params }) => {
        const { series, device } = params as { readonly series?: string; readonly device?: number }
        return name === 'miner.history' && series === 'core' ? [device] : []
      })
    const read = async (at: number, devices: ReturnType<typeof heated>) => {
      act(() => void backend.emit('miner.devices', { devices, takenAt: NOW + at }))
      await pass(3000)
    }
    const twelve = Array.from({ length: 12 }, (_, index) => index)
    expect(asked()).toEqual(twelve)

    await read(3000, heated(13, 64))
    expect(asked()).toEqual(twelve)
    await read(6000, heated(13, 70))
    expect(asked().slice(12)).toEqual([...twelve.slice(0, 11), 13])
  })

  it('have a strip of events, with reasons, and the same as a list', async () => {
    const { pass } = await open('/gpus/0', (backend) => {
      fill(backend, [aGpu(0)])
      backend.answer('miner.timeline', () => ({
        spans: [{ kind: 'paused', from: NOW - 120_000, to: NOW - 60_000, reason: 'Overheating\u202e' }],
        marks: [
          { kind: 'accepted', at: NOW - 30_000, count: 3, text: '' },
          { kind: 'rejected', at: NOW - 20_000, count: 1, text: 'low difficulty' },
          { kind: 'epoch', at: NOW - 10_000, count: 1, text: '7' },
        ],
      }))
    })
    await pass(0)
    const strip = within(await screen.findByTestId('events-0'))

    expect(strip.getByTitle('Rejected: low difficulty')).toBeTruthy()
    expect(strip.getByText(/3 shares accepted, 1 rejected, 0 wrong; 1 interruption/)).toBeTruthy()
    fireEvent.click(strip.getByRole('button', { name: 'Show as list' }))

    const rows = within(screen.getByTestId('events-table-0')).getAllByRole('row').slice(1)
    expect(rows.map((row) => row.lastChild?.textContent)).toEqual([
      'New epoch: 7',
      'Rejected: low difficulty',
      'Accepted (3 times)',
      'Paused: OverheatingU+202E',
    ])
  })

  it('have levels that apply once they are in order, and can be reset', async () => {
    const { backend } = await open('/gpus/0/tuning', (scripted) => {
      fill(scripted, [aGpu(0)])
      scripted.answer('miner.incidentRulesSave', () => ({}))
    })
    const warn = await screen.findByTestId('level-core-warn-0')
    const kept = () => {
      const saved = backend.calls.filter(({ name }) => name === 'miner.incidentRulesSave').at(-1)?.params
      return (saved as IncidentRulesView | undefined)?.levels['01:00.0']?.core
    }

    fireEvent.change(warn, { target: { value: '85' } })
    expect(screen.getByText('Set the warning below the critical level.')).toBeTruthy()
    expect(kept()).toBeUndefined()
    await act(async () => void fireEvent.change(warn, { target: { value: '80' } }))
    expect(kept()).toEqual({ warn: 80, critical: 85 })
    await act(async () => void fireEvent.click(screen.getByTestId('gpu-levels-reset-0')))

    expect(kept()).toBeUndefined()
    expect((screen.getByTestId('level-core-warn-0') as HTMLInputElement).value).toBe('75')
  })

  it('are restarted after a confirmation, and show what went wrong', async () => {
    const { backend } = await open('/gpus')
    backend.answer('miner.restart', () => {
      throw new WireError('CONTRACT_DENIED', { name: 'miner.restart', access: 'control', reason: 'read only' })
    })

    fireEvent.click(await screen.findByTestId('gpus-restart'))
    expect(backend.calls.some(({ name }) => name === 'miner.restart')).toBe(false)
    await act(async () => void fireEvent.click(screen.getByTestId('gpus-restart-dialog-confirm')))

    expect(screen.getByText(/Can’t restart the devices/)).toBeTruthy()
  })

  it('that were all paused resume with one press for ten seconds', async () => {
    const { backend, pass } = await open('/gpus')
    await act(async () => void fireEvent.click(await screen.findByTestId('pause-all')))
    const paused = aDevice({ state: 'paused', paused: true, pauseReasons: ['Api request'], canResume: true })
    act(() => void backend.emit('miner.devices', { devices: [paused], takenAt: NOW + 1000 }))
    expect(await screen.findByTestId('paused-bar')).toBeTruthy()

    await pass(4_000)
    expect(screen.getByTestId('paused-bar')).toBeTruthy()
    await act(async () => void fireEvent.click(screen.getByTestId('pause-undo')))

    expect(backend.calls.at(-1)).toEqual({ name: 'miner.resume', params: { device: null } })
    expect(screen.queryByTestId('paused-bar')).toBeNull()
  })
})
