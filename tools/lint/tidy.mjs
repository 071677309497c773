// npm run tidy: clang-tidy over the addon's sources, by .clang-tidy. Not part of `npm run lint`: the first run takes minutes of CPU
// time. A file that passed is checked again when it, a header or .clang-tidy has changed. `-- WORD` selects files by their path.
import { execFile, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT, runTool, ToolError } from '../lib/project.mjs'
import { ensurePackages } from '../lib/set-up.mjs'
import { hashOf, isStamped, stamp } from '../lib/stamp.mjs'

const CHECKERS = ['clang-tidy-15', 'clang-tidy']
const VERSION = /version 15\./
const SOURCES = 'native/src'
/** Needs Windows' headers. */
const ELSEWHERE = /windows/
const require = createRequire(import.meta.url)

await runTool(async () => {
  const checker = CHECKERS.find((name) =>
    VERSION.test(spawnSync(name, ['--version'], { encoding: 'utf8' }).stdout ?? ''),
  )
  if (checker === undefined)
    throw new ToolError('clang-tidy 15 is not installed (Debian 12: apt install clang-tidy-15)')
  await ensurePackages(console.log)
  const word = process.argv[2] ?? ''
  const files = readdirSync(join(ROOT, SOURCES), { recursive: true, encoding: 'utf8' })
    .map((name) => join(SOURCES, name))
    .filter((path) => path.endsWith('.cpp') && path.includes(word) && !ELSEWHERE.test(path))
  if (files.length === 0) throw new ToolError(`no source below ${SOURCES} has ${word} in its path`)
  const shared = hashOf(['.clang-tidy', SOURCES], (path) => !path.endsWith('.cpp'))
  const waiting = [...files]
  const failed = []
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
      if (!(await isTidy(checker, file, shared))) failed.push(file)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  console.log(`clang-tidy: ${files.length} files, ${failed.length} with findings`)
  return failed.length === 0 ? 0 : 1
})

async function isTidy(checker, file, shared) {
  const name = `tidy-${file.replaceAll('/', '-')}`
  const value = `${shared} ${hashOf([file])}`
  if (isStamped(name, value)) return true
  try {
    await promisify(execFile)(checker, ['--quiet', file, '--', ...flags()], { cwd: ROOT, maxBuffer: 2 ** 26 })
    stamp(name, value)
    return true
  } catch (error) {
    console.error(error.stdout || error.message)
    return false
  }
}

/** As in native/binding.gyp. */
function flags() {
  const secp256k1 = join(ROOT, 'native', 'vendor', 'libsecp256k1')
  const headers = [
    require('node-addon-api').include_dir,
    join(dirname(require.resolve('node-api-headers/package.json')), 'include'),
    secp256k1,
    join(secp256k1, 'src'),
  ]
  const defines = ['NAPI_VERSION=8', 'NAPI_DISABLE_CPP_EXCEPTIONS', 'NODE_GYP_MODULE_NAME=headframe']
  return ['-std=c++20', ...headers.map((folder) => `-I${folder}`), ...defines.map((name) => `-D${name}`)]
}
