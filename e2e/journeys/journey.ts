// One program and its page, for journeys that are the same in a browser and in the desktop program's window.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { isWindowAllowed } from '../../src/old-electron/old-electron'
import { PATIENCE_MS } from '../../test/patience'
import { answerBoxes, type Desktop, focusApproval, startDesktop } from '../electron-harness'
import {
  eventually,
  type Front,
  launchChromium,
  movableClock,
  OPEN_REQUEST,
  openPage,
  type Ready,
  type Runtime,
  startHeadless,
} from '../harness'

export interface Journey {
  readonly kind: Front['kind']
  readonly datadir: string
  readonly ready: () => Ready
  readonly page: () => Page
  /** Where requests are decided, while none waits: the page itself, or the window beside it. */
  approvalView(): Promise<Page>
  /** The same once a request waits there, in front. */
  approval(): Promise<Page>
  /** The overview, freshly loaded. */
  open(): Promise<void>
  /**
   * Presses what restarts the program; afterwards the page belongs to the new run, in a browser still the same page.
   * `elsewhere`: the new run opens no window, and the page is in a browser that hasn't seen the program before.
   */
  overRestart(press: () => Promise<void>): Promise<'continued' | 'elsewhere'>
  /** The text of the file that a press saves. */
  saved(press: () => Promise<void>): Promise<string>
  /** What the desktop program notifies about from now on; null in a browser, where it doesn't. */
  watchNotices(): Promise<(() => Promise<readonly string[]>) | null>
  /** Advances the program's wall clock by `ms`, once; the page's stays. */
  advanceClock(ms: number): Promise<void>
  close(): Promise<void>
}

export interface JourneyStart {
  readonly datadir: string
  /** Command-line arguments after the usual ones. */
  readonly more: readonly string[]
}

const VIEWPORT = { width: 1440, height: 900 }

export async function inChromium({ datadir, more }: JourneyStart): Promise<Journey> {
  const clock = movableClock(datadir)
  const running = await startHeadless(datadir, more, clock.node)
  const browser = await launchChromium()
  // Bypasses the page's policy, which forbids axe.
  const page = await openPage(browser, 'about:blank', { locale: 'en', bypassCSP: true })
  return {
    kind: 'chromium',
    datadir,
    ready: () => running.ready,
    page: () => page,
    async approvalView() {
      await page.evaluate(`location.hash = '/accounts/approvals'`)
      await page.locator('[data-testid=approval], [data-testid=approval-empty]').waitFor()
      return page
    },
    async approval() {
      await page.evaluate(`location.hash = '/accounts/approvals'`)
      await page.locator(OPEN_REQUEST).waitFor()
      return page
    },
    async open() {
      // A link that differs in its fragment alone would leave the page as it is.
      await page.goto('about:blank')
      await page.goto(running.link)
      await page.getByTestId('health').waitFor()
    },
    async overRestart(press) {
      await page.evaluate('globalThis.isSamePage = true')
      await press()
      await page.getByTestId('first-share').waitFor()
      if ((await page.evaluate('globalThis.isSamePage')) !== true) throw new Error('the page was loaded anew')
      return 'continued'
    },
    async saved(press) {
      const [download] = await Promise.all([page.waitForEvent('download'), press()])
      return readFileSync(await download.path(), 'utf8')
    },
    watchNotices: async () => null,
    async advanceClock(ms) {
      clock.advance(running, { wallMs: ms })
    },
    async close() {
      await browser.close()
      await running.kill()
      rmSync(datadir, { recursive: true, force: true })
    },
  }
}

export async function inElectron(runtime: Runtime, { datadir, more }: JourneyStart): Promise<Journey> {
  const start = async (): Promise<Start> => {
    const desktop = await startDesktop({ runtime, datadir, more })
    desktop.app.context().setDefaultTimeout(PATIENCE_MS)
    // What is asked outside of the page is confirmed there.
    await answerBoxes(desktop, 1)
    if (!isWindowAllowed(runtime.version ?? undefined, desktop.ready.network)) return inBrowser(desktop, datadir)
    const page = await desktop.page('index.html')
    await page.setViewportSize(VIEWPORT)
    return { desktop, page, browser: null }
  }
  const now = await start()
  return {
    kind: 'electron',
    datadir,
    ready: () => now.desktop.ready,
    page: () => now.page,
    approvalView: () => now.desktop.page('approval.html'),
    async approval() {
      const page = await now.desktop.page('approval.html')
      await page.locator(OPEN_REQUEST).waitFor()
      await focusApproval(now.desktop)
      return page
    },
    async open() {
      await now.page.evaluate(`location.hash = '/'`)
      await now.page.reload()
      await now.page.getByTestId('health').waitFor()
    },
    async overRestart(press) {
      // The test itself starts the program again, so that it can inspect it.
      await now.desktop.app.evaluate(({ app }) => void Reflect.set(app, 'relaunch', () => undefined))
      await now.desktop.endedBy(press)
      rmSync(join(datadir, 'ready.json'), { force: true })
      Object.assign(now, await start())
      if (now.browser !== null) return 'elsewhere'
      await now.page.getByTestId('first-share').waitFor()
      return 'continued'
    },
    async saved(press) {
      const file = join(datadir, 'saved')
      const done = nextDownload(now.desktop, file)
      await Promise.all([done, press()])
      return readFileSync(file, 'utf8')
    },
    watchNotices: () => watchNotices(now.desktop),
    async advanceClock(ms) {
      await now.desktop.app.evaluate((_electron, ahead) => {
        const { now: read } = Date
        Date.now = () => read() + ahead
      }, ms)
    },
    async close() {
      await now.browser?.close()
      await now.desktop.terminate()
      rmSync(datadir, { recursive: true, force: true })
    },
  }
}

interface Start {
  readonly desktop: Desktop
  readonly page: Page
  /** Set where the program has no window. */
  readonly browser: Browser | null
}

/** An Electron without security fixes has no window on a public network; its user opens the link in a browser. */
async function inBrowser(desktop: Desktop, datadir: string): Promise<Start> {
  const link = await eventually('dashboard link', async () => readFileSync(join(datadir, 'dashboard-link'), 'utf8'))
  const browser = await launchChromium()
  const page = await openPage(browser, link.trim(), { locale: 'en' })
  await page.getByTestId('health').waitFor()
  return { desktop, page, browser }
}

/** Resolves once the next file that the page saves is at this path. */
function nextDownload({ app }: Desktop, file: string): Promise<void> {
  return app.evaluate(
    ({ session }, path) =>
      new Promise<void>((resolve) => {
        session.defaultSession.once('will-download', (_event, item) => {
          item.setSavePath(path)
          item.once('done', () => resolve())
        })
      }),
    file,
  )
}

/** Records each notification before it is shown; `show` itself can't be replaced. */
async function watchNotices({ app }: Desktop): Promise<() => Promise<readonly string[]>> {
  await app.evaluate(({ Notification }) => {
    const bodies: string[] = []
    Reflect.set(globalThis, 'notices', bodies)
    Object.defineProperty(Notification, 'isSupported', { value: () => true })
    const { on } = Notification.prototype
    Object.defineProperty(Notification.prototype, 'on', {
      value(this: Electron.Notification, ...given: Parameters<typeof on>) {
        const [name] = given
        if (String(name) === 'click') bodies.push(this.body)
        return on.apply(this, given)
      },
    })
  })
  return () => app.evaluate(() => Reflect.get(globalThis, 'notices'))
}
