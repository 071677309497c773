// The mining side of the window in a real Chromium with the real program: pools that are reordered and saved, a pause
// that leaves its band, a fault that raises an alarm, a button whose backend fails, and a stranger's read-only page.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PATIENCE_MS } from '../test/patience'
import { framesOf } from './changed-channel'
import {
  eventually,
  findChromium,
  launchChromium,
  movableClock,
  openPage,
  picture,
  type Running,
  startHeadless,
  summary,
  temporaryFolder,
} from './harness'
import { seriousFindings } from './page-checks'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
const FIRST = 'stratum+tcp://me.rig:hidden@127.0.0.1:9'
const SECOND = 'stratum+tcp://me@127.0.0.2:9'
const THIRD = 'stratum+tcp://me@127.0.0.3:9'

/** Nothing about a device is an alarm in its first two minutes. */
const QUIET_MS = 120_000

const CHANNEL = /\/ui\/v1\/channel$/
const MAY_ALL = '"control":true,"approve":true'
const MAY_READ = '"control":false,"approve":false'
const callSchema = z.object({ id: z.number(), name: z.string() })
const DENIED = {
  t: 'error',
  code: 'CONTRACT_DENIED',
  message: 'refused',
  data: { name: 'miner.pause', access: 'control', reason: 'read only' },
}

async function goTo(page: Page, path: string, testId: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
  await page.getByTestId(testId).first().waitFor()
}

/** Only so that axe can be injected into the page: the policy itself is tested elsewhere. */
const newPage = (browser: Browser, link: string): Promise<Page> => openPage(browser, link, { bypassCSP: true })

async function pictures(page: Page, name: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await picture(page, { kind: 'chromium', name: `${name}-${theme}` })
    expect(await seriousFindings(page), `${name} ${theme}`).toEqual([])
  }
}

