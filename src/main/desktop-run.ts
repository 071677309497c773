// The desktop program's run: one instance per data directory, backend, windows, and an orderly end.
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { app, BrowserWindow, dialog } from 'electron'
import { z } from 'zod'
import { messageOf } from '../base/errors'
import { aborted, onAbort } from '../base/on-abort'
import { systemClock } from '../base/time'
import { EXIT_DONE, EXIT_FAILED, exitCodeOf, failureLine, noticeLine } from '../cli/exit-codes'
import { loadConfig } from '../cli/load-config'
import type { Surroundings } from '../config/paths'
import type { ResolvedConfig } from '../config/resolved-config'
import { parseArgv } from '../config/sources/parse-argv'
import { printLine } from '../files/print-line'
import { type Backend, createBackend } from '../host/backend'
import { isMoveWaiting, type Settled, settleDataFolder } from '../host/data-folder/change-at-start'
import { onUncaughtInProcess, ProcessFaults } from '../host/faults/process-faults'
import { dataDirPaths } from '../host/system/data-dir'
import type { Platform } from '../host/system/platform'
import { onStopSignal } from '../host/system/stop-signals'
import { Desktop } from './desktop'
import { LiveOptions, type ShellOptions } from './shell/live-options'
import { type ShellWords, shellWords } from './shell/words/words'
import { setAutostart } from './system/autostart'
import { textPageUrl } from './windows/text-page'

interface DesktopCall {
  readonly config: ResolvedConfig
  /** The same call's configuration, read again. @throws ConfigError */
  readonly readAgain: () => ResolvedConfig
  /** Links given with the call, not parsed yet. */
  readonly links: readonly string[]
}

/** A second instance passes on its links, and nothing else of its call. */
const handOverSchema = z.object({ links: z.array(z.string()).max(8) })

/** Null for any other call, including invalid ones: the CLI answers those. */
export function desktopCall(
  argv: { readonly words: readonly string[]; readonly links: readonly string[] },
  surroundings: Surroundings,
): DesktopCall | null {
  try {
    const { command, help, version, 'list-devices': isList } = parseArgv(argv.words)
    if (command !== 'run' || help || version || isList) return null
    const readAgain = (): ResolvedConfig => loadConfig({ argv: argv.words, surroundings, windowless: false })
    const config = readAgain()
    return config.app.headless ? null : { config, readAgain, links: argv.links }
  } catch {
    return null // the CLI makes the same call and reports what is wrong
  }
}

/** Resolves with the exit code when the program is to end. */
export async function runDesktop(call: DesktopCall, platform: Platform): Promise<number> {
  const quit = quitRequests()
  const settled = await settle(call, platform, quit.signal)
  if (settled === null) return EXIT_DONE
  const { config } = settled
  const { dataDir, logJson } = config.app
  for (const notice of config.notices) platform.standardError(noticeLine(notice, logJson))
  // Chromium's own files belong to the data directory too; so its lock is per data directory.
  const profile = join(dataDir, 'desktop')
  mkdirSync(profile, { recursive: true, mode: 0o700 })
  app.setPath('userData', profile)
  if (!app.requestSingleInstanceLock({ links: [...call.links] })) return EXIT_DONE // the first instance shows itself
  const asks = new Asks(call.links)
  registerScheme()
  await app.whenReady()
  const words = shellWords(app.getLocale())
  const restart = (): void => {
    if (quit.signal.aborted) return
    call.readAgain() // an invalid configuration is reported to the caller, and nothing stops
    app.relaunch({ args: restartArguments(process.argv.slice(1), call.links) })
    setImmediate(() => quit.abort(new Error('restart requested'))) // the answer is sent first
  }
  const backend = await createBackend(config, platform, { restart })
  let code: number = EXIT_DONE
  backend.events.on('exitAsked', ({ failure }) => {
    if (failure !== null) code = EXIT_FAILED
    quit.abort(failure ?? new Error('told to end'))
  })
  const logsDir = dataDirPaths(dataDir).logs
  attendFaults(backend, {
    show: (error) =>
      showError({ message: words.failedRun, detail: words.failedText(messageOf(error), logsDir) }, quit.signal),
    onFault: () => {
      code = EXIT_FAILED
    },
  })
  try {
    await backend.start(quit.signal)
  } catch (error) {
    if (quit.signal.aborted) return EXIT_DONE
    await settled.undo?.()
    platform.standardError(failureLine(error, logJson))
    await showError({ message: words.failedStart, detail: words.failedText(messageOf(error), logsDir) }, quit.signal)
    return exitCodeOf(error)
  }
  await withWindows(backend, { call: { ...call, config }, platform, words, asks, quit: quit.signal })
  await backend.stop()
  return code
}

