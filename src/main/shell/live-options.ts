// The shell's options from the current config file: changes in the settings, or by hand, need no restart.
import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { ConfigValues } from '../../config/catalog'

export type ShellOptions = ConfigValues['desktop']

interface LiveOptionsDeps {
  readonly clock: Clock
  readonly log: Logger
  /** The same call's configuration, read again; throws when the file is invalid, and then the old values stay. */
  readonly read: () => ShellOptions
  readonly onChanged: (options: ShellOptions) => void
}

/** A file is often written in two steps. */
const SETTLED_MS = 200

export class LiveOptions implements Disposable {
  readonly #deps: LiveOptionsDeps
  readonly #watcher: FSWatcher | null
  #current: ShellOptions
  #timer: Disposable | null = null

  /** @param file config file; its folder must exist for changes to be noticed */
  constructor(file: string, first: ShellOptions, deps: LiveOptionsDeps) {
    this.#deps = deps
    this.#current = first
    this.#watcher = this.#watch(file)
  }

  get current(): ShellOptions {
    return this.#current
  }

  dispose(): void {
    this.#timer?.dispose()
    this.#watcher?.close()
  }

  /** Watches the folder, since the file is replaced rather than rewritten. */
  #watch(file: string): FSWatcher | null {
    try {
      const watcher = watch(dirname(file), (_event, name) => {
        if (name === null || name === basename(file)) this.#later()
      })
      watcher.on('error', (error) => this.#deps.log.warn('changes to the config file are not noticed', { error }))
      return watcher
    } catch (error) {
      this.#deps.log.warn('changes to the config file are not noticed', { file, error: messageOf(error) })
      return null
    }
  }

  #later(): void {
    this.#timer?.dispose()
    this.#timer = this.#deps.clock.setTimeout(() => this.#readAgain(), SETTLED_MS)
  }

  #readAgain(): void {
    try {
      const next = this.#deps.read()
      if (JSON.stringify(next) === JSON.stringify(this.#current)) return
      this.#current = next
      this.#deps.onChanged(next)
    } catch (error) {
      this.#deps.log.warn('the changed config file cannot be used', { error: messageOf(error) })
    }
  }
}
