// The entry point with windows: paths of the Electron application.
import { dirname, join } from 'node:path'
import { app } from 'electron'
import { printLine } from '../../files/print-line'
import type { Platform } from '../../host/system/platform'
import { electronProcessStart } from './electron-process'

/** @param entryDir folder of this entry's built file, `out/main` */
export function electronPlatform(options: { readonly entryDir: string; readonly headless: boolean }): Platform {
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
