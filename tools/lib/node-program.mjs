// The official Node, which packages without Electron carry where a system has none: out of npm packages that hold nothing else, by
// their hashes.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { LINUX_TARGETS } from '../cross/linux-addon.mjs'
import { CACHE, run, ToolError } from './project.mjs'
import { alone } from './stamp.mjs'

/**
 * By Node's names of system and processor: the npm package that holds the program, and its archive's SHA-512. Linux: the newest release
 * that confines the key process and needs only libc and libstdc++ of the system (Node 26 needs libatomic). Windows: the newest that wine
 * 8 can run.
 */
export const NODE_ARCHIVES = {
  'linux-x64': {
    version: '24.22.3',
    program: 'bin/node',
    integrity: 'KHsob+Fv9YerATvYujMbiyJqnRCvLtrcr/eTNqRqiOSGp97EOiRP1yP47+knGgQ/xnc3XY8xzkW587dlZzNqRA==',
  },
  'linux-arm64': {
    version: '24.22.0',
    program: 'bin/node',
    integrity: 'xbI0deR0+gzJizE0IdT7x3ewSqtvWW7tx6QlJIBI6IszUY41yrPmOeS+b6WkA7DmSS8VKJRcMthWVwO1LbjamQ==',
  },
  'win-x64': {
    version: '22.23.3',
    program: 'bin/node.exe',
    integrity: 'lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
  },
}
/** Its text covers the programs of all; not every one of these packages has it. */
const WITH_LICENSE = 'linux-x64'

/**
 * The program, without symbols on Linux, and the texts of its licenses; fetched once.
 * @param {keyof typeof NODE_ARCHIVES} target
 * @param {(line: string) => void} log
 * @returns {Promise<{ program: string, license: string }>} absolute paths
 * @throws ToolError when they can't be fetched, or are others
 */
export async function ensureNode(target, log) {
  const folder = await fetched(target, log)
  const license = join(target === WITH_LICENSE ? folder : await fetched(WITH_LICENSE, log), 'LICENSE')
  return { program: join(folder, basename(NODE_ARCHIVES[target].program)), license }
}

async function fetched(target, log) {
  const { version } = NODE_ARCHIVES[target]
  const folder = join(CACHE, `node-${target}-${version}`)
  await alone(`node-${target}`, async () => {
    if (existsSync(folder)) return
    log(`fetching Node ${version} for ${target}`)
    mkdirSync(CACHE, { recursive: true })
    const draft = mkdtempSync(`${folder}-`)
    try {
      await fetchInto(draft, target)
      renameSync(draft, folder)
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  })
  return folder
}

async function fetchInto(folder, target) {
  const { version, program, integrity } = NODE_ARCHIVES[target]
  const what = `node-${target}@${version}`
  await must(what, 'npm', ['pack', '--silent', '--pack-destination', folder, what])
  const archive = join(folder, `node-${target}-${version}.tgz`)
  if (createHash('sha512').update(readFileSync(archive)).digest('base64') !== integrity)
    throw new ToolError(`${what} is not the one whose hash tools/lib/node-program.mjs has`)
  const files = [program, ...(target === WITH_LICENSE ? ['LICENSE'] : [])]
  await must(what, 'tar', ['-xzf', archive, '-C', folder, ...files.map((file) => `package/${file}`)])
  for (const file of files) renameSync(join(folder, 'package', file), join(folder, basename(file)))
  rmSync(join(folder, 'package'), { recursive: true })
  rmSync(archive)
  if (target.startsWith('linux-')) stripSymbols(join(folder, basename(program)), target.slice('linux-'.length))
}

/**
 * @param {string} file a native of Linux @param {string} [arch] Node's name of its processor
 * @throws ToolError where the compiler's own tool is missing
 */
export function stripSymbols(file, arch = process.arch) {
  const program = arch === process.arch ? 'strip' : `${LINUX_TARGETS[arch].prefix}-strip`
  const { status, stderr, error } = spawnSync(program, ['--strip-unneeded', file], { encoding: 'utf8' })
  if (status !== 0) throw new ToolError(`${program} (Debian: apt install binutils): ${error?.message ?? stderr.trim()}`)
}

async function must(what, program, words) {
  const { code, output } = await run(program, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  if (code !== 0) throw new ToolError(`${what} can't be had: ${program} ended with ${code}: ${output.trim()}`)
}
