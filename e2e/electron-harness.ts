// Starts the desktop program with windows as the shell's tests need it: with their own arguments and environment,
// repeatedly.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright-core'
import { PATIENCE_MS } from '../test/patience'
import { eventually, type Front, OPEN_REQUEST, type Ready, ROOT, type Runtime, readReadyFile } from './harness'

export interface DesktopStart {
  readonly runtime: Runtime
  readonly datadir: string
  readonly more?: readonly string[]
  /** Chromium's own switches. */
  readonly switches?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

export interface Desktop {
  readonly app: ElectronApplication
  readonly ready: Ready
  readonly output: () => string
  page(name: 'index.html' | 'approval.html'): Promise<Page>
  /** Evaluates in the dashboard, even after its page has changed; null while it changes. */
  inDashboard(script: string): Promise<unknown>
  /** Presses what ends it, and waits until it has ended: its page may be closed before it can answer the press. */
  endedBy(press: () => Promise<void>): Promise<void>
  /** Stops it by SIGTERM; the exit code. */
  terminate(): Promise<number | null>
}

/** In Playwright's errors, when a page was closed before it answered. */
const PAGE_CLOSED = 'has been closed'

/** How the program is started: free ports, the practice network. */
export function desktopArguments(datadir: string): string[] {
  return [
    'run',
    ...['--datadir', datadir, '--ready-file', join(datadir, 'ready.json')],
    ...['--api-bind', '127.0.0.1:0', '--api-allow-control', '--http.port', '0', '--signer.http.port', '0'],
  ]
}

export async function startDesktop(start: DesktopStart): Promise<Desktop> {
  const { runtime, datadir, more = [], switches = [], environment = {} } = start
  const app = await _electron.launch({
    executablePath: runtime.executable,
    args: [...runtime.args, '--disable-gpu', ...switches, ROOT, ...desktopArguments(datadir), ...more],
    cwd: ROOT,
    env: { ...definedEnvironment(), ...environment },
  })
  // Once it has ended, Playwright no longer has it.
  const program = app.process()
  app.context().setDefaultTimeout(PATIENCE_MS)
  let output = ''
  program.stderr?.on('data', (part: Buffer) => {
    output += part.toString('utf8')
  })
  const exited = once(program, 'exit')
  const early = exited.then(([code]) => {
    throw new Error(`the desktop program ended with ${code}:\n${output}`)
  })
  early.catch(() => undefined) // an exit that comes later is awaited
  const ready = await Promise.race([readReadyFile(join(datadir, 'ready.json')), early])
  return {
    app,
    ready,
    output: () => output,
    page: (name) =>
      eventually(`window ${name}`, async () => app.windows().find((page) => page.url().includes(`/${name}`)) ?? null),
    inDashboard: (script) => askPage(app, 'dashboard', script),
    async endedBy(press) {
      await press().catch((error: unknown) => {
        if (!String(error).includes(PAGE_CLOSED)) throw error
      })
      await exited
      endGroup(program.pid)
    },
    async terminate() {
      program.kill('SIGTERM')
      const [code] = await exited
      endGroup(program.pid)
      return typeof code === 'number' ? code : null
    },
  }
}

/** The desktop program with its window. */
export async function openElectron(runtime: Runtime, datadir: string, more: readonly string[] = []): Promise<Front> {
  const desktop = await startDesktop({ runtime, datadir, more })
  return {
    kind: 'electron',
    ready: desktop.ready,
    dashboard: await desktop.page('index.html'),
    app: desktop.app,
    browser: null,
    async openApproval() {
      const page = await desktop.page('approval.html')
      await page.locator(OPEN_REQUEST).waitFor()
      await focusApproval(desktop)
      return page
    },
    async close() {
      await desktop.terminate()
      rmSync(datadir, { recursive: true, force: true })
    },
  }
}

/** What a user's click on the window does: it never takes the focus by itself. */
export async function focusApproval({ app }: Pick<Desktop, 'app'>): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()
      .find((window) => window.webContents.getURL().includes('/approval.html'))
      ?.focus()
  })
}

