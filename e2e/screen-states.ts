// What every screen shows while it loads, on failures, without contact, while everything is paused, while the node
// syncs, and to read-only users. Registered once for each shell.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { ChangedChannel } from './changed-channel'
import { drawsEveryRoute, FEW_ROUTES, isDrawn } from './every-route'
import { eventually, type Front, picture } from './harness'

/** One program with a simulated GPU, whose page is opened again for each test. */
export interface StatesShell {
  readonly kind: Front['kind']
  /** Widths in px at which pictures are taken; none = as the window is. */
  readonly widths: readonly number[]
  /** `before` runs before the page exists; the page is at the overview. */
  open(before?: (channel: ChangedChannel) => Promise<void>): Promise<StatesView>
}

export interface StatesView {
  readonly page: Page
  readonly channel: ChangedChannel
  leave(): Promise<void>
}

type Shell = () => StatesShell

export async function visit(page: Page, path: string, testId: string | RegExp): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
  await page.getByTestId(testId).first().waitFor()
}

/** What a disabled button says about itself; null for an enabled one. */
export function whyNot(page: Page, testId: string): Promise<string | null> {
  return page
    .getByTestId(testId)
    .first()
    .evaluate((button) => {
      const reasonId = button.getAttribute('aria-describedby') ?? ''
      const isOff = button.getAttribute('aria-disabled') === 'true'
      return isOff ? (button.ownerDocument.getElementById(reasonId)?.textContent ?? '') : null
    })
}

/** Where the program shows what it queries or reports. */
export const WAITING = [
  ['/gpus', 'gpu-row-0'],
  ['/gpus/0', 'chart-0-temperature'],
  ['/pools', 'pool-list'],
  ['/rigs', 'rigs-totals'],
  ['/node', 'sync-steps'],
  ['/node/peers', 'node-peers'],
  ['/node/mempool', 'mempool'],
  ['/node/blocks', /^block-row-/],
  ['/node/block/0', 'block-detail'],
  ['/node/rpc', 'listener-http'],
  ['/accounts', 'new-account'],
  ['/activity', 'log-view'],
  ['/activity/audit', 'audit'],
  ['/activity/all', 'log-row'],
  ['/settings/miner', 'option-miner.cpuThreads'],
] as const

/** Path, call that fails, content once it doesn't, whether a button retries immediately. */
const FAILING = [
  ['/settings/miner', 'app.options', 'option-miner.cpuThreads', true],
  ['/activity/audit', 'signer.audit', 'audit', true],
  ['/node/rpc', 'node.listeners', 'listener-http', true],
  ['/node/mempool', 'node.poolPage', 'mempool', true],
  ['/node/block/0', 'node.block', 'block-detail', true],
  ['/activity/all', 'app.logs', 'log-row', false],
] as const

/** A screen, its content, and a button on it that sends a request to the program. */
export const ASKING = [
  ['/', 'health', 'pause-all'],
  ['/gpus', 'gpu-row-0', 'gpu-pause-0'],
  ['/gpus/0', 'chart-0-temperature', 'gpu-pause-0'],
  ['/pools', 'pool-list', 'pool-add-submit'],
  ['/node', 'sync-steps', 'pause-all'],
  ['/activity/audit', 'audit', 'audit-verify'],
  ['/accounts', 'new-account', 'new-account'],
] as const

export function screenStates(shell: Shell): void {
  loading(shell)
  failing(shell)
  syncing(shell)
  peersThere(shell)
  paused(shell)
  readOnly(shell)
}

function loading(shell: Shell): void {
  it('shows placeholders while it loads, and nothing unknown', async () => {
    const { page, channel, leave } = await shell().open(async (before) => {
      await before.hold(null)
      await before.release('app.info')
      await before.release('app.now') // whose answer the frame waits for, too
    })
    for (const [path] of WAITING) {
      await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
      const bars = page.locator('main [role=status][aria-label=Loading] > span:visible')
      await eventually(`bars at ${path}`, async () => ((await bars.count()) > 0 ? true : null))
      expect(await page.locator('main [role=alert]').count(), path).toBe(0)
      expect(await page.locator('main [data-value]:not([data-value=""])').count(), path).toBe(0)
    }

    await channel.release(null)
    for (const [path, testId] of WAITING) {
      await visit(page, path, testId)
      const bars = page.locator('main [aria-label=Loading]')
      await eventually(`all of ${path}`, async () => ((await bars.count()) === 0 ? true : null))
    }
    await leave()
  })
}

