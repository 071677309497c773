// A first start by keyboard alone, in a real Chromium over the real program: from the overview through the steps to the first own
// block, in another language, and never asked again.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  blockNumber,
  eventually,
  findChromium,
  HANG_MS,
  picture,
  type Running,
  startHeadless,
  temporaryFolder,
} from './harness'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
/** More stops than any screen has. */
const MAX_TABS = 80

describe.skipIf('missing' in found)(`first steps in Chromium${reason}`, () => {
  const datadir = temporaryFolder()
  let running: Running
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    running = await startHeadless(datadir)
    browser = await chromium.launch({
      executablePath: 'path' in found ? found.path : '',
      args: ['--no-sandbox', '--disable-gpu'],
    })
    page = await browser.newPage({ viewport: { width: 1024, height: 900 } })
    page.setDefaultTimeout(HANG_MS)
    await page.goto(running.link)
  })
  afterAll(async () => {
    await browser.close()
    await running.terminate()
    rmSync(datadir, { recursive: true, force: true })
  })

  const focused = () => page.evaluate(`document.activeElement?.closest('[data-testid]')?.dataset.testid ?? ''`)
  const tabTo = async (testId: string): Promise<void> => {
    for (let count = 0; count < MAX_TABS; count++) {
      if ((await focused()) === testId) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`${testId} cannot be reached by Tab`)
  }
  const press = async (testId: string): Promise<void> => {
    await page.getByTestId(testId).waitFor()
    await tabTo(testId)
    await page.keyboard.press('Enter')
  }
  const step = (name: string) => page.locator(`[data-testid=welcome-step][data-state=${name}]`).waitFor()

  it('goes from the overview through the short way to the first own block', async () => {
    await press('welcome-open')
    await step('look')
    await picture(page, { kind: 'chromium', name: 'welcome-look-light' })
    await press('welcome-next')
    await step('network')
    await press('welcome-short')
    await step('summary')
    expect(await page.getByTestId('welcome-command').textContent()).toBe('headframe')
    await press('welcome-start')
    await page.getByTestId('welcome-done').waitFor()
    await press('welcome-leave')
    await page.getByTestId('health').waitFor()

    const height = await eventually('own block', async () => (await blockNumber(running.ready)) || null)
    expect(height).toBeGreaterThan(0)
    expect(readFileSync(join(datadir, 'config.toml'), 'utf8')).toMatch(/^welcome = false$/m)
    expect(await page.getByTestId('welcome-card').count()).toBe(0)
  })

  it('walks all steps there and back, and speaks German at once', async () => {
    await page.evaluate(`localStorage.removeItem('headframe.preferences')`)
    await page.evaluate(`location.hash = '/welcome'`)
    await page.reload()
    await step('look')
    await page.getByLabel('Deutsch').focus()
    await page.keyboard.press('Space')
    await page.getByRole('heading', { name: 'Mining einrichten', level: 1 }).waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toMatch(/^de/)
    for (const name of ['network', 'folder', 'account', 'devices', 'work', 'sharing', 'summary']) {
      await press('welcome-next')
      await step(name)
      await picture(page, { kind: 'chromium', name: `welcome-${name}-de` })
    }
    await press('welcome-back')
    await step('sharing')
    await page.reload()
    await step('sharing')
  })

  it('goes anywhere by a few letters', async () => {
    await page.evaluate(`location.hash = '/'`)
    await page.getByTestId('health').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByTestId('palette-input').waitFor()
    await page.keyboard.type('block 0')
    await page.keyboard.press('Escape')
    await page.getByTestId('palette').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByTestId('palette-input').waitFor()
    await page.keyboard.type('0')
    await page.keyboard.press('Enter')
    await page.getByTestId('block-detail').waitFor()
    expect(await page.evaluate('location.hash')).toBe('#/node/block/0')
  })
})