/** Null: the program ends now; after a move a new process follows. @throws HostError HOST_DATA_DIR_IN_USE */
async function settle(call: DesktopCall, platform: Platform, quit: AbortSignal): Promise<Settled | null> {
  const { config, readAgain: load, links } = call
  const say = (line: string): void => platform.standardError(noticeLine(line, config.app.logJson))
  // The backend outlives its windows: it ends before the process does.
  app.on('window-all-closed', () => undefined)
  try {
    if (!isMoveWaiting(config)) return await settleDataFolder(config, { load, say, signal: quit })
    await moveInWindow({ config, load, say, words: () => shellWords(app.getLocale()), quit })
  } catch (error) {
    if (quit.aborted) return null
    throw error
  }
  app.relaunch({ args: restartArguments(process.argv.slice(1), links) })
  return null
}

/** Requests of later instances and links; kept until there is a window to handle them. */
class Asks {
  #waiting: string[]
  #isAsked = false
  #desktop: Desktop | null = null

  constructor(links: readonly string[]) {
    this.#waiting = [...links]
    app.on('second-instance', (_event, _argv, _folder, handedOver) => {
      const parsed = handOverSchema.safeParse(handedOver)
      this.#ask(parsed.success ? parsed.data.links : [])
    })
    app.on('open-url', (event, link) => {
      event.preventDefault()
      this.#ask([link])
    })
    app.on('activate', () => this.#ask([]))
  }

  give(desktop: Desktop): void {
    this.#desktop = desktop
    if (this.#isAsked || this.#waiting.length > 0) this.#ask(this.#waiting)
    this.#waiting = []
  }

  #ask(links: readonly string[]): void {
    const desktop = this.#desktop
    if (desktop === null) {
      this.#isAsked = true
      this.#waiting = [...this.#waiting, ...links].slice(-8)
      return
    }
    if (links.length === 0) desktop.show()
    for (const link of links) desktop.follow(link)
  }
}

interface WindowedRun {
  readonly call: DesktopCall
  readonly platform: Platform
  readonly words: ShellWords
  readonly asks: Asks
  readonly quit: AbortSignal
}

async function withWindows(backend: Backend, { call, platform, words, asks, quit }: WindowedRun): Promise<void> {
  const { dataDir, configFile } = call.config.app
  const clock = systemClock()
  const log = backend.log.child({ module: 'desktop' })
  const isSteered = ['remote-debugging-port', 'remote-debugging-pipe'].some((name) => app.commandLine.hasSwitch(name))
  if (isSteered) log.warn('remote debugging is open: other programs can see and press everything in these windows')
  const autostart = ({ autostart: isOn }: ShellOptions): void => setAutostart(isOn, startCommand(call.config), log)
  const live = new LiveOptions(configFile ?? join(dataDir, 'config.toml'), call.config.desktop, {
    clock,
    log,
    read: () => call.readAgain().desktop,
    onChanged: autostart,
  })
  autostart(live.current)
  const desktop = new Desktop(
    {
      dataDir,
      logsDir: dataDirPaths(dataDir).logs,
      rendererDir: platform.rendererDir,
      preloadDir: join(platform.workerDir, '..', 'preload'),
      iconsDir: join(platform.projectRoot, 'resources', 'icons'),
    },
    { backend, clock, log, words, options: () => live.current },
  )
  desktop.open(call.config.desktop.startInTray)
  asks.give(desktop)
  await aborted(quit)
  desktop.close()
  live.dispose()
}

/** The same call without what was only for that start: a link, and starting in the tray. */
function restartArguments(given: readonly string[], links: readonly string[]): string[] {
  return given.filter((word) => word !== '--start-in-tray' && !links.includes(word))
}

/** The command started at login: this program, with the same data directory, in the tray. */
function startCommand({ app: { dataDir }, sources }: ResolvedConfig): string[] {
  const executable = process.platform === 'linux' && app.isPackaged ? launcher() : process.execPath
  const isOtherFolder = (sources['app.dataDir']?.kind ?? 'default') !== 'default'
  return [
    executable,
    ...(app.isPackaged ? [] : [app.getAppPath()]),
    '--start-in-tray',
    ...(isOtherFolder ? ['--datadir', dataDir] : []),
  ]
}

/** An AppImage is mounted elsewhere at each start; only its own path is stable. */
function launcher(): string {
  return process.env.APPIMAGE ?? join(dirname(process.execPath), 'headframe')
}

/** On Linux the package's menu entry handles the scheme. After `--` a link can't add options. */
function registerScheme(): void {
  if (app.isPackaged && process.platform !== 'linux')
    app.setAsDefaultProtocolClient('headframe', process.execPath, ['--'])
}

interface FaultDeps {
  readonly onFault: () => void
  /** Tells the user, and resolves when the program may end. */
  readonly show: (error: unknown) => Promise<void>
}

/** Without it Electron would show a stack and continue in an undefined state. */
function attendFaults(backend: Backend, { onFault, show }: FaultDeps): void {
  const faults = new ProcessFaults({
    onUncaught: onUncaughtInProcess,
    say: (error) => printLine(process.stderr, failureLine(error, false)),
    exit: (error) => {
      onFault()
      void show(error).finally(() => app.exit(EXIT_FAILED))
    },
    clock: systemClock(),
  })
  faults.attend({ log: backend.log, stop: () => backend.stop() })
}

/** Aborts at the first stop request; a second signal exits immediately. Electron's own quit waits until we are done. */
function quitRequests(): AbortController {
  const quit = new AbortController()
  app.on('before-quit', (event) => {
    event.preventDefault()
    quit.abort(new Error('the program is to end'))
  })
  onStopSignal(() => {
    if (quit.signal.aborted) app.exit(EXIT_FAILED)
    else quit.abort(new Error('stopped by a signal'))
  })
  return quit
}

interface ErrorBox {
  readonly message: string
  readonly detail: string
}

/** Until the box is closed, or `quit` aborts. Electron's own error box would block the program, signals included. */
async function showError(box: ErrorBox, quit: AbortSignal): Promise<void> {
  if (!app.isPackaged || process.stderr.isTTY || quit.aborted) return
  await new Promise<void>((resolve) => {
    onAbort(quit, resolve)
    dialog.showMessageBox({ type: 'error', ...box, signal: quit }).then(
      () => resolve(),
      (error: unknown) => {
        printLine(process.stderr, `headframe: ${messageOf(error)}`)
        resolve()
      },
    )
  })
}

interface MovingRun {
  readonly config: ResolvedConfig
  /** @throws ConfigError */
  readonly load: () => ResolvedConfig
  readonly say: (line: string) => void
  readonly words: () => ShellWords
  /** Aborts when the program is to end: the move then waits for the next start. */
  readonly quit: AbortSignal
}

/** @throws HostError HOST_DATA_DIR_IN_USE; the signal's reason */
async function moveInWindow({ config, load, say, words, quit }: MovingRun): Promise<void> {
  app.setPath('userData', mkdtempSync(join(tmpdir(), 'headframe-moving-')))
  await app.whenReady()
  const shown = words()
  const window = new BrowserWindow({
    width: 480,
    height: 220,
    resizable: false,
    maximizable: false,
    closable: false,
    title: shown.movingTitle,
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, javascript: false },
  })
  window.setMenuBarVisibility(false)
  window.on('page-title-updated', (event) => event.preventDefault())
  const page = textPageUrl([
    { tag: 'h1', text: shown.movingTitle },
    { tag: 'p', text: shown.movingText },
  ])
  await window.loadURL(page)
  const onShare = (share: number): void => {
    window.setTitle(`${shown.movingTitle} ${Math.floor(100 * share)}%`)
    window.setProgressBar(share)
  }
  try {
    await settleDataFolder(config, { load, say, onShare, signal: quit })
  } finally {
    window.destroy()
  }
}
