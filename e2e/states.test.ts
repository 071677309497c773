// What each screen shows while it loads, when there is nothing, when something fails, without contact, while the node catches
// up, and to who may only look: in a real Chromium over the real program.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeChannel } from './changed-channel'
import { eventually, findChromium, type Running, screenshotPath, startHeadless, temporaryFolder } from './harness'
import { privateGenesis } from './network/genesis'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
const TOKEN = 'a-token-that-outlives-the-program'
const RICH = '0x52908400098527886e0f7030069857d2e4169ee7'

let browser: Browser
const launch = async (): Promise<void> => {
  if ('missing' in found) return
  browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox', '--disable-gpu'] })
}

const goTo = async (page: Page, path: string, testId: string): Promise<void> => {
  await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
  await page.getByTestId(testId).first().waitFor()
}
const newPage = async (): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en' })
  context.setDefaultTimeout(30_000)
  return context.newPage()
}
/** What a button that cannot be pressed says about it. */
const whyNot = (page: Page, testId: string): Promise<string | null> =>
  page
    .getByTestId(testId)
    .first()
    .evaluate((button) => {
      const reasonId = button.getAttribute('aria-describedby') ?? ''
      const isOff = button.getAttribute('aria-disabled') === 'true'
      return isOff ? (button.ownerDocument.getElementById(reasonId)?.textContent ?? '') : null
    })

