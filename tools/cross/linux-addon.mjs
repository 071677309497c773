// native/prebuilds/linux-ARCH/headframe.node for another processor than this computer's, made by Debian's cross compilers.
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hasProgram } from '../lib/debian.mjs'
import { CACHE, ROOT, ToolError } from '../lib/project.mjs'
import { alone, hashOf, isStamped, stamp } from '../lib/stamp.mjs'
import { ADDON_INPUTS, addonSources } from './addon-sources.mjs'
import { compileSteps, runStep, runSteps } from './compile.mjs'

/** By Node's name of the processor: what the compiler's programs begin with, and its package. */
export const LINUX_TARGETS = {
  arm64: { prefix: 'aarch64-linux-gnu', debian: 'g++-aarch64-linux-gnu' },
  x64: { prefix: 'x86_64-linux-gnu', debian: 'g++-x86-64-linux-gnu' },
}
export const LINUX_ARCHITECTURES = Object.keys(LINUX_TARGETS)

const FLAGS = ['-O3', '-fPIC', '-fvisibility=hidden', `-ffile-prefix-map=${ROOT}=.`]
const CPP_FLAGS = ['-std=c++20', '-Wall', '-Wextra', '-Wno-unused-parameter']
const LINK_FLAGS = ['-shared', '-s', '-pthread', '-Wl,--build-id=none', '-Wl,--as-needed']

/** @param {string} arch Node's name @returns {string | null} why the addon can't be made for it here */
export function whyNoLinuxAddon(arch) {
  const target = LINUX_TARGETS[arch]
  if (target === undefined) return `no compiler is known for ${arch}; known: ${LINUX_ARCHITECTURES.join(', ')}`
  if (hasProgram(`${target.prefix}-g++`)) return null
  return `${target.prefix}-g++ is not installed (Debian: apt install ${target.debian})`
}

/**
 * Makes the addon unless it is that of these sources already.
 * @param {string} arch of LINUX_ARCHITECTURES
 * @param {(line: string) => void} log
 * @throws ToolError when the compiler is missing or something doesn't compile
 */
export async function ensureLinuxAddon(arch, log) {
  const why = whyNoLinuxAddon(arch)
  if (why !== null) throw new ToolError(why)
  const name = `linux-addon-${arch}`
  await alone(name, async () => {
    const value = hashOf([...ADDON_INPUTS, 'tools/cross/linux-addon.mjs'])
    if (isStamped(name, value)) return
    log(`building the native addon for Linux, ${arch}`)
    await build(arch)
    stamp(name, value)
  })
}

async function build(arch) {
  const folder = join(CACHE, `linux-addon-${arch}`)
  const addon = join(ROOT, 'native', 'prebuilds', `linux-${arch}`, 'headframe.node')
  mkdirSync(dirname(addon), { recursive: true })
  const { prefix } = LINUX_TARGETS[arch]
  const { cpp, c, defines, includes } = addonSources()
  const common = [...FLAGS, ...includes.flatMap((path) => ['-isystem', path])]
  const macros = defines.map((name) => `-D${name}`)
  const parts = [
    compileSteps({ files: cpp, folder, command: `${prefix}-g++`, flags: [...common, ...CPP_FLAGS, ...macros] }),
    compileSteps({ files: c, folder, command: `${prefix}-gcc`, flags: common }),
  ]
  await runSteps(parts.flatMap(({ steps }) => steps))
  const objects = parts.flatMap((part) => part.objects)
  await runStep({ command: `${prefix}-g++`, args: [...LINK_FLAGS, ...objects, '-ldl', '-o', addon] })
}
