// What each screen shows while it loads, if there is nothing, on failures, without contact, while the node syncs, and
// to read-only users: in a real Chromium over the real program.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATIENCE_MS } from '../test/patience'
import { changeChannel } from './changed-channel'
import {
  eventually,
  findChromium,
  launchChromium,
  MINING_CHEAPLY,
  picture,
  type Running,
  startHeadless,
  temporaryFolder,
} from './harness'
import { lyingProgram } from './lying-program'
import { manyDevices } from './many-devices'
import { privateGenesis } from './network/genesis'
import { ASKING, emptyScreens, looksOnly, type StatesShell, screenStates, visit, whyNot } from './screen-states'
import { throwingScreens } from './thrown-faults'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
const TOKEN = 'a-token-that-outlives-the-program'
const RICH = '0x52908400098527886e0f7030069857d2e4169ee7'

let browser: Browser
const launch = async (): Promise<void> => {
  if ('missing' in found) return
  browser = await launchChromium()
}

const newPage = async (): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en' })
  context.setDefaultTimeout(PATIENCE_MS)
  return context.newPage()
}
describe.skipIf('missing' in found)(`states of the screens in Chromium${reason}`, () => {
  const datadir = temporaryFolder()
  let running: Running

  beforeAll(async () => {
    await launch()
    running = await startHeadless(datadir, MINING_CHEAPLY)
  })
  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

  const open: StatesShell['open'] = async (before) => {
    const page = await newPage()
    const channel = await changeChannel(page)
    await before?.(channel)
    await page.goto(running.link)
    await page.getByTestId('shell').waitFor()
    return { page, channel, leave: () => page.context().close() }
  }
  screenStates(() => ({ kind: 'chromium', widths: [1440, 1024, 390], open }))
  lyingProgram(() => ({ kind: 'chromium', widths: [], open }))
  throwingScreens(() => ({ kind: 'chromium', widths: [], open }))
  manyDevices(() => ({ kind: 'chromium', widths: [], open }))

  it('keeps what was typed while a save fails, and saves it later', async () => {
    const { page, channel, leave } = await open((before) => before.fail('app.setOption', 'the disk is full'))
    await visit(page, '/settings/miner', 'option-miner.cpuThreads')
    const option = page.getByTestId('option-miner.cpuThreads')
    await option.getByRole('textbox').fill('2')

    await page.getByTestId('options-save').click()

    await option.getByRole('alert').filter({ hasText: 'the disk is full' }).waitFor()
    expect(await option.getByRole('textbox').inputValue()).toBe('2')
    await visit(page, '/welcome', 'welcome')
    await page.getByTestId('welcome-start').click()
    await page.locator('main [role=alert]').filter({ hasText: 'the disk is full' }).waitFor()
    await channel.fail('app.setOption', null)
    await page.getByTestId('welcome-start').click()
    await page.getByTestId('welcome-done').waitFor()
    await leave()
  })
})

describe.skipIf('missing' in found)(`a program that doesn't respond${reason}`, () => {
  const datadir = temporaryFolder()
  let running: Running
  let page: Page

  beforeAll(async () => {
    await launch()
    running = await startHeadless(datadir, [...MINING_CHEAPLY, '--api-token', TOKEN])
    page = await newPage()
    await page.goto(`${running.ready.dashboard}#token=${encodeURIComponent(TOKEN)}`)
    await page.getByTestId('health').waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    if (running?.child.signalCode === null) running.child.kill('SIGCONT')
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

  it('is reported with the time, disables what needs it, keeps what is known, and is back without a reload', async () => {
    for (const [path, testId] of ASKING) await visit(page, path, testId)
    await page.evaluate(`globalThis.isSamePage = true`)
    const height = await page.getByTestId('sync-current').getAttribute('data-value')
    running.child.kill('SIGSTOP')

    await page.getByTestId('offline-bar').waitFor()

    expect(await page.getByTestId('offline-bar').textContent()).toMatch(/since \d{1,2}:\d\d:\d\d/)
    for (const [path, testId, button] of ASKING) {
      await visit(page, path, testId)
      expect(await whyNot(page, button), path).toBe('No contact')
    }
    expect(Number(await page.getByTestId('sync-current').getAttribute('data-value'))).toBeGreaterThanOrEqual(
      Number(height),
    )
    await picture(page, { kind: 'chromium', name: 'offline-node-light' })

    running.child.kill('SIGCONT')
    await page.getByTestId('offline-bar').waitFor({ state: 'detached' })
    await eventually('the button', async () => ((await whyNot(page, 'pause-all')) === null ? true : null))
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true)
  })

  it('comes back without a reload when it is restarted, with what changed in between', async () => {
    await visit(page, '/node', 'sync-steps')
    const { api } = running.ready
    await running.kill()
    await eventually('no contact', async () => ((await whyNot(page, 'pause-all')) === 'No contact' ? true : null))
    // Nothing was recorded while the program was down: what a screen needs is requested again once it is back.
    await page.evaluate(`location.hash = '/activity/audit'`)

    running = await startHeadless(datadir, [...MINING_CHEAPLY, '--api-token', TOKEN, '--api-bind', api])

    await eventually('the button', async () => ((await whyNot(page, 'audit-verify')) === null ? true : null))
    await page.getByTestId('audit-verify').click()
    await page.locator('[data-testid=audit-verdict][data-state=whole]').waitFor()
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true)
  })

  it('wants a token if one is set: asks, rejects a wrong one, and shows the requested screen', async () => {
    const visitor = await newPage()
    await visitor.goto(`${running.ready.dashboard}#/node/blocks`)
    await visitor.getByTestId('login-token').fill('not the token')
    await visitor.getByTestId('login-submit').click()
    await visitor.getByRole('alert').waitFor()
    await visitor.getByTestId('login-token').fill(TOKEN)
    await visitor.getByTestId('login-submit').click()

    // As many rows as there are blocks by now: the program mines.
    await visitor
      .getByTestId(/^block-row-/)
      .first()
      .waitFor()
    await visitor.context().close()
  })
})

describe.skipIf('missing' in found)(`a fresh private chain, and a read-only visitor${reason}`, () => {
  const datadir = temporaryFolder()
  let running: Running

  beforeAll(async () => {
    await launch()
    const genesis = join(datadir, 'genesis.json')
    writeFileSync(genesis, privateGenesis({ chainId: 94_711, difficulty: 2 ** 40, rich: RICH }))
    running = await startHeadless(datadir, [
      ...['--genesis', genesis, '--networkid', '94711', '--p2p.addr', '127.0.0.1', '--port', '0', '--nat', 'none'],
      ...['--cpu=false', '--http', '--signer.http', '--api-allow-control=false'],
    ])
  })
  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

  it('says in one sentence why there is nothing, and what to do', async () => {
    const page = await newPage()
    await page.goto(running.link)
    await emptyScreens(page, 'chromium')
    await visit(page, '/activity/all', 'log-filter')
    await page.getByTestId('log-row').first().waitFor()
    await page.getByTestId('log-filter').fill('no line has these words')
    await page.getByTestId('log-row').first().waitFor({ state: 'detached' })
    expect(await page.getByTestId('log-export').getAttribute('aria-disabled')).toBe('true')
    await page.context().close()
  })

  it('has no controls for visitors without the token, and says so once', async () => {
    const page = await newPage()
    await page.goto(running.ready.dashboard)
    await page.getByTestId('read-only-mark').waitFor()
    await looksOnly(page)
    await page.getByTestId('sign-in').click()
    await page.getByTestId('login-token').waitFor()
    await page.context().close()
  })
})
