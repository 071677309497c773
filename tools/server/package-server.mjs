// npm run package:server: the program without Electron, with its own Node, as tar.gz, Debian package and RPM package, below dist/.
//   npm run package:server [-- --arch ARCH] [--if-possible]
//   --arch ARCH    for x64 or arm64; this computer's processor by default, another one by a cross compiler
//   --if-possible  says why it makes none where that compiler is missing, and ends with 0
import { rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ensureLinuxAddon, LINUX_ARCHITECTURES, whyNoLinuxAddon } from '../cross/linux-addon.mjs'
import { ensureNode } from '../lib/node-program.mjs'
import { checkPackageSize } from '../lib/package-size.mjs'
import { manifest } from '../lib/packages.mjs'
import { ROOT, runTool, ToolError } from '../lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from '../lib/set-up.mjs'
import { writeTarball } from '../release/fixed-tree.mjs'
import { maintainer } from './debian-texts.mjs'
import { whyNoRpm } from './rpm-package.mjs'
import { stageProgram } from './staged-program.mjs'
import { makeSystemPackages } from './system-packages.mjs'

/**
 * Makes all. Everything must be built already.
 * @param {{ out?: string, log?: (line: string) => void, arch?: string, isQuick?: boolean }} [options] `arch`: Node's name; `isQuick`: larger
 *   ones, for tests
 * @returns {Promise<{ tarball: string, deb: string, rpm: string | null }>} absolute paths; no RPM package where rpmbuild is missing
 * @throws ToolError when a part is missing or a package is too large
 */
export async function packServer({
  out = join(ROOT, 'dist'),
  log = () => {},
  arch = process.arch,
  isQuick = false,
} = {}) {
  if (process.platform !== 'linux') throw new ToolError('server packages can only be built on Linux')
  const { version } = manifest('.')
  const program = join(out, '.server', `headframe-server-${version}`)
  stageProgram({ folder: program, arch, node: await ensureNode(`linux-${arch}`, log) })
  const tarball = join(out, `headframe-server-${version}-linux-${arch}.tar.gz`)
  await writeTarball(tarball, ['-C', dirname(program), basename(program)])
  const { deb, rpm } = await makeSystemPackages({ program, out, arch, isQuick })
  rmSync(dirname(program), { recursive: true })
  checkPackageSize(tarball, 'server-archive', log)
  if (rpm === null) log(`skipped: the RPM package: ${whyNoRpm()}`)
  for (const file of isQuick ? [] : [deb, rpm]) if (file !== null) checkPackageSize(file, 'server', log)
  if (!maintainer().isNamed) log(`made for ${maintainer().text}: set DEBFULLNAME and DEBEMAIL before you distribute it`)
  return { tarball, deb, rpm }
}

/** @throws ToolError for words that are not accepted */
function wordsOf(argv) {
  const words = { arch: process.arch, isOptional: false }
  for (let i = 0; i < argv.length; i++) {
    if (argv[i] === '--if-possible') words.isOptional = true
    else if (argv[i] === '--arch' && LINUX_ARCHITECTURES.includes(argv[i + 1])) words.arch = argv[++i]
    else
      throw new ToolError(
        `npm run package:server: ${argv.slice(i, i + 2).join(' ')} is not accepted; accepted: --arch ${LINUX_ARCHITECTURES.join('|')}, --if-possible`,
      )
  }
  return words
}

if (process.argv[1]?.endsWith('package-server.mjs')) {
  const log = (line) => console.log(line)
  await runTool(async () => {
    const { arch, isOptional } = wordsOf(process.argv.slice(2))
    const isHere = arch === process.arch
    const why = isHere ? null : whyNoLinuxAddon(arch)
    if (why !== null && isOptional) return log(`skipped: the server package for ${arch}: ${why}`)
    await ensurePackages(log)
    await (isHere ? ensureNative(log) : ensureLinuxAddon(arch, log))
    await ensureApp(log)
    await packServer({ log, arch })
  })
}
