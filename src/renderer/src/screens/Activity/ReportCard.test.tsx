// The morning report above the events: figures compared with the expected ones, day by day, and a file of all.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { DayReportView } from '../../../../contract/pools'
import { fill, NOW, open } from '../../testing/open-app'
// Preloaded; the application loads it on its first visit.
import './Activity'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const DAY = 86_400_000
const row = { pool: '', shares: 101, rejected: 0, work: 1, pricedWork: 1, expected: '1', hashes: 9, computed: '5' }
const report = (change: Partial<DayReportView> = {}): DayReportView => ({
  from: NOW - DAY,
  to: NOW,
  rows: [{ ...row, expectedShares: 100 }],
  energy: 12.5,
  watchedFrom: NOW - DAY,
  devices: [{ index: 0, name: 'RTX 3070', lostMs: 0, hangs: 0, restarts: 0, failed: 0 }],
  refused: [],
  pools: [],
  ...change,
})
const show = async (...reports: readonly DayReportView[]) => {
  await open('/activity', (backend) => {
    fill(backend)
    backend.emit('miner.reports', { reports: [...reports] })
  })
  return screen.findByTestId('day-report')
}
/** jsdom's blobs have no text(). */
const textOf = (blob: Blob | undefined) =>
  new Promise<string>((done) => {
    const reader = new FileReader()
    reader.onload = () => done(String(reader.result))
    reader.readAsText(blob ?? new Blob())
  })
const press = (testId: string) => act(async () => void fireEvent.click(screen.getByTestId(testId)))

describe('the morning report', () => {
  it('is missing before the first morning', async () => {
    await open('/activity')

    expect(screen.queryByTestId('day-report')).toBeNull()
  })

  it('compares what was found with the range of such days', async () => {
    const card = await show(report())

    expect(screen.getByTestId('report-blocks').textContent).toBe('101; expected 81 to 120')
    expect(screen.queryByTestId('report-shares')).toBeNull()
    expect(card.textContent).toContain('No mining time lost, no hangs')
    expect(screen.getByTestId('report-energy').dataset.value).toBe('12.5')
  })

  it('names devices with losses, why shares were rejected, and since when it has records', async () => {
    const device = { index: 3, name: 'RTX 3090', lostMs: 90_000, hangs: 2, restarts: 1, failed: 0 }
    const card = await show(
      report({
        rows: [{ ...row, pool: 'pool.example:1', expectedShares: 100 }],
        devices: [...report().devices, device],
        refused: [{ reason: 'low\u202E difficulty', count: 4 }],
        pools: [{ host: 'pool.example:1', medianMs: 41.6 }],
        watchedFrom: NOW - DAY / 2,
      }),
    )

    expect(screen.getByTestId('report-device-3').textContent).toBe(
      '1\u00a0min 30\u00a0s lost, 2 hangs, 1 restart, no wrong results',
    )
    expect(screen.queryByTestId('report-device-0')).toBeNull()
    expect(screen.getByTestId('report-shares').dataset.value).toBe('101')
    expect(card.textContent).toContain('4 shares refused: low')
    expect(card.textContent).not.toContain('\u202E')
    expect(card.textContent).toContain('42 ms')
    expect(card.textContent).toContain('when Headframe started')
  })

  it('goes back and forth a day, and stays on the chosen day when another morning comes', async () => {
    const older = report({ to: NOW - DAY, rows: [{ ...row, shares: 7, expectedShares: 5 }] })
    await show(report(), older)
    expect(screen.getByTestId('report-newer').getAttribute('aria-disabled')).toBe('true')

    await press('report-older')
    expect(screen.getByTestId('report-blocks').dataset.value).toBe('7')
    expect(screen.getByTestId('report-older').getAttribute('aria-disabled')).toBe('true')
    await press('report-newer')

    expect(screen.getByTestId('report-blocks').dataset.value).toBe('101')
  })

  it('is saved with all stored reports, without a request', async () => {
    const saved: Blob[] = []
    URL.createObjectURL = (blob) => {
      saved.push(blob as Blob)
      return 'blob:x'
    }
    URL.revokeObjectURL = () => undefined
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    const all = [report(), report({ to: NOW - DAY })]
    await show(...all)

    await press('report-save')

    expect(JSON.parse(await textOf(saved[0]))).toEqual(all)
  })
})
