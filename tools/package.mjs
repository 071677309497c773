// npm run package: the program as users get it, below dist/, by electron-builder (electron-builder.yml). On Linux it makes
// linux-unpacked from the Electron that is here already, and tar.gz, deb, rpm and AppImage are made from that by the system's own tools,
// so that no network is needed; `--dir` stops behind linux-unpacked. On Windows and macOS electron-builder does all of it.
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { electronRuntime } from './electron-runtime.mjs'
import { hasProgram } from './lib/debian.mjs'
import { wheelImageRuntime } from './lib/old-electron-wheel.mjs'
import { checkPackageSize } from './lib/package-size.mjs'
import { manifest } from './lib/packages.mjs'
import { CACHE, packageFile, ROOT, run, runTool, ToolError } from './lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from './lib/set-up.mjs'
import { alone } from './lib/stamp.mjs'
import { DESKTOP_ENTRY, makeDesktopPackages, sizeOf } from './package-desktop.mjs'
import { fixTree, must, writeTarball } from './release/fixed-tree.mjs'
import { whyNoRpm } from './server/rpm-package.mjs'

const OUT = join(ROOT, 'dist')
/** Nothing listens there: an unexpected download fails immediately and visibly. */
const NOWHERE = 'http://127.0.0.1:9/'
const OFFLINE = {
  ELECTRON_MIRROR: NOWHERE,
  ELECTRON_BUILDER_BINARIES_MIRROR: NOWHERE,
  ELECTRON_BUILDER_OFFLINE: 'true',
}

/**
 * Puts dist/linux-unpacked together. Everything it needs has to be built already.
 * @param {{ log?: (line: string) => void }} [options]
 * @returns {Promise<{ folder: string, executable: string, electron: string | null }>}
 */
export async function packLinuxFolder({ log = () => {} } = {}) {
  if (process.platform !== 'linux') throw new ToolError('linux-unpacked can only be built on Linux')
  checkBuilt()
  const runtime = electronRuntime({ log })
  const folder = join(OUT, 'linux-unpacked')
  const words = ['--linux', 'dir', `--${process.arch}`]
  const electron = [`-c.electronVersion=${runtime.version}`, `-c.electronDist=${runtime.dist}`]
  await alone('package', () => runBuilder([...words, ...electron], { environment: OFFLINE }))
  return { folder, executable: join(folder, 'headframe'), electron: runtime.version }
}

/** electron-builder would silently pack whatever is there. */
function checkBuilt() {
  if (!existsSync(join(ROOT, 'out/main/index.cjs'))) throw new ToolError('not built yet: npm run build')
  const places = [`native/prebuilds/${process.platform}-${process.arch}`, 'native/build/Release']
  if (places.some((place) => existsSync(join(ROOT, place, 'headframe.node')))) return
  throw new ToolError('the addon is not built yet: npm run build:native')
}

/**
 * electron-builder with the project's configuration, which it checks by its own schema first, for all platforms.
 * @param {{ environment?: Record<string, string>, isShown?: boolean }} [options] `isShown`: it speaks on the terminal itself
 * @throws ToolError with all that it said, where that was not shown
 */
export async function runBuilder(words, { environment = {}, isShown = false } = {}) {
  const cli = packageFile('electron-builder', 'cli.js')
  const config = ['--config', 'electron-builder.yml', '--publish', 'never']
  const { code, output } = await run(process.execPath, [cli, ...config, ...words], {
    stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_UPDATE_NOTIFIER: '1', ...environment },
  })
  if (code !== 0) throw new ToolError(`electron-builder ended with ${code}:\n${output}`.trim())
}

/**
 * All packages of Linux that hold a window. Those made with the test Electron have `-test` in their names.
 * @param {{ isFolderOnly?: boolean, out?: string, isQuick?: boolean, log: (line: string) => void }} options `out`: where they come to
 *   lie; `isQuick`: larger ones, for tests
 * @returns {Promise<{ files: { archive: string, deb: string, rpm?: string, appImage?: string } | null, electron: string | null,
 *   isTest: boolean }>} `files`: absolute, those that can be made here; null with `isFolderOnly`
 */
