// The operator's own script that the line RPC may start: beside the executable, with one fixed argument.
import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'

const ARGUMENT = 'api_miner_reboot'
/** What a script needs to find programs; nothing of ours is passed on. */
export function passedOn(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'LANG', 'SystemRoot', 'ComSpec', 'TEMP', 'USER']
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}

/** Starts a program of the operator's, detached, without a shell. True when it was started; either is logged. */
export function startDetached(
  what: string,
  [command, ...words]: readonly [string, ...string[]],
  {
    cwd,
    log,
    fields,
  }: { readonly cwd: string; readonly log: Logger; readonly fields: Readonly<Record<string, unknown>> },
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, words, { cwd, env: passedOn(), detached: true, stdio: 'ignore', windowsHide: true })
    child.once('error', (error) => {
      log.error(`${what} did not start`, { ...fields, error: messageOf(error) })
      resolve(false)
    })
    child.once('spawn', () => {
      log.warn(`${what} started`, fields)
      child.unref()
      resolve(true)
    })
  })
}

/** `reboot.sh`, on Windows `reboot.bat`, in a folder. */
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
    // A batch file needs its interpreter; the arguments are fixed, so nothing from a caller reaches it.
    const interpreter = this.isWindows ? (['cmd.exe', '/d', '/c', this.#file] as const) : ([this.#file] as const)
    const options = { cwd: this.dir, log: this.log, fields: { file: this.#file } }
    return startDetached('reboot script', [...interpreter, ARGUMENT], options)
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
