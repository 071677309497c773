// npm run package:macos: the program without Electron for macOS, for a Node that is there, below dist/. Needs
// zig (PyPI: ziglang); with `--if-possible`, says so where that is missing, and ends with 0. Never run on a Mac yet: the archive says so in its name.
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkPackageSize } from '../lib/package-size.mjs'
import { manifest } from '../lib/packages.mjs'
import { ROOT, runTool, ToolError } from '../lib/project.mjs'
import { ensureApp, ensurePackages } from '../lib/set-up.mjs'
import { writeTarball } from '../release/fixed-tree.mjs'
import { stageProgram } from '../server/staged-program.mjs'
import { ensureMacosAddon, MACOS_ARCHITECTURES, zig } from './macos-addon.mjs'

await runTool(async () => {
  const log = (line) => console.log(line)
  const words = process.argv.slice(2)
  const unknown = words.find((word) => word !== '--if-possible')
  if (unknown !== undefined)
    throw new ToolError(`npm run package:macos: ${unknown} is not accepted; accepted: --if-possible`)
  if (words.length > 0 && zig() === null) return log('no packages for macOS: zig is not installed (PyPI: ziglang)')
  await ensurePackages(log)
  await ensureApp(log)
  for (const arch of MACOS_ARCHITECTURES) await pack(arch, log)
})

/** The same files give the same archive. @param {string} arch Node's name @throws ToolError when it is too large */
async function pack(arch, log) {
  await ensureMacosAddon(arch, log)
  const name = `headframe-${manifest('.').version}-macos-${arch}-untried`
  const folder = join(ROOT, 'dist/.macos', name)
  stageProgram({ folder, arch, platform: 'darwin', node: null })
  const file = join(ROOT, 'dist', `${name}.tar.gz`)
  await writeTarball(file, ['-C', dirname(folder), basename(folder)])
  rmSync(dirname(folder), { recursive: true })
  checkPackageSize(file, 'macos', log)
}
