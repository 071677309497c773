// The desktop packages and the AppImage as a user meets them in a clean Debian: installed with what it needs, started without a display under a supervisor
// and with a window below Xvfb, mining and signing, upgraded, removed with keys left.
import { cpSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ToolError } from '../lib/project.mjs'
import { INSTALL, olderPackage, QUIET } from './package-steps.mjs'
import { SCREEN_PACKAGES, TriedProgram } from './tried-program.mjs'

const OLD_VERSION = '0.0.1'

/**
 * @param {import('./clean-root.mjs').CleanRoot} root a system without any package of the program
 * @param {{ files: { deb: string, rpm?: string, appImage?: string }, step: (name: string, work: () => unknown) => Promise<unknown> }} tools
 * @throws ToolError for the first thing that isn't as it should be
 */
export async function checkDesktopPackage(root, { files: { deb, rpm, appImage }, step }) {
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
  if (rpm !== undefined) await checkRpm(root, { rpm, step })
  if (appImage !== undefined) await checkAppImage(root, { appImage, step })
}

/** Where the libraries that it needs are; which those are, rpmbuild has found. */
async function checkRpm(root, { rpm, step }) {
  const tried = new TriedProgram(root, { program: 'headframe', user: 'headframe-rpm' })
  const call = (...words) => root.call(['rpm', '--force-debian', '--nodeps', ...words])
  await step('desktop rpm: install', () => {
    cpSync(rpm, join(root.folder, 'root', basename(rpm)))
    root.call([...INSTALL, 'rpm'], { environment: QUIET })
    root.call(['useradd', '--create-home', tried.user])
    call('-i', `/root/${basename(rpm)}`)
  })
  await step('desktop rpm: a key', () => tried.makeKey())
  await step('desktop rpm: with its window, without user namespaces', () =>
    tried.run({ isWindowed: true, hasNamespaces: false }),
  )
  await step('desktop rpm: install over itself', async () => {
    call('-U', '--replacepkgs', `/root/${basename(rpm)}`)
    await tried.run()
  })
  await step('desktop rpm: remove', () => {
    call('-e', basename(rpm).replace(/-\d.*/, ''))
    if (existsSync(join(root.folder, 'opt/Headframe'))) throw new ToolError('not so: the program is gone')
    tried.expectKey()
  })
}

/** Whether every user may mount, as on an ordinary system; some containers keep it for root. */
function canMount() {
  const { mode } = statSync('/dev/fuse', { throwIfNoEntry: false }) ?? { mode: 0 }
  return (mode & 0o006) === 0o006
}

/** Without a mount the file doesn't start at all. */
export async function runMounted(root, appImage) {
  const tried = new TriedProgram(root, { program: 'Headframe.AppImage', folder: 'images', user: 'root' })
  const place = join(root.folder, tried.folder)
  mkdirSync(place, { recursive: true })
  cpSync(appImage, join(place, 'Headframe.AppImage'))
  tried.makeKey()
  await tried.run()
}

/** One file, which the system mounts (libfuse2); where users can't, what it unpacks to is tried instead, and that is said. */
async function checkAppImage(root, { appImage, step }) {
  const name = 'Headframe.AppImage'
  const isMounted = canMount()
  const program = isMounted ? name : 'squashfs-root/AppRun'
  const tried = new TriedProgram(root, { program, folder: 'images', user: 'headframe-image' })
  const put = () => {
    const place = join(root.folder, tried.folder)
    mkdirSync(place, { recursive: true })
    cpSync(appImage, join(place, name))
    root.call(['chown', '-R', tried.user, tried.folder])
    const unpacked = `cd ${tried.folder} && ./${name} --appimage-extract > /dev/null`
    if (!isMounted) root.call(['sh', '-c', unpacked], { user: tried.user })
  }
  await step(`AppImage: put there${isMounted ? '' : ' and unpacked, since users of this system may not mount'}`, () => {
    root.call([...INSTALL, 'libfuse2', 'fuse', ...SCREEN_PACKAGES], { environment: QUIET })
    root.call(['useradd', '--create-home', tried.user])
    put()
    const said = root.call([`${tried.folder}/${name}`, '--appimage-offset'], { user: tried.user })
    if (!/^\d+$/.test(said.trim())) throw new ToolError(`not so: it is an AppImage of type 2: ${said}`)
  })
  if (!isMounted && existsSync('/dev/fuse'))
    await step('AppImage: mounted by root, without a display', () => runMounted(root, appImage))
  await step('AppImage: a key', () => tried.makeKey())
  await step('AppImage: without a display, under a supervisor', () => tried.run())
  await step('AppImage: with its window', () => tried.run({ isWindowed: true }))
  await step('AppImage: replace', async () => {
    put()
    await tried.run()
  })
  await step('AppImage: remove', () => {
    root.call(['rm', '-r', tried.folder], { user: tried.user })
    tried.expectKey()
  })
}
