// What people come for, done as they would do it: by clicks and typing alone, in a real Chromium over the real program. What each
// task takes is printed; its clicks are held, its seconds are the machine's.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { blockNumber, eventually, findChromium, HANG_MS, type Running, startHeadless, temporaryFolder } from './harness'
import { readPracticeAccount } from './practice-account'
import { readToEnd } from './read-approval'
import { TrustingPool } from './trusting-pool'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
const PAYEE = '0x52908400098527886E0F7030069857D2E4169EE7'
/** Some shares a second of a simulated device. */
const DIFFICULTY = 20_000n

describe.skipIf('missing' in found)(`five tasks in Chromium${reason}`, () => {
  const datadir = temporaryFolder()
  const pools = [new TrustingPool(DIFFICULTY), new TrustingPool(DIFFICULTY)] as const
  const table: string[] = []
  let running: Running
  let browser: Browser
  let page: Page
  let clicks = 0
  let begunAt = 0

  beforeAll(async () => {
    if ('missing' in found) return
    for (const pool of pools) await pool.start()
    running = await startHeadless(datadir, ['--simulated-gpus', '2'])
    browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox', '--disable-gpu'] })
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' })
    context.setDefaultTimeout(HANG_MS)
    page = await context.newPage()
  })
  afterEach(({ task }) => {
    table.push(
      `${String(clicks).padStart(2)} clicks ${((Date.now() - begunAt) / 1000).toFixed(1).padStart(5)} s  ${task.name}`,
    )
  })
  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    for (const pool of pools) pool.stop()
    rmSync(datadir, { recursive: true, force: true })
    console.log(table.join('\n'))
  })

  const begin = async (): Promise<void> => {
    await page.goto(running.link)
    await page.getByTestId('health').waitFor()
    clicks = 0
    begunAt = Date.now()
  }
  const click = async (target: string | Locator): Promise<void> => {
    clicks += 1
    await (typeof target === 'string' ? page.getByTestId(target) : target).click()
  }
  /** Clicked first, as by anyone who has a mouse in hand. */
  const type = async (target: string, text: string): Promise<void> => {
    await click(target)
    await page.keyboard.insertText(text)
  }
  const address = (): string => readPracticeAccount(readFileSync(join(datadir, 'practice-account.txt'), 'utf8')).address

  it('approve and follow a payment', async () => {
    const { password } = readPracticeAccount(readFileSync(join(datadir, 'practice-account.txt'), 'utf8'))
    await eventually('a block', async () => ((await blockNumber(running.ready)) > 0 ? true : null))
    await begin()

    await click('nav-accounts')
    await click(`open-${address().toLowerCase()}`)
    await type('send-to', PAYEE)
    await type('send-amount', '1.5')
    await click('send-prepare')
    await click('send-ask')
    await type('approval-password', password)
    await readToEnd(page)
    await click('approval-approve')
    await page.locator('[data-testid=payment][data-state=mined]').waitFor()

    expect(await page.getByTestId('payment').textContent()).toMatch(/block \d+/)
    expect(clicks).toBe(8)
  })

  it('pause one GPU', async () => {
    await begin()

    await click('tile-pause-1')
    await page.locator('[data-testid=tile-1][data-state=paused]').waitFor()

    expect(await page.getByTestId('tile-0').getAttribute('data-state')).not.toBe('paused')
    expect(clicks).toBe(1)
  })

  it('find out why the hashrate dropped', async () => {
    await begin()

    await page.locator('[data-testid=losses]').filter({ hasText: 'Paused by you' }).waitFor()
    await click('losses-why')

    expect(await page.locator('[data-testid=losses-row][data-state=paused]').textContent()).toContain('Device 1')
    expect(clicks).toBe(1)
  })

  it('set up a pool and see the first accepted share', async () => {
    await begin()
    await page.evaluate('globalThis.isSamePage = true')

    await click('welcome-open')
    await click('welcome-next')
    for (const step of ['network', 'folder', 'account', 'devices']) {
      await page.locator(`[data-testid=welcome-step][data-state=${step}]`).waitFor()
      await click('welcome-next')
    }
    await click(page.getByTestId('welcome-pool').getByRole('radio'))
    await type('welcome-pool-url', `stratum+tcp://${PAYEE}.rig:x@127.0.0.1:${pools[0].port}`)
    await click('welcome-next')
    await click('welcome-next')
    await click('welcome-start')
    await page.locator('[data-testid=first-share-work][data-state=done]').filter({ hasText: '127.0.0.1' }).waitFor()
    await page.locator('[data-testid=first-share-proof][data-state=done]').waitFor()

    expect(await page.evaluate('globalThis.isSamePage')).toBe(true)
    expect(pools[0].logins.at(-1)?.[0]).toBe(`${PAYEE}.rig`)
    expect(clicks).toBe(11)
  })

  it('add a pool and switch to it', async () => {
    await begin()

    await click('nav-pools')
    await type('pool-url', `stratum+tcp://${PAYEE}.rig:x@127.0.0.1:${pools[1].port}`)
    await click('pool-add-submit')
    await click('pool-switch-1')
    await click('pool-switch-confirm')
    await page.locator('[data-testid=pool-row-1][data-state=active]').waitFor()

    expect(pools[1].logins).toHaveLength(1)
    expect(clicks).toBe(5)
  })
})
