// npm run build:macos: the native addon for macOS, made here by zig (PyPI: ziglang). Never run on a Mac yet.
import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT, runTool } from '../lib/project.mjs'
import { ensurePackages } from '../lib/set-up.mjs'
import { ensureMacosAddon, MACOS_ARCHITECTURES, macosAddon } from './macos-addon.mjs'

await runTool(async () => {
  await ensurePackages(console.log)
  for (const arch of MACOS_ARCHITECTURES) {
    await ensureMacosAddon(arch, console.log)
    const file = macosAddon(arch)
    console.log(`${relative(ROOT, file)}: ${(statSync(file).size / 1e6).toFixed(1)} MB`)
  }
})
