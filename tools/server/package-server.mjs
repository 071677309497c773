// npm run package:server: the program without Electron, as tar.gz and as Debian package, below dist/.
import { rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { checkPackageSize } from '../lib/package-size.mjs'
import { manifest } from '../lib/packages.mjs'
import { ROOT, runTool, ToolError } from '../lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from '../lib/set-up.mjs'
import { writeTarball } from '../release/fixed-tree.mjs'
import { maintainer } from './debian-texts.mjs'
import { makeServerDeb } from './server-deb.mjs'
import { stageProgram } from './staged-program.mjs'

/**
 * Makes both. Everything must be built already.
 * @param {{ out?: string, log?: (line: string) => void, arch?: string }} [options] `arch`: Node's name
 * @returns {Promise<{ tarball: string, deb: string }>} absolute paths
 * @throws ToolError when a part is missing or a package is too large
 */
export async function packServer({ out = join(ROOT, 'dist'), log = () => {}, arch = process.arch } = {}) {
  if (process.platform !== 'linux') throw new ToolError('server packages are made on Linux only')
  const { version } = manifest('.')
  const program = join(out, '.server', `headframe-server-${version}`)
  stageProgram({ folder: program, arch })
  const tarball = join(out, `headframe-server-${version}-linux-${arch}.tar.gz`)
  await writeTarball(tarball, ['-C', dirname(program), basename(program)])
  const deb = await makeServerDeb({ program, out, arch })
  rmSync(dirname(program), { recursive: true })
  for (const file of [tarball, deb]) checkPackageSize(file, 'server', log)
  if (!maintainer().isNamed)
    log(`made for ${maintainer().text}: set DEBFULLNAME and DEBEMAIL for a package to hand out`)
  return { tarball, deb }
}

if (process.argv[1]?.endsWith('package-server.mjs')) {
  const log = (line) => console.log(line)
  await runTool(async () => {
    const [word] = process.argv.slice(2)
    if (word !== undefined) throw new ToolError(`npm run package:server: ${word} is not accepted; it takes no words`)
    await ensurePackages(log)
    await ensureNative(log)
    await ensureApp(log)
    await packServer({ log })
  })
}