describe.skipIf('missing' in found)(`devices in Chromium${reason}`, () => {
  const datadir = temporaryFolder()
  const clock = movableClock(datadir)
  let running: Running
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    if ('missing' in found) return
    running = await startHeadless(datadir, [], clock.node)
    browser = await launchChromium()
    page = await newPage(browser, running.link)
  })
  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

  it('that are simulated are added with one click, and sorted by the keyboard', async () => {
    await goTo(page, '/gpus', 'gpu-row-0')

    await page.getByTestId('add-simulated').click()
    await page.getByTestId('gpu-row-2').waitFor()
    await page.getByTestId('gpu-sort-device').focus()
    await page.keyboard.press('Enter')

    const first = page.locator('tbody tr').first()
    await eventually('the other order', async () =>
      (await first.getAttribute('data-testid')) === 'gpu-row-2' ? true : null,
    )
    await page.locator('th[aria-sort=descending]').waitFor()
  })

  it('omit an unticked column, even after a reload', async () => {
    await page.getByTestId('gpu-columns').click()
    await page.getByTestId('gpu-column-shares').click()
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByTestId('gpu-row-0').waitFor()

    expect(await page.locator('thead [data-column=shares]').isVisible()).toBe(false)
    expect(await page.locator('thead [data-column=power]').isVisible()).toBe(true)
  })

  it('show a pause in the event strip, as a band and in words', async () => {
    await goTo(page, '/gpus/1', 'events-1')
    await page.getByTestId('gpu-pause-1').click()
    await page.getByTestId('gpu-reason-1').waitFor()
    await page.locator('[data-testid=gpu-pause-1]:not([data-state=pending])').waitFor() // the pause is confirmed
    await page.getByTestId('gpu-pause-1').click()
    await page.getByTestId('gpu-reason-1').waitFor({ state: 'detached' })

    await page.getByTestId('events-1').getByRole('button').click()
    const list = page.getByTestId('events-table-1')
    await list.getByText('Paused: Api request').waitFor()

    await page.getByTestId('events-1').locator('[title="Paused: Api request"]').waitFor()
    expect(await list.locator('tr', { hasText: 'Paused: Api request' }).textContent()).not.toContain('ongoing')
  })

  it('show a dragged time range, and return to now', async () => {
    const canvas = page.getByTestId('chart-1-temperature').locator('.u-over')
    await canvas.waitFor()
    await page.getByTestId('chart-1-temperature').scrollIntoViewIfNeeded()
    const box = await canvas.boundingBox()
    if (box === null) throw new Error('the chart has no place')

    await page.mouse.move(box.x + box.width * 0.5, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.8, box.y + 20, { steps: 5 })
    await page.mouse.up()
    await page.getByTestId('chart-live-1-temperature').click()

    await page.getByTestId('chart-live-1-temperature').waitFor({ state: 'detached' })
  })

  it('that overheat raise an alarm over every screen until it is acknowledged', async () => {
    await goTo(page, '/gpus/1/tuning', 'gpu-levels-1')
    await page.getByTestId('level-core-warn-1').fill('20')
    await page.getByTestId('level-core-critical-1').fill('21')
    const said = page.getByTestId('alarm-announcer').filter({ hasText: 'GPU 1' })
    expect(await said.count()).toBe(0)
    clock.advance(running, { runMs: QUIET_MS })
    await said.waitFor({ state: 'attached' })

    await goTo(page, '/', 'health')
    await page.locator('[data-testid=health][data-state=problem]').waitFor()
    await pictures(page, 'overview-alarm-1440')
    await page.getByTestId('open-incidents').click()
    await page.getByTestId('acknowledge-hot').first().click()
    await page.getByTestId('incident-hot').filter({ hasText: 'acknowledged' }).first().waitFor()
    await page.reload()
    await page.getByTestId('open-incidents').click()

    await page.getByTestId('incident-hot').filter({ hasText: 'acknowledged' }).first().waitFor()
    await page.keyboard.press('Escape')
  })

  it('are all paused from a menu, and resume with one click', async () => {
    await goTo(page, '/gpus', 'pause-all-for')
    await page.getByTestId('pause-all-for').click()
    await page.getByTestId('pause-all-for-for1h').click()
    await page.getByTestId('pause-undo').click()

    await eventually('all resumed', async () =>
      (await summary(running.ready)).gpus.every((gpu) => !gpu.paused) ? true : null,
    )
  })

  it('say what mining earns on average, and where a price is missing', async () => {
    await goTo(page, '/', 'expected-day')
    await page.locator('[data-testid=expected-day]:not([data-value=""])').waitFor()

    expect(BigInt((await page.getByTestId('expected-day').getAttribute('data-value')) ?? '0')).toBeGreaterThan(0n)
    expect(await page.getByTestId('margin').getAttribute('data-value')).toBe('')
  })

  it('stay unchanged when control is refused, with the option that would allow it', async () => {
    const refused = await newPage(browser, 'about:blank')
    await refused.routeWebSocket(CHANNEL, (socket) => {
      const server = socket.connectToServer()
      socket.onMessage((text) => {
        const call = callSchema.safeParse(JSON.parse(String(text)))
        if (call.data?.name === 'miner.pause') socket.send(JSON.stringify({ ...DENIED, id: call.data.id }))
        else server.send(text)
      })
    })
    await refused.goto(running.link)
    await goTo(refused, '/gpus/1', 'gpu-pause-1')
    await refused.locator('[data-testid=gpu-state-1]:not([data-state=paused])').waitFor()

    await refused.getByTestId('gpu-pause-1').click()
    await refused.locator('[data-testid=gpu-pause-1][data-state=failed]').waitFor()

    await refused.getByText('--api-allow-control').first().waitFor()
    expect(await refused.getByTestId('gpu-pause-1').textContent()).toContain('Pause')
    await refused.context().close()
  })

  it('are paused by a press that gets no answer: it says so, and offers to try again', async () => {
    await goTo(page, '/gpus/1', 'gpu-pause-1')

    running.child.kill('SIGSTOP')
    try {
      await page.getByTestId('gpu-pause-1').click()
      await page.locator('[data-testid=gpu-pause-1][data-state=pending]').waitFor()
      await page.locator('[data-testid=gpu-pause-1][data-state=unconfirmed]').waitFor()
      expect(await page.getByTestId('gpu-pause-1').textContent()).toContain('Retry')
      await page.getByText('No confirmation after 5 s').waitFor()
      expect(await page.getByTestId('gpu-state-1').getAttribute('data-state')).not.toBe('paused')
    } finally {
      running.child.kill('SIGCONT')
    }

    await page.locator('[data-testid=gpu-state-1][data-state=paused]').waitFor()
  })
})