export async function packLinux({ isFolderOnly = false, out = OUT, isQuick = false, log: say }) {
  const { folder, electron } = await packLinuxFolder({ log: say })
  const isTest = electron !== manifest('.').devDependencies.electron // users get the pinned one, and no other
  say(`${basename(folder)}: ${(sizeOf(folder) / 1e6).toFixed(1)} MB`)
  if (isTest) say(`made with Electron ${electron}, which is for testing only: do not distribute it`)
  if (isFolderOnly) return { files: null, electron, isTest }
  const { version } = manifest('.')
  const mark = isTest ? '-test' : ''
  const name = `headframe-${version}-linux-${process.arch}${mark}`
  const { deb, rpm } = await makeDesktopPackages({ folder, out, arch: process.arch, isTest, isQuick })
  const files = { archive: await makeArchive(folder, out, name), deb }
  if (rpm === null) say(`skipped: the RPM package: ${whyNoRpm()}`)
  else files.rpm = rpm
  const why = whyNoAppImage()
  if (why === null) files.appImage = await makeAppImage(folder, join(out, `${name}.AppImage`), say)
  else say(`skipped: the AppImage: ${why}`)
  for (const file of isQuick ? [] : Object.values(files)) checkPackageSize(file, 'desktop', say)
  return { files, electron, isTest }
}

/** The same files give the same archive. @param {string} name its own and its folder's @returns {Promise<string>} its path */
async function makeArchive(folder, out, name) {
  const file = join(out, `${name}.tar.gz`)
  mkdirSync(out, { recursive: true })
  const kindFile = join(folder, 'package-kind')
  writeFileSync(kindFile, 'desktop-archive\n')
  await writeTarball(file, [`--transform=s,^linux-unpacked,${name},`, '-C', OUT, basename(folder)])
  rmSync(kindFile)
  return file
}

/** @returns {string | null} what is missing to make one */
export function whyNoAppImage() {
  if (process.arch !== 'x64') return 'it is made on x64 only'
  return hasProgram('mksquashfs') ? null : 'mksquashfs is not installed (Debian: apt install squashfs-tools)'
}

/** The program that an image begins with. */
function imageRuntime(say) {
  const given = process.env.HEADFRAME_APPIMAGE_RUNTIME
  return given === undefined || given === '' ? wheelImageRuntime(CACHE, say) : readFileSync(given)
}

/** The same files give the same image. @returns {Promise<string>} its path */
async function makeAppImage(folder, file, say) {
  const image = join(OUT, '.appimage')
  rmSync(image, { recursive: true, force: true })
  cpSync(folder, image, { recursive: true })
  writeFileSync(join(image, 'package-kind'), 'desktop-appimage\n')
  writeFileSync(join(image, 'headframe.desktop'), DESKTOP_ENTRY.replace(/^Exec=.*$/m, 'Exec=headframe -- %u'))
  cpSync(join(ROOT, 'resources/icons/256x256.png'), join(image, 'headframe.png'))
  symlinkSync('headframe.png', join(image, '.DirIcon'))
  symlinkSync('headframe', join(image, 'AppRun'))
  fixTree(image)
  const squashed = `${file}.squashfs`
  rmSync(squashed, { force: true })
  await must('mksquashfs', [
    image,
    squashed,
    '-root-owned',
    '-noappend',
    '-no-xattrs',
    '-comp',
    'gzip',
    '-quiet',
    '-no-progress',
  ])
  writeFileSync(file, imageRuntime(say), { mode: 0o755 })
  appendFileSync(file, readFileSync(squashed))
  chmodSync(file, 0o755)
  rmSync(squashed)
  rmSync(image, { recursive: true })
  return file
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
    if (process.platform === 'linux') await packLinux({ isFolderOnly: words.includes('--dir'), log })
    else await runBuilder(words, { isShown: true })
  })
}
