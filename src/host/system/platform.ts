// What differs between the front doors (plain Node, Electron); the backend knows nothing else about where it runs.

import type { StartProcess } from './own-process'

export interface Platform {
  /** Folder with the built worker entries `chain-worker.cjs` and `key-worker.cjs`. */
  readonly workerDir: string
  /** Folder that holds `native/`, where the addon is looked for. */
  readonly projectRoot: string
  /** Folder of the built renderer, served to browsers. */
  readonly rendererDir: string
  readonly isElectron: boolean
  /** Missing where this program's binary runs an entry as plain Node does. */
  readonly startProcess?: StartProcess
  /** True when no window is shown, so that the dashboard is served to a browser. */
  readonly headless: boolean
  /** Program version, `1.2.3`. */
  readonly version: string
  /** Where a program on the standard streams speaks; missing where there is no such stream. */
  readonly standardInput?: () => NodeJS.ReadableStream
  readonly standardOutput: (line: string) => void
  /** Columns of the terminal that standard output goes to; undefined, or missing, where it goes to none. */
  readonly columns?: () => number | undefined
  readonly standardError: (line: string) => void
}
