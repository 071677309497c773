// A rig is added on the page, watched, controlled and removed: the program itself, through its own control port.
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATIENCE_MS } from '../test/patience'
import { findChromium, launchChromium, type Running, startHeadless, summary, temporaryFolder } from './harness'

const found = findChromium()

describe.skipIf('missing' in found)('a rig', () => {
  const datadir = temporaryFolder()
  let running: Running
  let browser: Browser
  let page: Page
  const at = (id: string) => page.getByTestId(id)

  beforeAll(async () => {
    running = await startHeadless(datadir, ['--rig-interval', '1'])
    browser = await launchChromium()
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(running.link)
    await at('nav-rigs').click()
  })
  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

  it('is tested, added with its token, paused, confirmed by its own summary, and removed', async () => {
    const token = /#token=(\S+)/.exec(running.link)?.[1] ?? ''
    await at('rig-add').click()
    await at('rig-form-address').fill(running.ready.api)
    await at('rig-form-name').fill('mirror')
    await at('rig-form-token').fill(token)
    await at('rig-form-test').click()
    await page.locator('[data-testid="rig-test-result"][data-state="ok"]').waitFor()
    await at('rig-form-save').click()
    await page.locator('[data-testid="rig-mirror"][data-state="online"]').waitFor()
    const file = join(datadir, 'config.toml')
    expect(readFileSync(file, 'utf8')).toContain('mirror=')
    expect(statSync(file).mode & 0o077).toBe(0)
    expect(await page.content()).not.toContain(token)

    await page.getByRole('checkbox', { name: 'Select mirror' }).click()
    await at('rig-pause-selected').click()
    await at('rig-targets-open').getByText('mirror').waitFor()
    await at('rig-confirm-confirm').click()
    await at('rig-results').getByText('mirror: paused').waitFor()
    expect((await summary(running.ready)).gpus.every(({ paused }) => paused)).toBe(true)

    await at('rig-mirror').getByRole('link').click()
    await page.locator('[data-testid="gpu-state-0"][data-state="paused"]').waitFor()
    await at('gpu-pause-0').click()
    await page.locator('[data-testid="gpu-pause-0"]:is([data-state="confirmed"], [data-state="idle"])').waitFor()
    await page.locator('[data-testid="gpu-row-0"]:not([data-state="paused"])').waitFor()
    expect((await summary(running.ready)).gpus[0]?.paused).toBe(false)

    await at('rig-remove').click()
    await at('rig-remove-confirm-confirm').click()
    await at('rig-add').waitFor()
    await at('rig-mirror').waitFor({ state: 'detached' })
    expect(readFileSync(file, 'utf8')).not.toContain('mirror=')
  })
})
