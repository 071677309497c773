// No screen is ever empty: with the program killed, restarted, or with a file of the page that can't be fetched.
import { readdirSync, rmSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PATIENCE_MS } from '../test/patience'
import { changeChannel } from './changed-channel'
import { drawsEveryRoute, FEW_ROUTES, isDrawn } from './every-route'
import {
  eventually,
  findChromium,
  launchChromium,
  NO_MINING,
  openPage,
  ROOT,
  type Running,
  startHeadless,
  temporaryFolder,
} from './harness'
import { whyNot } from './screen-states'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
const TOKEN = 'a-token-that-outlives-the-program'
const WORDS = [...NO_MINING, '--simulated-gpus', '1', '--api-token', TOKEN]
/** The files of the screens, each fetched on first use or ahead of it. */
const SCREEN =
  /^(Gpus|GpuDetail|Pools|Rigs|RigDetail|Address|Node|Block|Transaction|Accounts|Account|Rules|Activity|Welcome|Settings)-[\w-]+\.js$/

const screenFiles = (): readonly string[] =>
  readdirSync(join(ROOT, 'out/renderer/assets')).filter((name) => SCREEN.test(name))

/**
 * Runs in the page before its own scripts: keeps where the content began when it was first drawn. Until then, no timer
 * runs that would draw the page without answers.
 */
const PLACE_AT_FIRST = `(() => {
  const start = globalThis.setTimeout
  globalThis.setTimeout = (run, ms = 0, ...more) =>
    ms >= 100 && document.querySelector('main') === null ? 0 : start(run, ms, ...more)
  const seen = new MutationObserver(() => {
    const main = document.querySelector('main')
    if (main === null) return
    globalThis.firstTop = main.getBoundingClientRect().top + scrollY
    seen.disconnect()
  })
  seen.observe(document, { childList: true, subtree: true })
})()`
const MAIN_TOP = `document.querySelector('main').getBoundingClientRect().top + scrollY`
const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))'

async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
}

describe.skipIf('missing' in found)(`a page whose program stops and returns${reason}`, () => {
  const datadir = temporaryFolder()
  let browser: Browser
  let running: Running
  let page: Page
  const link = () => `${running.ready.dashboard}#token=${encodeURIComponent(TOKEN)}`

  beforeAll(async () => {
    if ('missing' in found) return
    browser = await launchChromium()
    running = await startHeadless(datadir, WORDS)
    page = await openPage(browser, link(), { viewport: { width: 1280, height: 900 }, locale: 'en' })
    await page.getByTestId('health').waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

  /** Once it has, or no longer has. */
  const hasContact = (wanted: boolean, view = page): Promise<true> =>
    eventually(wanted ? 'contact' : 'no contact', async () =>
      (await whyNot(view, 'pause-all')) === (wanted ? null : 'No contact') ? true : null,
    )
  const restart = async (): Promise<void> => {
    const { api } = running.ready
    running = await startHeadless(datadir, [...WORDS, '--api-bind', api])
  }

  /** One more window of the page. */
  const another = async (): Promise<Page> => {
    const [view] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(`void open(${JSON.stringify(link())})`),
    ])
    await view.getByTestId('health').waitFor()
    return view
  }

  it('has every screen before it is visited, so that each opens while the program is away', async () => {
    const wanted = screenFiles()
    expect(wanted.length).toBeGreaterThan(12)
    await eventually('all screens to be loaded ahead', async () => {
      const names = z
        .array(z.string())
        .parse(await page.evaluate(`performance.getEntriesByType('resource').map(({ name }) => name)`))
      return wanted.every((file) => names.some((name) => name.endsWith(`/${file}`))) ? true : null
    })
    await page.evaluate('globalThis.isSamePage = true')
    await running.kill()
    await hasContact(false)

    await drawsEveryRoute(page)
  })

  it('regains contact soon after the program is back, on the same page, on every screen', async () => {
    await restart()
    const readyAt = Date.now()

    await hasContact(true)

    console.log(`contact ${Date.now() - readyAt} ms after the program was ready`)
    await drawsEveryRoute(page)
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true)
  })

  it('survives a kill and a restart while any of the screens is open', async () => {
    const views: (readonly [string, Page])[] = []
    for (const path of FEW_ROUTES) {
      const view = views.length === 0 ? page : await another()
      await hasContact(true, view)
      await go(view, path)
      await isDrawn(view, path)
      await view.evaluate('globalThis.isSamePage = true')
      views.push([path, view])
    }
    await running.kill()
    for (const [path, view] of views) {
      await hasContact(false, view)
      await isDrawn(view, path)
    }
    await restart()
    for (const [path, view] of views) {
      await hasContact(true, view)
      await isDrawn(view, path)
      expect(await view.evaluate('globalThis.isSamePage'), path).toBe(true)
      if (view !== page) await view.close()
    }
  })

  it('reloads itself if the returning program has another page', async () => {
    await go(page, '/node')
    await running.kill()
    await hasContact(false)
    // What another version serves: the same address with another script in it.
    await page.route(running.ready.dashboard, async (route) => {
      if (route.request().resourceType() !== 'fetch') return route.continue()
      const answer = await route.fetch().catch(() => null) // still away
      if (answer === null) return route.abort()
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace(/(<script type="module"[^>]* src="[^"]*)\.js"/, '$1-x.js"'),
      })
    })

    await restart()

    await eventually('another page', async () =>
      (await page.evaluate('globalThis.isSamePage')) === undefined ? true : null,
    )
    await page.getByTestId('sync-steps').waitFor()
    expect(await whyNot(page, 'pause-all')).toBeNull()
  })
})

