// The desktop program in a real Electron: the same first minute, and what its windows may not do.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { askPage, closeApproval, openElectron } from './electron-harness'
import { firstLight, NEW_VERSION, NEWS, type PracticeAccount } from './first-light'
import { eventually, type Front, findElectron, rpc, temporaryFolder } from './harness'
import { firstSteps } from './journeys/first-steps'
import { readPracticeAccount } from './practice-account'
import { type ReleaseHost, serveRelease } from './release-host'

/** Runs in the page, which has other globals than this file. */
const TRY_TO_ESCAPE = `(async () => {
  const violated = new Promise((done) => {
    document.addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective), { once: true })
  })
  const script = document.createElement('script')
  script.textContent = 'globalThis.injected = true'
  document.body.append(script)
  const directive = await violated
  const opened = window.open('http://127.0.0.1:9/') === null ? 'denied' : 'opened'
  const permission = await navigator.permissions.query({ name: 'geolocation' })
  location.href = 'http://127.0.0.1:9/'
  return { directive, opened, permission: permission.state, injected: 'injected' in globalThis }
})()`

const outcomeSchema = z.object({
  directive: z.string(),
  opened: z.string(),
  permission: z.string(),
  injected: z.boolean(),
})

const found = await findElectron({ display: true })
const what = 'missing' in found ? `(skipped: ${found.missing})` : `${found.version ?? 'unknown'} (${found.source})`

describe.skipIf('missing' in found)(`desktop program in Electron ${what}`, () => {
  const datadir = temporaryFolder()
  let front: Front
  let account: PracticeAccount
  let releases: ReleaseHost

  beforeAll(async () => {
    if ('missing' in found) return
    releases = await serveRelease(NEW_VERSION, NEWS)
    front = await openElectron(found, datadir, releases.options)
    account = readPracticeAccount(readFileSync(join(datadir, 'practice-account.txt'), 'utf8'))
  })
  afterAll(async () => {
    await front?.close()
    releases?.close()
  })

  firstLight({ front: () => front, account: () => account, releases: () => releases })
  firstSteps(
    () => front,
    () => datadir,
  )

  it('gives no window access to Node, and sandboxes every window', async () => {
    const preferences = await front.app?.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => {
        // Not in Electron's public types; used by this test only.
        const contents: object = window.webContents
        const read: unknown = Reflect.get(contents, 'getLastWebPreferences')
        return typeof read === 'function' ? read.call(contents) : null
      }),
    )

    expect(preferences).toHaveLength(2)
    for (const preference of preferences ?? []) {
      expect(preference).toMatchObject({
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webviewTag: false,
        webSecurity: true,
      })
    }
  })

  it('exposes neither require nor process to its pages, only the bridge', async () => {
    const seen = await front.dashboard.evaluate(() => ({
      require: typeof Reflect.get(globalThis, 'require'),
      process: typeof Reflect.get(globalThis, 'process'),
      module: typeof Reflect.get(globalThis, 'module'),
      bridge: Object.keys(Object(Reflect.get(globalThis, 'headframe'))).sort(),
    }))

    expect(seen).toEqual({
      require: 'undefined',
      process: 'undefined',
      module: 'undefined',
      bridge: ['onClose', 'onMessage', 'send', 'window'],
    })
  })

  it('runs nothing of the dashboard in the approval window', async () => {
    const { app } = front
    if (app === null) return
    // Its heading is there once its own script has rendered.
    const script = `document.querySelector('h1, h2') && [document.title, document.querySelector('[data-testid=shell]')]`

    expect(await eventually('its page', () => askPage(app, 'approval', script))).toEqual(['Headframe', null])
  })

  it('blocks inline scripts, new windows, navigation and permissions', async () => {
    const { dashboard, app } = front
    const before = dashboard.url()

    const outcome = outcomeSchema.parse(await dashboard.evaluate(TRY_TO_ESCAPE))
    await dashboard.waitForTimeout(500)

    expect(outcome).toMatchObject({ opened: 'denied', permission: 'denied', injected: false })
    expect(outcome.directive).toMatch(/^script-src/)
    expect(dashboard.url()).toBe(before)
    expect(await app?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(2)
  })

  it('gives the dashboard no way to decide a request', async () => {
    const answer = await front.dashboard.evaluate(
      () =>
        new Promise<unknown>((done) => {
          const bridge = Object(Reflect.get(globalThis, 'headframe'))
          bridge.onMessage((frame: { t: string; id?: number }) => {
            if (frame.id === 999_999) done(frame)
          })
          bridge.send({ t: 'call', id: 999_999, name: 'signer.rejectAll', params: {} })
        }),
    )

    expect(answer).toMatchObject({ t: 'error', code: 'CONTRACT_DENIED' })
  })

  it('rejects the request that its approval window shows when that window is closed', async () => {
    const asked = rpc(front.ready.signer.http, 'account_new', [])
    await front.openApproval()

    await closeApproval(front)

    expect((await asked).error).toMatchObject({ message: 'request denied' })
    await eventually('approval window hidden', async () => ((await visibleWindows(front)) === 1 ? true : null))
  })

  it('rejects the picked request, not the oldest, when the window is closed', async () => {
    const oldest = rpc(front.ready.signer.http, 'account_list', [])
    const approval = await front.openApproval()
    // Of one caller's requests, the riskiest is opened first: this one has a warning.
    const picked = rpc(front.ready.signer.http, 'account_signTransaction', [costly(account.address)])
    await approval.getByTestId('approval-queue').click()
    await approval.getByTestId('approval-open').click()
    await approval.locator('[data-testid=approval-kind][data-state=signTransaction]').waitFor()

    await closeApproval(front)

    expect((await picked).error).toMatchObject({ message: 'request denied' })
    await approval.locator('[data-testid=approval-kind][data-state=listing]').waitFor()
    await closeApproval(front)
    expect((await oldest).error).toMatchObject({ message: 'request denied' })
  })

  it('rejects what its approval window shows when that crashes, and shows the next request', async () => {
    const shown = rpc(front.ready.signer.http, 'account_list', [])
    await front.openApproval()

    await front.app?.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()
        .find((window) => window.webContents.getURL().includes('/approval.html'))
        ?.webContents.forcefullyCrashRenderer()
    })

    expect((await shown).error).toMatchObject({ message: 'request denied' })
    const next = rpc(front.ready.signer.http, 'account_new', [])
    await eventually('the next request on the screen', async () => {
      const { app } = front
      const script = `document.querySelector('[data-testid=approval-kind]')?.dataset.state`
      const kind = app === null ? null : await askPage(app, 'approval', script)
      return kind === 'newAccount' ? true : null
    })
    await closeApproval(front)
    expect((await next).error).toMatchObject({ message: 'request denied' })
  })

  it('exits with 0 at SIGTERM', async () => {
    const child = front.app?.process()
    const exited = new Promise((done) => child?.once('exit', (code, signal) => done({ code, signal })))

    child?.kill('SIGTERM')

    expect(await exited).toEqual({ code: 0, signal: null })
  })
})

/** A payment at a hundred times the usual fee. */
function costly(from: string) {
  return {
    from,
    to: from,
    nonce: '0x0',
    value: '0x1',
    gas: '0x5208',
    gasPrice: '0x2e90edd000',
    data: '0x',
    chainId: '0x539',
  }
}

async function visibleWindows({ app }: Front): Promise<number> {
  const visible = await app?.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => window.isVisible()),
  )
  return visible?.filter(Boolean).length ?? 0
}
