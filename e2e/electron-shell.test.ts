// The desktop program's shell in a real Electron: tray and closing, second starts and links, crash page, autostart,
// window state, quitting, and that it contacts no other computer.
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { descendantsOf } from '../tools/lib/process-tree.mjs'
import {
  answerBoxes,
  askedBoxes,
  type Desktop,
  foreignPeers,
  isDashboardVisible,
  startAgain,
  startDesktop,
} from './electron-harness'
import { blockNumber, eventually, findElectron, temporaryFolder } from './harness'

const found = await findElectron({ display: true })
const what = 'missing' in found ? `(skipped: ${found.missing})` : `${found.version ?? 'unknown'} (${found.source})`

const netLogSchema = z.object({
  constants: z.object({ logEventTypes: z.record(z.string(), z.number()) }),
  events: z.array(z.object({ type: z.number(), params: z.record(z.string(), z.unknown()).optional() })),
})

describe.skipIf('missing' in found)(`the desktop's shell in Electron ${what}`, () => {
  const datadir = temporaryFolder()
  const home = mkdtempSync(join(tmpdir(), 'headframe-home-'))
  const netLog = join(datadir, 'net-log.json')
  const strangers = new Set<string>()
  let desktop: Desktop
  let watch: NodeJS.Timeout | undefined
  const start = () => {
    if ('missing' in found) throw new Error(found.missing)
    const environment = { XDG_CONFIG_HOME: home }
    return { runtime: found, datadir, environment, switches: [`--log-net-log=${netLog}`] }
  }
  const place = () => desktop.inDashboard('location.hash')

  beforeAll(async () => {
    desktop = await startDesktop(start())
    await (await desktop.page('index.html')).getByTestId('shell').waitFor()
    const root = desktop.app.process().pid ?? 0
    watch = setInterval(() => {
      for (const peer of foreignPeers(() => socketsBelow(root), ['tcp', 'tcp6', 'udp', 'udp6'])) strangers.add(peer)
    }, 100)
  })
  afterAll(async () => {
    clearInterval(watch)
    await desktop?.terminate()
    for (const folder of [datadir, home]) rmSync(folder, { recursive: true, force: true })
  })

  it('closes to the tray, says so once, and keeps mining', async () => {
    await answerBoxes(desktop, 0)

    await closeDashboard(desktop)
    await eventually('hidden', async () => ((await isDashboardVisible(desktop)) ? null : true))
    const before = await blockNumber(desktop.ready)
    await eventually('a block', async () => ((await blockNumber(desktop.ready)) > before ? true : null))

    expect(await askedBoxes(desktop)).toEqual([expect.stringContaining('tray')])
  })

  it("a second start exits at once and shows the first one's window", async () => {
    expect(await startAgain(start(), [])).toBe(0)

    await eventually('shown', async () => ((await isDashboardVisible(desktop)) ? true : null))
    await closeDashboard(desktop)
    await eventually('hidden', async () => ((await isDashboardVisible(desktop)) ? null : true))
    expect(await askedBoxes(desktop)).toHaveLength(1)
  })

  it('a second start passes its link on, which opens the page and shows the window', async () => {
    expect(await startAgain(start(), ['--', 'headframe://node/block/1'])).toBe(0)

    await eventually('the place', async () => ((await place()) === '#/node/block/1' ? true : null))
    await eventually('shown', async () => ((await isDashboardVisible(desktop)) ? true : null))
  })

  it('fills in the form of a new pool from a link, and saves nothing', async () => {
    const url = 'stratum+tls://me.rig@pool.example:4444'
    expect(await startAgain(start(), ['--', `headframe://pools/add?url=${encodeURIComponent(url)}`])).toBe(0)

    const typed = `document.querySelector('[data-testid=pool-url]')?.value ?? null`
    await eventually('the address', async () => ((await desktop.inDashboard(typed)) === url ? true : null))
    expect(await desktop.inDashboard(`document.querySelector('[data-testid=pool-added]')`)).toBeNull()
    expect(existsSync(join(datadir, 'config.toml'))).toBe(false)
    expect(await startAgain(start(), ['--', 'headframe://node/block/1'])).toBe(0)
    await eventually('the place', async () => ((await place()) === '#/node/block/1' ? true : null))
  })

  it('logs a link that names no page, and stays where it is', async () => {
    expect(await startAgain(start(), ['headframe://settings/signer?save=1'])).toBe(0)

    await eventually('the line', async () => (desktop.output().includes('a link was ignored') ? true : null))
    expect(await place()).toBe('#/node/block/1')
  })

  it('has a tray and a menu whose entries lead to the screens', async () => {
    await clickMenu(desktop, 'Devices')

    await eventually('the screen', async () => ((await place()) === '#/gpus' ? true : null))
  })

  it('freezes and changes the theme of its page from the menu', async () => {
    const page = await desktop.page('index.html')
    await clickMenu(desktop, 'Freeze or unfreeze the page')
    await page.getByTestId('frozen-bar').waitFor()
    await clickMenu(desktop, 'Freeze or unfreeze the page')
    await page.getByTestId('frozen-bar').waitFor({ state: 'detached' })

    await clickMenu(desktop, 'Light')
    await eventually('the theme', async () =>
      (await desktop.inDashboard('document.documentElement.dataset.theme')) === 'light' ? true : null,
    )
    await clickMenu(desktop, 'System')
  })

  it('saves a support bundle where the user chooses, without a secret in it', async () => {
    const file = join(datadir, 'bundle.txt')
    await desktop.app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath })
    }, file)

    await clickMenu(desktop, 'Save support bundle…')

    const text = await eventually('the file', async () => {
      const read = existsSync(file) ? readFileSync(file, 'utf8') : ''
      return read.includes('block mined') ? read : null
    })
    expect(text).toContain('[versions]')
    const password = /^password: (.+)$/m.exec(readFileSync(join(datadir, 'practice-account.txt'), 'utf8'))?.[1]
    expect(password).toBeTruthy()
    expect(text).not.toContain(password)
  })

  it('searches the log by pattern in a separate thread', async () => {
    const page = await desktop.page('index.html')
    await desktop.inDashboard(`location.hash = '#/activity/all'`)
    await page.getByTestId('log-row').first().waitFor()
    await page.getByTestId('log-pattern').check()
    await page.getByTestId('log-filter').fill('^block (mined|found) number=1\\b')

    await eventually('the one line', async () => {
      const texts = await page.getByTestId('log-row').allTextContents()
      return texts.length === 1 && texts[0]?.includes('number=1 ') ? true : null
    })
  })

  it('zooms within limits and keeps the zoom', async () => {
    for (let step = 0; step < 12; step++) await clickMenu(desktop, 'Zoom in')

    await eventually('the largest zoom', async () => {
      const zoom = await desktop.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .find((window) => window.webContents.getURL().includes('/index.html'))
          ?.webContents.getZoomFactor(),
      )
      return zoom === 2 ? true : null
    })
    await eventually('the stored zoom', async () => (readWindowState(datadir).zoom === 2 ? true : null))
    await clickMenu(desktop, 'Actual size')
  })

  it("starts at login while the option says so, and stops doing so when it doesn't", async () => {
    const entry = join(home, 'autostart', 'headframe.desktop')
    expect(existsSync(entry)).toBe(false)

    writeFileSync(join(datadir, 'config.toml'), '[desktop]\nautostart = true\n')
    await eventually('the entry', async () => (existsSync(entry) ? true : null))
    const text = readFileSync(entry, 'utf8')
    writeFileSync(join(datadir, 'config.toml'), '[desktop]\nautostart = false\n')
    await eventually('no entry', async () => (existsSync(entry) ? null : true))

    expect(text).toContain('--start-in-tray')
    expect(text).toContain(`--datadir ${datadir}`)
  })

  it("blocks every request that isn't for its own pages, before it leaves", async () => {
    let asked = 0
    const server = createServer((_request, response) => {
      asked++
      response.end()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const address = z.object({ port: z.number() }).parse(server.address())

    const outcomes = await desktop.app.evaluate(
      async ({ net, session }, urls) => {
        const ask = (url: string) =>
          new Promise<string>((done) => {
            const request = net.request({ url, session: session.defaultSession })
            request.on('response', () => done('answered'))
            request.on('error', (error) => done(error.message))
            request.end()
          })
        const results: string[] = []
        for (const url of urls) results.push(await ask(url))
        return results
      },
      [`http://127.0.0.1:${address.port}/`, `http://localhost:${address.port}/`],
    )
    await new Promise((done) => server.close(done))

    expect(outcomes).toEqual(['net::ERR_BLOCKED_BY_CLIENT', 'net::ERR_BLOCKED_BY_CLIENT'])
    expect(asked).toBe(0)
  })

  it('lets its page read no file of this computer', async () => {
    const tried = (url: string) =>
      desktop.inDashboard(`fetch(${JSON.stringify(url)}).then((a) => a.text()).then(() => 'read', () => 'refused')`)

    expect(await tried('file:///etc/hostname')).toBe('refused')
    expect(await tried(`file://${datadir}/practice-account.txt`)).toBe('refused')
  })

  it('lets its page write to the clipboard, but not read it', async () => {
    const state = (name: string) =>
      desktop.inDashboard(`navigator.permissions.query({ name: '${name}' }).then((answer) => answer.state)`)

    expect(await state('clipboard-write')).toBe('granted')
    expect(await state('clipboard-read')).toBe('denied')
  })

  it('answers no page but its own, even one with the same preload script', async () => {
    await desktop.app.evaluate(
      async ({ BrowserWindow }, preload) => {
        const webPreferences = { preload, sandbox: true, contextIsolation: true }
        const stranger = new BrowserWindow({ show: false, webPreferences })
        await stranger.loadURL('data:text/html,stranger')
        await stranger.webContents.executeJavaScript(`headframe.onMessage(() => undefined)`)
      },
      join(import.meta.dirname, '..', 'out', 'preload', 'index.cjs'),
    )

    await eventually('the refusal', async () =>
      desktop.output().includes('message from a foreign frame dropped') ? true : null,
    )
    await desktop.app.evaluate(({ BrowserWindow }) => {
      for (const window of BrowserWindow.getAllWindows()) {
        if (window.webContents.getURL().startsWith('data:')) window.destroy()
      }
    })
  })

  it('says that its page crashed, where the logs are, and reloads it', async () => {
    await desktop.app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()
        .find((window) => window.webContents.getURL().includes('/index.html'))
        ?.webContents.forcefullyCrashRenderer()
    })
    const text = z.string().parse(
      await eventually('the crash page', async () => {
        const shown = await desktop.inDashboard('document.body.innerText')
        return String(shown).includes('The window crashed') ? shown : null
      }),
    )

    await desktop.inDashboard(`document.getElementById('reload').click()`)
    await eventually('the dashboard', async () =>
      (await desktop.inDashboard(`document.querySelector('[data-testid=health]') !== null`)) === true ? true : null,
    )

    expect(text).toContain(join(datadir, 'logs'))
    await eventually('live values', async () =>
      (await desktop.inDashboard(
        `document.querySelector('[data-testid=hashrate] [data-value], [data-testid=hashrate][data-value]')?.dataset.value ?? ''`,
      )) === ''
        ? null
        : true,
    )
  })

  it('asks before it quits while it mines, and keeps running when the user declines', async () => {
    await answerBoxes(desktop, 0)

    await clickMenu(desktop, 'Quit Headframe')

    await eventually('the question', async () => ((await askedBoxes(desktop)).length === 1 ? true : null))
    expect((await askedBoxes(desktop))[0]).toContain('Mining stops.')
    expect(await blockNumber(desktop.ready)).toBeGreaterThan(0)
  })

  it('restores position and size at the next start, and contacts no other computer meanwhile', async () => {
    await desktop.app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()
        .find((window) => window.webContents.getURL().includes('/index.html'))
        ?.setBounds({ x: 60, y: 70, width: 901, height: 643 })
    })
    // The display's server resizes it whenever it gets to it.
    await eventually('the size', () => hasSize(desktop))
    expect(await desktop.terminate()).toBe(0)
    const { urls, peers } = readNetLog(netLog)
    expect([...strangers]).toEqual([])
    expect(urls.filter((url) => !/^(?:file|data|blob|devtools):/.test(url) && !isRefusedHere(url))).toEqual([])
    expect(peers).toEqual([])

    desktop = await startDesktop(start())
    await desktop.page('index.html')
    await eventually('the restored size', () => hasSize(desktop))
  })
})

