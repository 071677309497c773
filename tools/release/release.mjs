// npm run release: all packages that can be made on this computer, below dist/release/, with bill of materials, statement of origin,
// manifests of package managers, SHA256SUMS and its signature; the apt repository below dist/apt/ (docs/guide/upgrade.md). The same commit
// gives the same bytes in any folder; `--twice` shows it.
//   npm run release [-- --key FILE] [--apt-key FILE] [--url URL] [--all] [--test] [--twice]
//   --key FILE      secret key of minisign; else HEADFRAME_RELEASE_KEY_FILE names it. Its password: HEADFRAME_RELEASE_PASSWORD
//   --apt-key FILE  secret OpenPGP key of the apt repository; else HEADFRAME_APT_KEY_FILE names it. Its password: HEADFRAME_APT_PASSWORD
//   --url URL       where the release will be served, for manifests and the apt repository
//   --all           fails where a package can't be made here, or a key or the address is missing
//   --test          signs packages that hold the test Electron, too
//   --twice         builds twice, from clones in two folders, and compares every byte instead

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { manifest } from '../lib/packages.mjs'
import { ROOT, run, runTool, ToolError } from '../lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from '../lib/set-up.mjs'
import { checkPlaceholders, PLACEHOLDERS } from '../lint/placeholders.mjs'
import { packLinux, whyNoAppImage } from '../package.mjs'
import { whyNoRpm } from '../server/rpm-package.mjs'
import { aptRepository } from './apt-repository.mjs'
import { billOfMaterials } from './bill-of-materials.mjs'
import { sourceDate } from './fixed-tree.mjs'
import { manifests, releaseRecord } from './manifests.mjs'
import { publicKeyLine, readSecretKey, signatureText } from './minisign.mjs'
import { originText } from './origin.mjs'
import { buildTwice } from './twice.mjs'
import { readChangelog, updateComment, updateNotice } from './update-notice.mjs'

const OUT = join(ROOT, 'dist/release')
const APT = join(ROOT, 'dist/apt')
/** For programs that may ask for updates; signed by itself, since it is read alone. */
const NOTICE = 'update.json'
/** Further npm scripts that make packages, each with the folder below dist/ where they lie. Not every source tree has all. */
const SCRIPTS = [
  { script: 'package:server', packages: /^headframe-server.*\.(?:deb|rpm|tar\.gz)$/ },
  {
    script: 'package:server',
    words: ['--arch', process.arch === 'arm64' ? 'x64' : 'arm64', '--if-possible'],
    packages: /^headframe-server.*\.(?:deb|rpm|tar\.gz)$/,
  },
  { script: 'package:rigs', words: ['--if-possible'], packages: /^(?:hiveos|mmpos)$/ },
  { script: 'package:windows', words: ['--if-possible'], packages: /^headframe.*\.(?:exe|zip)$/i },
  { script: 'package:macos', words: ['--if-possible'], packages: /^headframe.*-macos-.*\.tar\.gz$/ },
]

/** What the secret key's id and comment are taken from. @returns null where no key is given */
function releaseKey(words) {
  const file = keyFile(words.key, 'HEADFRAME_RELEASE_KEY_FILE', 'release key')
  if (file === null) return null
  return readSecretKey(readFileSync(file, 'utf8'), process.env.HEADFRAME_RELEASE_PASSWORD)
}

/** The file that a word or a variable names; null where none does. @throws ToolError when it isn't there */
function keyFile(given, variable, what) {
  const file = given ?? process.env[variable] ?? ''
  if (file !== '' && !existsSync(file)) throw new ToolError(`no ${what} at ${file}`)
  return file === '' ? null : file
}

const ACCEPTED = '--key FILE, --apt-key FILE, --url URL, --all, --test, --twice'

function wordsOf(argv) {
  const words = {}
  for (let i = 0; i < argv.length; i++) {
    const name = argv[i].replace(/^--/, '')
    if (['--twice', '--test', '--all'].includes(argv[i])) words[name] = true
    else if (['--key', '--apt-key', '--url'].includes(argv[i]) && argv[i + 1] !== undefined) words[name] = argv[++i]
    else throw new ToolError(`npm run release: ${argv[i]} is not accepted; accepted: ${ACCEPTED}`)
  }
  return words
}

/** What the command line leaves open; found before anything is built. @throws ToolError with `--all` */
function tellOpen(words, { key, aptKey }) {
  const open = [
    ...openPlaceholders().map((each) => `not filled in: ${each}`),
    ...(key === null ? ['not signed: no key was given (--key FILE)'] : []),
    ...(aptKey === null ? ['no apt repository: no key was given (--apt-key FILE)'] : []),
    ...(words.url === undefined ? ['no manifests: no address was given (--url URL)'] : []),
    ...[whyNoRpm(), whyNoAppImage()].filter((why) => why !== null),
  ]
  if (words.all && open.length > 0) throw new ToolError(`npm run release --all:\n${open.join('\n')}`)
  return open
}

