import { describe, expect, it } from 'vitest'
import type { LossesView, TimelineSpan } from '../../../../contract/miner'
import { lossesOf } from './losses'

const SECOND = 1_000
const span = (from: number, to: number | null, change: Partial<TimelineSpan> = {}): TimelineSpan => ({
  kind: 'paused',
  from: from * SECOND,
  to: to === null ? null : to * SECOND,
  reason: 'Api request',
  ...change,
})
const view = (...spans: readonly (readonly TimelineSpan[])[]): LossesView => ({
  from: 100 * SECOND,
  to: 200 * SECOND,
  devices: spans.map((each, index) => ({ index, spans: [...each], restarts: 0, failed: 0, refused: [] })),
})

describe('lost mining time', () => {
  it('is what each device missed of what all could have mined', () => {
    const { share, rows } = lossesOf(view([span(110, 120)], [span(150, null, { kind: 'error', reason: 'gone' })]))

    expect(share).toBeCloseTo(60 / 200)
    expect(rows.map(({ kind, devices, lostMs }) => [kind, devices, lostMs])).toEqual([
      ['error', [1], 50 * SECOND],
      ['paused', [0], 10 * SECOND],
    ])
  })

  it('counts what began earlier from the start of the period', () => {
    expect(lossesOf(view([span(0, 120)])).rows).toMatchObject([{ from: 100 * SECOND, lostMs: 20 * SECOND }])
    expect(lossesOf(view([span(0, 100)]))).toMatchObject({ rows: [], share: 0 })
  })

  it('names ongoing causes before costlier past ones', () => {
    const { rows } = lossesOf(view([span(110, 190)], [span(200, null, { kind: 'silent', reason: '' })]))

    expect(rows.map(({ kind }) => kind)).toEqual(['silent', 'paused'])
  })

  it('is one line for devices stopped by one cause together, and more for others', () => {
    const together = lossesOf(view([span(110, 120)], [span(111, 121)], [span(112, null)]))

    expect(together.rows.map(({ devices, lostMs }) => [devices, lostMs])).toEqual([
      [[2], 88 * SECOND],
      [[0, 1], 20 * SECOND],
    ])
    const twice = lossesOf(view([span(110, 112), span(113, 115)]))
    expect(twice.rows).toHaveLength(2)
  })

  it('adds up what pools rejected, by reason', () => {
    const losses = view([], [])
    const refused = (reason: string, count: number) => ({ reason, count })
    const [first, second] = losses.devices
    const all = [
      { ...first, index: 0, spans: [], restarts: 1, failed: 2, refused: [refused('stale', 2), refused('low', 3)] },
      { ...second, index: 1, spans: [], restarts: 0, failed: 1, refused: [refused('stale', 2)] },
    ]

    expect(lossesOf({ ...losses, devices: all })).toMatchObject({
      restarts: 1,
      failed: 3,
      refused: [
        { reason: 'stale', count: 4 },
        { reason: 'low', count: 3 },
      ],
    })
  })

  it('is unknown without devices, and before a moment has passed', () => {
    expect(lossesOf(view()).share).toBeNull()
    expect(lossesOf({ ...view([]), from: 200 * SECOND }).share).toBeNull()
  })
})
