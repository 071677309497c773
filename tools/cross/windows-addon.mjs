// native/prebuilds/win32-x64/headframe.node, made on another system by mingw-w64.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE, ROOT, ToolError } from '../lib/project.mjs'
import { alone, hashOf, isStamped, stamp } from '../lib/stamp.mjs'
import { ADDON_INPUTS, addonSources } from './addon-sources.mjs'
import { compileSteps, runStep, runSteps } from './compile.mjs'
import { hostAssembly, hostFunctions } from './host-functions.mjs'

export const WINDOWS_ADDON = join(ROOT, 'native', 'prebuilds', 'win32-x64', 'headframe.node')

const PREFIX = 'x86_64-w64-mingw32'
/** std::thread needs the compiler whose threads are POSIX'; elsewhere than on Debian it is the only one. */
const COMPILERS = [`${PREFIX}-g++-posix`, `${PREFIX}-g++`]

/** Windows 10: what the program asks of the system. */
const DEFINES = ['_WIN32_WINNT=0x0A00', 'WIN32_LEAN_AND_MEAN', 'NOMINMAX']
const FLAGS = ['-O3', '-fvisibility=hidden', '-ffunction-sections', '-fdata-sections', `-ffile-prefix-map=${ROOT}=.`]
const CPP_FLAGS = [
  '-std=c++20',
  '-Wall',
  '-Wextra',
  '-Wno-unused-parameter',
  // GCC places vectors of 32 and 64 bytes on a stack that Windows aligns to 16 only, and moves them as if they were aligned.
  '-Wa,-muse-unaligned-vector-move',
]
const LINK_FLAGS = [
  '-shared',
  '-static',
  '-static-libgcc',
  '-static-libstdc++',
  '-s',
  '-Wl,--gc-sections',
  '-Wl,--exclude-all-symbols',
  '-Wl,--no-insert-timestamp',
  '-Wl,--dynamicbase,--nxcompat,--high-entropy-va',
  // Else the linker makes one of the path that it writes to, so that no two folders give the same file. Windows moves it anyway.
  '-Wl,--image-base,0x180000000',
]

/** @returns {string | null} the compiler for C++; null where mingw-w64 is not installed */
export function mingw() {
  return COMPILERS.find((command) => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0) ?? null
}

/** The tools beside the compiler: `binutil('objdump')`. */
export function binutil(name) {
  return `${PREFIX}-${name}`
}

/**
 * Makes the addon unless it is that of these sources already.
 * @param {(line: string) => void} log
 * @throws ToolError when a tool is missing or something doesn't compile
 */
export async function ensureWindowsAddon(log) {
  const compiler = mingw()
  if (compiler === null)
    throw new ToolError('mingw-w64 is not installed (Debian: apt install g++-mingw-w64-x86-64-posix)')
  await alone('windows-addon', async () => {
    const value = hashOf([...ADDON_INPUTS, 'tools/cross/windows-addon.mjs', 'tools/cross/host-functions.mjs'])
    if (isStamped('windows-addon', value)) return
    log('building the native addon for Windows')
    await build(compiler)
    stamp('windows-addon', value)
  })
}

async function build(compiler) {
  const folder = join(CACHE, 'windows-addon')
  mkdirSync(folder, { recursive: true })
  mkdirSync(join(WINDOWS_ADDON, '..'), { recursive: true })
  const jumps = join(folder, 'host-functions.s')
  writeFileSync(jumps, hostAssembly(hostFunctions()))
  const { cpp, c, defines, includes } = addonSources()
  const common = [...FLAGS, ...includes.flatMap((path) => ['-isystem', path])]
  const macros = [...defines, ...DEFINES].map((name) => `-D${name}`)
  const parts = [
    compileSteps({
      files: [...cpp, join(ROOT, 'native/src/windows/host_functions.cpp')],
      folder,
      command: compiler,
      flags: [...common, ...CPP_FLAGS, ...macros],
    }),
    compileSteps({ files: c, folder, command: compiler.replace('g++', 'gcc'), flags: common }),
    compileSteps({ files: [jumps], folder, command: compiler.replace('g++', 'gcc'), flags: [] }),
  ]
  await runSteps(parts.flatMap(({ steps }) => steps))
  const objects = parts.flatMap((part) => part.objects)
  await runStep({ command: compiler, args: linkArguments(objects, WINDOWS_ADDON) })
}

/** What the compiler is told to make a library for Windows of objects: the same bytes wherever it comes to lie. */
export function linkArguments(objects, library) {
  return [...LINK_FLAGS, ...objects, '-o', library]
}

/** Makes a small program of one source, for checks. @param {string} source absolute path @param {string} program absolute path of the .exe */
export async function makeWindowsProgram(source, program) {
  const macros = DEFINES.map((name) => `-D${name}`)
  await runStep({ command: mingw(), args: ['-std=c++20', '-static', ...macros, source, '-o', program] })
}