/** As its user closes it. */
export async function closeApproval({ app }: Pick<Front, 'app'>): Promise<void> {
  await app?.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()
      .find((window) => window.webContents.getURL().includes('/approval.html'))
      ?.close()
  })
}

/** What a program has left behind that ended itself: a page that stands still outlives it. */
function endGroup(pid = 0): void {
  if (pid === 0 || process.platform === 'win32') return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // nothing is left
  }
}

/** The result of a script in a window's page; null while there is none, or it is being loaded or left. */
export function askPage(app: ElectronApplication, window: 'dashboard' | 'approval', script: string): Promise<unknown> {
  return app.evaluate(
    ({ BrowserWindow }, { isApproval, text }) => {
      const contents = BrowserWindow.getAllWindows().find(
        ({ webContents }) => webContents.getURL().includes('/approval.html') === isApproval,
      )?.webContents
      if (contents === undefined || contents.isCrashed() || contents.isLoading()) return null
      // A page that is left while it answers never finishes.
      const given = new Promise<null>((done) => setTimeout(() => done(null), 2_000))
      return Promise.race([given, contents.executeJavaScript(text)])
    },
    { isApproval: window === 'approval', text: script },
  )
}

/** Starts the same program again on the same data directory; its exit code. */
export async function startAgain({ runtime, datadir }: DesktopStart, words: readonly string[]): Promise<number | null> {
  const args = [...runtime.args, '--disable-gpu', ROOT, ...desktopArguments(datadir), ...words]
  const child = spawn(runtime.executable, args, { cwd: ROOT, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  return typeof code === 'number' ? code : null
}

/** Whether the window other than the approval's is on the screen. */
export function isDashboardVisible({ app }: Desktop): Promise<boolean> {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some(
      (window) => !window.webContents.getURL().includes('/approval.html') && window.isVisible(),
    ),
  )
}

/** From now on, the operating system's dialog boxes answer themselves and are counted. */
export async function answerBoxes({ app }: Desktop, response: number): Promise<void> {
  await app.evaluate(({ dialog }, answer) => {
    const asked: string[] = []
    Reflect.set(globalThis, 'askedBoxes', asked)
    Reflect.set(dialog, 'showMessageBox', async (options: { message: string; detail?: string }) => {
      asked.push(`${options.message} ${options.detail ?? ''}`)
      return { response: answer, checkboxChecked: false }
    })
  }, response)
}

export function askedBoxes({ app }: Desktop): Promise<readonly string[]> {
  return app.evaluate(() => Reflect.get(globalThis, 'askedBoxes'))
}

/**
 * Current remote addresses, other than this computer's own, of every socket of a process and its children.
 * @param socketsOf inodes of those sockets, asked only while any program has such an address
 */
export function foreignPeers(socketsOf: () => ReadonlySet<string>, protocols: readonly string[]): string[] {
  const foreign = protocols.flatMap((protocol) => {
    const [, ...lines] = readFileSync(`/proc/net/${protocol}`, 'utf8').trim().split('\n')
    return lines.flatMap((line) => {
      const columns = line.trim().split(/\s+/)
      const remote = columns[2] ?? ''
      return isThisComputer(remote) ? [] : [{ inode: columns[9] ?? '', peer: `${protocol} ${remote}` }]
    })
  })
  const sockets = foreign.length === 0 ? new Set() : socketsOf()
  return foreign.filter(({ inode }) => sockets.has(inode)).map(({ peer }) => peer)
}

/** Addresses are hexadecimal words in the machine's byte order: `0100007F:1F90`. No peer is all zeros. */
function isThisComputer(remote: string): boolean {
  const [address = ''] = remote.split(':')
  const isNone = /^0+$/.test(address)
  const isLoopback = address.endsWith('7F') && address.length === 8
  const isLoopback6 = address === '00000000000000000000000001000000' || /^0{16}FFFF0000[0-9A-F]{6}7F$/.test(address)
  return isNone || isLoopback || isLoopback6
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
