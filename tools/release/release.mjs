// npm run release: all packages that can be made on this computer, below dist/release/, with their bill of materials, SHA256SUMS and
// its signature (docs/guide/upgrade.md). The same commit gives the same bytes in any folder; `--twice` shows it.
//   npm run release [-- --key FILE] [--test] [--twice]
//   --key FILE  secret key of minisign; else HEADFRAME_RELEASE_KEY_FILE names it. Its password: HEADFRAME_RELEASE_PASSWORD
//   --test      signs packages that hold the test Electron, too
//   --twice     builds twice, from clones in two folders, and compares every byte instead
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { manifest } from '../lib/packages.mjs'
import { ROOT, run, runTool, ToolError } from '../lib/project.mjs'
import { ensureApp, ensureNative, ensurePackages } from '../lib/set-up.mjs'
import { checkPlaceholders, PLACEHOLDERS } from '../lint/placeholders.mjs'
import { packLinux } from '../package.mjs'
import { billOfMaterials } from './bill-of-materials.mjs'
import { sourceDate } from './fixed-tree.mjs'
import { publicKeyLine, readSecretKey, signatureText } from './minisign.mjs'
import { buildTwice } from './twice.mjs'
import { readChangelog, updateComment, updateNotice } from './update-notice.mjs'

const OUT = join(ROOT, 'dist/release')
/** For programs that may ask for updates; signed by itself, since it is read alone. */
const NOTICE = 'update.json'
/** Further npm scripts that make packages, each with the folder below dist/ where they lie. Not every source tree has all. */
const SCRIPTS = [
  { script: 'package:server', packages: /^headframe-server.*\.(?:deb|tar\.gz)$/ },
  {
    script: 'package:server',
    words: ['--arch', process.arch === 'arm64' ? 'x64' : 'arm64', '--if-possible'],
    packages: /^headframe-server.*\.(?:deb|tar\.gz)$/,
  },
  { script: 'package:rigs', words: ['--if-possible'], packages: /^(?:hiveos|mmpos)$/ },
  { script: 'package:windows', words: ['--if-possible'], packages: /^headframe.*\.(?:exe|zip)$/i },
]

/** What the secret key's id and comment are taken from. @returns null where no key is given */
function releaseKey(words) {
  const file = words.key ?? process.env.HEADFRAME_RELEASE_KEY_FILE
  if (file === undefined || file === '') return null
  if (!existsSync(file)) throw new ToolError(`no release key at ${file}`)
  return readSecretKey(readFileSync(file, 'utf8'), process.env.HEADFRAME_RELEASE_PASSWORD)
}

function wordsOf(argv) {
  const words = { twice: false, test: false }
  for (let i = 0; i < argv.length; i++) {
    if (argv[i] === '--twice') words.twice = true
    else if (argv[i] === '--test') words.test = true
    else if (argv[i] === '--key' && argv[i + 1] !== undefined) words.key = argv[++i]
    else throw new ToolError(`npm run release: ${argv[i]} is not accepted; accepted: --key FILE, --test, --twice`)
  }
  return words
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

async function buildAll() {
  for (const open of openPlaceholders()) log(`not filled in: ${open}`)
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
    await must(script, words)
    for (const name of readdirSync(join(ROOT, 'dist')).filter((each) => packages.test(each)))
      keep(join(ROOT, 'dist', name))
  }
  const { version } = manifest('.')
  writeFileSync(join(OUT, `headframe-${version}.cdx.json`), billOfMaterials({ electron }))
  writeFileSync(
    join(OUT, NOTICE),
    updateNotice({ version, folder: OUT, names: filesBelow(OUT), changelog: readChangelog(ROOT) }),
  )
  return { isTest }
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
  const key = releaseKey(words)
  const { isTest } = await buildAll()
  writeSums()
  if (isTest) log('built with the test Electron: packages named -test are not for users')
  if (key === null) log('not signed: no key was given (--key FILE)')
  else if (isTest && !words.test) throw new ToolError('not signed: packages with the test Electron also need --test')
  else signSums(key)
  return 0
})