function failing(shell: Shell): void {
  it("says what failed in the program's words, and retries on demand", async () => {
    const { page, channel, leave } = await shell().open(async (before) => {
      for (const [, call] of FAILING) await before.fail(call, `the ${call} disk is gone`)
    })
    for (const [path, call, testId, hasRetry] of FAILING) {
      await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
      const alert = page.locator('main [role=alert]').filter({ hasText: `the ${call} disk is gone` })
      await alert.waitFor()
      await channel.fail(call, null)
      const retry = page.locator('main').getByRole('button', { name: 'Retry' }).first()
      // The page may retry by itself just before the click.
      await eventually('asked again', async () => {
        if (hasRetry && (await alert.count()) > 0) await retry.click({ timeout: 2_000 })
        return (await alert.count()) === 0 ? true : null
      })
      await page.getByTestId(testId).first().waitFor()
    }
    await channel.fail('signer.requestNewAccount', 'the keystore cannot be written')
    await visit(page, '/accounts', 'new-account')
    await page.getByTestId('new-account').click()
    await page.locator('main [role=alert]').filter({ hasText: 'the keystore cannot be written' }).waitFor()
    await leave()
  })

  it('reverts a failed pause, explains it, and shows the actual state of the device', async () => {
    const { page, channel, leave } = await shell().open()
    await visit(page, '/gpus', 'gpu-row-0')
    await page.locator('[data-testid=gpu-state-0][data-state=mining]').waitFor()
    await channel.fail('miner.pause', 'the driver does not answer')
    const button = page.getByTestId('gpu-pause-0').first()

    await button.click()

    await page.locator('[data-testid=gpu-pause-0][data-state=failed]').first().waitFor()
    await page.locator('main').filter({ hasText: 'the driver does not answer' }).waitFor()
    expect(await page.getByTestId('gpu-state-0').first().getAttribute('data-state')).toBe('mining')
    await channel.fail('miner.pause', null)
    await leave()
  })
}

/** For the shell whose program can't be stopped from outside without stopping the test with it. */
export function silentProgram(shell: Shell): void {
  it('is reported with the time of the last contact, and disables what needs the program', async () => {
    const { page, channel, leave } = await shell().open()
    for (const [path, testId] of ASKING) await visit(page, path, testId)
    const height = await page.getByTestId('sync-current').first().getAttribute('data-value')
    await channel.hold(null)

    await page.getByTestId('offline-bar').waitFor()

    expect(await page.getByTestId('offline-bar').textContent()).toMatch(/since \d{1,2}:\d\d:\d\d/)
    for (const [path, testId, button] of ASKING) {
      await visit(page, path, testId)
      expect(await whyNot(page, button), path).toBe('No contact')
      const name = `offline${path === '/' ? '-overview' : path.replaceAll('/', '-')}`
      await picture(page, { kind: shell().kind, name: `${name}-light` })
    }
    await drawsEveryRoute(page)
    await visit(page, '/node', 'sync-steps')
    const shown = await page.getByTestId('sync-current').first().getAttribute('data-value')
    expect(Number(shown)).toBeGreaterThanOrEqual(Number(height))

    await channel.release(null)
    await page.getByTestId('offline-bar').waitFor({ state: 'detached' })
    await eventually('the button', async () => ((await whyNot(page, 'pause-all')) === null ? true : null))
    await drawsEveryRoute(page)
    await leave()
  })

  it('opens on any kind of screen without any message from the program', async () => {
    const { page, channel, leave } = await shell().open()
    await channel.hold(null)
    for (const path of FEW_ROUTES) {
      await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
      await page.reload()
      await isDrawn(page, path)
    }
    await channel.release(null)
    await page.reload()
    await drawsEveryRoute(page)
    await leave()
  })
}

