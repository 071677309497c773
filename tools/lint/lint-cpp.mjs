// C++ as `npm run lint` sees it: the bounds of the style guide everywhere, the format where clang-format 15 is installed.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../lib/project.mjs'
import { checkCppStyle } from './style-cpp.mjs'

const CPP = /^native\/(?:src|test)\/.*\.(?:cpp|h|c)$/
const FORMATTERS = ['clang-format-15', 'clang-format']
/** Other versions write other text. */
const VERSION = /version 15\./

/**
 * @param {readonly string[]} paths all files of the project
 * @returns {{ findings: { path: string, line: number, message: string }[], note: string }} `note`: what was left out; empty: nothing
 */
export function lintCpp(rules, paths, fix) {
  const files = paths.filter((path) => CPP.test(path))
  const formatter = findFormatter()
  if (formatter !== undefined && fix) spawnSync(formatter, ['-i', ...files], { cwd: ROOT })
  const findings = files.flatMap((path) => checkCppStyle(rules, path, readFileSync(join(ROOT, path), 'utf8')))
  if (formatter === undefined) {
    return {
      findings,
      note: 'format of C++ not checked: clang-format 15 is not installed (Debian 12: apt install clang-format-15)',
    }
  }
  return { findings: [...findings, ...unformatted(formatter, files)], note: '' }
}

/** @returns {string | undefined} the command of a clang-format 15; undefined: none is installed */
export function findFormatter() {
  return FORMATTERS.find(isRightVersion)
}

function unformatted(formatter, files) {
  const { stderr } = spawnSync(formatter, ['--dry-run', '--Werror', ...files], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  const found = new Map()
  for (const [, path, line] of stderr.matchAll(/^(native\/\S+?):(\d+):\d+: error/gm)) {
    if (!found.has(path))
      found.set(path, { path, line: Number(line), message: 'not as clang-format writes it; npm run lint -- --fix' })
  }
  return [...found.values()]
}

function isRightVersion(command) {
  const { stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' })
  return stdout !== null && VERSION.test(stdout)
}
