// The front door with windows: where Electron's application lies, and messages of the operating system.
import { dirname, join } from 'node:path'
import { app, Notification } from 'electron'
import type { Platform } from '../host/platform'

/** @param entryDir folder of this entry's built file, `out/main` */
export function electronPlatform(options: { readonly entryDir: string; readonly headless: boolean }): Platform {
  const out = dirname(options.entryDir)
  return {
    workerDir: options.entryDir,
    projectRoot: dirname(out),
    rendererDir: join(out, 'renderer'),
    isElectron: true,
    headless: options.headless,
    version: app.getVersion(),
    notify: ({ title, body }) => {
      if (Notification.isSupported()) new Notification({ title, body }).show()
    },
    standardOutput: (line) => void process.stdout.write(`${line}\n`),
    standardError: (line) => void process.stderr.write(`${line}\n`),
  }
}
