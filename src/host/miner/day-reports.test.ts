import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Logger, silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import type { DayReportView, EarningsView } from '../../contract/pools'
import { KeptJson } from '../../files/json-file'
import { DayReports, type DayReportsStore, dayReportsSchema, lastMorning } from './day-reports'
import type { DeviceLosses } from './device-timeline'
import { gatherReport } from './gather-report'

const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 24 * HOUR
const WEEK_START = 1_700_000_000_000

class MemoryStore implements DayReportsStore {
  kept: Awaited<ReturnType<DayReportsStore['load']>> = null
  isFull = false
  async load() {
    return this.kept
  }
  async save(kept: NonNullable<typeof this.kept>): Promise<void> {
    if (this.isFull) throw new Error('no space left')
    this.kept = kept
  }
}

describe('the morning report', () => {
  let clock: FakeClock
  let store: MemoryStore
  let warnings: string[]
  let mined: { firstAt: number | null }

  const log = () => ({ warn: (text: string) => warnings.push(text) }) as unknown as Logger
  /** A time zone whose mornings come at each full day of the clock. */
  const morning = (now: number) => now - ((now - WEEK_START) % DAY)
  const service = (kept: DayReportsStore = store) =>
    new DayReports({
      gather: (from, to) => (mined.firstAt === null ? null : report(Math.max(from, mined.firstAt), to)),
      lastMorning: morning,
      store: kept,
      clock,
      log: log(),
    })
  const report = (from: number, to: number): DayReportView => ({
    from,
    to,
    rows: [],
    energy: null,
    watchedFrom: from,
    devices: [],
    refused: [],
    pools: [],
  })
  /** Lets the timers' asynchronous work run. */
  const settle = () => new Promise((done) => setImmediate(done))
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms)
    await settle()
  }

  beforeEach(() => {
    clock = new FakeClock(WEEK_START + 2 * HOUR)
    store = new MemoryStore()
    warnings = []
    mined = { firstAt: WEEK_START - 10 * DAY }
  })

  it('is created once each morning, and announced', async () => {
    const reports = service()
    const told: number[] = []
    reports.events.on('changed', () => told.push(reports.reports.length))
    await reports.start()
    expect(reports.reports.map(({ to }) => to)).toEqual([clock.now()]) // the missed morning
    await pass(21 * HOUR)
    expect(reports.reports).toHaveLength(1)

    for (let minute = 0; minute < 62; minute++) await pass(MINUTE)

    expect(reports.reports).toHaveLength(2)
    expect(reports.reports[0]?.to).toBeGreaterThanOrEqual(WEEK_START + DAY)
    expect(told).toEqual([1, 2])
    await reports.stop()
  })

  it('is kept over a restart, for a month, and not created twice', async () => {
    const first = service()
    await first.start()
    for (let day = 0; day < 40; day++) await pass(DAY)
    await first.stop()
    expect(first.reports).toHaveLength(31)

    const second = service()
    await second.start()

    expect(second.reports).toEqual(first.reports)
    await second.stop()
  })

  it('is omitted if nothing was mined, or for less than an hour', async () => {
    mined.firstAt = null
    const idle = service()
    await idle.start()
    mined.firstAt = clock.now()
    for (let minute = 0; minute < 5; minute++) await pass(MINUTE)
    expect(idle.reports).toEqual([])
    await idle.stop()

    const young = service()
    await young.start()
    expect(young.reports).toEqual([])
    await young.stop()
  })

  it('comes again the next morning if the clock was once a year ahead', async () => {
    const ahead = report(WEEK_START, WEEK_START + 365 * DAY)
    store.kept = { version: 1, reports: [ahead] }
    const reports = service()
    await reports.start()
    expect(reports.reports).toHaveLength(1)

    await pass(DAY)

    expect(reports.reports).toHaveLength(2)
    await reports.stop()
  })

  it('comes again the next morning if the clock is a year ahead for a while', async () => {
    const reports = service()
    await reports.start()
    clock.setWallClock(365 * DAY)
    await pass(MINUTE)
    clock.setWallClock(-365 * DAY)
    await pass(MINUTE)
    const before = reports.reports.length

    await pass(DAY)

    expect(reports.reports).toHaveLength(before + 1)
    await reports.stop()
  })

  it.each(['{', '{"version":2}', '{"version":1,"reports":[{}]}'])(
    'starts over if the file holds %s, which is kept beside it',
    async (text) => {
      const folder = mkdtempSync(join(tmpdir(), 'reports-'))
      const file = join(folder, 'reports.json')
      writeFileSync(file, text)
      const reports = service(new KeptJson(file, dayReportsSchema, { log: silentLogger }))
      await reports.start()

      expect(reports.reports).toHaveLength(1)
      expect(readFileSync(`${file}.unreadable`, 'utf8')).toBe(text)
      await reports.stop()
      rmSync(folder, { recursive: true })
    },
  )

  it('exists, and is only missing in the file, if the disk is full', async () => {
    store.isFull = true
    const reports = service()
    await reports.start()

    expect([reports.reports.length, warnings.length, store.kept]).toEqual([1, 1, null])
    await reports.stop()
  })

  it.each([
    [6, 59, -1],
    [7, 0, 0],
    [23, 30, 0],
  ])('at %i:%i looks back to seven of the day %i', (hour, minute, days) => {
    const at = (day: number, hours: number, minutes: number) => new Date(2026, 2, day, hours, minutes).getTime()

    expect(lastMorning(at(29, hour, minute))).toBe(at(29 + days, 7, 0))
  })
})

describe('what the report says', () => {
  const row = {
    pool: '',
    shares: 3,
    rejected: 0,
    work: 1,
    pricedWork: 1,
    expected: '1',
    hashes: 9,
    expectedShares: 2,
    computed: '5',
  }
  const earnings: EarningsView = { from: 0, firstAt: 2 * HOUR, rows: [row] }
  const losses: DeviceLosses = {
    from: 10 * HOUR,
    to: DAY,
    devices: [
      {
        index: 0,
        spans: [
          { kind: 'silent', from: 9 * HOUR, to: 11 * HOUR, reason: '' },
          { kind: 'paused', from: 23 * HOUR, to: null, reason: 'Api request' },
        ],
        restarts: 1,
        failed: 4,
        refused: [{ reason: 'stale', count: 2 }],
      },
      { index: 7, spans: [], restarts: 0, failed: 0, refused: [{ reason: 'stale', count: 3 }] },
    ],
  }
  const sources = { earnings, energy: 0.5, losses, names: new Map([[0, 'RTX 3070']]), pools: [] }

  it('is what was recorded in its time', () => {
    expect(gatherReport(0, DAY, sources)).toEqual({
      from: 2 * HOUR,
      to: DAY,
      rows: [row],
      energy: 0.5,
      watchedFrom: 10 * HOUR,
      devices: [
        { index: 0, name: 'RTX 3070', lostMs: 2 * HOUR, hangs: 1, restarts: 1, failed: 4 },
        { index: 7, name: '', lostMs: 0, hangs: 0, restarts: 0, failed: 0 },
      ],
      refused: [{ reason: 'stale', count: 5 }],
      pools: [],
    })
  })

  it('is nothing if nothing was computed, and has no energy if none is known', () => {
    expect(gatherReport(0, DAY, { ...sources, earnings: { ...earnings, rows: [{ ...row, hashes: 0 }] } })).toBeNull()
    expect(gatherReport(0, DAY, { ...sources, earnings: { ...earnings, firstAt: null } })).toBeNull()
    expect(gatherReport(0, DAY, { ...sources, energy: null })?.energy).toBeNull()
  })
})
