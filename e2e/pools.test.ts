// Working pools, in a real Chromium with the real program: their measurements, a switch, an address changed with a
// password that stays hidden, a removal that is undone, and the value of shares.
import { rmSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  eventually,
  findChromium,
  launchChromium,
  openPage,
  picture,
  type Running,
  startHeadless,
  temporaryFolder,
} from './harness'
import { lastingFaults, seriousFindings, strangeWords } from './page-checks'
import { TrustingPool } from './trusting-pool'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
const PAYEE = '0x52908400098527886E0F7030069857D2E4169EE7'
/** Some shares per second from a simulated device. */
const DIFFICULTY = 50_000n

describe.skipIf('missing' in found)(`working pools in Chromium${reason}`, () => {
  const datadir = temporaryFolder()
  const pools = [new TrustingPool(DIFFICULTY), new TrustingPool(DIFFICULTY)] as const
  let running: Running
  let browser: Browser
  let page: Page
  const row = (index: number, state: string) => page.locator(`[data-testid=pool-row-${index}][data-state=${state}]`)

  beforeAll(async () => {
    if ('missing' in found) return
    for (const pool of pools) await pool.start()
    const [first, second] = pools
    running = await startHeadless(datadir, [
      ...['--simulated-gpus', '1'],
      ...['-P', `stratum+tcp://${PAYEE}.rig:x@127.0.0.1:${first.port}`],
      ...['-P', `stratum+tcp://me.rig:swordfish@127.0.0.1:${second.port}/a@b.example`],
    ])
    browser = await launchChromium()
    page = await openPage(browser, running.link, { bypassCSP: true })
    await page.evaluate(`location.hash = '/pools'`)
  })
  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    for (const pool of pools) pool.stop()
    rmSync(datadir, { recursive: true, force: true })
  })

  it('report their latency, the accepted shares and their value', async () => {
    await row(0, 'active').waitFor()
    await page.getByTestId('pool-since-0').waitFor()

    await eventually('accepted shares', async () =>
      /[1-9]/.test((await page.getByTestId('pool-shares-0').textContent()) ?? '') ? true : null,
    )
    expect(Number(await page.getByTestId('pool-latency-0').getAttribute('data-value'))).toBeGreaterThan(0)
    expect(await page.getByTestId('pool-difficulty-0').getAttribute('data-value')).toBe(String(DIFFICULTY))
    expect(await strangeWords(page)).toEqual([])
  })

  it('open what their figures are made of, in a row below', async () => {
    const latency = row(0, 'active').getByRole('button', { name: 'Latency' })
    await latency.click()
    const why = page.getByTestId('pool-why-0')
    await why.getByTestId('why-rows').getByText('95th percentile').waitFor()
    await picture(page, { kind: 'chromium', name: 'pool figure opened' })
    expect(await lastingFaults(page)).toEqual([])

    await row(0, 'active').getByRole('button', { name: 'Accepted' }).click()
    const counts = why.getByTestId('why-rows').locator('li [data-value]:not([data-value=""])')
    await why.getByText('Unanswered').waitFor()
    expect(await counts.count()).toBeGreaterThanOrEqual(4)
    await row(0, 'active').getByRole('button', { name: 'Accepted' }).click()
    await why.waitFor({ state: 'detached' })
  })

  it('are changed without typing their password again, and switched to', async () => {
    await page.getByTestId('pool-edit-1').click()
    const field = page.getByTestId('pool-edit-url')
    const whole = `stratum+tcp://127.0.0.1:${pools[1].port}/a@b.example`
    await eventually('the whole address', async () => ((await field.inputValue()) === whole ? true : null))
    await page.getByTestId('pool-edit-worker').fill('other')
    expect(await seriousFindings(page)).toEqual([])
    await page.getByTestId('pool-edit-save').click()
    await page.getByTestId('pool-said').waitFor()
    // A switch names the pool as it is shown: to the old login it would be refused.
    await row(1, 'idle').locator('[title*="me.other"]').waitFor()
    await page.getByTestId('pool-switch-1').click()
    await page.getByTestId('pool-switch-confirm').click()
    await row(1, 'active').waitFor()

    await page.locator('[data-testid=pool-last-switch-1][data-state=asked]').waitFor()
    expect(pools[1].logins.at(-1)).toEqual(['me.other/a@b.example', 'swordfish'])
    expect((await page.content()).includes('swordfish')).toBe(false)
  })

  it('return to their place after an accidental removal', async () => {
    await page.getByTestId('pool-remove-0').click()
    await page.getByTestId('pool-remove-confirm').click()
    await page.getByTestId('pool-row-1').waitFor({ state: 'detached' })
    await page.getByTestId('pool-undo').click()

    await row(1, 'active').waitFor()
    expect(await page.getByTestId('pool-row-0').textContent()).toContain(`127.0.0.1:${pools[0].port}`)
  })

  it('name the wrong part of an address while it is typed', async () => {
    await page.getByTestId('pool-url').fill('stratum+tcp://me@pool.example')
    await page.locator('[data-testid=pool-parts][data-part=port]').waitFor()
    await page.getByTestId('pool-url').fill('stratum+tcp://me@pool.example:1')

    await page.locator('[data-testid=pool-parts][data-state=ok]').waitFor()
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await picture(page, { kind: 'chromium', name: `pools-working-1440-${theme}`, fullPage: true })
      expect(await seriousFindings(page), theme).toEqual([])
    }
  })
})
