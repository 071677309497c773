// npm run test:packages: all packages for Linux as a user meets them, in a clean Debian: installed or unpacked with what they need, started
// under a supervisor (the desktop ones with their window, too; those for rigs by their scripts), mining and signing, upgraded, removed with
// keys left, purged. Minutes; needs root, debootstrap and Debian's mirror. `-- --only desktop,rigs` tries some of them.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { hasProgram } from '../lib/debian.mjs'
import { manifest } from '../lib/packages.mjs'
import { runTool, ToolError } from '../lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from '../lib/set-up.mjs'
import { packLinux } from '../package.mjs'
import { checkDesktopArchive, checkServerArchive } from './archive-package.mjs'
import { CleanRoot, whyNoCleanRoot } from './clean-root.mjs'
import { checkDesktopPackage } from './desktop-package.mjs'
import { PACKAGE, TRADES } from './maintainer-scripts.mjs'
import { packRigs } from './package-rigs.mjs'
import { packServer } from './package-server.mjs'
import { hasKey, INSTALL, olderPackage, QUIET, ServedRepository } from './package-steps.mjs'
import { checkRigPackages } from './rig-packages.mjs'
import { whyNoRpm } from './rpm-package.mjs'
import { rpc, supervised } from './supervised-run.mjs'
import { makeServerRpm } from './system-packages.mjs'

const OLD_VERSION = '0.0.1'
const USER = 'headframe-node'
const DATA = `/var/lib/${USER}`
const DESKTOP_LIBRARIES = /^(?:libgtk|libx11|libgl1|libnss3|libasound|libwayland)/
/** Depends on who packs. */
const LINTIAN_LEFT_OUT = 'bogus-mail-host,bogus-mail-host-in-debian-changelog'

const log = (line) => console.log(line)

/** In their order: those for rigs come first, while there is neither Node nor a desktop. */
const KINDS = { rigs: tryRigs, server: tryServer, desktop: tryDesktop }

await runTool(async () => {
  const kinds = kindsOf(process.argv.slice(2))
  const why = whyNoCleanRoot()
  if (why !== null) return log(`skipped: ${why}`)
  await ensurePackages(log)
  await ensureNative(log)
  await ensureApp(log)
  const out = mkdtempSync(join(tmpdir(), 'headframe-packages-'))
  const root = new CleanRoot()
  try {
    await root.make(log)
    root.call(['apt-get', 'update', '-qq'])
    for (const kind of kinds) await KINDS[kind](root, out)
    log(`all passed: ${kinds.join(', ')}`)
  } finally {
    root.remove()
    rmSync(out, { recursive: true, force: true })
  }
  return 0
})

/** @throws ToolError for anything but `--only` and kinds */
function kindsOf([name, list = '', ...more]) {
  const all = Object.keys(KINDS)
  if (name === undefined) return all
  const named = list.split(',')
  if (name !== '--only' || more.length > 0 || !named.every((kind) => all.includes(kind)))
    throw new ToolError(`npm run test:packages accepts --only, then one or more of ${all.join(',')}`)
  return all.filter((kind) => named.includes(kind))
}

async function tryRigs(root, out) {
  await checkRigPackages(root, await packRigs({ out, log }), { step })
}

async function tryDesktop(root, out) {
  const { files } = await packLinux({ out, log, isQuick: true })
  await checkDesktopPackage(root, { files, step })
  await checkDesktopArchive(root, files.archive, { step })
}

async function tryServer(root, out) {
  const { deb, tarball, rpm } = await packServer({ out, log, isQuick: true })
  checkByLintian(deb)
  cpSync(deb, join(root.folder, 'root', basename(deb)))
  const old = join(root.folder, 'root', olderPackage(deb, join(root.folder, 'root'), OLD_VERSION))
  const repository = new ServedRepository(root)
  await step('install from an apt repository, with what it needs', () => {
    repository.serve([old])
    install(root, PACKAGE, OLD_VERSION)
  })
  const key = await step('mine and sign', () => mineAndSign(root))
  await step('upgrade from the repository', () => {
    repository.serve([old, deb])
    return upgrade(root, key)
  })
  await step("the Dockerfile's steps", () => followDockerfile(root, tarball))
  await step('remove', () => remove(root, key))
  await step('purge', () => purge(root, basename(deb), key))
  if (rpm === null) log(`skipped: the RPM packages: ${whyNoRpm()}`)
  else await checkServerRpm(root, { rpm, out })
  await checkServerArchive(root, tarball, { step })
}

