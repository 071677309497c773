// The switches inside an Electron binary ("fuses"), turned to what a shipped program needs and no more.
import { readFileSync, writeFileSync } from 'node:fs'

/** Electron's mark in front of them; behind it a version byte, their number, then one character each. */
const SENTINEL = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX')

/** In the order of Electron's fuse wire, version 1. */
const NAMES = [
  'runAsNode',
  'cookieEncryption',
  'nodeOptionsEnvironment',
  'nodeCliInspect',
  'embeddedAsarIntegrity',
  'onlyLoadAppFromAsar',
  'browserProcessV8Snapshot',
  'fileProtocolExtraPrivileges',
]
const ON = '1'.charCodeAt(0)
const OFF = '0'.charCodeAt(0)

/**
 * What ships. `runAsNode` stays on where a computer may have no display at all: the windowless commands run on it
 * (docs/guide/desktop.md says what that means). `embeddedAsarIntegrity` exists on Windows and macOS only.
 * @param {string} platform Node's name of it
 */
export function shippedFuses(platform) {
  return {
    runAsNode: platform === 'linux',
    cookieEncryption: true,
    nodeOptionsEnvironment: false,
    nodeCliInspect: false,
    onlyLoadAppFromAsar: true,
  }
}

/** @returns {Record<string, boolean | null>} by name; null for one that this binary had removed */
export function readFuses(file) {
  const { bytes, first, count } = locate(file)
  const entries = NAMES.slice(0, count).map((name, index) => [name, stateOf(bytes[first + index])])
  return Object.fromEntries(entries)
}

/** Sets those named in `wanted` that the binary has; throws an Error where one was removed. */
export function writeFuses(file, wanted) {
  const { bytes, first, count } = locate(file)
  for (const [name, isOn] of Object.entries(wanted)) {
    const index = NAMES.indexOf(name)
    if (index < 0) throw new Error(`no fuse is called ${name}; accepted: ${NAMES.join(', ')}`)
    if (index >= count) continue // an older Electron without it
    if (stateOf(bytes[first + index]) === null) throw new Error(`${file}: the fuse ${name} was removed`)
    bytes[first + index] = isOn ? ON : OFF
  }
  writeFileSync(file, bytes)
}

function locate(file) {
  const bytes = readFileSync(file)
  const at = bytes.indexOf(SENTINEL)
  if (at < 0) throw new Error(`${file} has no fuses: is it Electron?`)
  if (bytes.indexOf(SENTINEL, at + 1) >= 0) throw new Error(`${file} has two sets of fuses`)
  const version = bytes[at + SENTINEL.length]
  if (version !== 1) throw new Error(`${file}: fuses of version ${version}, known is 1`)
  return { bytes, first: at + SENTINEL.length + 2, count: bytes[at + SENTINEL.length + 1] }
}

function stateOf(byte) {
  if (byte === ON) return true
  return byte === OFF ? false : null
}
