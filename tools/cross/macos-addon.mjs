// native/prebuilds/darwin-ARCH/headframe.node, made on another system by zig, whose linker signs it ad hoc. Never loaded on a Mac yet.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CACHE, ROOT, ToolError } from '../lib/project.mjs'
import { alone, hashOf, isStamped, stamp } from '../lib/stamp.mjs'
import { ADDON_INPUTS, addonSources } from './addon-sources.mjs'
import { compileSteps, runStep, runSteps } from './compile.mjs'
import { readMachO } from './mach-o.mjs'

/** By Node's name; 11 is the first macOS for this processor. Intel's have not been tried, not even compiled. */
const TARGETS = { arm64: 'aarch64-macos.11.0' }
export const MACOS_ARCHITECTURES = Object.keys(TARGETS)

const FLAGS = ['-O3', '-fvisibility=hidden', `-ffile-prefix-map=${ROOT}=.`, '-g0']
const CPP_FLAGS = ['-std=c++20', '-Wall', '-Wextra', '-Wno-unused-parameter']
/** The functions of Node are found when the program loads it. */
const LINK_FLAGS = ['-dynamiclib', '-Wl,-undefined,dynamic_lookup', '-Wl,-dead_strip', '-s']
/** `ZIG` names the program; else one in PATH, or that of the Python package ziglang. */
const PLACES = [['zig'], ['python3', '-m', 'ziglang']]

/** @returns {readonly string[] | null} the words that start zig; null where it is not installed */
export function zig() {
  const given = process.env.ZIG
  const places = given === undefined || given === '' ? PLACES : [[given]]
  const runs = ([program, ...words]) => spawnSync(program, [...words, 'version'], { stdio: 'ignore' }).status === 0
  return places.find(runs) ?? null
}

/** @param {string} arch Node's name @returns {string} absolute path */
export function macosAddon(arch) {
  return join(ROOT, 'native', 'prebuilds', `darwin-${arch}`, 'headframe.node')
}

/**
 * Makes the addon unless it is that of these sources already.
 * @param {string} arch of MACOS_ARCHITECTURES
 * @param {(line: string) => void} log
 * @throws ToolError when zig is missing or something doesn't compile
 */
export async function ensureMacosAddon(arch, log) {
  const compiler = zig()
  if (compiler === null) throw new ToolError('zig is not installed (PyPI: ziglang), and ZIG does not name it')
  const name = `macos-addon-${arch}`
  await alone(name, async () => {
    const value = hashOf([...ADDON_INPUTS, 'tools/cross/macos-addon.mjs'])
    if (isStamped(name, value)) return
    log(`building the native addon for macOS, ${arch}`)
    await build(arch, compiler)
    stamp(name, value)
  })
}

async function build(arch, [program, ...words]) {
  const folder = join(CACHE, `macos-addon-${arch}`)
  const addon = macosAddon(arch)
  mkdirSync(dirname(addon), { recursive: true })
  const { cpp, c, defines, includes } = addonSources()
  const target = ['-target', TARGETS[arch]]
  const common = [...target, ...FLAGS, ...includes.flatMap((path) => ['-isystem', path])]
  const macros = defines.map((name) => `-D${name}`)
  const cppFlags = [...words, 'c++', ...common, ...CPP_FLAGS, ...macros]
  const parts = [
    compileSteps({ files: cpp, folder, command: program, flags: cppFlags }),
    compileSteps({ files: c, folder, command: program, flags: [...words, 'cc', ...common] }),
  ]
  await runSteps(parts.flatMap(({ steps }) => steps))
  const objects = parts.flatMap((part) => part.objects)
  await runStep({ command: program, args: [...words, 'c++', ...target, ...LINK_FLAGS, ...objects, '-o', addon] })
  check(arch, addon)
}

/** A Mac with such a processor loads nothing unsigned; and no folder but the system's is to be looked into. */
function check(arch, addon) {
  const { arch: found, libraries, isSigned } = readMachO(addon)
  const foreign = libraries.filter((name) => !/^\/(?:usr\/lib|System\/Library)\//.test(name))
  if (found !== arch || foreign.length > 0 || !isSigned)
    throw new ToolError(`${addon}: for ${found}, signed: ${isSigned}, loads ${libraries.join(', ')}`)
}
