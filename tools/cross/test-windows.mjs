// npm run test:windows: the headless program on the official Node for Windows, below Debian's wine: addon, mining, HTTP, the named pipe,
// keys, locks, paths, Ctrl-Break, the installer and the zip. Prints what passed, failed and was skipped. Minutes.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { hasProgram } from '../lib/debian.mjs'
import { ensureNode } from '../lib/node-program.mjs'
import { manifest } from '../lib/packages.mjs'
import { ROOT, run as runProgram, runTool, ToolError } from '../lib/project.mjs'
import { ensureApp, ensurePackages, packagesFirst } from '../lib/set-up.mjs'
import { makeSignedStick } from '../release/signed-stick.mjs'
import { hasKey } from '../server/package-steps.mjs'
import { packWindows, whyNoWindowsPackages } from './package-windows.mjs'
import { ensureWindowsAddon, makeWindowsProgram, mingw } from './windows-addon.mjs'
import { WindowsRun } from './windows-run.mjs'
import { Wine, whyNoWine, windowsPath } from './wine.mjs'

await packagesFirst()
const { verifyMessage } = await import('ethers')

/** Of the data directory: blanks, and letters of several alphabets. */
const DATA = 'Grüße aus 東京'
const OLD_VERSION = '0.0.1'
const log = (line) => console.log(line)
const counts = { passed: 0, failed: 0, skipped: 0 }

/** Runs one check; what stands on it is skipped when it fails. */
async function check(name, work) {
  if (counts.failed > 0) {
    counts.skipped++
    return log(`skipped: ${name}`)
  }
  try {
    await work()
    counts.passed++
    log(`passed: ${name}`)
  } catch (error) {
    counts.failed++
    log(`FAILED: ${name}\n${error instanceof ToolError ? error.message : error.stack}`)
  }
}

function expect(isSo, what) {
  if (!isSo) throw new ToolError(`not so: ${what}`)
}

/** The program in use. @param {WindowsRun} run a data directory that is not there yet; it runs afterwards */
async function checkUse(run) {
  await check('the addon loads and finds the processor', async () => {
    const { code, output } = await run.call('devices', '--json')
    expect(code === 0 && output.includes('"cpu"'), `devices: ${output}`)
    expect(!/cannot|not built/.test(output), `the addon loads: ${output}`)
  })
  await check('a key is made in a folder whose name has blanks and letters of several alphabets', () => run.makeKey())
  await check('the program starts, and says that its key process is not confined', async () => {
    await run.start()
    expect(run.said().includes('could open files and connections'), `the log says so:\n${run.said()}`)
    expect(!run.said().includes('other users may read'), 'the folder shuts others out')
  })
  await check('it mines, asked over HTTP', () => run.until('two blocks', async () => (await run.height()) >= 2))
  await check('it answers on its named pipe', async () => {
    const { code, output } = await run.call('attach', '--exec', 'eth.blockNumber', run.pipe())
    expect(code === 0 && Number(output.trim()) >= 2, `attach: ${output}`)
  })
  await check('only this user, the system and its administrators may open its pipes', async () => {
    const shown = join(run.wine.folder, 'pipe-rules.exe')
    await makeWindowsProgram(join(import.meta.dirname, 'pipe-rules.cpp'), shown)
    for (const pipe of run.pipes()) {
      const { code, output } = await run.wine.call([windowsPath(shown), pipe])
      const entries = [...output.matchAll(/\((\w*;\w*;[^)]*)\)/g)].map(([, entry]) => entry.split(';'))
      const names = entries.map((entry) => entry.at(-1)).sort()
      const isOwners = names.length === 3 && names[0] === 'BA' && /^S-1-5-21-/.test(names[1]) && names[2] === 'SY'
      expect(code === 0 && isOwners && entries.every(([kind]) => kind === 'A'), `${pipe}: ${output}`)
    }
  })
  await check('headframe link gets the dashboard link from it', async () => {
    const { code, output } = await run.call('link', '--datadir', windowsPath(run.data))
    expect(code === 0 && output.startsWith(`${run.ready.dashboard}#token=`), `link: ${output}`)
  })
  await check('its key signs, and the signature is of the account', async () => {
    const signature = await run.rpc('eth_sign', [run.address, '0x1234'])
    expect(verifyMessage(Uint8Array.of(0x12, 0x34), signature) === run.address, signature)
  })
  await check('a second start on the data directory names the first one', async () => {
    const { code, output } = await run.call('run', '--headless', '--practice', '--datadir', windowsPath(run.data))
    expect(code === 1 && output.includes(`in use by process ${run.ready.pid}`), output)
  })
}

