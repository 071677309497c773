// npm run build:windows: the native addon for Windows, made here. Needs mingw-w64 (Debian: g++-mingw-w64-x86-64-posix).
import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT, runTool } from '../lib/project.mjs'
import { ensurePackages } from '../lib/set-up.mjs'
import { ensureWindowsAddon, WINDOWS_ADDON } from './windows-addon.mjs'

await runTool(async () => {
  await ensurePackages(console.log)
  await ensureWindowsAddon(console.log)
  console.log(`${relative(ROOT, WINDOWS_ADDON)}: ${(statSync(WINDOWS_ADDON).size / 1e6).toFixed(1)} MB`)
})
