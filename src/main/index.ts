// Entry of the desktop program. The same words as the plain entry point; a window where `run` may have one.
import '../host/runtime'
import { resolve } from 'node:path'
import { app, dialog } from 'electron'
import { messageOf } from '../base/errors'
import { systemClock } from '../base/time'
import { EXIT_FAILED, exitCodeOf, failureLine, noticeLine } from '../cli/exit-codes'
import { processSurroundings } from '../cli/load-config'
import { runCli } from '../cli/main'
import { onUncaughtInProcess, ProcessFaults } from '../host/faults/process-faults'
import { isWindowAllowed } from '../host/system/old-electron'
import { onStopSignal } from '../host/system/stop-signals'
import { type DesktopCall, desktopCall, runDesktop } from './desktop-run'
import { shellWords } from './shell/words/words'
import { ownArgv } from './system/own-argv'
import { electronPlatform } from './system/platform-electron'

async function main(): Promise<number> {
  const argv = ownArgv({
    argv: process.argv,
    isDefaultApp: process.defaultApp === true,
    isAppPath: (argument) => resolve(argument) === app.getAppPath(),
  })
  const surroundings = processSurroundings()
  const call = desktopCall(argv, surroundings)
  const entryDir = import.meta.dirname
  const isAllowed = call !== null && isWindowAllowed(process.versions.electron, call.config.app.network)
  if (call !== null && isAllowed) return runDesktop(call, electronPlatform({ entryDir, headless: false }))
  if (call !== null) await sayNoWindow(call)
  const faults = new ProcessFaults({
    onUncaught: onUncaughtInProcess,
    say: (error) => void process.stderr.write(`${failureLine(error, false)}\n`),
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

/** The program continues without a window; a dialog says so, and stays while it runs. */
async function sayNoWindow({ config }: DesktopCall): Promise<void> {
  await app.whenReady()
  const { noWindow, noWindowText } = shellWords(app.getLocale())
  const text = noWindowText(process.versions.electron, config.app.dataDir)
  process.stderr.write(`${noticeLine(text, config.app.logJson)}\n`)
  dialog
    .showMessageBox({ type: 'warning', message: noWindow, detail: text })
    .catch((error: unknown) => process.stderr.write(`${noticeLine(messageOf(error), config.app.logJson)}\n`))
}

// app.exit rather than process.exit: Electron ends its other processes with it.
main().then(
  (code) => app.exit(code),
  (error: unknown) => {
    process.stderr.write(`${failureLine(error, false)}\n`)
    app.exit(exitCodeOf(error))
  },
)