describe.skipIf('missing' in found)(`stored pools in Chromium${reason}`, () => {
  const datadir = temporaryFolder()
  let running: Running
  let browser: Browser
  let page: Page

  const order = async (): Promise<readonly (string | null)[]> =>
    page
      .getByTestId(/^pool-row-/)
      .locator('p[title] > code')
      .allTextContents()
  const isOrder = (wanted: readonly string[]) =>
    eventually(`the order ${wanted.join(' ')}`, async () =>
      JSON.stringify(await order()) === JSON.stringify(wanted) ? true : null,
    )
  const inFile = (): readonly string[] =>
    [...readFileSync(join(datadir, 'config.toml'), 'utf8').matchAll(/stratum[^"\s]+/g)].map(([text]) => text)

  beforeAll(async () => {
    if ('missing' in found) return
    running = await startHeadless(datadir)
    browser = await launchChromium()
    page = await newPage(browser, running.link)
  })
  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

  it('are planned while this run mines for its own node, with their passwords in the file and not on the page', async () => {
    await goTo(page, '/pools', 'pool-url')
    for (const [index, url] of [FIRST, SECOND, THIRD].entries()) {
      await page.getByTestId('pool-url').fill(url)
      await page.getByTestId('pool-url').press('Enter')
      await page.getByTestId(`pool-row-${index}`).waitFor()
    }

    expect(inFile()).toEqual([FIRST, SECOND, THIRD])
    expect(await page.content()).not.toContain('hidden@')
    await pictures(page, 'pools-planned-1440')
  })

  it('are ordered by keys and by dragging, and the next start has that order', async () => {
    await page.getByTestId('pool-grip-2').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await isOrder(['127.0.0.1:9', '127.0.0.3:9', '127.0.0.2:9'])
    await page.locator('[data-testid=pool-grip-1]:focus').waitFor()
    await page.getByTestId('pool-grip-2').dragTo(page.getByTestId('pool-row-0'))
    await isOrder(['127.0.0.2:9', '127.0.0.1:9', '127.0.0.3:9'])
    await page.getByTestId('pool-remove-2').click()
    await page.getByTestId('pool-remove-confirm').click()
    await isOrder(['127.0.0.2:9', '127.0.0.1:9'])

    expect(inFile()).toEqual([SECOND, FIRST])
    await page.close()
    await running.kill()
    running = await startHeadless(datadir)
    page = await newPage(browser, running.link)
    await goTo(page, '/pools', 'pool-row-1')
    expect(await order()).toEqual(['127.0.0.2:9', '127.0.0.1:9'])
    expect(await page.getByTestId('pool-row-0').getAttribute('data-state')).not.toBe('planned')
  })

  it('have no controls for read-only users', async () => {
    const reader = await (await browser.newContext({ bypassCSP: true })).newPage()
    reader.setDefaultTimeout(PATIENCE_MS)
    await reader.routeWebSocket(CHANNEL, (socket) => {
      const server = socket.connectToServer()
      server.onMessage((text) => socket.send(String(text).replaceAll(MAY_ALL, MAY_READ)))
    })
    await reader.goto(running.link)
    await goTo(reader, '/pools', 'pool-row-1')
    await reader.getByTestId('read-only-mark').waitFor()

    expect(await reader.getByTestId('pool-add').count()).toBe(0)
    // What a figure is made of is for everybody.
    expect(await reader.getByTestId('pool-list').locator('button:not([aria-expanded])').count()).toBe(0)
    expect(await seriousFindings(reader)).toEqual([])
    await reader.context().close()
  })

  it('show nothing before their list arrives, and a frame of it while it is late', async () => {
    const waiting = await (await browser.newContext({ bypassCSP: true })).newPage()
    waiting.setDefaultTimeout(PATIENCE_MS)
    await waiting.routeWebSocket(CHANNEL, (socket) => {
      const server = socket.connectToServer()
      server.onMessage((text) => {
        for (const frame of framesOf(text)) if (frame.name !== 'miner.pools') socket.send(JSON.stringify(frame))
      })
    })
    await waiting.goto(running.link)
    await goTo(waiting, '/pools', 'shell')

    await waiting.getByRole('status', { name: 'Loading' }).waitFor()
    expect(await waiting.getByTestId('pool-list').count()).toBe(0)
    await waiting.context().close()
  })
})
