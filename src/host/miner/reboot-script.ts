// The operator's own script that the line RPC may start: beside the executable, with one fixed argument.
import { type SpawnOptions, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'

const ARGUMENT = 'api_miner_reboot'
/** What a script needs to find programs; nothing of ours is passed on. */
export const PASSED_ON = ['PATH', 'HOME', 'LANG', 'SystemRoot', 'ComSpec', 'TEMP', 'USER']

export class RebootScript {
  readonly #file: string

  constructor(
    private readonly dir: string,
    private readonly isWindows: boolean,
    private readonly log: Logger,
  ) {
    this.#file = join(dir, isWindows ? 'reboot.bat' : 'reboot.sh')
  }

  /** True when it was started, detached; false when it is missing, empty or not executable. */
  async run(): Promise<boolean> {
    if (!(await this.#usable())) return false
    const env = Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]]))
    const options: SpawnOptions = { cwd: this.dir, env, detached: true, stdio: 'ignore', windowsHide: true }
    // A batch file needs its interpreter; the arguments are fixed, so nothing from a caller reaches it.
    const [command, words] = this.isWindows ? ['cmd.exe', ['/d', '/c', this.#file, ARGUMENT]] : [this.#file, [ARGUMENT]]
    return new Promise((resolve) => {
      const child = spawn(command, words, options)
      child.once('error', (error) => {
        this.log.error('reboot script did not start', { file: this.#file, error: messageOf(error) })
        resolve(false)
      })
      child.once('spawn', () => {
        this.log.warn('reboot script started', { file: this.#file })
        child.unref()
        resolve(true)
      })
    })
  }

  async #usable(): Promise<boolean> {
    try {
      await access(this.#file, constants.X_OK)
      const { size } = await stat(this.#file)
      return size > 0
    } catch {
      return false // missing or not executable: the answer is no
    }
  }
}
