// What users read in the morning, see without scrolling and find in the event list.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { eventually, http, picture } from '../harness'
import { lastingFaults, seriousFindings } from '../page-checks'
import type { Journey } from './journey'

const HOUR_MS = 3_600_000
const BLOCKS_MINED = 3
const reportsSchema = z.array(z.object({ from: z.number(), to: z.number(), rows: z.array(z.looseObject({})) }))
/** Routes and their content, checked for findings in the page's current theme. */
const READ = [
  ['/', 'device-strip'],
  ['/gpus/1', 'chart-1-hashrate'],
  ['/activity', 'log-view'],
  ['/accounts', 'new-account'],
  ['/settings/mining', 'option-miner.cpuThreads'],
] as const
const RESTARTS = 4

/** Before the program starts: the hours of a day in which it found its own blocks. */
export function writeYesterday(datadir: string): void {
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const none = { rejected: 0, stale: 0, unanswered: 0, failed: 0 }
  const mined = { accepted: 1, ...none, work: 1e6, pricedWork: 1e6, micro: 50e6 }
  const due = { hashes: 2e6, due: 2, pricedHashes: 2e6, dueBlocks: 2, dueMicro: 100e6 }
  const lines = Array.from({ length: BLOCKS_MINED }, (_, index) => {
    const at = hour - (BLOCKS_MINED - index + 1) * HOUR_MS
    const slot = {
      at,
      ms: 900_000,
      first: at,
      last: at + 60_000,
      recordedMs: 60_000,
      sources: { '': { ...mined, ...due } },
    }
    return `\n${JSON.stringify({ slot: { ...slot, devices: {} } })}`
  })
  writeFileSync(join(datadir, 'money-practice.jsonl'), lines.join(''))
}

/** Registers the checks; the program started after `writeYesterday`, with a simulated device. */
export function filledScreens(journey: () => Journey): void {
  describe('filled screens', () => {
    morningReport(journey)
    deviceCharts(journey)
    groupedEvents(journey)
  })
}

async function visit(page: Page, [path, part]: readonly [string, string]): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
  await page.getByTestId(part).waitFor()
}

function morningReport(journey: () => Journey): void {
  it('report in the morning what was mined compared with the expectation, and export it as a file', async () => {
    const { page } = journey()
    await journey().open()

    await page().evaluate(`location.hash = '/activity'`)
    const blocks = page().getByTestId('day-report').getByTestId('report-blocks')
    expect(await blocks.getAttribute('data-value')).toBe(String(BLOCKS_MINED))
    expect(await blocks.textContent()).toMatch(/^3\D+\d+\D+\d+$/)
    await page().getByTestId('report-older').and(page().locator('[aria-disabled=true]')).waitFor()
    const text = await journey().saved(() => page().getByTestId('report-save').click())
    const [report, ...others] = reportsSchema.parse(JSON.parse(text))

    expect(others).toEqual([])
    expect(report?.rows[0]).toMatchObject({ pool: '', shares: BLOCKS_MINED })
  })
}

/** Registers a day's first look: no request is open anymore, so no line shows one. */
export function foldedOverview(journey: () => Journey): void {
  it('show state, money, hashrate and every device on the overview without scrolling', async () => {
    const { page, kind } = journey()
    await journey().open()
    await page().getByTestId('tile-2').waitFor()
    await page().getByTestId('losses').waitFor()
    await picture(page(), { kind, name: 'journey-overview' })
    const bottom = async (part: string): Promise<number> => {
      const box = await page().getByTestId(part).boundingBox()
      if (box === null) throw new Error(`${part} has no place`)
      return box.y + box.height
    }
    const height = Number(await page().evaluate('innerHeight'))
    for (const part of ['health', 'hashrate', 'expected-day', 'total-power', 'tile-0', 'tile-2', 'tile-pause-1'])
      expect(await bottom(part), part).toBeLessThanOrEqual(height)

    expect(await lastingFaults(page())).toEqual([])
  })
}

function deviceCharts(journey: () => Journey): void {
  it('draw the charts of a device as designed, the hashrate beside the temperature, with one cursor for all of them', async () => {
    const { page, kind } = journey()
    await visit(page(), ['/gpus/1', 'chart-1-hashrate'])
    const chart = (name: string) => page().getByTestId(`chart-1-${name}`)
    const [left, right] = [chart('hashrate').locator('.u-over'), chart('temperature').locator('.u-over')]
    await right.waitFor()
    await left.scrollIntoViewIfNeeded()
    const boxes = [await left.boundingBox(), await right.boundingBox()] as const
    const [first, second] = boxes
    if (first === null || second === null) throw new Error('a chart has no place')
    expect(Math.abs(first.y - second.y)).toBeLessThan(2)
    const [wide, narrow] = [await chart('hashrate').boundingBox(), await chart('temperature').boundingBox()]
    // Seven columns and five.
    const ratio = (wide?.width ?? 0) / (narrow?.width ?? 0)
    expect(ratio).toBeGreaterThan(1.3)
    expect(ratio).toBeLessThan(1.6)
    expect(second.x).toBeGreaterThan(first.x + first.width)

    await page().mouse.move(first.x + first.width * 0.75, first.y + 30)
    await oneCursor(page(), 0.75)
    await picture(page(), { kind, name: 'journey-device' })

    // Another theme draws the charts anew, as a first value of one more sensor does.
    await left.evaluate((over) => over.setAttribute('data-before', ''))
    await page().emulateMedia({ colorScheme: 'dark' })
    await chart('hashrate').locator('.u-over:not([data-before])').waitFor()
    await oneCursor(page(), 0.75)
    await page().emulateMedia({ colorScheme: null })
  })
}

/** A new sample moves one line after the other: reads both at one moment, until they agree. @param part of each chart's width */
async function oneCursor(page: Page, part: number): Promise<void> {
  const lines = ['hashrate', 'power'].map((name) => `[data-testid=chart-1-${name}] .u-cursor-x`).join(', ')
  await eventually('one cursor in both charts', async () => {
    const found = await page
      .locator(lines)
      .evaluateAll((all) => all.map((line) => [line.getAttribute('style'), line.parentElement?.clientWidth] as const))
    const parts = found.map(([style, width]) => Number(/translate\((-?[\d.]+)px/.exec(style ?? '')?.[1]) / (width ?? 0))
    if (parts.length === 2 && parts.every((place) => Math.abs(place - part) <= 0.02)) return true
    throw new Error(`${found.join(' and ')}: ${parts.join(' and ')}`)
  })
}

function groupedEvents(journey: () => Journey): void {
  it('list equal events once, with their count', async () => {
    const { page, ready } = journey()
    for (let count = 0; count < RESTARTS; count++) {
      const { status } = await http(`http://${ready().api}/api/v1/control`, { body: { action: 'restart' } })
      expect(status).toBe(200)
    }
    await visit(page(), ['/activity', 'log-view'])

    const rows = page().getByTestId('log-row').filter({ hasText: 'Restarting all devices' })
    await rows
      .getByTestId('event-repeats')
      .filter({ hasText: String(RESTARTS) })
      .waitFor()
    expect(await rows.count()).toBe(1)
  })
}

/**
 * Registers a check of screens of each kind with axe: for the desktop program, since the walk takes a browser
 * everywhere.
 */
export function readableScreens(journey: () => Journey): void {
  it('have no serious axe finding', async () => {
    const { page } = journey()
    for (const [path, part] of READ) {
      await visit(page(), [path, part])
      expect(await seriousFindings(page()), path).toEqual([])
    }
  })
}
