// The desktop package as a user meets it in a clean Debian: installed with what it needs, started without a display under a supervisor
// and with a window below Xvfb, mining and signing, upgraded, removed with keys left.
import { cpSync, existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ToolError } from '../lib/project.mjs'
import { INSTALL, olderPackage, QUIET } from './package-steps.mjs'
import { SCREEN_PACKAGES, TriedProgram } from './tried-program.mjs'

const OLD_VERSION = '0.0.1'

/**
 * @param {import('./clean-root.mjs').CleanRoot} root a system without any package of the program
 * @param {{ deb: string, step: (name: string, work: () => unknown) => Promise<unknown> }} tools
 * @throws ToolError for the first thing that isn't as it should be
 */
export async function checkDesktopPackage(root, { deb, step }) {
  cpSync(deb, join(root.folder, 'root', basename(deb)))
  const old = olderPackage(deb, join(root.folder, 'root'), OLD_VERSION)
  const tried = new TriedProgram(root, { program: 'headframe', user: 'headframe-user' })
  await step('desktop: install, with what it needs', () => {
    root.call([...INSTALL, `/root/${old}`, ...SCREEN_PACKAGES], { environment: QUIET })
    root.call(['useradd', '--create-home', tried.user])
    const binary = root.call(['ldd', '/opt/Headframe/headframe-desktop'])
    if (binary.includes('not found')) throw new ToolError(`libraries are missing:\n${binary}`)
  })
  await step('desktop: a key', () => tried.makeKey())
  await step('desktop: without a display, under a supervisor', () => tried.run())
  await step('desktop: upgrade', () => root.call([...INSTALL, `/root/${basename(deb)}`], { environment: QUIET }))
  // The package sets Chromium's helper up for such a system.
  await step('desktop: with its window, without user namespaces', () =>
    tried.run({ isWindowed: true, hasNamespaces: false }),
  )
  await step('desktop: remove', () => {
    root.call(['apt-get', 'remove', '-y', '-qq', basename(deb).split('_')[0]], { environment: QUIET })
    if (existsSync(join(root.folder, 'opt/Headframe'))) throw new ToolError('not so: the program is gone')
    tried.expectKey()
  })
}
