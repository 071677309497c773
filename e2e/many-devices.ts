// A rig with many devices, whose names anyone may have chosen: all in view, nothing cut off, in few words. Registered once
// for each shell.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { HistoryView } from '../src/contract/miner'
import { aDevice } from '../src/main/testing/shell-values'
import { aLossRow, aMoney, aPeriod } from '../src/renderer/src/testing/scripted-money'
import type { ChangedChannel } from './changed-channel'
import { SIZES } from './every-screen'
import { picture } from './harness'
import { lastingFaults, strangeWords } from './page-checks'
import { type StatesShell, visit } from './screen-states'

const IN_SIGHT = 16
const MAX_DEVICES = 64
/** Markup, direction marks, and more than any column holds. */
const NAMES = [
  'NVIDIA GeForce RTX 3070',
  '<img src=x onerror="globalThis.isInjected = true"><b>bold</b>',
  'RTX \u202e0704 XTR\u202c \u2067\u0645\u0639\u062f\u0646\u2069',
  'W'.repeat(120),
] as const

function device(index: number, name: string, takenAt: number) {
  return aDevice({
    index,
    name,
    pci: `${(index + 1).toString(16).padStart(2, '0')}:00.0`,
    shares: { accepted: 1_042, rejected: 3, failed: 1 },
    temperature: { core: 61, hotspot: 74, memory: 92 },
    powerWatts: 115.2,
    meanPowerWatts: 115.2,
    clockMhz: { core: 1_410, memory: 7_001 },
    datasetBytes: 1_073_739_904,
    takenAt,
  })
}

interface Shown {
  readonly count: number
  readonly names: readonly string[]
  /** when the readings were taken, ms; default an hour from now, so that none grows old on a slow machine */
  readonly takenAt?: number
}

const HOUR_MS = 3_600_000

const show = (channel: ChangedChannel, { count, names, takenAt = Date.now() + HOUR_MS }: Shown): Promise<void> =>
  channel.change('miner.devices', {
    devices: Array.from({ length: count }, (_, index) => device(index, names[index % names.length] ?? '', takenAt)),
  })

async function bottomOf(page: Page, part: string): Promise<number> {
  const box = await page.getByTestId(part).boundingBox()
  if (box === null) throw new Error(`${part} has no place`)
  return box.y + box.height
}

const countsSchema = z.object({ words: z.number(), numbers: z.number(), text: z.string() })

