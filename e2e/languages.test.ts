// Every screen with words 40% longer than English ones, at every width and at twice the size: nothing is cut off or
// scrolls sideways. In German, the screens that walk.test.ts sees empty, or not at all. And the system's preferences:
// reduced motion, forced colors.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATIENCE_MS } from '../test/patience'
import {
  findChromium,
  launchChromium,
  picture,
  type Running,
  rpc,
  rpcResult,
  startHeadless,
  temporaryFolder,
} from './harness'
import { borderless, lastingFaults, movements, seriousFindings, unmarked } from './page-checks'
import { readPracticeAccount } from './practice-account'
import { speakPseudo } from './pseudo-locale'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
/** 720 px is a window of 1440 px at twice the size. */
const WIDTHS = [1440, 1024, 720, 390, 320] as const
const MASTER = 'a master password'
/** Nobody listens on port 9 of this computer. */
const DEAD = '127.0.0.1:9'

/** Where each screen is, and what shows that it is there. */
const DAY_MS = 86_400_000
/** Where times are in narrow columns. */
const DATED = [
  ['/activity', 'log-row'],
  ['/activity/audit', 'audit'],
  ['/node/blocks', /^block-row-/],
] as const
const SCREENS: readonly (readonly [string, string | RegExp])[] = [
  ['/', 'health'],
  ['/gpus', 'gpu-row-0'],
  ['/gpus/1', 'chart-1-temperature'],
  ['/pools', 'pool-row-0'],
  ['/rigs', 'rigs-totals'],
  ['/rigs/far', 'rig-error-far'],
  ['/node', 'sync-steps'],
  ['/node/peers', 'node-peers'],
  ['/node/mempool', 'mempool'],
  ['/node/blocks', /^block-row-/],
  ['/node/rpc', 'listener-http'],
  ['/node/block/0', 'block-detail'],
  ['/accounts', 'open-rules'],
  ['/accounts/rules', 'policies'],
  ['/activity', 'log-view'],
  ['/activity/audit', 'audit'],
  ['/activity/all', 'log-view'],
  ['/settings/general', 'shell'],
  ['/settings/mining', 'option-miner.cpuThreads'],
  ['/settings/node', 'data-folder'],
  ['/settings/api', 'view-links'],
  ['/settings/about', 'about'],
  ['/sign-in', 'login-token'],
]

type Sweep = (
  page: Page,
  visit: (path: string) => Promise<readonly string[]>,
  screens?: typeof SCREENS,
) => Promise<readonly string[]>

/** With a pool and a vault, which the walk doesn't have. */
const FILLED = SCREENS.filter(([path]) => path === '/pools' || path === '/accounts/rules')