describe.skipIf('missing' in found)(`a page whose files can't be fetched${reason}`, () => {
  const datadir = temporaryFolder()
  let browser: Browser
  let running: Running

  beforeAll(async () => {
    if ('missing' in found) return
    browser = await launchChromium()
    running = await startHeadless(datadir, [...NO_MINING, '--simulated-gpus', '1'])
  })
  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

  it('has the frame of every screen in the chosen theme before any of the program’s scripts is there', async () => {
    const context = await browser.newContext({
      locale: 'en',
      colorScheme: 'light',
      viewport: { width: 1440, height: 900 },
    })
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
    await page.goto(running.link)
    await page.getByTestId('health').waitFor()
    const place = (selector: string) => page.locator(selector).first().boundingBox()
    const drawn = { header: await place('header'), column: await place('main') }
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('light')
    await page.evaluate(`localStorage.setItem('headframe.preferences', JSON.stringify({ theme: 'dark' }))`)
    await page.route(/\/assets\/.*\.js$/, (route) => route.abort())

    await page.reload({ waitUntil: 'domcontentloaded' })

    await page.locator('.first-look').waitFor()
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    expect(await place('.first-look header')).toEqual(drawn.header)
    expect((await place('.first-look > div:last-child'))?.x).toBe(drawn.column?.x)
    await context.close()
  })

  it('says why behind a proxy that changes the Host header', async () => {
    const { api } = running.ready
    const proxy = createServer(({ url, method, headers }, answer) => {
      const asked = httpRequest(`http://${api}${url}`, { method, headers: { ...headers, host: api } }, (got) =>
        got.pipe(answer.writeHead(got.statusCode ?? 502, got.headers)),
      )
      asked.end()
    })
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
    const place = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const page = await browser.newPage({ locale: 'en' })

    await page.goto(`http://${place}/`)

    const words = await page.getByRole('alert').innerText({ timeout: PATIENCE_MS })
    expect(words).toContain('This page can’t load.')
    expect(words).toContain(
      `the page is at ${place}, but the request asks for ${api}. A proxy must pass on the Host header`,
    )
    await page.close()
    proxy.closeAllConnections()
    await new Promise((done) => proxy.close(done))
  })

  it.each([
    [1440, 900],
    [390, 844],
  ])('is drawn in its final place at %i px: nothing moves when the answers arrive', async (width, height) => {
    const context = await browser.newContext({ locale: 'en', viewport: { width, height } })
    context.setDefaultTimeout(PATIENCE_MS)
    await context.addInitScript({ content: PLACE_AT_FIRST })
    const page = await context.newPage()
    const channel = await changeChannel(page)
    await page.goto(running.link)
    // What the program said about itself; a narrow bar has no room for it.
    await page.getByTestId('banner-network').waitFor({ state: 'attached' })
    for (const path of FEW_ROUTES) {
      await go(page, path)
      await channel.hold('app.info')
      const asked = await channel.count('app.info')
      await page.reload({ waitUntil: 'domcontentloaded' })
      await eventually('the question', async () => ((await channel.count('app.info')) > asked ? true : null))
      await page.evaluate(TWO_FRAMES)
      await channel.release('app.info')
      await page.getByTestId('banner-network').waitFor({ state: 'attached' })
      await isDrawn(page, path)

      expect(await page.evaluate('globalThis.firstTop'), path).toBe(await page.evaluate(MAIN_TOP))
    }
    await context.close()
  })

  it('begins with three scripts and one style sheet of its own', async () => {
    const html = await (await fetch(running.ready.dashboard)).text()

    expect(html.match(/<(?:script|link) [^>]*(?:src|href)="\.\/assets\/[^"]*\.js"/g)?.length).toBeLessThanOrEqual(3)
    expect(html.match(/rel="stylesheet"/g)).toHaveLength(1)
  })

  it('says so in place of the screen, reloads once, and opens the screen when the files are back', async () => {
    const context = await browser.newContext({ locale: 'en' })
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
    const loads: string[] = []
    page.on('load', () => loads.push(page.url()))
    await page.route(/\/assets\/Pools-/, (route) => route.abort())
    await page.goto(running.link)
    await page.getByTestId('health').waitFor()

    await go(page, '/pools')

    await eventually('one reload', async () => (loads.length === 2 ? true : null))
    await page.getByTestId('broken-screen').waitFor()
    expect(await page.getByTestId('broken-screen').innerText()).toContain('can’t be loaded')
    expect(await page.getByTestId('nav-node').count()).toBe(1)
    expect(loads).toHaveLength(2)
    await page.unroute(/\/assets\/Pools-/)
    await page.getByTestId('broken-screen').getByRole('button', { name: 'Retry' }).click()
    await page.getByTestId('pool-list').waitFor()
    expect(loads).toHaveLength(2)
    await context.close()
  })
})