/** Every word and every number that is in sight: names, ticks and units, too. */
const IN_VIEW = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const seen = []
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const parent = text.parentElement
    if (parent === null || parent.closest('.visually-hidden, title') !== null) continue
    if (!parent.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    const isInView = ({ width, height, top, bottom, left, right }) =>
      width > 1 && height > 1 && top < innerHeight && bottom > 0 && left < innerWidth && right > 0
    if ([...range.getClientRects()].some(isInView)) seen.push(...text.data.split(/[\\s/]+/))
  }
  const numbers = seen.filter((token) => /\\d/.test(token))
  const words = seen.filter((token) => /\\p{L}/u.test(token) && !/\\d/.test(token))
  return { words: words.length, numbers: numbers.length, text: seen.join(' ') }
})()`

const MAX_WORDS = 130
const MAX_NUMBERS = 105
const GPUS = 8

/** A day of eight GPUs that lost something to each kind of cause. */
function aFullDay(now: number) {
  const causes = [
    ['paused', 'planned'],
    ['no-work', 'work'],
    ['heat', 'heat'],
    ['error', 'fault'],
    ['building', 'planned'],
  ] as const
  const rows = causes.map(([cause, kind], place) =>
    aLossRow({ cause, kind, from: now - (place + 2) * HOUR_MS, to: now - (place + 1) * HOUR_MS, ms: HOUR_MS }),
  )
  const day = aPeriod({ losses: { ...aPeriod().losses, rows } })
  return aMoney({ whole: day, periods: [day], takenAt: now, firstAt: now - 40 * 24 * HOUR_MS })
}

/** A device's hashrate every minute. */
function aSteadyDay(now: number, hashrate = 61e6): HistoryView {
  const minutes = 24 * 60
  return { stepMs: 60_000, firstAt: now - minutes * 60_000, values: Array.from({ length: minutes }, () => hashrate) }
}

function firstView(shell: () => StatesShell): void {
  it(`says what matters at 1440x900 in ${MAX_WORDS} words and ${MAX_NUMBERS} numbers`, async () => {
    const { page, channel, leave } = await shell().open(async (before) => {
      await before.change('app.info', { welcome: false })
      await before.change('miner.money', aFullDay(Date.now()))
      await before.change('miner.history', aSteadyDay(Date.now()))
    })
    await page.setViewportSize({ width: 1440, height: 900 })
    await show(channel, { count: GPUS, names: NAMES.slice(0, 1) })
    await page.getByTestId(`tile-${GPUS - 1}`).waitFor()
    await page.getByTestId('losses-row').nth(4).waitFor()
    // Its words and numbers count, too.
    await page
      .getByTestId('stack-chart')
      .locator('foreignObject')
      .nth(GPUS - 1)
      .waitFor()
    await picture(page, { kind: shell().kind, name: 'first-view' })

    const { words, numbers, text } = countsSchema.parse(await page.evaluate(IN_VIEW))
    expect(words, text).toBeGreaterThan(MAX_WORDS / 3)
    expect(words, text).toBeLessThanOrEqual(MAX_WORDS)
    expect(numbers, text).toBeLessThanOrEqual(MAX_NUMBERS)
    await leave()
  })
}

export function manyDevices(shell: () => StatesShell): void {
  firstView(shell)

  it('shows state, money, hashrate and sixteen devices at 1440x900 without scrolling', async () => {
    const { page, channel, leave } = await shell().open((before) => before.change('app.info', { welcome: false }))
    await page.setViewportSize({ width: 1440, height: 900 })
    const sixteen = { count: IN_SIGHT, names: NAMES.slice(0, 1) }
    await show(channel, sixteen)
    await page.getByTestId(`tile-${IN_SIGHT - 1}`).waitFor()
    await page.getByTestId('losses').waitFor()
    await picture(page, { kind: shell().kind, name: 'sixteen-devices' })

    for (const part of ['health', 'hashrate', 'expected-day', 'total-power', `tile-${IN_SIGHT - 1}`])
      expect(await bottomOf(page, part), part).toBeLessThanOrEqual(900)
    expect(await lastingFaults(page)).toEqual([])

    await show(channel, { ...sixteen, takenAt: Date.now() - HOUR_MS })
    await page.locator('[data-testid=tile-0][title*=" ago"]').waitFor()
    await picture(page, { kind: shell().kind, name: 'sixteen-old-readings' })
    expect(await lastingFaults(page)).toEqual([])
    await leave()
  })

  it('shows 64 devices with any names, and cuts nothing off at any width', async () => {
    const { page, channel, leave } = await shell().open((before) =>
      // The program has one device; its answer is the same for every series.
      before.change('miner.history', aSteadyDay(Date.now(), 61)),
    )
    await show(channel, { count: MAX_DEVICES, names: NAMES })
    for (const [path, part] of [
      ['/', `tile-${MAX_DEVICES - 1}`],
      ['/gpus', `gpu-row-${MAX_DEVICES - 1}`],
      ['/gpus/2', 'chart-2-hashrate'],
      ['/gpus/3', 'chart-3-hashrate'],
    ] as const) {
      await visit(page, path, part)
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height })
        expect(await lastingFaults(page), `${path} at ${width} px`).toEqual([])
      }
      await picture(page, { kind: shell().kind, name: `many-devices${path.replaceAll('/', '-')}`, fullPage: true })
      expect(await page.locator('main img, main b').count(), path).toBe(0)
      expect(await strangeWords(page), path).toEqual([])
    }
    expect(await page.evaluate('globalThis.isInjected ?? false')).toBe(false)
    await leave()
  })
}
