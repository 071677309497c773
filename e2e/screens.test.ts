// Screens of the miner, the rigs, the chain and the settings in a real Chromium, over the real program with simulated
// devices: what users do on them, and how they behave without control or contact. walk.test.ts tests how all of them
// render.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { SCREENS } from './every-screen'
import {
  blockNumber,
  eventually,
  findChromium,
  http,
  launchChromium,
  openPage,
  picture,
  type Running,
  rpc,
  rpcResult,
  startHeadless,
  temporaryFolder,
} from './harness'
import { seriousFindings } from './page-checks'
import { readPracticeAccount } from './practice-account'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
const WIDTHS = [1440, 1024, 390] as const
const THEMES = ['dark', 'light'] as const
/** Nobody listens on port 9 of this computer. */
const DEAD = '127.0.0.1:9'

const LAX = 10n ** 18n
/** wei per block, and how many blocks later the practice network pays it out. */
const SUBSIDY = 50n * LAX
const MATURITY = 10
/** So many equal heights in a row, a tenth of a second apart. */
const STILL_READS = 5
const totalsSchema = z.object({
  hashrate: z.object({ now: z.number() }),
  gpus: z.array(
    z.object({
      paused: z.boolean(),
      power: z.number(),
      shares: z.object({ accepted: z.number(), rejected: z.number(), failed: z.number() }),
    }),
  ),
})
const moneySchema = z.object({
  whole: z.object({ total: z.object({ income: z.object({ value: z.string().nullable() }) }) }),
})
const hashesSchema = z.object({ value: z.number().nullable() })
const lossesSchema = z.object({
  whole: z.object({
    losses: z.object({ lostHashes: hashesSchema }),
  }),
  devices: z.array(z.object({ lostHashes: hashesSchema })),
})

async function goTo(page: Page, path: string, testId: string | RegExp): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
  await page.getByTestId(testId).first().waitFor()
}

