// Entry of the desktop program. The same words as the plain front door; a window where `run` may have one.
import '../host/runtime'
import { resolve } from 'node:path'
import { app } from 'electron'
import { exitCodeOf, failureLine } from '../cli/exit-codes'
import { processSurroundings } from '../cli/load-config'
import { runCli } from '../cli/main'
import { desktopCall, runDesktop } from './desktop-run'
import { ownArgv } from './own-argv'
import { electronPlatform } from './platform-electron'
import { onStopSignal } from './stop-signals'

async function main(): Promise<number> {
  const argv = ownArgv({
    argv: process.argv,
    isDefaultApp: process.defaultApp === true,
    isAppPath: (argument) => resolve(argument) === app.getAppPath(),
  })
  const surroundings = processSurroundings()
  const call = desktopCall(argv, surroundings)
  const entryDir = import.meta.dirname
  if (call !== null) return runDesktop(call, electronPlatform({ entryDir, headless: false }))
  return runCli(argv.words, {
    surroundings,
    platform: electronPlatform({ entryDir, headless: true }),
    onStopSignal,
    exitNow: (code) => process.exit(code),
    terminal: null,
    // A desktop program has no terminal to ask at; --password FILE is the way.
    askSecret: async () => null,
  })
}

// app.exit instead of process.exit: Electron ends its other processes with it.
main().then(
  (code) => app.exit(code),
  (error: unknown) => {
    process.stderr.write(`${failureLine(error, false)}\n`)
    app.exit(exitCodeOf(error))
  },
)
