// What a library for macOS says of itself: its processor, the libraries that it loads, whether it is signed. Layout: Apple's loader.h.
import { readFileSync } from 'node:fs'

const MAGIC_64 = 0xfeedfacf
const HEADER_BYTES = 32
const PROCESSORS = { 16777228: 'arm64', 16777223: 'x64' }
const LOAD_DYLIB = 0xc
const LOAD_WEAK_DYLIB = 0x80000018
const CODE_SIGNATURE = 0x1d
const NAME_OFFSET_AT = 8

/**
 * @param {string} file
 * @returns {{ arch: string, libraries: readonly string[], isSigned: boolean }} `arch`: Node's name
 * @throws Error for a file that isn't a 64-bit Mach-O of either processor
 */
export function readMachO(file) {
  const bytes = readFileSync(file)
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== MAGIC_64) throw new Error(`${file} is no Mach-O file`)
  const arch = PROCESSORS[bytes.readUInt32LE(4)]
  if (arch === undefined) throw new Error(`${file} is for another processor`)
  const commands = [...commandsOf(bytes)]
  const isLibrary = ({ kind }) => kind === LOAD_DYLIB || kind === LOAD_WEAK_DYLIB
  return {
    arch,
    libraries: commands.filter(isLibrary).map(({ at }) => textAt(bytes, at + bytes.readUInt32LE(at + NAME_OFFSET_AT))),
    isSigned: commands.some(({ kind }) => kind === CODE_SIGNATURE),
  }
}

function* commandsOf(bytes) {
  let at = HEADER_BYTES
  for (let left = bytes.readUInt32LE(16); left > 0; left--) {
    yield { kind: bytes.readUInt32LE(at), at }
    at += bytes.readUInt32LE(at + 4)
  }
}

function textAt(bytes, at) {
  return bytes.toString('utf8', at, bytes.indexOf(0, at))
}