async function step(name, work) {
  log(`-- ${name}`)
  return work()
}

function expect(isSo, what) {
  if (!isSo) throw new ToolError(`not so: ${what}`)
}

function checkByLintian(deb) {
  if (!hasProgram('lintian')) return log('skipped: lintian is missing')
  const words = ['--allow-root', '--fail-on', 'error,warning', '--suppress-tags', LINTIAN_LEFT_OUT, deb]
  const { status, stdout } = spawnSync('lintian', words, { encoding: 'utf8' })
  expect(status === 0, `lintian is content:\n${stdout}`)
}

/** @param {string} what the package's name, or its file below /root */
function install(root, what, version) {
  root.call([...INSTALL, what], { environment: QUIET })
  expectInstalled(root, version)
}

function expectInstalled(root, version) {
  const names = root
    .call(['dpkg-query', '-W'])
    .split('\n')
    .map((line) => line.split(/[:\t]/)[0])
  expect(!names.includes('nodejs'), "it needs none of the system's Node")
  expect(names.filter((name) => DESKTOP_LIBRARIES.test(name)).length === 0, 'no libraries of a desktop came with it')
  expect(root.call(['headframe', 'version']).trim() === `headframe ${version}`, `it is version ${version}`)
  expect(/"native"|native/.test(root.call(['headframe', 'devices', '--json'])), 'its addon loads')
  const state = root.call(['stat', '-c', '%U %a', '/var/lib/headframe-signer']).trim()
  expect(state === 'headframe-signer 700', 'folders belong to the services alone')
}

/** @returns the key's address */
async function mineAndSign(root) {
  writeFileSync(join(root.folder, 'password'), 'correct horse\n', { mode: 0o644 })
  const words = ['headframe', 'account', 'new', '--datadir', DATA, '--password', '/password']
  const [address = ''] = /0x[0-9a-fA-F]{40}/.exec(root.call(words, { user: USER })) ?? []
  expect(address !== '', 'a key is made')
  return run(root, address, async ({ ready, until, said }) => {
    await until('a block', async () => Number(await rpc(ready.http, 'eth_blockNumber')) > 0)
    await checkSignature(ready, address)
    const link = root.call(['headframe', 'link', '--datadir', DATA]).trim()
    expect(link.startsWith(`${ready.dashboard}#token=`), 'root gets the dashboard link')
    expect(!said().includes('#token='), 'the log has no token')
    expect((await (await fetch(ready.dashboard)).text()).includes('<div id="root">'), 'the dashboard is served')
    return { address, height: Number(await rpc(ready.http, 'eth_blockNumber')) }
  })
}

async function checkSignature(ready, address) {
  const signature = await rpc(ready.http, 'eth_sign', [address, '0x1234'])
  expect(/^0x[0-9a-f]{130}$/.test(signature), 'the key signs')
}

function run(root, address, work) {
  const ports = ['--api-bind', '127.0.0.1:0', '--http.port', '0', '--signer.http.port', '0']
  const unlocked = ['--unlock', address, '--password', '/password']
  const words = ['headframe', 'run', '--headless', '--practice', '--datadir', DATA, '--miner.coinbase', address]
  const call = { user: USER, words: [...words, ...ports, ...unlocked], readyFile: `${DATA}/ready.json` }
  return supervised(root, call, work)
}

function upgrade(root, key) {
  return upgradeBy(root, key, () => install(root, PACKAGE, manifest('.').version))
}

async function upgradeBy(root, { address, height }, work) {
  writeFileSync(join(root.folder, 'etc/headframe/node.toml'), '# mine\n[app]\nnetwork = "practice"\n')
  const keys = filesOf(root, 'keystore')
  work()
  expect(
    readFileSync(join(root.folder, 'etc/headframe/node.toml'), 'utf8').startsWith('# mine'),
    'a changed config stays',
  )
  expect(filesOf(root, 'keystore').join() === keys.join(), 'keys stay')
  await run(root, address, async ({ ready }) => {
    expect(Number(await rpc(ready.http, 'eth_blockNumber')) >= height, 'the chain goes on')
    await checkSignature(ready, address)
  })
}

function expectRemoved(root) {
  for (const path of ['usr/lib/headframe', 'usr/bin/headframe', 'usr/lib/systemd/system/headframe-node.service'])
    expect(!existsSync(join(root.folder, path)), `${path} is gone`)
}

function remove(root, { address }) {
  root.call(['apt-get', 'remove', '-y', '-qq', PACKAGE], { environment: QUIET })
  expectRemoved(root)
  expect(hasKey(join(root.folder, DATA), address), 'keys stay when the package is removed')
  expect(existsSync(join(root.folder, 'etc/headframe/node.toml')), 'config files stay')
}