describe.skipIf('missing' in found)(`the screens in Chromium${reason}`, () => {
  const datadir = temporaryFolder()
  let running: Running
  let browser: Browser
  let page: Page
  let account = ''

  const apiText = async (path: string): Promise<string> =>
    (await http(`http://${running.ready.api}/api/v1/${path}`)).text

  // Only so that axe can be injected into the page: the policy itself is tested elsewhere.
  const newPage = (link: string): Promise<Page> => openPage(browser, link, { bypassCSP: true })

  beforeAll(async () => {
    if ('missing' in found) return
    running = await startHeadless(datadir, ['--simulated-gpus', '2', '--rig', `far=${DEAD}`])
    account = readPracticeAccount(readFileSync(join(datadir, 'practice-account.txt'), 'utf8')).address.toLowerCase()
    browser = await launchChromium()
    page = await newPage(running.link)
    await eventually('a block', async () => ((await blockNumber(running.ready)) > 0 ? true : null))
  })
  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

  // The walk tests that each fits, in every width and theme, in the same program.
  const drawn = process.env.PICTURES === undefined ? [] : SCREENS
  it.each(drawn)('%s renders in every width and theme', async (name, path, testId) => {
    await goTo(page, path.replace('ACCOUNT', account), testId)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        await picture(page, { kind: 'chromium', name: `${name}-${width}-${theme}` })
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('finds a block by its hash and an address by its digits', async () => {
    const block = z
      .object({ hash: z.string(), miner: z.string() })
      .parse(await rpcResult(running.ready.http, 'eth_getBlockByNumber', ['0x1', false]))
    await goTo(page, '/node', 'chain-search')

    await page.getByTestId('chain-search').fill(block.hash)
    await page.getByTestId('chain-search').press('Enter')
    await page.getByTestId('block-detail').waitFor()
    await goTo(page, '/node', 'chain-search')
    await page.getByTestId('chain-search').fill(block.miner)
    await page.getByTestId('chain-search').press('Enter')
    await page.getByTestId('address-nonce').waitFor()

    expect(await page.getByTestId('address-code').getAttribute('data-value')).toBe('0')
    const shown = await page.getByTestId('address-available').getAttribute('data-value')
    expect(BigInt(shown ?? '')).toBeGreaterThan(0n)
  })

  it('reaches every screen on a phone, including those behind More', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await goTo(page, '/', 'health')
    expect(await page.getByTestId('nav-settings').isVisible()).toBe(false)

    await page.getByTestId('nav-more').click()
    await page.getByTestId('nav-settings').click()

    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    expect(await page.getByTestId('nav-settings').isVisible()).toBe(false)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it.each([
    [1440, 900],
    [1024, 700],
    [390, 844],
  ])('has the hashrate and what was earned in sight at %i x %i', async (width, height) => {
    await page.setViewportSize({ width, height })
    await goTo(page, '/', 'earned-today')

    const navTop = width < 640 ? ((await page.getByTestId('nav-overview').boundingBox())?.y ?? 0) : height
    for (const testId of ['hashrate', 'earned-today']) {
      const box = await page.getByTestId(testId).boundingBox()
      expect((box?.y ?? height) + (box?.height ?? 0), testId).toBeLessThan(navTop)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it.each([1440, 1024, 768])('shows all that an account holds at %i px', async (width) => {
    await page.setViewportSize({ width, height: 900 })
    await goTo(page, '/accounts', `account-${account}`)

    const scrolls = `document.querySelector('[data-testid^=account-]').closest('table').parentElement`
    expect(await page.evaluate(`${scrolls}.scrollWidth - ${scrolls}.clientWidth`)).toBe(0)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('has every button of an approval in sight at 200% zoom and its changes in its own window, also with long words', async () => {
    const zoomed = await openPage(browser, running.link, { viewport: { width: 720, height: 450 }, locale: 'de' })
    const asked = rpc(running.ready.signer.http, 'account_signTransaction', [
      { from: account, to: account, nonce: '0x0', gas: '0x5208', gasPrice: '0x77359400', value: '0x1' },
    ])
    await goTo(zoomed, '/accounts/approvals', 'approval-to')

    for (const testId of ['approval-reject', 'approval-approve']) {
      const box = await zoomed.getByTestId(testId).boundingBox()
      expect((box?.y ?? 450) + (box?.height ?? 0), testId).toBeLessThanOrEqual(450)
    }
    // In the window of its own: what the payment changes, too.
    await zoomed.setViewportSize({ width: 560, height: 720 })
    await zoomed.locator('[data-testid=approval-changes][data-state=succeeded]').waitFor()
    const changes = await zoomed.getByTestId('approval-changes').boundingBox()
    const footer = await zoomed.locator('footer').boundingBox()
    expect((changes?.y ?? 720) + (changes?.height ?? 0)).toBeLessThanOrEqual(footer?.y ?? 0)
    await zoomed.getByTestId('approval-reject').click()
    expect((await asked).error?.message).toBe('request denied')
    await zoomed.context().close()
  })

  it('shows on every screen the sums that the chain and the API have', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    // Of one reward, the page speaks in the singular.
    await eventually('rewards to add up', async () => ((await blockNumber(running.ready)) < 3 ? null : true))
    await goTo(page, '/gpus', 'pause-all-for')
    await page.getByTestId('pause-all-for').click()
    await page.getByTestId('pause-all-for-for1h').click()
    const seen: number[] = []
    const head = await eventually('a chain that stands still', async () => {
      const { gpus, hashrate } = totalsSchema.parse(JSON.parse(await apiText('summary')))
      const isStill = gpus.every(({ paused }) => paused) && hashrate.now === 0
      seen.push(isStill ? await blockNumber(running.ready) : -seen.length)
      const last = seen.slice(-STILL_READS)
      return last.length === STILL_READS && new Set(last).size === 1 ? (last[0] ?? null) : null
    })
    const shown = async (testId: string): Promise<string> =>
      (await page.getByTestId(testId).first().getAttribute('data-value')) ?? ''
    const is = (testId: string, wanted: string): Promise<boolean> =>
      eventually(`${testId} ${wanted}`, async () => {
        const value = await shown(testId)
        if (value !== wanted) throw new Error(value)
        return true
      })
    // What grows meanwhile lies between what the API said before and what it says after; unknown is unknown on both.
    const isBetween = (testId: string, before: number | null, read: () => Promise<number | null>): Promise<boolean> =>
      eventually(`${testId} as the API has it`, async () => {
        const value = await shown(testId)
        const after = await read()
        const isRight = value === '' ? after === null : Number(value) >= (before ?? 0) && Number(value) <= (after ?? -1)
        if (!isRight) throw new Error(`${value} between ${before} and ${after}`)
        return true
      })

    // From the chain: each block's miner, and the subsidies that aren't paid out before a hundred blocks.
    const own: number[] = []
    for (let height = 1; height <= head; height++) {
      const block = await rpcResult(running.ready.http, 'eth_getBlockByNumber', [`0x${height.toString(16)}`, false])
      if (z.object({ miner: z.string() }).parse(block).miner.toLowerCase() === account) own.push(height)
    }
    const available = BigInt(
      z.string().parse(await rpcResult(running.ready.http, 'eth_getBalance', [account, 'latest'])),
    )
    const locked = BigInt(own.filter((height) => height > head - MATURITY).length) * SUBSIDY
    await goTo(page, '/accounts', `account-${account}`)
    await is(`balance-available-${account}`, String(available))
    await is(`balance-locked-${account}`, String(locked))
    await goTo(page, '/node', 'head-number')
    await is('head-number', String(head))

    // From the API: what was earned, and the shares of all devices.
    const { gpus } = totalsSchema.parse(JSON.parse(await apiText('summary')))
    const { whole } = moneySchema.parse(JSON.parse(await apiText('money?period=month')))
    expect(BigInt(whole.total.income.value ?? -1)).toBe(BigInt(own.length) * SUBSIDY)
    await goTo(page, '/', 'earned')
    await is('earned', whole.total.income.value ?? '')
    await is('earned-today', whole.total.income.value ?? '')
    await goTo(page, '/gpus', 'gpu-totals')
    const accepted = gpus.reduce((sum, { shares }) => sum + shares.accepted, 0)
    const rejected = gpus.reduce((sum, { shares }) => sum + shares.rejected, 0)
    const failed = gpus.reduce((sum, { shares }) => sum + shares.failed, 0)
    expect(accepted).toBeGreaterThan(0)
    await is('gpu-total-shares', String(accepted))
    await is('gpu-total-rejected', String(rejected))
    await is('gpu-total-wrong', String(failed))
    for (const [index, { shares }] of gpus.entries()) {
      await is(`gpu-shares-${index}`, String(shares.accepted))
      await is(`gpu-rejected-${index}`, String(shares.rejected))
      await is(`gpu-wrong-${index}`, String(shares.failed))
    }
    const watts = gpus.reduce((sum, { power }) => sum + power, 0)
    expect(watts).toBeGreaterThan(0)
    await is('gpu-total-powerSum', String(watts))

    // The rigs' page counts this computer, and no other is online.
    await goTo(page, '/rigs', 'rigs-totals')
    await is('rigs-gpus', String(gpus.length))
    await is('rigs-power', String(watts))
    await page.getByTestId('rigs-totals').filter({ hasText: '1 of 2 online' }).waitFor()

    // One account's page: each reward that isn't paid out yet, and all of them together.
    await goTo(page, `/accounts/${account}`, 'maturity')
    await is(`balance-available-${account}`, String(available))
    await is(`balance-locked-${account}`, String(locked))
    const maturing = own.filter((height) => height > head - MATURITY).length
    expect(maturing).toBeGreaterThan(1)
    await page
      .getByTestId('maturity')
      .filter({ hasText: `${maturing} rewards mature, ${locked / LAX} LAX in total` })
      .waitFor()

    // Nobody knows what was lost before the usual hashrate is known: neither the API nor a page claims 0.
    const lost = async () => {
      const { whole, devices } = lossesSchema.parse(JSON.parse(await apiText('money?period=today')))
      return [whole.losses, ...devices].map(({ lostHashes: { value } }) => (value === null ? null : Number(value)))
    }
    const before = await lost()
    expect(before).toHaveLength(gpus.length + 1)
    await goTo(page, '/', 'losses')
    await is('total-power', String(watts))
    await isBetween('losses', before[0] ?? null, async () => (await lost())[0] ?? null)
    await goTo(page, '/gpus', 'gpu-totals')
    // A device shows the part of its usual work, and none while most of that was done before the usual was known.
    for (const index of gpus.keys())
      await eventually(`gpu-lost-${index} as far as the API knows it`, async () => {
        const part = await shown(`gpu-lost-${index}`)
        const hashes = (await lost())[index + 1] ?? null
        const isRight = part === '' || (hashes !== null && Number(part) >= 0 && Number(part) <= 1)
        if (!isRight) throw new Error(`${part} for ${hashes} hashes`)
        return true
      })

    await page.getByTestId('pause-all').click()
    await eventually('all mine again', async () =>
      totalsSchema.parse(JSON.parse(await apiText('summary'))).gpus.some(({ paused }) => paused) ? null : true,
    )
  })

  it('pauses a device for ten minutes by keyboard, and shows when it resumes', async () => {
    await goTo(page, '/gpus/1', 'gpu-pause-1-for')

    await page.getByTestId('gpu-pause-1-for').focus()
    await page.keyboard.press('Enter')
    // Enter presses what has the focus: the first of the menu, once it is open.
    await page.locator('[data-testid=gpu-pause-1-for-for10m]:focus').waitFor()
    await page.keyboard.press('Enter')

    expect(await page.getByTestId('gpu-resumes-1').textContent()).toMatch(/^resumes \d\d:\d\d:\d\d$/)
    await page.getByTestId('gpu-reason-1').filter({ hasText: 'Paused by you' }).waitFor()
    await page.locator('[data-testid=gpu-pause-1]:not([data-state=pending])').waitFor() // the pause is confirmed
    await page.getByTestId('gpu-pause-1').click()
    await page.getByTestId('gpu-resumes-1').waitFor({ state: 'detached' })
  })

  it('writes an option to the config file, rejects a wrong one, and shows what the next start has', async () => {
    await goTo(page, '/settings/pools', 'option-pool.failoverMinutes')
    const option = page.getByTestId('option-pool.failoverMinutes')

    await option.getByRole('textbox').fill('-1')
    await page.getByTestId('options-save').click()
    await option.getByRole('alert').waitFor()
    expect(await option.getByRole('alert').textContent()).toContain('in 0..99999')
    await option.getByRole('textbox').fill('20')
    await page.getByTestId('options-save').click()
    await page.getByTestId('options-saved').waitFor()

    expect(readFileSync(join(datadir, 'config.toml'), 'utf8')).toBe('[pool]\nfailover-minutes = 20\n')
    expect(await option.textContent()).toContain('After restart: 20')
  })

  it('lets a page without a token control the miner, as allowed, but not change what guards access', async () => {
    const reader = await newPage(running.ready.dashboard)
    await goTo(reader, '/settings/miner', 'option-miner.cpuThreads')
    await reader.getByTestId('option-miner.cpuThreads').getByRole('textbox').waitFor()

    await goTo(reader, '/settings/api', 'token-card')
    const token = reader.getByTestId('token-card')
    await token.getByText(/Only from this computer/).waitFor()
    expect(await token.getByTestId('token-new').count()).toBe(0)
    await reader.context().close()
  })

  it('keeps the last values and shows since when there is no contact', async () => {
    await goTo(page, '/gpus', 'gpu-row-0')
    const color = (): Promise<unknown> => page.evaluate(`getComputedStyle(document.querySelector('main')).color`)
    const before = await color()

    await running.kill()
    await page.getByTestId('offline-bar').waitFor()
    // What has no color of its own turns gray as well.
    await eventually('all looks stale', async () => ((await color()) === before ? null : true))

    expect(await page.getByTestId('gpu-row-0').isVisible()).toBe(true)
    expect(await page.getByTestId('gpu-pause-0').getAttribute('aria-disabled')).toBe('true')
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await picture(page, { kind: 'chromium', name: 'offline-1440-dark' })
    expect(await seriousFindings(page)).toEqual([])
  })
})

describe.skipIf('missing' in found)(`the pools in Chromium${reason}`, () => {
  const datadir = temporaryFolder()
  let running: Running
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    if ('missing' in found) return
    running = await startHeadless(datadir, [
      '-P',
      `stratum+tcp://me.rig:hidden@${DEAD}`,
      '-P',
      'stratum+tls://me@127.0.0.2:9',
    ])
    browser = await launchChromium()
    page = await openPage(browser, running.link, { bypassCSP: true })
  })
  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

  it('are listed without their passwords, in every width and theme', async () => {
    await goTo(page, '/pools', 'pool-row-1')

    await page.getByTestId('pool-row-0').getByTitle(`stratum+tcp://me.rig:***@${DEAD}`, { exact: true }).waitFor()
    expect(await page.content()).not.toContain('hidden@')
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        await picture(page, { kind: 'chromium', name: `pools-${width}-${theme}` })
        expect(await seriousFindings(page), `${width} ${theme}`).toEqual([])
      }
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), `${width}`).toBe(true)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('are tested, refused with a reason, added, and removed after a confirmation', async () => {
    await page.getByTestId('pool-url').fill('ftp://pool.example:1')
    await page.getByTestId('pool-add-submit').click()
    await page.getByTestId('pool-add').getByRole('alert').waitFor()
    expect(await page.getByTestId('pool-add').getByRole('alert').textContent()).toContain('unknown scheme "ftp"')
    await page.getByTestId('pool-url').fill('stratum+tcp://me@127.0.0.3:9')
    await page.getByTestId('pool-add').getByRole('button', { name: 'Test' }).click()
    await page.locator('[data-testid=pool-add] [data-testid=pool-test-result][data-state=failed]').waitFor()
    await page.getByTestId('pool-url').press('Enter')
    await page.getByTestId('pool-row-2').waitFor()

    await page.getByTestId('pool-remove-2').click()
    await page.getByTestId('pool-remove').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByTestId('pool-remove-confirm').click()

    await page.getByTestId('pool-row-2').waitFor({ state: 'detached' })
  })
})
