// The shell's options as the config file has them now: a change in the settings screen, or by hand, needs no new start.
import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { ConfigValues } from '../../config/catalog'

export type ShellOptions = ConfigValues['desktop']

export interface LiveOptionsDeps {
  readonly clock: Clock
  readonly log: Logger
  /** The configuration of the same call, read again; throws where the file is wrong, and then the old values stay. */
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

  /** @param file config file; its folder has to exist for changes to be seen */
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

  /** The folder, since the file is replaced, not rewritten. */
  #watch(file: string): FSWatcher | null {
    try {
      const watcher = watch(dirname(file), (_event, name) => {
        if (name === null || name === basename(file)) this.#later()
      })
      watcher.on('error', (error) => this.#deps.log.warn('changes of the config file are not seen', { error }))
      return watcher
    } catch (error) {
      this.#deps.log.warn('changes of the config file are not seen', { file, error: messageOf(error) })
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
