// What differs between the entry points (plain Node, Electron); the backend knows nothing else about where it runs.

import type { InputListener, InputReader } from '../../files/wiped-input'
import type { StartProcess } from './own-process'

export interface Platform {
  /** Folder with the built worker entries `chain-worker.cjs` and `key-worker.cjs`. */
  readonly workerDir: string
  /** Folder that contains `native/`, where the addon is searched. */
  readonly projectRoot: string
  /** Folder of the built renderer, served to browsers. */
  readonly rendererDir: string
  readonly isElectron: boolean
  /** Missing when this program's binary can run an entry as plain Node. */
  readonly startProcess?: StartProcess
  /** True when no window is shown, so the dashboard is served to browsers. */
  readonly headless: boolean
  /** Program version, `1.2.3`. */
  readonly version: string
  /** The standard streams of a deciding program; missing without any. */
  readonly standardInput?: (listener: InputListener) => InputReader
  readonly standardOutput: (line: string) => void
  /** Columns of the terminal on standard output; undefined or missing otherwise. */
  readonly columns?: () => number | undefined
  readonly standardError: (line: string) => void
}