/** A release contains exactly what its commit does. */
function checkClean() {
  const { status, stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new ToolError('npm run release needs the git repository, which dates and names the release')
  if (stdout.trim() === '') return
  throw new ToolError(`npm run release: commit or remove first:\n${stdout.trimEnd()}`)
}

/** A rehearsal may have them; who publishes fills them in first. */
function openPlaceholders() {
  return Object.values(PLACEHOLDERS).flatMap(
    (path) => checkPlaceholders(path, readFileSync(join(ROOT, path), 'utf8')).open,
  )
}

async function buildAll({ all = false, url }) {
  process.umask(0o022)
  process.env.SOURCE_DATE_EPOCH = String(sourceDate())
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true })
  mkdirSync(OUT, { recursive: true })
  await ensurePackages(log)
  await ensureNative(log)
  await ensureApp(log)
  const { files, electron, isTest } = await packLinux({ log })
  for (const file of Object.values(files)) keep(file)
  const scripts = manifest('.').scripts
  for (const { script, words = [], packages } of SCRIPTS.filter(({ script: name }) => scripts[name] !== undefined)) {
    await must(script, all ? words.filter((word) => word !== '--if-possible') : words)
    for (const name of readdirSync(join(ROOT, 'dist')).filter((each) => packages.test(each)))
      keep(join(ROOT, 'dist', name))
  }
  const { version } = manifest('.')
  writeFileSync(join(OUT, `headframe-${version}.cdx.json`), billOfMaterials({ electron }))
  writeFileSync(
    join(OUT, NOTICE),
    updateNotice({ version, folder: OUT, names: filesBelow(OUT), changelog: readChangelog(ROOT) }),
  )
  if (url !== undefined) writeManifests(url)
  writeFileSync(join(OUT, `headframe-${version}.intoto.json`), originText({ folder: OUT, names: filesBelow(OUT) }))
  return { isTest }
}

function writeManifests(url) {
  for (const [name, text] of Object.entries(manifests(releaseRecord({ folder: OUT, url, date: sourceDate() })))) {
    const file = join(OUT, 'manifests', name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** Of the packages that are for users. */
function writeRepository(key, url) {
  const debs = filesBelow(OUT).filter((name) => name.endsWith('.deb') && !name.startsWith('headframe-test'))
  const place = url === undefined ? null : `${url.replace(/\/$/, '')}/apt`
  const password = process.env.HEADFRAME_APT_PASSWORD
  aptRepository({ debs: debs.map((name) => join(OUT, name)), out: APT, key, password, date: sourceDate(), url: place })
  log(`${relative(ROOT, APT)}: an apt repository of ${debs.length} packages`)
}

async function must(script, words) {
  const npm = process.env.npm_execpath
  const [program, ...first] = npm === undefined ? ['npm'] : [process.execPath, npm]
  const { code } = await run(program, [...first, 'run', '--silent', script, '--', ...words])
  if (code !== 0) throw new ToolError(`npm run ${script} ended with ${code}`)
}

/** Packages of rigs keep their folder: two systems want the same file name. */
function keep(file) {
  const name = relative(join(ROOT, 'dist'), file)
  cpSync(file, join(OUT, name), { recursive: true, preserveTimestamps: true })
}

/** All files below a folder, relative, sorted. */
function filesBelow(folder, below = '') {
  const entries = readdirSync(join(folder, below), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    return entry.isDirectory() ? filesBelow(folder, path) : [path]
  })
}

/** `SHA256SUMS`, as `sha256sum -c` reads it. */
function writeSums() {
  const names = filesBelow(OUT).filter((name) => !basename(name).startsWith('SHA256SUMS'))
  const lines = names.map((name) => {
    const hash = createHash('sha256')
      .update(readFileSync(join(OUT, name)))
      .digest('hex')
    log(`${name}: ${(statSync(join(OUT, name)).size / 1e6).toFixed(1)} MB`)
    return `${hash}  ${name}\n`
  })
  writeFileSync(join(OUT, 'SHA256SUMS'), lines.join(''))
}

/** The signed comment carries version and time: an old release can't pass for a new one. */
function signSums(key) {
  const { version } = manifest('.')
  const comment = `headframe ${version} ${sourceDate()}`
  for (const [name, signed] of [
    ['SHA256SUMS', comment],
    [NOTICE, updateComment(sourceDate())],
  ])
    writeFileSync(join(OUT, `${name}.minisig`), signatureText(readFileSync(join(OUT, name)), { key, comment: signed }))
  log(`signed with ${publicKeyLine(key)}`)
}

function log(line) {
  console.log(line)
}

await runTool(async () => {
  const words = wordsOf(process.argv.slice(2))
  checkClean()
  if (words.twice) return buildTwice(log)
  const [key, aptKey] = [
    releaseKey(words),
    keyFile(words['apt-key'], 'HEADFRAME_APT_KEY_FILE', 'key of the repository'),
  ]
  const open = tellOpen(words, { key, aptKey })
  const { isTest } = await buildAll(words)
  writeSums()
  if (isTest) log('built with the test Electron: packages named -test are not for users')
  if (isTest && !words.test && key !== null)
    throw new ToolError('not signed: packages with the test Electron also need --test')
  if (key !== null) signSums(key)
  if (aptKey !== null) writeRepository(aptKey, words.url)
  for (const line of open) log(line)
  return 0
})