async function hasSize({ app }: Desktop): Promise<true | null> {
  const bounds = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((window) => window.webContents.getURL().includes('/index.html'))
      ?.getNormalBounds(),
  )
  return bounds?.width === 901 && bounds.height === 643 ? true : null
}

/** What the test above requested itself; it was blocked. */
function isRefusedHere(url: string): boolean {
  return /^http:\/\/(?:127\.0\.0\.1|localhost):\d+\/$/.test(url)
}

/** What Chromium requested and where it connected to, by its own log. */
function readNetLog(file: string): { readonly urls: readonly string[]; readonly peers: readonly string[] } {
  const { constants, events } = netLogSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  const types = constants.logEventTypes
  const connects = [types.TCP_CONNECT_ATTEMPT, types.UDP_CONNECT, types.SSL_CONNECT]
  const texts = (name: string, wanted: (type: number) => boolean) =>
    events.flatMap(({ type, params }) => {
      const value = params?.[name]
      return wanted(type) && typeof value === 'string' ? [value] : []
    })
  return {
    urls: texts('url', () => true),
    peers: texts('address', (type) => connects.includes(type)).filter((address) => !/^(?:127\.|\[::1\])/.test(address)),
  }
}

function readWindowState(datadir: string): { readonly zoom: number } {
  return z.object({ zoom: z.number() }).parse(JSON.parse(readFileSync(join(datadir, 'window.json'), 'utf8')))
}

async function closeDashboard({ app }: Desktop): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()
      .find((window) => window.webContents.getURL().includes('/index.html'))
      ?.close()
  })
}

async function clickMenu({ app }: Desktop, label: string): Promise<void> {
  await app.evaluate(({ Menu }, wanted) => {
    const items = Menu.getApplicationMenu()?.items.flatMap((item) => item.submenu?.items ?? []) ?? []
    const all = [...items, ...items.flatMap((item) => item.submenu?.items ?? [])]
    const found = all.find((item) => item.label === wanted)
    if (found === undefined) throw new Error(`the menu has no entry ${wanted}`)
    found.click()
  }, label)
}

/** Inodes of all sockets of a process and of its children. */
function socketsBelow(root: number): ReadonlySet<string> {
  return new Set([root, ...descendantsOf(root)].flatMap(socketsOf))
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1]
      return inode === undefined ? [] : [inode]
    })
  } catch {
    return [] // it has exited in the meantime
  }
}