const CATCHING_UP = {
  phase: 'importing',
  startingBlock: 0,
  currentBlock: 41_870,
  highestBlock: 61_204,
  headersDone: 61_204,
  bodiesDone: 45_000,
  blocksPerSecond: 214.4,
  gasPerSecond: 1e6,
  peersUsed: 2,
  peer: '1'.repeat(128),
  remaining: { least: 80, most: 110 },
}

function syncing(shell: Shell): void {
  it("shows its progress while it syncs, and which figures aren't the network's yet", async () => {
    const { page, channel, leave } = await shell().open()
    await channel.change('node.head', { peers: 2 })
    await channel.change('node.sync', { ...CATCHING_UP, takenAt: Date.now() })
    await visit(page, '/node', 'sync-steps')

    await page.locator('[data-testid=sync-state][data-state=blocks]').first().waitFor()
    const steps = (await page.getByTestId('sync-steps').textContent()) ?? ''
    expect(steps).toContain('41,870')
    expect(steps).toMatch(/214/)
    expect(await page.getByTestId('sync-highest').getAttribute('data-value')).toBe('61204')
    const share = Number(await page.getByTestId('sync-steps').getByRole('progressbar').last().getAttribute('value'))
    expect(share).toBeCloseTo(41_870 / 61_204, 3)
    expect(steps).toMatch(/as of block 41,870/)
    for (const width of shell().widths) {
      await page.setViewportSize({ width, height: 900 })
      await picture(page, { kind: shell().kind, name: `node-syncing-${width}-light` })
    }
    for (const [path, testId] of [
      ['/', 'health'],
      ['/accounts', 'new-account'],
    ] as const) {
      await visit(page, path, testId)
      await page
        .locator('main')
        .filter({ hasText: /as of block/i })
        .waitFor()
    }
    await leave()
  })
}

const ID = '1'.repeat(128)
const PEER = {
  id: ID,
  enode: `enode://${ID}@192.0.2.1:32110`,
  host: '192.0.2.1',
  port: 32_110,
  client: 'Parallax/v1.2',
  direction: 'outbound',
  isTrusted: false,
  isStatic: true,
  capabilities: ['parallax/66'],
  latencyMs: 12.4,
  head: { hash: `0x${'a'.repeat(64)}`, number: 1_000, totalDifficulty: '1000' },
  bytesIn: 1_048_576,
  bytesOut: 2_048,
}
const STRANGE = 'A very long name of a program \u202e with a trick '.repeat(3)

