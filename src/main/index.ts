// Entry of the desktop program. The same words as the plain entry point; a window where `run` may have one.
import { resolve } from 'node:path'
import { app } from 'electron'
import { systemClock } from '../base/time'
import { EXIT_FAILED, exitCodeOf, failureLine, noticeLine } from '../cli/exit-codes'
import { processSurroundings } from '../cli/load-config'
import { runCli } from '../cli/main'
import { printLine } from '../files/print-line'
import { onUncaughtInProcess, ProcessFaults } from '../host/faults/process-faults'
import { onStopSignal } from '../host/system/stop-signals'
import { mayOpenWindow } from '../old-electron/window'
import { desktopCall, runDesktop } from './desktop-run'
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
