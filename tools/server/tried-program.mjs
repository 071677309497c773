// What a user does with a program that was installed in a clean root, however it came there: makes a key, mines, signs, looks at its
// window.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../lib/project.mjs'
import { hasKey } from './package-steps.mjs'
import { rpc, supervised } from './supervised-run.mjs'

const DISPLAY = ':87'
/** A display for the window, and tools to look at it. */
export const SCREEN_PACKAGES = ['xvfb', 'x11-utils']

export class TriedProgram {
  /** Of the key that it made; empty before. */
  address = ''

  /**
   * @param {import('./clean-root.mjs').CleanRoot} root
   * @param {{ program: string, folder?: string | null, user: string }} of `program`: its name, or its path below `folder`, which lies in the
   * home of `user`, as the data does
   */
  constructor(root, { program, folder = null, user }) {
    this.root = root
    this.user = user
    this.home = `/home/${user}`
    this.folder = folder === null ? null : `${this.home}/${folder}`
    this.program = folder === null ? program : `${this.folder}/${program}`
    this.data = `${this.home}/data`
  }

  /** A command of its to the end; what it printed. @throws ToolError when it fails */
  call(...words) {
    return this.root.call([this.program, ...words], { user: this.user, environment: { HOME: this.home } })
  }

  /** @throws ToolError when it makes none */
  makeKey() {
    writeFileSync(join(this.root.folder, 'password'), 'correct horse\n', { mode: 0o644 })
    const said = this.call('account', 'new', '--datadir', this.data, '--password', '/password')
    const [address] = /0x[0-9a-fA-F]{40}/.exec(said) ?? []
    if (address === undefined) throw new ToolError(`not so: a key is made:\n${said}`)
    this.address = address
  }

  /** @throws ToolError when it is gone */
  expectKey() {
    if (!hasKey(join(this.root.folder, this.data), this.address)) throw new ToolError('not so: keys stay')
  }

  /**
   * Until it has mined a block and signed, and its window is seen; then stopped in order.
   * @param {{ isWindowed?: boolean, hasNamespaces?: boolean }} [options] `hasNamespaces`: as `CleanRoot` has it
   * @returns {Promise<string>} what it said
   */
  async run({ isWindowed = false, hasNamespaces = true } = {}) {
    const { root, user, home, data, address } = this
    const words = [...this.#words(isWindowed), '--unlock', address, '--password', '/password']
    const environment = isWindowed ? { HOME: home, DISPLAY } : { HOME: home }
    const readyFile = `${data}/ready.json`
    const screen = isWindowed ? startScreen(root) : null
    try {
      const call = { user, words, readyFile, environment, isService: !isWindowed, hasNamespaces }
      return await supervised(root, call, async ({ ready, until, said }) => {
        await until('a block', async () => Number(await rpc(ready.http, 'eth_blockNumber')) > 0)
        const signature = await rpc(ready.http, 'eth_sign', [address, '0x1234'])
        if (!/^0x[0-9a-f]{130}$/.test(signature)) throw new ToolError('not so: the key signs')
        if (isWindowed) await until('its window', async () => isShown(root, home))
        return said()
      })
    } finally {
      screen?.kill('SIGTERM')
    }
  }

  /** A start with a window that must fail; returns its terminal output. @throws ToolError when it exits with 0 */
  refusedWindow() {
    const environment = { HOME: this.home, DISPLAY }
    try {
      this.root.call(this.#words(true), { user: this.user, environment, hasNamespaces: false })
    } catch (error) {
      return error.message
    }
    throw new ToolError('not so: a window without a sandbox is refused')
  }

  #words(isWindowed) {
    const place = ['--practice', '--datadir', this.data, '--miner.coinbase', this.address]
    const ports = ['--api-bind', '127.0.0.1:0', '--http.port', '0', '--signer.http.port', '0']
    return [this.program, 'run', isWindowed ? '--disable-gpu' : '--headless', ...place, ...ports]
  }
}

function startScreen(root) {
  rmSync(join(root.folder, `tmp/.X11-unix/X${DISPLAY.slice(1)}`), { force: true })
  return root.start(['Xvfb', DISPLAY, '-screen', '0', '1280x900x24', '-nolisten', 'tcp', '-ac'], { user: 'root' })
}

/** Whether the screen shows one of the program's windows; the one for approvals is there, too, but hidden. */
function isShown(root, home) {
  const environment = { DISPLAY, HOME: home, LC_ALL: 'C.UTF-8' }
  const ask = (...words) => root.call(['xwininfo', ...words], { environment })
  try {
    const windows = [...ask('-root', '-tree').matchAll(/^\s*(0x[0-9a-f]+) .*\("headframe" "Headframe"\)/gm)]
    return windows.some(([, id]) => /Map State: IsViewable/.test(ask('-id', id)))
  } catch {
    return false // no display yet, or a window that is gone again
  }
}