/** By the real rpm, whose list of packages knows nothing of this system's own: hence without what it needs, which rpmbuild found. */
async function checkServerRpm(root, { rpm, out }) {
  const call = (...words) => root.call(['rpm', '--force-debian', ...words])
  const older = await olderRpm(rpm, out)
  for (const file of [rpm, older]) cpSync(file, join(root.folder, 'root', basename(file)))
  await step('rpm: install', () => {
    root.call([...INSTALL, 'rpm'], { environment: QUIET })
    const needs = call('-qp', '--requires', `/root/${basename(rpm)}`)
    expect(
      /^libstdc\+\+\.so\.6\(GLIBCXX/m.test(needs) && !/usb|udev|\bnode/.test(needs),
      `it needs a C library alone:\n${needs}`,
    )
    call('-i', '--nodeps', `/root/${basename(older)}`)
    expectInstalled(root, OLD_VERSION)
  })
  const key = await step('rpm: mine and sign', () => mineAndSign(root))
  await step('rpm: upgrade', () =>
    upgradeBy(root, key, () => {
      call('-U', '--nodeps', `/root/${basename(rpm)}`)
      expectInstalled(root, manifest('.').version)
    }),
  )
  await step('rpm: remove', () => {
    call('-e', '--nodeps', PACKAGE)
    expectRemoved(root)
    expect(hasKey(join(root.folder, DATA), key.address), 'keys stay')
    expect(
      existsSync(join(root.folder, 'etc/headframe/node.toml.rpmsave')),
      'a changed config file stays, under another name',
    )
    for (const trade of TRADES) {
      root.call(['userdel', '--remove', `headframe-${trade}`])
      rmSync(join(root.folder, `var/lib/headframe-${trade}`), { recursive: true, force: true })
    }
  })
}

/** The same files under a version before. */
async function olderRpm(rpm, out) {
  const tree = join(out, 'older-rpm')
  mkdirSync(tree)
  execFileSync('sh', ['-c', 'rpm2archive - < "$0" | tar -xz', rpm], { cwd: tree })
  const file = join(tree, 'usr/lib/headframe/package.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), version: OLD_VERSION }))
  return makeServerRpm({ root: tree, out: join(out, 'older'), arch: process.arch, version: OLD_VERSION, isQuick: true })
}

/** Nobody answers: keys stay. Somebody answers yes: they go, and their folders with them. */
function purge(root, file, { address }) {
  root.call(['apt-get', 'purge', '-y', '-qq', PACKAGE], { environment: QUIET })
  expect(hasKey(join(root.folder, DATA), address), 'keys stay at a purge that nobody answers')
  root.call([...INSTALL, `/root/${file}`], { environment: QUIET })
  expect(hasKey(join(root.folder, DATA), address), 'keys are found again')
  const answer = `${PACKAGE} ${PACKAGE}/purge-data boolean true`
  root.call(['sh', '-c', `echo '${answer}' | debconf-set-selections`], { environment: QUIET })
  root.call(['apt-get', 'purge', '-y', '-qq', PACKAGE], { environment: QUIET })
  expect(!existsSync(join(root.folder, DATA)), 'data goes when asked for')
}

function filesOf(root, folder) {
  return readdirSync(join(root.folder, DATA, folder)).sort()
}

/** Its base image cannot always be had: its steps run in the clean Debian, which is of the same release. */
function followDockerfile(root, tarball) {
  const unpacked = join(root.folder, 'root/image')
  mkdirSync(unpacked)
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', unpacked])
  let user = 'root'
  for (const line of readFileSync(join(unpacked, 'server/Dockerfile'), 'utf8').split('\n')) {
    const [, word, rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (word === 'RUN') root.call(['sh', '-c', rest], { user })
    else if (word === 'COPY') cpSync(unpacked, join(root.folder, rest.split(' ')[1]), { recursive: true })
    else if (word === 'USER') user = rest
  }
  const words = JSON.parse(/^CMD (\[.*\])$/m.exec(readFileSync(join(unpacked, 'server/Dockerfile'), 'utf8'))[1])
  const settings = root.call(['/usr/local/bin/headframe', 'config', '--json', ...words.slice(1)], { user })
  expect(
    JSON.parse(settings).some(({ key, value }) => key === 'app.network' && value === 'main'),
    'its command is accepted',
  )
  root.call(['rm', '/usr/local/bin/headframe'])
}
