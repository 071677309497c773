// The first steps end with a program that runs as was chosen: it restarts by itself, under the same page.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { eventually, findChromium, HANG_MS, type Running, startHeadless, temporaryFolder } from './harness'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
const PAID = '0x52908400098527886E0F7030069857D2E4169EE7'

describe.skipIf('missing' in found)(`Start${reason}`, () => {
  const datadir = temporaryFolder()
  let browser: Browser
  let running: Running
  let page: Page

  beforeAll(async () => {
    if ('missing' in found) return
    running = await startHeadless(datadir, [
      '--nodiscover',
      '--netrestrict',
      '127.0.0.0/8',
      '--port',
      '0',
      '--nat',
      'none',
    ])
    browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox', '--disable-gpu'] })
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' })
    context.setDefaultTimeout(HANG_MS)
    page = await context.newPage()
    await page.goto(running.link)
  })
  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

  const click = (testId: string) => page.getByTestId(testId).click()
  const step = (name: string) => page.locator(`[data-testid=welcome-step][data-state=${name}]`).waitFor()

  it('changes from practice to the network that was chosen, and the practice key stays behind', async () => {
    await page.getByTestId('health').waitFor()
    const { address } = z
      .object({ address: z.string() })
      .parse(JSON.parse(readFileSync(join(datadir, 'practice.json'), 'utf8')))
    const keyName = address.slice(2).toLowerCase()
    await click('welcome-open')
    await click('welcome-next')
    await page.getByTestId('welcome-test').getByRole('radio').click()
    await click('welcome-next')
    await click('welcome-next')
    await step('account')
    await page.getByTestId('welcome-coinbase').fill(PAID)
    for (const name of ['devices', 'work', 'sharing', 'summary']) {
      await click('welcome-next')
      await step(name)
    }
    await page.evaluate('globalThis.isSamePage = true')

    await click('welcome-start')
    await page.getByTestId('welcome-done').filter({ hasText: 'Headframe is running with these settings' }).waitFor()

    expect(await page.evaluate('globalThis.isSamePage')).toBe(true)
    await click('welcome-leave')
    await page.getByTestId('network-badge').filter({ hasText: 'Test network' }).waitFor()
    const files = (folder: string) => readdirSync(join(datadir, folder)).map((name) => name.toLowerCase())
    await eventually('the key to be away', async () =>
      files('practice/keystore').some((name) => name.endsWith(keyName)) ? true : null,
    )
    expect(files('keystore').filter((name) => name.endsWith(keyName))).toEqual([])
    expect(await page.getByTestId('restart-bar').count()).toBe(0)
    expect(await page.getByTestId('health-chip-health.no-reward-account').count()).toBe(0)
  })
})
