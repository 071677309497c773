// The page of all components. Two loads give the same picture to the pixel, so nothing in it depends on time or chance.
// Pixels differ between machines (font rendering, Chromium's version), so what is kept and compared is each story's
// layout and what its tokens came to: boxes to 4 px, colors and type exactly. UPDATE_STORIES=1 writes it anew.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { Browser, Page } from 'playwright-core'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PATIENCE_MS } from '../test/patience'
import { findChromium, launchChromium, picture, ROOT } from './harness'
import { lastingFaults, seriousFindings } from './page-checks'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
const THEMES = ['dark', 'light'] as const
const KEPT = join(ROOT, 'e2e', 'stories.json')
const storiesSchema = z.record(z.string(), z.array(z.string()))

/** By story: each element that has a look of its own, its box, and what its tokens came to. */
const LOOKS = `(() => {
  const round = (value) => Math.round(value / 4) * 4
  return Object.fromEntries([...document.querySelectorAll('[data-story]')].map((story) => {
    const origin = story.getBoundingClientRect()
    const seen = 'button, input, label > span, p, dd, dt, svg, section, i, a, rect, h2'
    return [story.dataset.story, [...story.querySelectorAll(seen)].slice(0, 60).map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      const { color, backgroundColor, fill, fontSize, fontWeight } = getComputedStyle(element)
      const look = element.namespaceURI.endsWith('svg') ? [fill] : [color, backgroundColor, fontSize, fontWeight]
      const box = [left - origin.left, top - origin.top, width, height].map(round)
      return [element.localName, box.join(' '), ...look].join('; ')
    })]
  }))
})()`

describe.skipIf('missing' in found)(`components in Chromium${reason}`, () => {
  const cacheDir = mkdtempSync(join(tmpdir(), 'headframe-stories-'))
  let server: ViteDevServer
  let browser: Browser
  let address = ''

  beforeAll(async () => {
    server = await createServer({
      configFile: false,
      root: join(ROOT, 'src', 'renderer'),
      cacheDir,
      logLevel: 'error',
      plugins: [react()],
      server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
    })
    await server.listen()
    const bound = server.httpServer?.address()
    if (bound === null || typeof bound !== 'object') throw new Error('the pages are not served')
    address = `http://127.0.0.1:${bound.port}`
    browser = await launchChromium()
  }, PATIENCE_MS * 6)
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    rmSync(cacheDir, { recursive: true, force: true })
  })

  const open = async (theme: (typeof THEMES)[number]): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      bypassCSP: true,
      locale: 'en',
      timezoneId: 'UTC',
    })
    context.setDefaultTimeout(PATIENCE_MS * 3)
    const page = await context.newPage()
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: theme })
    await page.goto(`${address}/design.html?theme=${theme}`)
    await page.locator('[data-story=dialog]').waitFor()
    await page.locator('[data-story=stack] svg[role=img]').waitFor()
    await page.locator('[data-story=strip-64] a').nth(63).waitFor()
    await page.evaluate('document.fonts.ready.then(() => null)')
    return page
  }

  it.each(THEMES)('look as they did, in %s', async (theme) => {
    const page = await open(theme)
    await picture(page, { kind: 'chromium', name: `components-${theme}`, fullPage: true })
    const looks = storiesSchema.parse(await page.evaluate(LOOKS))
    const all = existsSync(KEPT)
      ? z.record(z.string(), storiesSchema).parse(JSON.parse(readFileSync(KEPT, 'utf8')))
      : {}
    if (process.env.UPDATE_STORIES !== undefined)
      writeFileSync(KEPT, `${JSON.stringify({ ...all, [theme]: looks }, null, 2)}\n`)
    else expect(looks).toEqual(all[theme])
    expect(Object.values(looks).every((story) => story.length > 0)).toBe(true)
    await page.context().close()
  })

  it('draw the same picture twice, fit, and have no serious finding of axe', async () => {
    const pages = [await open('dark'), await open('dark')]
    const [first, second] = await Promise.all(pages.map((page) => page.screenshot({ fullPage: true })))
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true)
    const [page] = pages
    if (page !== undefined) {
      expect(await lastingFaults(page)).toEqual([])
      expect(await seriousFindings(page)).toEqual([])
      await page.evaluate(`document.documentElement.dataset.theme = 'light'`)
      expect(await seriousFindings(page)).toEqual([])
    }
    for (const each of pages) await each.context().close()
  })

  it('are not part of what is shipped', () => {
    const shipped = join(ROOT, 'out', 'renderer', 'assets')
    const files = readdirSync(shipped).filter((name) => name.endsWith('.js'))
    expect(files.length).toBeGreaterThan(3)
    for (const name of files) expect(readFileSync(join(shipped, name), 'utf8'), name).not.toContain('data-story')
  })
})
