// The desktop package as a user meets it in a clean Debian: installed with what it needs, started without a display under a supervisor
// and with a window below Xvfb, mining and signing, upgraded, removed with keys left.
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ToolError } from '../lib/project.mjs'
import { packDeb } from '../package.mjs'
import { hasKey, INSTALL, olderPackage, QUIET } from './package-steps.mjs'
import { rpc, supervised } from './supervised-run.mjs'

const USER = 'headframe-user'
const HOME = `/home/${USER}`
const DATA = `${HOME}/data`
const DISPLAY = ':87'
const OLD_VERSION = '0.0.1'
/** A display for the window, and a look at it. */
const SCREEN_PACKAGES = ['xvfb', 'x11-utils']

/**
 * @param {import('./clean-root.mjs').CleanRoot} root a system without any package of the program
 * @param {{ out: string, log: (line: string) => void, step: (name: string, work: () => unknown) => Promise<unknown> }} tools
 * @throws ToolError for the first thing that isn't as it should be
 */
export async function checkDesktopPackage(root, { out, log, step }) {
  const deb = await packDeb({ out, log })
  cpSync(deb, join(root.folder, 'root', basename(deb)))
  const old = olderPackage(deb, join(root.folder, 'root'), OLD_VERSION)
  await step('desktop: install, with what it needs', () => {
    root.call([...INSTALL, `/root/${old}`, ...SCREEN_PACKAGES], { environment: QUIET })
    root.call(['useradd', '--create-home', USER])
    const binary = root.call(['ldd', '/opt/Headframe/headframe-desktop'])
    if (binary.includes('not found')) throw new ToolError(`libraries are missing:\n${binary}`)
  })
  const address = await step('desktop: a key', () => makeKey(root))
  await step('desktop: without a display, under a supervisor', () => run(root, address, { isWindowed: false }))
  await step('desktop: upgrade', () => root.call([...INSTALL, `/root/${basename(deb)}`], { environment: QUIET }))
  await step('desktop: with its window', () => run(root, address, { isWindowed: true }))
  await step('desktop: remove', () => {
    root.call(['apt-get', 'remove', '-y', '-qq', packageName(deb)], { environment: QUIET })
    if (existsSync(join(root.folder, 'opt/Headframe'))) throw new ToolError('not so: the program is gone')
    if (!hasKey(join(root.folder, DATA), address)) throw new ToolError('not so: keys stay')
  })
}

function packageName(deb) {
  return basename(deb).split('_')[0]
}

function makeKey(root) {
  writeFileSync(join(root.folder, 'password'), 'correct horse\n', { mode: 0o644 })
  const words = ['headframe', 'account', 'new', '--datadir', DATA, '--password', '/password']
  const [address] = /0x[0-9a-fA-F]{40}/.exec(root.call(words, { user: USER, environment: { HOME } })) ?? []
  if (address === undefined) throw new ToolError('not so: a key is made')
  return address
}

/** Until it has mined a block and signed; then stopped in order. */
async function run(root, address, { isWindowed }) {
  const place = ['--practice', '--datadir', DATA, '--miner.coinbase', address]
  const ports = ['--api-bind', '127.0.0.1:0', '--http.port', '0', '--signer.http.port', '0']
  const unlocked = ['--unlock', address, '--password', '/password']
  const words = [
    'headframe',
    'run',
    ...(isWindowed ? ['--disable-gpu'] : ['--headless']),
    ...place,
    ...ports,
    ...unlocked,
  ]
  const environment = isWindowed ? { HOME, DISPLAY } : { HOME }
  const screen = isWindowed ? startScreen(root) : null
  try {
    const call = { user: USER, words, readyFile: `${DATA}/ready.json`, environment, isService: !isWindowed }
    await supervised(root, call, async ({ ready, until }) => {
      await until('a block', async () => Number(await rpc(ready.http, 'eth_blockNumber')) > 0)
      const signature = await rpc(ready.http, 'eth_sign', [address, '0x1234'])
      if (!/^0x[0-9a-f]{130}$/.test(signature)) throw new ToolError('not so: the key signs')
      if (isWindowed) await until('its window', async () => isShown(root))
    })
  } finally {
    screen?.kill('SIGTERM')
  }
}

function startScreen(root) {
  rmSync(join(root.folder, `tmp/.X11-unix/X${DISPLAY.slice(1)}`), { force: true })
  return root.start(['Xvfb', DISPLAY, '-screen', '0', '1280x900x24', '-nolisten', 'tcp', '-ac'], { user: 'root' })
}

/** Whether the screen shows one of the program's windows; the one for approvals is there, too, but hidden. */
function isShown(root) {
  const ask = (...words) => root.call(['xwininfo', ...words], { environment: { DISPLAY, HOME, LC_ALL: 'C.UTF-8' } })
  try {
    const windows = [...ask('-root', '-tree').matchAll(/^\s*(0x[0-9a-f]+) .*\("headframe" "Headframe"\)/gm)]
    return windows.some(([, id]) => /Map State: IsViewable/.test(ask('-id', id)))
  } catch {
    return false // no display yet, or a window that is gone again
  }
}
