// What the engine's module is built from: its source, the compiler and its flags, and the stamp that names them in the file.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT } from './project.mjs'

export const CRATE = join(ROOT, 'native/engine')
export const ENGINE_FOLDER = join(ROOT, 'resources/engine')
export const ENGINE_FILE = 'headframe-engine.wasm'
export const TARGET = 'wasm32-unknown-unknown'

const RUST = '1.96.0+dfsg1-1~deb12u2'
const LLVM = '1:22.1.8-1~deb12u1'
/**
 * The compiler as Debian 12 has it, for x64. Other builds of the same version, such as rustup's, bring another LLVM or another
 * standard library, and give other bytes. To move to newer packages, change the versions here and rebuild.
 */
export const COMPILER_PACKAGES = {
  'rustc-web': RUST,
  'cargo-web': RUST,
  'libstd-rust-web-1.96': RUST,
  'libstd-rust-web-dev': RUST,
  'rust-web-src': RUST,
  libllvm22: LLVM,
  'lld-22': LLVM,
}

export const CARGO_WORDS = [
  'build',
  '--release',
  '--locked',
  '--lib',
  '--target',
  TARGET,
  '-Zbuild-std=std,panic_abort',
]

/** The custom section that holds the stamp. */
const SECTION = 'headframe.source'
const CUSTOM_SECTION = 0
const HEADER_BYTES = 8

/** Names of the files that the module depends on, below the crate's folder, with `/`: all but its tests. */
export function engineSources() {
  const below = (folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return entry.name === 'tests' ? [] : below(path)
      return [relative(CRATE, path).replaceAll('\\', '/')]
    })
  return ['Cargo.lock', 'Cargo.toml', ...below(join(CRATE, 'src'))].sort()
}

/** The stamp of the module that today's sources give: their hash, and the compiler. */
export function engineStamp() {
  const hash = createHash('sha256').update(JSON.stringify([COMPILER_PACKAGES, CARGO_WORDS]))
  for (const name of engineSources()) {
    // Git may check text out with other line ends.
    const text = readFileSync(join(CRATE, name), 'utf8').replaceAll('\r\n', '\n')
    hash.update(`${name}\0${text}\0`)
  }
  return `rustc ${RUST}, lld ${LLVM}, sources and flags of sha256 ${hash.digest('hex')}`
}

/**
 * @param {Uint8Array} module
 * @param {string} stamp ASCII
 * @returns {Buffer} the module with the stamp in a custom section at its end
 */
export function stamped(module, stamp) {
  const name = Buffer.from(SECTION)
  const content = Buffer.concat([Buffer.from(leb128(name.length)), name, Buffer.from(stamp)])
  return Buffer.concat([module, Buffer.from([CUSTOM_SECTION, ...leb128(content.length)]), content])
}

/**
 * @param {Uint8Array} module
 * @returns {string | null} its stamp; null without one
 */
export function stampOf(module) {
  let at = HEADER_BYTES
  while (at < module.length) {
    const kind = module[at]
    const [length, start] = readLeb128(module, at + 1)
    if (kind === CUSTOM_SECTION) {
      const [nameLength, nameStart] = readLeb128(module, start)
      const nameEnd = nameStart + nameLength
      const text = (from, to) => Buffer.from(module.subarray(from, to)).toString('utf8')
      if (text(nameStart, nameEnd) === SECTION) return text(nameEnd, start + length)
    }
    at = start + length
  }
  return null
}

function leb128(value) {
  const bytes = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left]
    bytes.push((left % 128) + 128)
  }
}

/** @returns {[number, number]} the value and where what follows it begins */
function readLeb128(bytes, from) {
  let value = 0
  for (let at = from, unit = 1; ; at++, unit *= 128) {
    value += (bytes[at] % 128) * unit
    if (bytes[at] < 128) return [value, at + 1]
  }
}