function peersThere(shell: Shell): void {
  it('shows peers with what they have, and that the answer to a press failed', async () => {
    const { page, channel, leave } = await shell().open()
    const connectedAt = Date.now() - 60_000
    const other = { ...PEER, id: '2'.repeat(128), client: STRANGE, host: '2001:db8::1', direction: 'inbound' }
    await channel.change('node.head', { peers: 2 })
    await channel.change('node.peers', {
      self: { id: ID, enode: PEER.enode, enr: '' },
      maxPeers: 50,
      takenAt: Date.now(),
      peers: [
        { ...PEER, connectedAt },
        { ...other, connectedAt },
      ],
      bans: [{ id: '3'.repeat(128), reason: 'sent a false header', endsAt: Date.now() + 3_600_000 }],
    })
    await channel.fail('node.removePeer', 'it is gone already')
    await visit(page, '/node/peers', 'peer-row')

    await page.getByTestId('peer-row').nth(1).waitFor()
    expect(await page.getByTestId('peer-row').count()).toBe(2)
    expect(await page.getByTestId('peer-row').last().textContent()).toContain('U+202E')
    for (const width of shell().widths) {
      await page.setViewportSize({ width, height: 900 })
      await picture(page, { kind: shell().kind, name: `node-peers-two-${width}-light` })
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${width} px`).toBe(true)
    }
    await page
      .getByTestId('peer-row')
      .first()
      .getByRole('button', { name: /^Disconnect/ })
      .click()
    await page.locator('main [role=alert]').filter({ hasText: 'it is gone already' }).waitFor()
    await leave()
  })
}

function paused(shell: Shell): void {
  it('says that all is paused, and undoes it', async () => {
    const { page, leave } = await shell().open()
    await visit(page, '/gpus', 'gpu-row-0')

    await page.getByTestId('pause-all').click()

    await page.getByTestId('paused-bar').waitFor()
    await page.locator('[data-testid=gpu-state-0][data-state=paused]').first().waitFor()
    expect(await page.getByTestId('gpu-reason-0').first().textContent()).toContain('Paused by you')
    for (const [path, testId] of [
      ['/', 'health-chip-health.gpu-paused'],
      ['/gpus/0', 'gpu-reason-0'],
    ] as const) {
      await visit(page, path, testId)
      const name = `paused${path === '/' ? '-overview' : path.replaceAll('/', '-')}`
      await picture(page, { kind: shell().kind, name: `${name}-dark` })
    }
    await page.getByTestId('pause-undo').click()
    await page.getByTestId('paused-bar').waitFor({ state: 'detached' })
    await page.getByTestId('gpu-reason-0').first().waitFor({ state: 'detached' })
    await leave()
  })
}

/** Elements that change something. */
const CONTROLS = [
  ...[
    'pause-all',
    'gpu-pause-0',
    'new-account',
    'peer-add-submit',
    'options-save',
    'audit-verify',
    'pool-url',
    'pool-add',
  ],
]
/** A calculator's input, alarm levels, marked events and the power price are each viewer's own. */
const OWN_FIELDS = ['/pools', '/rigs', '/activity', '/settings/miner']
const LOOKED_AT = ['/', '/gpus', '/gpus/0', '/pools', '/rigs', '/node', '/node/peers', '/accounts', '/accounts/rules']

/** No screen has anything that changes something. */
export async function looksOnly(page: Page): Promise<void> {
  const controls = page.locator(CONTROLS.map((id) => `[data-testid=${id}]`).join())
  for (const path of [...LOOKED_AT, '/activity', '/activity/audit', '/settings/miner', '/welcome']) {
    await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
    await page.locator('main h1').waitFor()
    await eventually('loaded', async () =>
      (await page.locator('main [aria-label=Loading]').count()) === 0 ? true : null,
    )
    expect(await controls.count(), path).toBe(0)
    const fields = page.locator('main input:not([type=search], [type=radio]), main textarea')
    expect(await page.locator('main [data-testid^=option-] input').count(), path).toBe(0)
    if (!OWN_FIELDS.includes(path)) expect(await fields.count(), path).toBe(0)
  }
}

function readOnly(shell: Shell): void {
  it('has no controls on the page for a read-only user, and a lock that says so', async () => {
    const { page, leave } = await shell().open((before) =>
      before.change('app.info', { access: { control: false, approve: false } }),
    )
    await page.getByTestId('read-only-mark').waitFor()
    await looksOnly(page)
    await picture(page, { kind: shell().kind, name: 'read-only-welcome-light' })
    await leave()
  })
}

/** Empty places on a fresh private chain without peers or devices, and the text that explains each. */
const EMPTY = [
  ['/accounts', 'new-account', /No accounts yet/],
  ['/pools', 'shell', /Solo mining on your own node|Mining is off/],
  ['/rigs', 'shell', /No other rigs yet/],
  ['/node/peers', 'peer-enode', /Searching for peers/],
  ['/node/mempool', 'mempool', /No pending transactions/],
  ['/node/blocks', /^block-row-/, /./],
  ['/gpus', 'shell', /No mining devices found/],
] as const

export async function emptyScreens(page: Page, kind: Front['kind']): Promise<void> {
  for (const [path, testId, words] of EMPTY) {
    await visit(page, path, testId)
    await page.locator('main').filter({ hasText: words }).waitFor()
    await picture(page, { kind, name: `empty${path.replaceAll('/', '-')}-light` })
  }
}
