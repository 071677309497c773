// What is done to an unpacked program before it is signed or put into an archive: fuses, launcher, licences.
// tools/package.mjs calls it for Linux; electron-builder (electron-builder.yml) for Windows and macOS.
import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './lib/project.mjs'
import { shippedFuses, writeFuses } from './package-fuses.mjs'
import { thirdPartyLicences } from './package-licences.mjs'

/** On Linux the name `headframe` is the launcher's. */
export const LINUX_BINARY = 'headframe-desktop'

/** The window where there is a display and it is asked for; everything else on the program's own Node, which needs none. */
const LAUNCHER = `#!/bin/sh
# Opens the window where there is a display; every other command runs without one.
here=$(dirname "$(readlink -f "$0")")
window=yes
[ -n "$DISPLAY$WAYLAND_DISPLAY" ] || window=no
case "\${1:-run}" in
  run | headframe:* | -*) ;;
  *) window=no ;;
esac
for word in "$@"; do
  case "$word" in
    --) break ;;
    --headless | --headless=true | --help | -h | --version | -v) window=no ;;
  esac
done
[ "$window" = no ] || exec "$here/${LINUX_BINARY}" "$@"
ELECTRON_RUN_AS_NODE=1 exec "$here/${LINUX_BINARY}" "$here/resources/app.asar/out/main/cli.cjs" "$@"
`

/** @param {{ readonly folder: string, readonly platform: string, readonly name: string }} program `name`: of the executable, without ending */
export function finishProgram({ folder, platform, name }) {
  const resources = join(folder, platform === 'darwin' ? `${name}.app/Contents/Resources` : 'resources')
  rmSync(join(resources, 'default_app.asar'), { force: true })
  writeFuses(fusedFile({ folder, platform, name }), shippedFuses(platform))
  if (platform === 'linux') writeLauncher(folder, name)
  const texts = platform === 'darwin' ? resources : folder
  copyFileSync(join(ROOT, 'LICENSE'), join(texts, 'LICENSE.txt'))
  writeFileSync(join(texts, 'LICENSES.third-party.txt'), thirdPartyLicences().text)
}

/** electron-builder's hook. @param {{ appOutDir: string, electronPlatformName: string, packager: { appInfo: { productFilename: string }, executableName?: string } }} context */
export async function afterPack({ appOutDir, electronPlatformName, packager }) {
  const name = electronPlatformName === 'linux' ? packager.executableName : packager.appInfo.productFilename
  finishProgram({ folder: appOutDir, platform: electronPlatformName, name })
}

function fusedFile({ folder, platform, name }) {
  if (platform === 'win32') return join(folder, `${name}.exe`)
  if (platform !== 'darwin') return join(folder, name)
  const frameworks = join(folder, `${name}.app`, 'Contents', 'Frameworks')
  return join(frameworks, 'Electron Framework.framework', 'Electron Framework')
}

function writeLauncher(folder, name) {
  const binary = join(folder, LINUX_BINARY)
  if (!existsSync(binary)) renameSync(join(folder, name), binary)
  writeFileSync(join(folder, name), LAUNCHER, { mode: 0o755 })
}
