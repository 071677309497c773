// electron-builder's hook: prepares an unpacked program before it is signed or archived: fuses, launcher, licenses.
import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LAUNCHER, LINUX_BINARY } from './lib/linux-launcher.mjs'
import { ROOT } from './lib/project.mjs'
import { thirdPartyLicences } from './package-licences.mjs'
import { fixTree } from './release/fixed-tree.mjs'

/**
 * Named so that electron-builder finds it.
 * @param {import('electron-builder').AfterPackContext} context
 */
export async function afterPack(context) {
  const { appOutDir, electronPlatformName, packager } = context
  // While the binary still has the name that electron-builder gave it.
  await packager.addElectronFuses(context, await packager.generateFuseConfig(shippedFuses(electronPlatformName)))
  const isMac = electronPlatformName === 'darwin'
  const resources = isMac
    ? join(appOutDir, `${packager.appInfo.productFilename}.app`, 'Contents', 'Resources')
    : join(appOutDir, 'resources')
  rmSync(join(resources, 'default_app.asar'), { force: true })
  rmSync(join(appOutDir, '.stamp.json'), { force: true }) // of the runtime's cache
  if (electronPlatformName === 'linux') writeLauncher(appOutDir, packager.executableName)
  const texts = isMac ? resources : appOutDir
  copyFileSync(join(ROOT, 'LICENSE'), join(texts, 'LICENSE.txt'))
  writeFileSync(join(texts, 'LICENSES.third-party.txt'), thirdPartyLicences().text)
  fixTree(appOutDir)
}

/**
 * The switches inside the binary, by electron-builder's names. `runAsNode` stays on where a computer may have no display at
 * all: the windowless commands run on it (docs/guide/window.md says what that means).
 */
export function shippedFuses(platform) {
  return {
    runAsNode: platform === 'linux',
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    onlyLoadAppFromAsar: true,
    // Only on these two does Electron compare the archive with the hash inside the binary; on Linux it ignores the
    // switch.
    enableEmbeddedAsarIntegrityValidation: platform !== 'linux',
    loadBrowserProcessSpecificV8Snapshot: false,
    resetAdHocDarwinSignature: platform === 'darwin',
  }
}

function writeLauncher(folder, name) {
  renameSync(join(folder, name), join(folder, LINUX_BINARY))
  writeFileSync(join(folder, name), LAUNCHER, { mode: 0o755 })
}