/** Its ends, and what the next start finds. @param {WindowsRun} run as `checkUse` leaves it; stopped afterwards */
async function checkEnds(run) {
  let height = 0
  let before = ''
  const keys = () => run.keys().join()

  await check('Ctrl-Break stops it in order', async () => {
    height = await run.height()
    before = keys()
    const code = await run.stop()
    expect(code === 0, `it ended with ${code}:\n${run.said()}`)
    for (const name of ['headframe.lock', 'dashboard-link'])
      expect(!existsSync(join(run.data, name)), `${name} is gone:\n${run.said()}`)
  })
  await check('the next start has chain and keys', async () => {
    await run.start()
    expect((await run.height()) >= height && keys() === before, 'they stay')
  })
  await check('a start after a power cut takes the lock over, and the chain goes on', async () => {
    height = await run.height()
    await run.kill()
    expect(existsSync(join(run.data, 'headframe.lock')), 'the lock was left')
    await run.start()
    await run.until('a block more', async () => (await run.height()) > height)
    expect((await run.stop()) === 0 && keys() === before, 'it stops in order')
  })
}

/**
 * The installer, without a window: installs, refuses while the program runs, upgrades, and is removed with keys and data left.
 * @param {string} installer its path
 */
async function checkInstalled(wine, installer) {
  const home = join(wine.drive, 'users', userInfo().username, 'AppData')
  const folder = join(home, 'Local/Programs/Headframe')
  const kept = join(home, 'Roaming/headframe/kept')
  const setUp = () => wine.call([windowsPath(installer), '/S'], { isRaw: true })
  const entry = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Headframe'
  const isListed = async () => (await wine.call(['reg', 'query', entry])).code === 0
  const stray = join(folder, 'out/main/of-an-older-version.cjs')

  await check('the installer installs', async () => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(dirname(kept), { recursive: true })
    writeFileSync(kept, 'kept')
    const { code } = await setUp()
    expect(code === 0 && existsSync(join(folder, 'node.exe')), `it ended with ${code}`)
    expect(await isListed(), 'Windows lists the program')
    const { output } = await wine.call([windowsPath(join(folder, 'headframe.cmd')), 'version'])
    expect(output.trim() === `headframe ${manifest('.').version}`, `headframe.cmd says ${output}`)
  })
  const run = new WindowsRun(wine, {
    node: windowsPath(join(folder, 'node.exe')),
    door: windowsPath(join(folder, 'bin/headframe.mjs')),
    name: DATA,
  })
  await checkUse(run)
  await checkEnds(run)
  await check('installing over it takes what an older version left, and keeps the keys', async () => {
    const before = run.keys().join()
    writeFileSync(stray, '')
    const { code } = await setUp()
    expect(code === 0 && !existsSync(stray), `it ended with ${code}`)
    await run.start()
    expect(run.keys().join() === before && (await run.height()) > 0, 'chain and keys are there')
  })
  await check('the installer changes nothing while the program runs', async () => {
    writeFileSync(stray, '')
    const { code } = await setUp()
    expect(code === 3 && existsSync(stray), `it ended with ${code}`)
    expect((await run.stop()) === 0, 'the program stops in order')
  })
  await check('the uninstaller leaves keys and data', async () => {
    const { code } = await wine.call([windowsPath(join(folder, 'uninstall.exe')), '/S', `_?=${windowsPath(folder)}`], {
      isRaw: true,
    })
    expect(code === 0 && !existsSync(join(folder, 'node.exe')) && !(await isListed()), `it ended with ${code}`)
    expect(readdirSync(folder).join() === 'uninstall.exe', `left behind: ${readdirSync(folder)}`)
    expect(run.keys().length > 0 && existsSync(kept), 'they stay')
  })
}

