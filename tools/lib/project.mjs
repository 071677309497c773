// What every tool needs first: the project's folder, a check of Node's version, and running child processes.
import { spawn } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endTree } from './process-tree.mjs'

/** The repository's folder. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** The tools' own files, which may be deleted at any time. */
export const CACHE = join(ROOT, '.cache')

const FLOOR = [20, 19]

/** An error whose message is all the reader needs: no stack. */
export class ToolError extends Error {}

/** Throws ToolError when Node is too old. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1])) return
  throw new ToolError(`Node ${process.versions.node} is too old: install Node ${FLOOR.join('.')} or newer`)
}

/** What to say where a file of the project, or of its cache, can't be written; null for any other error. */
export function unwritable({ code, path }) {
  const reason = { EACCES: 'permission denied', EPERM: 'permission denied', EROFS: 'read-only', ENOSPC: 'disk full' }[
    code
  ]
  if (reason === undefined || path === undefined) return null
  const advice = { ENOSPC: 'Make room, then try again', EROFS: 'Run this in a copy of your own' }[code]
  return `can't write ${path}: ${reason}. ${advice ?? 'Run this as the owner of the folder, or in a copy of your own'}.`
}

/** Runs `main` and turns what it throws into one line and exit code 1. */
export async function runTool(main) {
  try {
    checkNode()
    process.exitCode = (await main()) ?? process.exitCode ?? 0
  } catch (error) {
    if (error instanceof Stopped) return process.kill(process.pid, error.signal)
    const isOurs = error instanceof ToolError || /^cannot build the native addon/.test(error.message)
    process.stderr.write(`${unwritable(error) ?? (isOurs ? error.message : error.stack)}\n`)
    process.exitCode = 1
  }
}

const MB = 1e6
/** Less than this is left for nobody. */
const FULL_BYTES = 1 * MB
const ROOM_EVERY_MS = 500

/** For this user; infinite where the system doesn't say. */
function freeBytes(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** @param {number} bytes that are about to be written there @throws ToolError where they don't fit */
export function checkRoom(folder, bytes) {
  const free = freeBytes(folder)
  if (free >= bytes) return
  const [has, needs] = [free, bytes].map((each) => Math.floor(each / MB))
  throw new ToolError(`${has} MB are free in ${folder}, and ${needs} MB are needed. Make room, then try again.`)
}

/** The system ends all of these at Ctrl-C, a closed terminal, or the end of the session. */
const STOPS = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** A program that gets such a signal has this long to end by itself. */
const GRACE_MS = 3_000

/**
 * Runs a program that ends with this one, and everything it starts: when this process is told to stop, it ends the program first. npm
 * alone would go on for a minute after Ctrl-C, and on a full disk without an end.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2] & { onStart?: (pid: number) => void, writesTo?: readonly string[] }} [options] `writesTo`: folders;
 *   when the disk of one is full, the program is ended
 * @returns {ReturnType<typeof run>} @throws ToolError for a full disk, Stopped
 */
export async function runAttached(command, args, { onStart, writesTo = [], ...options } = {}) {
  const isGroup = process.platform !== 'win32'
  let stopped = null
  let full = null
  let child = null
  let timer = null
  const end = (signal) => {
    try {
      if (isGroup) process.kill(-child.pid, signal)
      else child.kill(signal)
    } catch {
      // it has ended
    }
  }
  const stop = (signal) => {
    if (signal !== null) stopped ??= signal
    end('SIGTERM')
    timer ??= setTimeout(() => end('SIGKILL'), GRACE_MS)
  }
  for (const signal of STOPS) process.on(signal, stop)
  const watch = setInterval(() => {
    full ??= writesTo.find((folder) => freeBytes(folder) < FULL_BYTES) ?? null
    if (full !== null) stop(null)
  }, ROOM_EVERY_MS)
  const onSpawn = (started) => {
    child = started
    if (started.pid !== undefined) onStart?.(started.pid)
  }
  const ended = await run(command, args, { ...options, detached: isGroup, onSpawn })
  clearTimeout(timer)
  clearInterval(watch)
  for (const signal of STOPS) process.off(signal, stop)
  if (stopped === null && full === null) return ended
  end('SIGKILL') // what it left behind
  throw stopped === null
    ? new ToolError(`the disk of ${full} is full: make room, then try again`)
    : new Stopped(stopped)
}

/**
 * Does work that ends with this process: its signal aborts, with Stopped as the reason, when this process is told to stop.
 * @template T
 * @param {(stop: AbortSignal) => Promise<T>} work has to end soon after that
 * @returns {Promise<T>} @throws Stopped
 */
export async function untilStopped(work) {
  const end = new AbortController()
  const stop = (signal) => end.abort(new Stopped(signal))
  for (const signal of STOPS) process.on(signal, stop)
  try {
    return await work(end.signal)
  } finally {
    for (const signal of STOPS) process.off(signal, stop)
    end.signal.throwIfAborted()
  }
}

/** This process was told to stop, and ends like one that the signal ended. */
export class Stopped extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`stopped by ${signal}`)
    this.signal = signal
  }
}

/**
 * Proxies for programs that look for them in fewer places than npm: Electron's downloads only honor them when asked to.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {NodeJS.ProcessEnv}
 */
export function withProxies(env = process.env) {
  const of = (...names) => names.map((name) => env[name]).find((value) => value !== undefined && value !== '')
  const https = of(
    'HTTPS_PROXY',
    'https_proxy',
    'npm_config_https_proxy',
    'npm_config_proxy',
    'HTTP_PROXY',
    'http_proxy',
  )
  if (https === undefined) return { ...env }
  const without = of('NO_PROXY', 'no_proxy', 'npm_config_noproxy')
  const given = { HTTPS_PROXY: https, HTTP_PROXY: of('HTTP_PROXY', 'http_proxy', 'npm_config_proxy') ?? https }
  return { ELECTRON_GET_USE_PROXY: '1', ...env, ...given, ...(without !== undefined && { NO_PROXY: without }) }
}

/**
 * Runs a program to its end.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { limitMs?: number, onOutput?: (part: string) => void,
 *   onSpawn?: (child: import('node:child_process').ChildProcess) => void }} [options] `limitMs`: after that time it is
 *   ended with all that it started; `onOutput`: hears what is piped as it comes
 * @returns {Promise<{ code: number, output: string }>} `output` holds what was piped; code 127 when it could not start
 */
export function run(command, args, { limitMs, onOutput, onSpawn, ...options } = {}) {
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options })
  onSpawn?.(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (part) => {
      const text = part.toString('utf8')
      output += text
      onOutput?.(text)
    })
  }
  const timer = limitMs === undefined ? null : setTimeout(() => child.pid !== undefined && endTree(child.pid), limitMs)
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 127, output: `${output}${error.message}\n` }))
    child.on('close', (code, signal) => resolve({ code: code ?? (signal === null ? 1 : 128), output }))
  }).finally(() => clearTimeout(timer))
}

/** The script of an installed package: `binOf('vite', 'bin/vite.js')`. */
export function packageFile(name, file) {
  return join(ROOT, 'node_modules', name, file)
}
