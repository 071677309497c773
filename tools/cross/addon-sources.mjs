// What native/binding.gyp says of the addon, for compilers that node-gyp doesn't drive.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { packageFile, ROOT, ToolError } from '../lib/project.mjs'

/** gyp's files are literals of Python. */
const AS_JSON = 'import ast,json,sys;print(json.dumps(ast.literal_eval(open(sys.argv[1]).read())))'

/** What each of these compilers makes the addon from, besides its own settings: paths for `hashOf`. */
export const ADDON_INPUTS = [
  'native/src',
  'native/vendor',
  'native/binding.gyp',
  'tools/cross/addon-sources.mjs',
  'node_modules/node-addon-api/package.json',
  'node_modules/node-api-headers/package.json',
]

/**
 * @typedef {{ cpp: string[], c: string[], defines: string[], includes: string[] }} AddonSources
 *   absolute paths, and macros as NAME or NAME=VALUE
 * @returns {AddonSources}
 */
export function addonSources() {
  const native = join(ROOT, 'native')
  const targets = readGyp(join(native, 'binding.gyp')).targets
  const target = (name) => {
    const found = targets.find((one) => one.target_name === name)
    if (found === undefined) throw new ToolError(`native/binding.gyp has no target ${name}`)
    return found
  }
  const absolute = (sources) => sources.map((path) => join(native, path))
  const curve = join(native, 'vendor', 'libsecp256k1')
  return {
    cpp: absolute(target('headframe').sources),
    c: absolute(target('secp256k1').sources),
    defines: target('headframe').defines,
    includes: [
      packageFile('node-addon-api', '.'),
      packageFile('node-api-headers', 'include'),
      curve,
      join(curve, 'src'),
    ],
  }
}

function readGyp(path) {
  for (const python of ['python3', 'python']) {
    const { status, stdout } = spawnSync(python, ['-c', AS_JSON, path], { encoding: 'utf8' })
    if (status === 0) return JSON.parse(stdout)
  }
  throw new ToolError(`${path} can't be read: Python 3 not found (Debian: apt install python3)`)
}
