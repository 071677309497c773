// Package size limits: far above means a mistake, such as an extra folder.
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { ToolError } from './project.mjs'

/** Bytes: a fifth more than they were. Nearly all of servers', rigs' and Windows' is Node; of desktop packages, Electron. A font: 4.5 MB. */
const LIMITS = {
  server: 44_500_000,
  'server-archive': 62_000_000,
  rig: 59_500_000,
  macos: 11_000_000,
  'windows-zip': 51_500_000,
  'windows-installer': 36_500_000,
  /** With the Electron for tests; later ones are about a fifth larger. */
  desktop: 135_000_000,
}

/**
 * Says how large a package is.
 * @param {string} file its path @param {keyof typeof LIMITS} kind @param {(line: string) => void} log
 * @throws ToolError when it is too large
 */
export function checkPackageSize(file, kind, log) {
  const { size } = statSync(file)
  const limit = LIMITS[kind]
  log(`${basename(file)}: ${inMegabytes(size)} MB, at most ${inMegabytes(limit)}`)
  if (size > limit) throw new ToolError(`${file} has ${size} bytes: at most ${limit}`)
}

function inMegabytes(bytes) {
  return (bytes / 1e6).toFixed(1)
}
