// npm run package: the program as users get it, below dist/. On Linux linux-unpacked, tar.gz and deb, by own means, so that no
// network is needed; `--dir` stops behind linux-unpacked. On Windows and macOS electron-builder does it (electron-builder.yml).
import { chmodSync, constants, cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { finishProgram } from './after-pack.mjs'
import { electronRuntime } from './electron-runtime.mjs'
import { packageFile, ROOT, run, runTool, ToolError } from './lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from './lib/set-up.mjs'
import { alone } from './lib/stamp.mjs'
import { writeArchive } from './package-asar.mjs'
import { appFiles, isUnpacked, manifest } from './package-contents.mjs'
import { makeDeb, sizeOf } from './package-deb.mjs'

const OUT = join(ROOT, 'dist')
/** Of Chromium's own texts (context menus, dialogs); the window's are in the program. */
const LOCALES = new Set(['en-US.pak', 'de.pak'])
const BUILDER = 'electron-builder@26.17.0'

/**
 * Puts dist/linux-unpacked together. Everything it needs has to be built already.
 * @param {{ log?: (line: string) => void }} [options]
 * @returns {Promise<{ folder: string, executable: string, electron: string | null, source: string }>}
 */
export async function packLinuxFolder({ log = () => {} } = {}) {
  if (process.platform !== 'linux') throw new ToolError('linux-unpacked is made on Linux only')
  const runtime = electronRuntime({ log })
  const folder = join(OUT, 'linux-unpacked')
  await alone('package', async () => {
    const work = join(OUT, '.linux-unpacked')
    rmSync(work, { recursive: true, force: true })
    mkdirSync(work, { recursive: true, mode: 0o755 })
    copyRuntime(runtime.dist, work)
    writeArchive(join(work, 'resources', 'app.asar'), appFiles(), isUnpacked)
    finishProgram({ folder: work, platform: 'linux', name: 'headframe' })
    rmSync(folder, { recursive: true, force: true })
    renameSync(work, folder)
  })
  return { folder, executable: join(folder, 'headframe'), electron: runtime.version, source: runtime.source }
}

function copyRuntime(dist, work) {
  const isWanted = (path) => !/\/(?:default_app\.asar|\.stamp\.json)$/.test(path) && isWantedLocale(path)
  cpSync(dist, work, { recursive: true, filter: isWanted, mode: constants.COPYFILE_FICLONE })
  renameSync(join(work, 'electron'), join(work, 'headframe'))
  chmodSync(join(work, 'chrome-sandbox'), 0o755)
}

function isWantedLocale(path) {
  return !path.endsWith('.pak') || !path.includes('/locales/') || LOCALES.has(basename(path))
}

async function packLinux({ isFolderOnly }) {
  const { folder, electron, source } = await packLinuxFolder({ log })
  say(folder, sizeOf(folder))
  if (source === 'wheel') log(`made with Electron ${electron}, which is for tests: not to be given to users`)
  if (isFolderOnly) return
  const archive = await makeTarball(folder)
  say(archive, statSync(archive).size)
  const deb = await makeDeb({ folder, out: OUT, arch: process.arch })
  say(deb, statSync(deb).size)
}

/** The same files give the same archive. */
async function makeTarball(folder) {
  const name = `headframe-${manifest('.').version}-linux-${process.arch}`
  const file = join(OUT, `${name}.tar.gz`)
  const options = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mtime=@0',
    '--use-compress-program=gzip -n',
  ]
  const rename = `--transform=s,^linux-unpacked,${name},`
  const { code, output } = await run('tar', [...options, rename, '-cf', file, '-C', OUT, basename(folder)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (code !== 0) throw new ToolError(`the archive could not be made: ${output.trim()}`)
  return file
}

/** On the platform itself: electron-builder needs that platform's Electron and signing tools. */
async function packWithBuilder() {
  const builder = packageFile('electron-builder', 'cli.js')
  if (!existsSync(builder)) throw new ToolError(`electron-builder is not installed: npm install --no-save ${BUILDER}`)
  const { code } = await run(process.execPath, [builder, '--config', 'electron-builder.yml', '--publish', 'never'])
  if (code !== 0) throw new ToolError('electron-builder failed; the reason is above')
}

function say(path, bytes) {
  log(`${path.slice(ROOT.length + 1)}: ${(bytes / 1e6).toFixed(1)} MB`)
}

function log(line) {
  console.log(line)
}

if (process.argv[1]?.endsWith('package.mjs')) {
  await runTool(async () => {
    const words = process.argv.slice(2)
    const unknown = words.find((word) => word !== '--dir')
    if (unknown !== undefined) throw new ToolError(`npm run package: ${unknown} is not accepted; accepted: --dir`)
    await ensurePackages(log)
    await ensureNative(log)
    await ensureApp(log)
    if (process.platform === 'linux') await packLinux({ isFolderOnly: words.includes('--dir') })
    else await packWithBuilder()
  })
}