describe.skipIf('missing' in found)(`states of the screens in Chromium${reason}`, () => {
  const datadir = temporaryFolder()
  let running: Running

  beforeAll(async () => {
    await launch()
    running = await startHeadless(datadir, ['--simulated-gpus', '1'])
  })
  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

  it('shows the shape of what comes while it loads, and nothing that it does not know', async () => {
    const page = await newPage()
    const channel = await changeChannel(page)
    const late = ['node.head', 'signer.accounts', 'app.activity', 'app.options', 'app.logs']
    for (const name of late) channel.hold(name)
    await page.goto(running.link)

    const paths = ['/node', '/accounts', '/activity', '/activity/all', '/settings/miner']
    for (const path of paths) {
      await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
      await page.locator('main [role=status][aria-label=Loading] > span').first().waitFor()
      expect(await page.locator('main [role=alert]').count(), path).toBe(0)
    }
    expect(await page.getByTestId('sync-current').getAttribute('data-value')).toBe('')

    for (const name of late) channel.release(name)
    for (const path of paths.reverse()) {
      await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
      await page.locator('main h2').first().waitFor()
      await page.locator('main [aria-label=Loading]').first().waitFor({ state: 'detached' })
    }
    await page.context().close()
  })

  it('says what failed in the words of the program, and asks again on demand', async () => {
    const page = await newPage()
    const channel = await changeChannel(page)
    const failing = [
      ['/settings/miner', 'app.options', 'option-miner.cpuThreads', true],
      ['/activity/audit', 'signer.audit', 'audit', true],
      ['/node/rpc', 'node.listeners', 'listener-http', true],
      ['/node/mempool', 'node.poolPage', 'mempool', true],
      ['/node/block/0', 'node.block', 'block-detail', true],
      ['/activity/all', 'app.logs', 'log-row', false],
    ] as const
    for (const [, call] of failing) channel.fail(call, `the ${call} disk is gone`)
    await page.goto(running.link)

    for (const [path, call, testId, hasRetry] of failing) {
      await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
      const alert = page.locator('main [role=alert]').filter({ hasText: `the ${call} disk is gone` })
      await alert.waitFor()
      channel.fail(call, null)
      if (hasRetry) await alert.getByRole('button', { name: 'Retry' }).click()
      await alert.waitFor({ state: 'detached' })
      await page.getByTestId(testId).first().waitFor()
    }
    channel.fail('signer.requestNewAccount', 'the keystore cannot be written')
    await goTo(page, '/accounts', 'new-account')
    await page.getByTestId('new-account').click()
    await page.locator('main [role=alert]').filter({ hasText: 'the keystore cannot be written' }).waitFor()
    await page.context().close()
  })

  it('keeps what was written while a save fails, and saves it later', async () => {
    const page = await newPage()
    const channel = await changeChannel(page)
    channel.fail('app.setOption', 'the disk is full')
    await page.goto(running.link)
    await goTo(page, '/settings/miner', 'option-miner.cpuThreads')
    const option = page.getByTestId('option-miner.cpuThreads')
    await option.getByRole('textbox').fill('2')

    await page.getByTestId('options-save').click()

    await option.getByRole('alert').filter({ hasText: 'the disk is full' }).waitFor()
    expect(await option.getByRole('textbox').inputValue()).toBe('2')
    await goTo(page, '/welcome', 'welcome-step')
    await page.getByTestId('welcome-next').click()
    await page.getByTestId('welcome-short').click()
    await page.getByTestId('welcome-start').click()
    await page.locator('main [role=alert]').filter({ hasText: 'the disk is full' }).waitFor()
    channel.fail('app.setOption', null)
    await page.getByTestId('welcome-start').click()
    await page.getByTestId('welcome-done').waitFor()
    await page.context().close()
  })

  it('says how far it is while it catches up, and which figures are not those of the network yet', async () => {
    const page = await newPage()
    const channel = await changeChannel(page)
    const catchingUp = { startingBlock: 0, currentBlock: 41_870, highestBlock: 61_204, headersDone: 61_204 }
    channel.change('node.head', (payload) => ({ ...Object(payload), peers: 2 }))
    channel.change('node.sync', () => ({
      ...{ phase: 'importing', ...catchingUp, bodiesDone: 45_000, blocksPerSecond: 214.4, etaSeconds: 90 },
      ...{ peersUsed: 2, peer: '1'.repeat(128), takenAt: Date.now() },
    }))
    await page.goto(running.link)
    await goTo(page, '/node', 'sync-steps')

    await page.locator('[data-testid=sync-state][data-state=blocks]').waitFor()
    const steps = (await page.getByTestId('sync-steps').textContent()) ?? ''
    expect(steps).toContain('41,870')
    expect(steps).toMatch(/214/)
    expect(await page.getByTestId('sync-highest').getAttribute('data-value')).toBe('61204')
    const share = Number(await page.getByTestId('sync-steps').getByRole('progressbar').last().getAttribute('value'))
    expect(share).toBeCloseTo(41_870 / 61_204, 3)
    expect(steps).toMatch(/as of block 41,870/)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.screenshot({ path: screenshotPath('chromium', `node-syncing-${width}`, 'light') })
    }
    await goTo(page, '/accounts', 'new-account')
    expect(await page.locator('main').textContent()).toMatch(/as of block/i)
    await page.context().close()
  })

  it('shows peers with what they have, and that an answer to a press failed', async () => {
    const page = await newPage()
    const channel = await changeChannel(page)
    const id = '1'.repeat(128)
    const peer = {
      ...{ id, enode: `enode://${id}@192.0.2.1:32110`, host: '192.0.2.1', port: 32_110, client: 'Parallax/v1.2' },
      ...{ direction: 'outbound', isTrusted: false, isStatic: true, capabilities: ['parallax/66'], latencyMs: 12.4 },
      ...{ head: { hash: `0x${'a'.repeat(64)}`, number: 1_000, totalDifficulty: '1000' } },
      ...{ bytesIn: 1_048_576, bytesOut: 2_048, connectedAt: Date.now() - 60_000 },
    }
    const long = 'A very long name of a program \u202e with a trick '.repeat(3)
    const others = [{ ...peer, id: '2'.repeat(128), client: long, host: '2001:db8::1', direction: 'inbound' }]
    channel.change('node.head', (payload) => ({ ...Object(payload), peers: 2 }))
    channel.change('node.peers', () => ({
      ...{ self: { id, enode: peer.enode, enr: '' }, mostPeers: 50, peers: [peer, ...others], takenAt: Date.now() },
      bans: [{ id: '3'.repeat(128), reason: 'sent a false header', endsAt: Date.now() + 3_600_000 }],
    }))
    channel.fail('node.removePeer', 'it is gone already')
    await page.goto(running.link)
    await goTo(page, '/node/peers', 'peer-row')

    await page.getByTestId('peer-row').nth(1).waitFor()
    expect(await page.getByTestId('peer-row').count()).toBe(2)
    expect(await page.getByTestId('peer-row').last().textContent()).toContain('U+202E')
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.screenshot({ path: screenshotPath('chromium', `node-peers-two-${width}`, 'light') })
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${width} px`).toBe(true)
    }
    await page.getByTestId('peer-row').first().getByRole('button', { name: /^Drop/ }).click()
    await page.locator('main [role=alert]').filter({ hasText: 'it is gone already' }).waitFor()
    await page.context().close()
  })

  it('says that all is paused, and takes it back', async () => {
    const page = await newPage()
    await page.goto(running.link)
    await goTo(page, '/gpus', 'gpu-row-0')

    await page.getByTestId('pause-all').click()

    await page.getByTestId('paused-bar').waitFor()
    await page.locator('[data-testid=gpu-state-0][data-state=paused]').waitFor()
    expect(await page.getByTestId('gpu-reason-0').textContent()).toBe('Api request')
    await page.getByTestId('pause-undo').click()
    await page.getByTestId('paused-bar').waitFor({ state: 'detached' })
    await page.getByTestId('gpu-reason-0').waitFor({ state: 'detached' })
    await page.context().close()
  })
})

describe.skipIf('missing' in found)(`a program that does not answer${reason}`, () => {
  const datadir = temporaryFolder()
  let running: Running
  let page: Page

  beforeAll(async () => {
    await launch()
    running = await startHeadless(datadir, ['--simulated-gpus', '1', '--api-token', TOKEN])
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

  /** With what shows it, and a button there that asks the program for something. */
  const screens = [
    ['/gpus', 'gpu-row-0', 'gpu-pause-0'],
    ['/activity/audit', 'audit', 'audit-verify'],
    ['/accounts', 'new-account', 'new-account'],
    ['/node', 'sync-steps', 'pause-all'],
  ] as const

  it('is named with the time, disables what needs it, keeps what is known, and is back without a reload', async () => {
    for (const [path, testId] of screens) await goTo(page, path, testId)
    await page.evaluate(`globalThis.isSamePage = true`)
    const height = await page.getByTestId('sync-current').getAttribute('data-value')
    running.child.kill('SIGSTOP')

    await page.getByTestId('offline-bar').waitFor({ timeout: 60_000 })

    expect(await page.getByTestId('offline-bar').textContent()).toMatch(/since \d{1,2}:\d\d:\d\d/)
    for (const [path, testId, button] of screens) {
      await goTo(page, path, testId)
      expect(await whyNot(page, button), path).toBe('No contact')
    }
    expect(Number(await page.getByTestId('sync-current').getAttribute('data-value'))).toBeGreaterThanOrEqual(
      Number(height),
    )
    await page.screenshot({ path: screenshotPath('chromium', 'offline-node', 'light') })

    running.child.kill('SIGCONT')
    await page.getByTestId('offline-bar').waitFor({ state: 'detached', timeout: 90_000 })
    await eventually('the button', async () => ((await whyNot(page, 'pause-all')) === null ? true : null))
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true)
  })

  it('comes back without a reload when it is started again, with what changed meanwhile', async () => {
    await goTo(page, '/node', 'sync-steps')
    const { api } = running.ready
    await running.kill()
    await eventually('no contact', async () => ((await whyNot(page, 'pause-all')) === 'No contact' ? true : null))
    // Nothing was recorded while there was no program: what a screen asks for now is asked again when it is back.
    await page.evaluate(`location.hash = '/activity/audit'`)

    running = await startHeadless(datadir, ['--simulated-gpus', '1', '--api-token', TOKEN, '--api-bind', api])

    await eventually('the button', async () => ((await whyNot(page, 'audit-verify')) === null ? true : null), 60_000)
    await page.getByTestId('audit-verify').click()
    await page.locator('[data-testid=audit-verdict][data-state=whole]').waitFor()
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true)
  })

  it('wants a token where it has one: asks, refuses a wrong one, and shows the screen that was wanted', async () => {
    const visitor = await newPage()
    await visitor.goto(`${running.ready.dashboard}#/node/blocks`)
    await visitor.getByTestId('login-token').fill('not the token')
    await visitor.getByTestId('login-submit').click()
    await visitor.getByRole('alert').waitFor()
    await visitor.getByTestId('login-token').fill(TOKEN)
    await visitor.getByTestId('login-submit').click()

    await visitor.getByTestId('block-row-0').waitFor()
    await visitor.context().close()
  })
})

