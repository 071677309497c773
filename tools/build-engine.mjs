// Builds resources/engine/headframe-engine.wasm from native/engine, with its SHA-256 and the licences of its crates beside it. Users
// and tests take the file as it is: this is for whoever changes the Rust source. Usage: node tools/build-engine.mjs [--fetch]
//   --fetch  the compiler of Debian's packages, unpacked below .cache and not installed (Debian 12 and its like, x64)
// Else RUSTC names a compiler, or the one in PATH is taken; where it has no standard library for WebAssembly, its sources do.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { CACHE, ROOT, run, runTool, ToolError } from './lib/project.mjs'

const TARGET = 'wasm32-unknown-unknown'
const CRATE = join(ROOT, 'native/engine')
const OUT = join(ROOT, 'resources/engine')
const MODULE = 'headframe-engine.wasm'
const TOOLCHAIN = join(CACHE, 'engine-toolchain')
const BUILD = join(CACHE, 'engine-build')
/** The compiler, its driver, the host's standard library for build scripts, the library's sources, and LLVM. */
const PACKAGES = ['rustc-web', 'libstd-rust-web-1.96', 'libstd-rust-web-dev', 'rust-web-src', 'libllvm22']
const SOURCES = 'usr/src/rustc-1.96.0/library'
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice|copyright)(?:[.-].*)?$/i
const RULE = `\n${'-'.repeat(80)}\n`

await runTool(async () => {
  const environment = process.argv.includes('--fetch') ? await fetchCompiler() : { ...process.env }
  await compile(environment)
  const bytes = readFileSync(join(BUILD, TARGET, 'release/headframe_engine.wasm'))
  const hash = createHash('sha256').update(bytes).digest('hex')
  mkdirSync(OUT, { recursive: true })
  writeFileSync(join(OUT, MODULE), bytes)
  writeFileSync(join(OUT, `${MODULE}.sha256`), `${hash}  ${MODULE}\n`)
  writeFileSync(join(OUT, 'LICENCES.txt'), licences(environment))
  console.log(`${MODULE}: ${bytes.length} bytes, sha256 ${hash}`)
})

/** Debian's compiler without installing it: it would replace another one. */
async function fetchCompiler() {
  const root = join(TOOLCHAIN, 'root')
  if (!existsSync(join(root, 'usr/bin/rustc'))) {
    mkdirSync(root, { recursive: true })
    await must('apt-get', ['download', ...PACKAGES], { cwd: TOOLCHAIN })
    for (const file of readdirSync(TOOLCHAIN).filter((name) => name.endsWith('.deb')))
      await must('dpkg', ['-x', file, root], { cwd: TOOLCHAIN })
    const place = join(root, 'usr/lib/rustlib/src/rust')
    mkdirSync(place, { recursive: true })
    // Some builds of the package bring this link themselves.
    if (!existsSync(join(place, 'library'))) symlinkSync(join(root, SOURCES), join(place, 'library'))
  }
  const libraries = [join(root, 'usr/lib/x86_64-linux-gnu'), join(root, 'usr/lib')].join(delimiter)
  return { ...process.env, RUSTC: join(root, 'usr/bin/rustc'), LD_LIBRARY_PATH: libraries }
}

async function compile(environment) {
  const rustc = environment.RUSTC ?? 'rustc'
  const sysroot = answer(rustc, ['--print', 'sysroot'], environment)
  const hasTarget = existsSync(join(sysroot, 'lib/rustlib', TARGET))
  if (!hasTarget && !existsSync(join(sysroot, 'lib/rustlib/src/rust/library')))
    throw new ToolError(
      `${rustc} has no ${TARGET} library and no sources of one: rustup target add ${TARGET}, or --fetch`,
    )
  // Before the places of the crates are named below: a first build would know none, and come out otherwise.
  await must('cargo', ['fetch', '--locked'], { cwd: CRATE, env: { ...environment, RUSTC: rustc } })
  const words = ['build', '--release', '--locked', '--lib', '--target', TARGET]
  if (!hasTarget) words.push('-Zbuild-std=std,panic_abort')
  const flags = ['-C', `linker=${linker(sysroot, environment)}`, ...plainPaths(sysroot)]
  const settings = {
    RUSTC: rustc,
    CARGO_TARGET_DIR: BUILD,
    CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f'),
    ...(hasTarget ? {} : { RUSTC_BOOTSTRAP: '1' }),
  }
  await must('cargo', words, { cwd: CRATE, env: { ...environment, ...settings } })
}

/** Messages of the module name files by their crate, not by their path on this machine. */
function plainPaths(sysroot) {
  const cargo = process.env.CARGO_HOME ?? join(homedir(), '.cargo')
  const registry = join(cargo, 'registry/src')
  const indexes = existsSync(registry) ? readdirSync(registry).map((name) => [join(registry, name), 'crates']) : []
  const pairs = [
    [CRATE, 'engine'],
    [join(TOOLCHAIN, 'root', SOURCES), 'rust'],
    [sysroot, 'rust'],
    [cargo, 'cargo'],
    ...indexes,
  ]
  return pairs.map(([from, to]) => `--remap-path-prefix=${from}=${to}`)
}

/** LLVM's linker: the compiler's own, the system's, or that of a compiler which rustup keeps. */
function linker(sysroot, environment) {
  const own = [sysroot, answer('rustc', ['--print', 'sysroot'], process.env)]
  const kept = own.map((root) => join(root, 'lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld'))
  for (const name of ['rust-lld', 'wasm-ld'])
    for (const folder of (environment.PATH ?? '').split(delimiter)) kept.push(join(folder, name))
  const found = kept.find((path) => existsSync(path))
  if (found === undefined) throw new ToolError('no rust-lld and no wasm-ld: install the package lld')
  return found
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
    for (const file of readdirSync(folder).filter((entry) => LICENCE_FILE.test(entry))) {
      const text = readFileSync(join(folder, file), 'utf8').trim()
      holders.set(text, [...(holders.get(text) ?? []), name])
    }
  }
  const texts = [...holders].map(([text, of]) => `${of.join(', ')}\n\n${text}`)
  return `Crates compiled into ${MODULE}:\n\n${names.join('\n')}\n${RULE}${texts.join(RULE)}\n`
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