/**
 * The zip: unpacked, in use, replaced by the next version from a stick, deleted with keys left.
 * @param {string} zip its path
 */
async function checkUnpacked(wine, zip) {
  if (!hasProgram('unzip')) return log('skipped: the zip: unzip is not installed')
  const name = basename(zip, '.zip')
  const [old, next] = ['Programs of mine', 'Programs of mine, newer'].map((folder) => join(wine.folder, folder))
  const runIn = (folder) =>
    new WindowsRun(wine, {
      node: windowsPath(join(folder, name, 'node.exe')),
      door: windowsPath(join(folder, name, 'bin/headframe.mjs')),
      name: 'data of the zip',
    })
  const run = runIn(old)
  await check('the zip is unpacked into a folder whose name has blanks, and runs from there', async () => {
    await unzip(zip, old)
    setVersion(join(old, name), OLD_VERSION)
    const { output } = await wine.call([windowsPath(join(old, name, 'headframe.cmd')), 'version'])
    expect(output.trim() === `headframe ${OLD_VERSION}`, `headframe.cmd says ${output}`)
    await run.makeKey()
    await mineAndSign(run)
  })
  await check('the next version is taken from a stick, and has the same chain and keys', async () => {
    const stick = join(wine.folder, 'stick')
    const { name: file, key } = makeSignedStick(stick, zip)
    const from = ['--from', join(stick, file), '--update.key', join(stick, key), '--datadir', run.data]
    const { code, output } = await run.call(
      'update',
      ...from.map((word) => (/^-/.test(word) ? word : windowsPath(word))),
    )
    const kept = join(run.data, 'update', file)
    expect(code === 0 && output.includes(`is verified and saved as ${windowsPath(kept)}`), `update: ${output}`)
    await unzip(kept, next)
    const newer = runIn(next)
    newer.address = run.address
    await mineAndSign(newer)
  })
  await check('deleting its folders leaves the keys', () => {
    for (const folder of [old, next]) rmSync(folder, { recursive: true })
    expect(hasKey(run.data, run.address), 'they stay')
  })
}

async function mineAndSign(run) {
  await run.start()
  const height = await run.height()
  await run.until('a block more', async () => (await run.height()) > height)
  const signature = await run.rpc('eth_sign', [run.address, '0x1234'])
  expect(verifyMessage(Uint8Array.of(0x12, 0x34), signature) === run.address, signature)
  const code = await run.stop()
  expect(code === 0, `it ended with ${code}:\n${run.said()}`)
}

async function unzip(zip, folder) {
  const { code, output } = await runProgram('unzip', ['-q', zip, '-d', folder], { stdio: ['ignore', 'pipe', 'pipe'] })
  expect(code === 0, `unzip ended with ${code}: ${output}`)
}

function setVersion(folder, version) {
  const file = join(folder, 'package.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), version }))
}

await runTool(async () => {
  const why = whyNoWine() ?? (mingw() === null ? 'mingw-w64 is not installed' : null)
  if (why !== null) return log(`skipped: ${why}`)
  await ensurePackages(log)
  await ensureApp(log)
  await ensureWindowsAddon(log)
  const wine = new Wine()
  try {
    await wine.make()
    const whyNoPackages = whyNoWindowsPackages()
    if (whyNoPackages === null) {
      const { installer, zip } = await packWindows({ out: wine.folder, log, isQuick: true })
      await checkInstalled(wine, installer)
      await checkUnpacked(wine, zip)
    } else {
      log(`skipped: the installer: ${whyNoPackages}`)
      const node = windowsPath((await ensureNode('win-x64', log)).program)
      const door = windowsPath(join(ROOT, 'bin', 'headframe.mjs'))
      const run = new WindowsRun(wine, { node, door, name: DATA })
      await checkUse(run)
      await checkEnds(run)
    }
  } finally {
    await wine.remove()
  }
  log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  return counts.failed === 0 ? 0 : 1
})
