// The life of the desktop program: one instance a data directory, backend, windows, and an orderly end.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog } from 'electron'
import { systemClock } from '../base/time'
import { EXIT_DONE, EXIT_FAILED, exitCodeOf, failureLine, noticeLine } from '../cli/exit-codes'
import { loadConfig } from '../cli/load-config'
import { parseArgv } from '../config/parse-argv'
import type { Surroundings } from '../config/paths'
import type { ResolvedConfig } from '../config/resolved-config'
import { type Backend, createBackend } from '../host/backend'
import { dataDirPaths } from '../host/data-dir'
import type { Platform } from '../host/platform'
import { Desktop } from './desktop'
import { onStopSignal } from './stop-signals'

/** The configuration of a start with a window; null for any other call, wrong ones included: those are the CLI's to answer. */
export function desktopCall(argv: readonly string[], surroundings: Surroundings): ResolvedConfig | null {
  try {
    const { command, help, version } = parseArgv(argv)
    if (command !== 'run' || help || version) return null
    const config = loadConfig({ argv, surroundings, windowless: false })
    return config.app.headless ? null : config
  } catch {
    return null // the CLI makes the same call and says what is wrong
  }
}

/** Resolves with the exit code when the program is to end. */
export async function runDesktop(config: ResolvedConfig, platform: Platform): Promise<number> {
  const { dataDir, logJson } = config.app
  for (const notice of config.notices) platform.standardError(noticeLine(notice, logJson))
  // Chromium's own files belong to the data directory too; its lock then is one per data directory.
  const profile = join(dataDir, 'desktop')
  mkdirSync(profile, { recursive: true, mode: 0o700 })
  app.setPath('userData', profile)
  if (!app.requestSingleInstanceLock()) return EXIT_DONE // the first instance shows itself
  const quit = quitRequests()
  // The backend outlives its windows: its end comes before the process's.
  app.on('window-all-closed', () => undefined)
  await app.whenReady()
  const backend = createBackend(config, platform)
  backend.events.on('exitAsked', () => quit.abort(new Error('the list of pools came to its exit')))
  try {
    await backend.start(quit.signal)
  } catch (error) {
    if (quit.signal.aborted) return EXIT_DONE
    platform.standardError(failureLine(error, logJson))
    // A box waits for a click, so only where there is no terminal to read the line on.
    if (app.isPackaged) dialog.showErrorBox('Headframe could not start', failureLine(error, false))
    return exitCodeOf(error)
  }
  await withWindows(backend, { config, platform, quit: quit.signal })
  await backend.stop()
  return EXIT_DONE
}

interface WindowedRun {
  readonly config: ResolvedConfig
  readonly platform: Platform
  readonly quit: AbortSignal
}

async function withWindows(backend: Backend, { config, platform, quit }: WindowedRun): Promise<void> {
  const { dataDir } = config.app
  const desktop = new Desktop(
    {
      dataDir,
      logsDir: dataDirPaths(dataDir).logs,
      rendererDir: platform.rendererDir,
      preloadDir: join(platform.workerDir, '..', 'preload'),
    },
    { backend, clock: systemClock(), log: backend.log.child({ module: 'desktop' }), notify: platform.notify },
  )
  desktop.open()
  app.on('second-instance', () => desktop.show())
  app.on('activate', () => desktop.show())
  await new Promise<void>((resolve) => {
    if (quit.aborted) resolve()
    else quit.addEventListener('abort', () => resolve(), { once: true })
  })
  desktop.close()
}

/** Aborts at the first request to end; a second signal ends at once. Electron's own quit waits until we are done. */
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
