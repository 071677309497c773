// Builds resources/engine/headframe-engine.wasm from native/engine, with its SHA-256 and the licenses of its crates. Needed only
// by those who change the Rust source: users and tests take the file as it is. The compiler comes from Debian's packages,
// unpacked below .cache and not installed, so that everyone gets the same bytes: Debian 12 on x64, with a C compiler for build
// scripts. Usage: node tools/build-engine.mjs [--check]
//   --check  writes nothing: fails unless the build gives the shipped files
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import {
  CARGO_WORDS,
  COMPILER_PACKAGES,
  CRATE,
  ENGINE_FILE,
  ENGINE_FOLDER,
  engineSources,
  engineStamp,
  stamped,
  TARGET,
} from './lib/engine-source.mjs'
import { CACHE, ROOT, run, runTool, ToolError } from './lib/project.mjs'

const COMPILER = join(CACHE, 'engine-compiler')
const BUILD = join(CACHE, 'engine-build')
/** What the packages need and many machines lack. Their versions don't matter for what is built. */
const LIBRARIES = ['libgit2-1.5', 'libhttp-parser2.9', 'libmbedtls14', 'libmbedx509-1', 'libmbedcrypto7']
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice|copyright)(?:[.-].*)?$/i
const RULE = `\n${'-'.repeat(80)}\n`

await runTool(async () => {
  const compiler = await unpackedCompiler()
  await compile(compiler)
  const module = stamped(readFileSync(join(BUILD, TARGET, 'release/headframe_engine.wasm')), engineStamp())
  const hash = createHash('sha256').update(module).digest('hex')
  const files = {
    [ENGINE_FILE]: module,
    [`${ENGINE_FILE}.sha256`]: Buffer.from(`${hash}  ${ENGINE_FILE}\n`),
    'LICENCES.txt': Buffer.from(licences(compiler)),
  }
  if (process.argv.includes('--check')) compare(files)
  else for (const [name, bytes] of Object.entries(files)) writeFileSync(join(ENGINE_FOLDER, name), bytes)
  console.log(`${ENGINE_FILE}: ${module.length} bytes, sha256 ${hash}`)
})

function compare(files) {
  for (const [name, bytes] of Object.entries(files))
    if (!readFileSync(join(ENGINE_FOLDER, name)).equals(bytes))
      throw new ToolError(
        `resources/engine/${name} isn't what the sources give: run node tools/build-engine.mjs, and commit what it writes`,
      )
}

/** Debian's compiler without installing it: it would replace another one. Returns the environment that it runs in. */
async function unpackedCompiler() {
  const names = [...Object.entries(COMPILER_PACKAGES).map(([name, version]) => `${name}=${version}`), ...LIBRARIES]
  const root = join(COMPILER, 'root')
  const mark = join(COMPILER, 'unpacked')
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== names.join('\n')) {
    rmSync(COMPILER, { recursive: true, force: true })
    mkdirSync(root, { recursive: true })
    const { code } = await run('apt-get', ['download', ...names], { cwd: COMPILER })
    if (code !== 0)
      throw new ToolError(
        'apt-get has not all of these packages: build on Debian 12 for x64 after apt-get update. Where Debian has newer ' +
          'versions only, name them in tools/lib/engine-source.mjs and commit the module that they give.',
      )
    for (const file of readdirSync(COMPILER).filter((name) => name.endsWith('.deb')))
      await must('dpkg', ['-x', file, root], { cwd: COMPILER })
    writeFileSync(mark, names.join('\n'))
  }
  // Nothing that a user has set for other projects.
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:CARGO|RUST)/.test(name) || name === 'CARGO_HOME')
  const bin = join(root, 'usr/bin')
  return {
    ...Object.fromEntries(kept),
    PATH: [bin, process.env.PATH].join(delimiter),
    RUSTC: join(bin, 'rustc'),
    LD_LIBRARY_PATH: [join(root, 'usr/lib/x86_64-linux-gnu'), join(root, 'usr/lib')].join(delimiter),
  }
}