describe.skipIf('missing' in found)(`other languages in Chromium${reason}`, () => {
  const datadir = temporaryFolder()
  let running: Running
  let browser: Browser
  let address = ''

  beforeAll(async () => {
    running = await startHeadless(datadir, [
      ...['--simulated-gpus', '2', '--rig', `far=${DEAD}`, '-P', `stratum+tcp://me.rig:hidden@${DEAD}`],
      ...['--signer.configdir', join(datadir, 'clef'), '--signer.lightkdf'],
    ])
    browser = await launchChromium()
    address = readPracticeAccount(readFileSync(join(datadir, 'practice-account.txt'), 'utf8')).address
    const page = await open('en')
    await goTo(page, '/accounts/rules', 'vault-init')
    await page.getByTestId('vault-init-master').fill(MASTER)
    await page.getByTestId('vault-init-master-again').fill(MASTER)
    await page.getByTestId('vault-init-submit').click()
    await page.locator('[data-testid=vault-state][data-state=open]').waitFor()
    await page.context().close()
  })
  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

  const open = async (locale: string, prepare: (context: BrowserContext) => Promise<void> = async () => undefined) => {
    // The page's policy is tested elsewhere; here axe has to be injected into the page.
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale, bypassCSP: true })
    context.setDefaultTimeout(PATIENCE_MS)
    await prepare(context)
    const page = await context.newPage()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(running.link)
    await page.getByTestId('health').waitFor()
    return page
  }
  const goTo = async (page: Page, path: string, testId: string | RegExp): Promise<void> => {
    await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
    await page.getByTestId(testId).first().waitFor()
  }
  /** Each width's faults, named by where they are. */
  const faultsOf = async (page: Page, path: string, widths: readonly number[] = WIDTHS): Promise<readonly string[]> => {
    const all: string[] = []
    for (const width of widths) {
      await page.setViewportSize({ width, height: width === 720 ? 450 : 900 })
      all.push(...(await lastingFaults(page)).map((fault) => `${path} at ${width} px: ${fault}`))
    }
    return all
  }
  /** All screens, including the account's own and the page of a first start with everything unfolded. */
  const sweep: Sweep = async (page, visit, screens = SCREENS) => {
    const all: string[] = []
    for (const [path, testId] of [...screens, [`/accounts/${address.toLowerCase()}`, 'send-to'] as const]) {
      await goTo(page, path, testId)
      all.push(...(await visit(path)))
    }
    await goTo(page, '/welcome', 'welcome')
    await page.evaluate(`document.querySelectorAll('details').forEach((fold) => (fold.open = true))`)
    all.push(...(await visit('welcome')))
    await page.getByTestId('welcome-pool').getByRole('radio').click()
    await page.getByTestId('welcome-home').getByRole('radio').click()
    all.push(...(await visit('welcome with a pool')))
    return all
  }

  it('fits in German with data and on every first-start step, without a serious finding', async () => {
    const page = await open('de-DE')
    expect(await page.evaluate('document.documentElement.lang')).toBe('de-DE')

    const visit = async (path: string): Promise<readonly string[]> => {
      const layout = await faultsOf(page, path)
      await page.setViewportSize({ width: 390, height: 900 })
      const findings = (await seriousFindings(page)).map((finding) => `${path}: ${finding}`)
      await picture(page, { kind: 'chromium', name: `german-${path.replace(/\W+/g, '-')}-390-light` })
      return [...layout, ...findings]
    }
    const faults = await sweep(page, visit, FILLED)

    expect(faults).toEqual([])
    await page.context().close()
  })

  it('fits with words 40% longer', async () => {
    const page = await open('de', speakPseudo)
    await page.getByRole('heading', { level: 1, name: /ÓÒvéèrvíìéèw/ }).waitFor()

    const faults = await sweep(page, async (path) => {
      const layout = await faultsOf(page, path, [1440, 720, 320])
      await page.setViewportSize({ width: 320, height: 900 })
      await picture(page, { kind: 'chromium', name: `pseudo-${path.replace(/\W+/g, '-')}-320-light` })
      return layout
    })

    expect(faults).toEqual([])
    await page.context().close()
  })

  it('fits events of another day, with their date', async () => {
    const page = await open('de')
    await page.clock.setFixedTime(Date.now() + DAY_MS)
    const faults: string[] = []
    for (const [path, testId] of DATED) {
      await goTo(page, path, testId)
      faults.push(...(await faultsOf(page, path)))
    }

    expect(faults).toEqual([])
    await page.context().close()
  })

  it('also fits an approval, in both', async () => {
    for (const prepare of [undefined, speakPseudo]) {
      const page = await open('de', prepare)
      const nonce = await rpcResult(running.ready.http, 'eth_getTransactionCount', [address, 'pending'])
      const to = '0x52908400098527886E0F7030069857D2E4169EE7'
      const call = { from: address, to, nonce, gas: '0x5208', gasPrice: '0x1', value: '0x1', chainId: '0x539' }
      const asked = rpc(running.ready.signer.http, 'account_signTransaction', [call])
      asked.catch(() => undefined) // checked below
      await goTo(page, '/accounts/approvals', 'approval-to')
      const faults = [
        ...(await faultsOf(page, 'approval')),
        ...(await seriousFindings(page)),
        ...(await movements(page)),
      ]
      await picture(page, { kind: 'chromium', name: `approval-${prepare ? 'pseudo' : 'german'}-320-light` })
      await page.getByTestId('approval-reject').click()
      expect(faults).toEqual([])
      expect((await asked).error).toMatchObject({ message: 'request denied' })
      await page.context().close()
    }
  })

  it('moves nothing with reduced motion, and borders every control and marks what is chosen in forced colors', async () => {
    const page = await open('en')

    const faults = await sweep(page, async (path) => {
      const moving = (await movements(page)).map((name) => `${path} moves: ${name}`)
      await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' })
      const bare = (await borderless(page)).map((name) => `${path} has no border: ${name}`)
      const alike = (await unmarked(page)).map((name) => `${path} looks like the others: ${name}`)
      await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'none' })
      return [...moving, ...bare, ...alike]
    })

    expect(faults).toEqual([])
    await page.context().close()
  })
})
