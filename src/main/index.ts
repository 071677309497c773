// Entry of the desktop program. The same words as the plain entry point; a window where `run` may have one.
import { dirname, join, resolve } from 'node:path'
import { app, type UtilityProcess, utilityProcess } from 'electron'
import { messageOf } from '../base/errors'
import { systemClock } from '../base/time'
import { EXIT_FAILED, exitCodeOf, failureLine, noticeLine } from '../cli/exit-codes'
import { processSurroundings } from '../cli/load-config'
import { runCli } from '../cli/main'
import { printLine } from '../files/print-line'
import { onUncaughtInProcess, ProcessFaults } from '../host/faults/process-faults'
import { ownEnvironment, type StartProcess } from '../host/system/own-process'
import type { Platform } from '../host/system/platform'
import { onStopSignal } from '../host/system/stop-signals'
import { mayOpenWindow } from '../old-electron/window'
import { desktopCall, runDesktop } from './desktop-run'
import { ownArgv } from './system/own-argv'

async function main(): Promise<number> {
  const argv = ownArgv({
    argv: process.argv,
    isDefaultApp: process.defaultApp === true,
    isAppPath: (argument) => resolve(argument) === app.getAppPath(),
  })
  const surroundings = processSurroundings()
  const call = desktopCall(argv, surroundings)
  const entryDir = import.meta.dirname
  const say = (text: string): void => printLine(process.stderr, noticeLine(text, call?.config.app.logJson ?? false))
  if (call !== null && (await mayOpenWindow(call.config.app, say)))
    return runDesktop(call, electronPlatform({ entryDir, headless: false }))
  const faults = new ProcessFaults({
    onUncaught: onUncaughtInProcess,
    say: (error) => printLine(process.stderr, failureLine(error, false)),
    exit: () => app.exit(EXIT_FAILED),
    clock: systemClock(),
  })
  return runCli(argv.words, {
    surroundings,
    faults,
    platform: electronPlatform({ entryDir, headless: true }),
    onStopSignal,
    exitNow: (code) => process.exit(code),
    terminal: null,
    // A desktop program has no terminal to ask on; use --password FILE.
    askSecret: async () => null,
  })
}

// app.exit rather than process.exit: Electron ends its other processes with it.
main().then(
  (code) => app.exit(code),
  (error: unknown) => {
    printLine(process.stderr, failureLine(error, false))
    app.exit(exitCodeOf(error))
  },
)

/** @param entryDir folder of this entry's built file, `out/main` */
function electronPlatform(options: { readonly entryDir: string; readonly headless: boolean }): Platform {
  const out = dirname(options.entryDir)
  const startProcess = electronProcessStart()
  return {
    ...(startProcess === undefined ? {} : { startProcess }),
    workerDir: options.entryDir,
    projectRoot: dirname(out),
    rendererDir: join(out, 'renderer'),
    isElectron: true,
    headless: options.headless,
    version: app.getVersion(),
    standardOutput: (line) => printLine(process.stdout, line),
    columns: () => process.stdout.columns,
    standardError: (line) => printLine(process.stderr, line),
  }
}

/** Missing when the binary can run as plain Node, which can be confined more. */
function electronProcessStart(): StartProcess | undefined {
  return app.isPackaged && process.platform !== 'linux' ? startElectronProcess : undefined
}

/** Bytes are sent as messages; the entry's end is `process.parentPort`. It starts when the application is ready. */
const startElectronProcess: StartProcess = (entry, args) => {
  const state = { isKilled: false }
  const fork = (): UtilityProcess =>
    utilityProcess.fork(entry, [...args], { env: ownEnvironment(), stdio: 'ignore', serviceName: 'headframe-keys' })
  const started = app.whenReady().then(() => (state.isKilled ? null : fork()))
  started.catch(() => undefined) // onEnd reports it
  const withChild = (run: (child: UtilityProcess) => void): void => {
    started.then((child) => child !== null && run(child)).catch(() => undefined)
  }
  return {
    send: (bytes, sent) => {
      withChild((child) => child.postMessage(bytes))
      started.then(sent, sent)
    },
    onBytes: (listener) => {
      const take = (message: unknown): void => {
        if (message instanceof Uint8Array) listener(message)
      }
      withChild((child) => void child.on('message', take))
    },
    onEnd: (listener) => {
      started.then(
        (child) => {
          if (child === null) listener('ended before it started', '')
          else child.once('exit', (code) => listener(`ended with code ${code}`, ''))
        },
        (error: unknown) => listener(messageOf(error), ''),
      )
    },
    kill: () => {
      state.isKilled = true
      withChild((child) => void child.kill())
    },
  }
}
