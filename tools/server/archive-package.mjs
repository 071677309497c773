// The two archives as a user meets them in a clean Debian: unpacked in a home folder, started under a supervisor and with a window,
// mining and signing, replaced by the next version from a stick, deleted with keys left.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { manifest } from '../lib/packages.mjs'
import { ROOT, ToolError } from '../lib/project.mjs'
import { makeSignedStick } from '../release/signed-stick.mjs'
import { INSTALL, QUIET } from './package-steps.mjs'
import { SCREEN_PACKAGES, TriedProgram } from './tried-program.mjs'

const STICK = '/stick'
/** As long as any version of one-digit numbers: inside Electron's archive it takes the place of the real one. */
const OLD_VERSION = '0.0.1'

/**
 * @param {import('./clean-root.mjs').CleanRoot} root @param {string} archive path of the tar.gz
 * @param {{ step: (name: string, work: () => unknown) => Promise<unknown> }} tools
 * @throws ToolError for the first thing that isn't as it should be
 */
export async function checkDesktopArchive(root, archive, { step }) {
  const folder = basename(archive, '.tar.gz')
  const tried = new TriedProgram(root, { program: 'headframe', folder, user: 'headframe-archive' })
  await step('desktop archive: unpack', () => {
    root.call(['apt-get', 'autoremove', '-y', '-qq'], { environment: QUIET })
    root.call([...INSTALL, ...namedPackages('docs/guide/install.md'), ...SCREEN_PACKAGES], { environment: QUIET })
    unpack(tried, archive)
    setVersion(tried, 'resources/app.asar')
  })
  await tryHeadless(tried, 'desktop archive', step)
  await step('desktop archive: upgrade', () => takeFromStick(tried, archive))
  await step('desktop archive: with its window', async () => {
    await tried.run({ isWindowed: true })
    expectPlaced(tried)
  })
  await step('desktop archive: where users may make no namespaces', async () => {
    const said = tried.refusedWindow()
    const [, commands] = /\n(sudo chown .*)\n/.exec(said) ?? []
    if (commands === undefined) throw new ToolError(`not so: it says what to do:\n${said}`)
    root.call(['sh', '-c', commands.replaceAll('sudo ', '')])
    await tried.run({ isWindowed: true, hasNamespaces: false })
  })
  await step('desktop archive: remove', () => remove(tried))
}

/** Of Ubuntu 22.04, the oldest system that the packages are for. */
const OLDEST = { GLIBC: '2.35', GLIBCXX: '3.4.30' }

/** @throws ToolError for a program or addon of the folder that needs a newer library of C or C++ */
export function expectOldLibraries(folder) {
  const isElf = (file) => /(?:^node|\.node)$/.test(basename(file)) && statSync(file).isFile()
  const files = readdirSync(folder, { recursive: true })
    .map((file) => join(folder, file))
    .filter(isElf)
  if (files.length < 2) throw new ToolError(`not so: ${folder} holds Node and addons`)
  for (const file of files) {
    const said = execFileSync('readelf', ['--version-info', file], { encoding: 'utf8' })
    for (const [name, library, version] of said.matchAll(/\b(GLIBC|GLIBCXX)_([\d.]+)/g))
      if (version.localeCompare(OLDEST[library], 'en', { numeric: true }) > 0)
        throw new ToolError(`not so: ${file} runs on Ubuntu 22.04: it needs ${name}`)
  }
}

/** The same for the program without a window. */
export async function checkServerArchive(root, archive, { step }) {
  const folder = `headframe-server-${manifest('.').version}`
  const tried = new TriedProgram(root, { program: 'headframe', folder, user: 'headframe-files' })
  await step('server archive: unpack', () => {
    unpack(tried, archive)
    expectOldLibraries(join(root.folder, tried.folder))
    setVersion(tried, 'package.json')
  })
  await tryHeadless(tried, 'server archive', step)
  await step('server archive: upgrade', async () => {
    takeFromStick(tried, archive)
    await tried.run()
    expectPlaced(tried)
  })
  await step('server archive: remove', () => remove(tried))
}

async function tryHeadless(tried, name, step) {
  await step(`${name}: a key`, () => tried.makeKey())
  await step(`${name}: without a display, under a supervisor`, () => tried.run())
  expectVersion(tried, OLD_VERSION)
}

/** What a page tells its reader to install beside the archive: on Debian 12, without `t64`. */
function namedPackages(page) {
  const [, names] = /^sudo apt install ([a-z0-9.+ -]+?)(?: +#.*)?$/m.exec(readFileSync(join(ROOT, page), 'utf8')) ?? []
  if (names === undefined) throw new ToolError(`${page} names no packages to install`)
  return names.split(' ').map((name) => name.replace(/t64$/, ''))
}

function unpack({ root, user, home }, archive) {
  cpSync(archive, join(root.folder, 'root', basename(archive)))
  root.call(['useradd', '--create-home', user])
  root.call(['install', '-o', user, `/root/${basename(archive)}`, home])
  root.call(['tar', '-xzf', `${home}/${basename(archive)}`, '-C', home], { user })
}

/** In the program's own manifest, which says `"name": "headframe` first. */
function setVersion({ root, folder }, path) {
  const file = join(root.folder, folder, path)
  const bytes = readFileSync(file)
  const [from, to] = [manifest('.').version, OLD_VERSION].map((each) => `"version": "${each}"`)
  const at = bytes.indexOf(from, bytes.indexOf('"name": "headframe'))
  if (at < 0 || from.length !== to.length) throw new ToolError(`${file} does not say ${from}`)
  bytes.write(to, at)
  writeFileSync(file, bytes)
}

/** As docs/guide/upgrade.md says it. */
function takeFromStick(tried, archive) {
  const { name, key } = makeSignedStick(join(tried.root.folder, STICK), archive)
  const from = ['--from', `${STICK}/${name}`, '--update.key', `${STICK}/${key}`]
  const said = tried.call('update', ...from, '--datadir', tried.data)
  if (!said.includes('will be installed at the next start')) throw new ToolError(`not so: it waits:\n${said}`)
}

function expectPlaced(tried) {
  expectVersion(tried, manifest('.').version)
  if (!existsSync(join(tried.root.folder, `${tried.folder}.previous`)))
    throw new ToolError('not so: the old version is beside the new one')
}

function expectVersion(tried, version) {
  const said = tried.call('version').trim()
  if (said !== `headframe ${version}`) throw new ToolError(`not so: it is version ${version}: ${said}`)
}

function remove(tried) {
  tried.root.call(['rm', '-r', tried.folder, `${tried.folder}.previous`], { user: tried.user })
  tried.expectKey()
}
