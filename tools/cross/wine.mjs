// Programs for Windows on Linux: wine with a Windows of its own, below .cache/wine. Their outputs go to files, since Node for Windows
// can't open a pipe or a terminal of wine as its standard output.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasProgram } from '../lib/debian.mjs'
import { CACHE, run, ToolError } from '../lib/project.mjs'
import { alone } from '../lib/stamp.mjs'

const HANG_MS = 240_000
const POLL_MS = 200
const HOME = join(CACHE, 'wine')
const MADE = join(HOME, 'system.reg')

/** @returns {string | null} why programs for Windows can't be run here */
export function whyNoWine() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'wine is asked for on Linux x64 only'
  return hasProgram('wine') ? null : 'wine is not installed (Debian: apt install wine)'
}

/** A path of Linux as wine's programs name it. */
export function windowsPath(path) {
  return `Z:${path.replaceAll('/', '\\')}`
}

export class Wine {
  /** Files of Linux below a folder that goes with `remove`. */
  folder = mkdtempSync(join(tmpdir(), 'headframe-wine-'))
  #outputs = 0

  /** Makes the Windows 10 that programs see, once. */
  async make() {
    await alone('wine', async () => {
      if (existsSync(MADE)) return
      mkdirSync(HOME, { recursive: true })
      const words = ['reg', 'add', 'HKEY_CURRENT_USER\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f']
      const { code } = await run('wine', words, { env: environment(), stdio: 'ignore', limitMs: HANG_MS })
      if (code !== 0) throw new ToolError(`wine could not be set up: it ended with ${code}`)
    })
  }

  /** The drive C: as a folder of Linux. */
  get drive() {
    return join(HOME, 'drive_c')
  }

  /** Runs a program to its end. @returns {Promise<{ code: number | string, output: string }>} `code` as `start` has it; both outputs together */
  async call(words, options) {
    const program = this.start(words, options)
    return { code: await program.ended(), output: program.said() }
  }

  /**
   * Starts one.
   * @param {readonly string[]} words the program and its words, with paths of Windows
   * @param {{ env?: Record<string, string>, isRaw?: boolean }} [options] `isRaw`: its outputs are not asked for
   * @returns `ended`: waits for the exit code, or the signal's name, and kills what takes too long from then on; `said`: both outputs so far
   */
  start(words, { env = {}, isRaw = false } = {}) {
    const file = join(this.folder, `output-${this.#outputs++}.txt`)
    const output = openSync(file, 'a')
    const child = spawn('wine', words, {
      env: { ...environment(), ...env },
      stdio: isRaw ? 'ignore' : ['ignore', output, output],
      cwd: this.folder,
    })
    closeSync(output)
    const exited = new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, signal) => resolve(code ?? signal))
    })
    const ended = () => {
      const timer = setTimeout(() => child.kill('SIGKILL'), HANG_MS)
      return exited.finally(() => clearTimeout(timer))
    }
    const said = () => readFileSync(file, 'utf8')
    return { child, ended, said }
  }

  /** Ends what still runs in this Windows, and removes `folder`. */
  async remove() {
    await run('wineserver', ['-k'], { env: environment(), stdio: 'ignore' })
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Polls until it is true. @throws ToolError on timeout, or when the program ends first */
export async function until(what, program, ask) {
  for (let waited = 0; waited < HANG_MS; waited += POLL_MS) {
    if (await ask()) return
    if (program.child.exitCode !== null) throw new ToolError(`ended before ${what}:\n${program.said()}`)
    await sleep(POLL_MS)
  }
  throw new ToolError(`${what} did not come:\n${program.said()}`)
}

function environment() {
  const { DISPLAY: _none, ...rest } = process.env
  return { ...rest, WINEPREFIX: HOME, WINEARCH: 'win64', WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree,mshtml=' }
}