describe.skipIf('missing' in found)(`a fresh private chain, and who may only look${reason}`, () => {
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
    const empty = [
      ['/accounts', 'new-account', /There is no account yet/],
      ['/node/peers', 'peer-enode', /Others are looked for/],
      ['/node/mempool', 'mempool', /No transaction waits/],
      ['/node/blocks', 'block-row-0', /./],
      ['/gpus', 'shell', /No device to mine with was found/],
    ] as const
    for (const [path, testId, words] of empty) {
      await goTo(page, path, testId)
      await page.locator('main').filter({ hasText: words }).waitFor()
      await page.screenshot({ path: screenshotPath('chromium', `empty${path.replaceAll('/', '-')}`, 'light') })
    }
    await goTo(page, '/activity/all', 'log-filter')
    await page.getByTestId('log-row').first().waitFor()
    await page.getByTestId('log-filter').fill('no line has these words')
    await page.getByTestId('log-row').first().waitFor({ state: 'detached' })
    expect(await page.getByTestId('log-export').getAttribute('aria-disabled')).toBe('true')
    await page.context().close()
  })

  it('has no control in the page for who came without the token, and says so once', async () => {
    const page = await newPage()
    await page.goto(running.ready.dashboard)
    await page.getByTestId('read-only-mark').waitFor()
    const controls = ['pause-all', 'new-account', 'peer-add-submit', 'options-save', 'audit-verify', 'pool-url'].map(
      (id) => `[data-testid=${id}]`,
    )
    const paths = ['/', '/gpus', '/pools', '/node', '/node/peers', '/accounts', '/accounts/rules', '/activity']
    for (const path of [...paths, '/activity/audit', '/settings/miner', '/welcome']) {
      await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
      await page.locator('main h1').waitFor()
      await eventually('loaded', async () =>
        (await page.locator('main [aria-label=Loading]').count()) === 0 ? true : null,
      )
      expect(await page.locator(controls.join()).count(), path).toBe(0)
      const fields = page.locator('main input:not([type=search], [type=radio]), main textarea')
      if (path !== '/pools') expect(await fields.count(), path).toBe(0) // where a calculator needs figures
    }
    await page.screenshot({ path: screenshotPath('chromium', 'read-only-welcome', 'light') })
    await page.getByTestId('sign-in').click()
    await page.getByTestId('login-token').waitFor()
    await page.context().close()
  })
})