async function compile(environment) {
  // Before the places of the crates are named below: a first build would know none, and come out otherwise.
  await must('cargo', ['fetch', '--locked'], { cwd: CRATE, env: environment })
  const linker = join(COMPILER, 'root/usr/bin/wasm-ld-22')
  const env = {
    ...environment,
    CARGO_TARGET_DIR: BUILD,
    CARGO_ENCODED_RUSTFLAGS: ['-C', `linker=${linker}`, ...plainPaths()].join('\x1f'),
    // The standard library is compiled from its sources.
    RUSTC_BOOTSTRAP: '1',
  }
  await must('cargo', CARGO_WORDS, { cwd: CRATE, env })
  checkSources()
}

/** Messages of the module name files by their crate, not by their path on this machine. */
function plainPaths() {
  const cargo = process.env.CARGO_HOME ?? join(homedir(), '.cargo')
  const registry = join(cargo, 'registry/src')
  const indexes = existsSync(registry) ? readdirSync(registry).map((name) => [join(registry, name), 'crates']) : []
  const pairs = [
    [ROOT, 'project'],
    [CRATE, 'engine'],
    [BUILD, 'build'],
    [join(COMPILER, 'root'), 'rust'],
    [cargo, 'cargo'],
  ]
  return [...pairs, ...indexes].map(([from, to]) => `--remap-path-prefix=${from}=${to}`)
}

/** Each file of the crate that the compiler read must be under the stamp. */
function checkSources() {
  const known = new Set(engineSources())
  const text = readFileSync(join(BUILD, TARGET, 'release/headframe_engine.d'), 'utf8')
  const read = text
    .slice(text.indexOf(':') + 1)
    .trim()
    .split(/(?<!\\)\s+/)
  for (const path of read) {
    const name = relative(CRATE, path.replaceAll('\\ ', ' '))
    if (!known.has(name)) throw new ToolError(`${name} is compiled in, but not under the module's stamp`)
  }
}

/** The texts of every crate that is compiled in, each text once. */
function licences(environment) {
  const words = ['metadata', '--format-version', '1', '--locked', '--filter-platform', TARGET]
  const { packages, resolve } = JSON.parse(answer('cargo', words, environment))
  const built = new Set(compiledIn(resolve))
  const crates = packages
    .filter(({ id, source }) => built.has(id) && source !== null)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  const names = crates.map(({ name, version, license }) => `${name} ${version} (${license ?? 'no licence named'})`)
  const holders = new Map()
  for (const { name, manifest_path: path } of crates) {
    const folder = dirname(path)
    for (const file of readdirSync(folder)
      .filter((entry) => LICENCE_FILE.test(entry))
      .sort()) {
      const text = readFileSync(join(folder, file), 'utf8').trim()
      holders.set(text, [...(holders.get(text) ?? []), name])
    }
  }
  const texts = [...holders].map(([text, of]) => `${of.join(', ')}\n\n${text}`)
  return `Crates compiled into ${ENGINE_FILE}:\n\n${names.join('\n')}\n${RULE}${texts.join(RULE)}\n`
}

/** What runs in the module: no build scripts, no macros, no tests. */
function compiledIn(resolve) {
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]))
  const found = new Set([resolve.root])
  for (const id of found)
    for (const { pkg, dep_kinds: kinds } of nodes.get(id)?.deps ?? [])
      if (kinds.some(({ kind }) => kind === null)) found.add(pkg)
  return found
}

function answer(command, words, env) {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    cwd: CRATE,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new ToolError(`${command} ${words.join(' ')}: ${error?.message ?? stderr}`.trim())
  return stdout.trim()
}

async function must(command, words, options) {
  const { code } = await run(command, words, options)
  if (code !== 0) throw new ToolError(`${command} ${words.join(' ')} ended with ${code}`)
}
