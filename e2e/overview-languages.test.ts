// The overview in each language on a desktop and on a phone: nothing is cut off, the page declares its language, and a
// picture is kept. One language that is half as long again runs from right to left: the whole page is mirrored.
import { rmSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATIENCE_MS } from '../test/patience'
import { findChromium, launchChromium, picture, type Running, startHeadless, temporaryFolder } from './harness'
import { lastingFaults } from './page-checks'
import { speakPseudo } from './pseudo-locale'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
const WIDTHS = [1440, 390] as const
/** The overview's heading. */
const LANGUAGES = [
  ['es', 'Resumen'],
  ['pt-BR', 'Visão geral'],
  ['ru', 'Обзор'],
  ['zh-CN', '总览'],
] as const

describe.skipIf('missing' in found)(`the overview in Chromium${reason}`, () => {
  const datadir = temporaryFolder()
  let running: Running
  let browser: Browser

  beforeAll(async () => {
    running = await startHeadless(datadir, ['--simulated-gpus', '2'])
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

  const open = async (locale: string, isPseudo = false): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale })
    context.setDefaultTimeout(PATIENCE_MS)
    if (isPseudo) await speakPseudo(context)
    const page = await context.newPage()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(running.link)
    await page.getByTestId('health').waitFor()
    return page
  }
  const faultsOf = async (page: Page, name: string): Promise<readonly string[]> => {
    const all: string[] = []
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      all.push(...(await lastingFaults(page)).map((fault) => `${name} at ${width} px: ${fault}`))
      await picture(page, { kind: 'chromium', name: `overview-${name}-${width}-light` })
    }
    return all
  }

  it.each(LANGUAGES)('fits in %s', async (locale, heading) => {
    const page = await open(locale)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()

    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual([
      locale,
      'ltr',
    ])
    expect(await faultsOf(page, locale)).toEqual([])
    // Chinese is drawn by the program's own font, also where the system has none; no other language asks for it.
    const chinese = await page.evaluate(`document.fonts.ready.then((fonts) =>
      [...fonts].filter(({ family, status }) => /Noto Sans SC/.test(family) && status === 'loaded').length)`)
    if (locale === 'zh-CN') expect(chinese).toBeGreaterThan(0)
    else expect(chinese).toBe(0)
    await page.context().close()
  })

  it('fits from right to left, with its rail on the other side', async () => {
    const page = await open('de', true)
    const railEdge = async (): Promise<string> => {
      const box = await page.locator('nav').first().boundingBox()
      if (box === null) throw new Error('there is no rail')
      return box.x < 720 ? 'left' : 'right'
    }
    expect(await railEdge()).toBe('left')
    await page.evaluate('document.documentElement.dir = "rtl"')

    expect(await railEdge()).toBe('right')
    expect(await faultsOf(page, 'rtl')).toEqual([])
    await page.context().close()
  })
})
