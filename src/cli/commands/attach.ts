// attach: a JavaScript console on a running node, this program's or any other of the family.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { REPLServer } from 'node:repl'
import { inspect } from 'node:util'
import { type Context, createContext, runInContext } from 'node:vm'
import { z } from 'zod'
import { forTerminal } from '../../base/language/visible-text'
import { ConfigError } from '../../config/errors'
import { HostError } from '../../host/errors'
import { rpcMethodNames, rpcSocketPath } from '../../host/node/rpc-options'
import { dataDirPaths } from '../../host/system/data-dir'
import type { CliCall } from '../call'
import { type ConsoleObject, consoleObjects } from '../console/objects'
import { openSyncRpc, type SyncRpc } from '../console/sync-rpc'
import { EXIT_DONE } from '../exit-codes'
import { dataDirOf } from '../load-config'

/** `headframe attach [URL|IPCPATH]`; with --exec prints one result and exits. @throws Error when no node is reached */
export async function runAttach(call: CliCall): Promise<number> {
  const { parsed, world } = call
  const dataDir = dataDirOf(call)
  const target = targetOf(call, dataDir)
  const rpc = openSyncRpc(target, world.platform.workerDir)
  try {
    const objects = objectsOf(rpc)
    const preload = (parsed.preload ?? '').split(',').filter((file) => file !== '')
    if (parsed.exec !== null) {
      const context = contextOf(objects, world.platform.standardOutput)
      for (const file of preload) loadScript(file, context)
      world.platform.standardOutput(shown(runInContext(parsed.exec, context)))
      return EXIT_DONE
    }
    await talk(call, { target, objects, preload, dataDir })
    return EXIT_DONE
  } finally {
    await rpc.close()
  }
}

/** That given, or the data directory's socket. @throws ConfigError CONFIG_UNEXPECTED_WORD; HostError HOST_NO_SOCKET */
function targetOf({ parsed, world }: CliCall, dataDir: string): string {
  const [word, second] = parsed.words
  const accepted = 'one address: http://HOST:PORT, https://…, or the path of a socket'
  if (second !== undefined)
    throw new ConfigError('CONFIG_UNEXPECTED_WORD', { word: second, command: 'attach', accepted })
  if (word === undefined) return requireSocket(rpcSocketPath(dataDir))
  if (/^wss?:/i.test(word)) {
    const expected = 'http, https or the path of a socket'
    throw new ConfigError('CONFIG_VALUE_INVALID', { where: 'attach', value: word, expected })
  }
  if (/^https?:\/\//i.test(word)) return word
  // As in the ready file.
  if (/^[^/\\]+:\d+$/.test(word)) return `http://${word}`
  return requireSocket(resolve(world.surroundings.workingDir, word))
}

/** Windows' pipes are no files. @throws HostError HOST_NO_SOCKET */
function requireSocket(path: string): string {
  if (process.platform === 'win32' || existsSync(path)) return path
  throw new HostError('HOST_NO_SOCKET', { path })
}

function objectsOf({ call }: SyncRpc): Readonly<Record<string, ConsoleObject>> {
  const modules = Object.keys(z.record(z.string(), z.string()).parse(call('rpc_modules', [])))
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  const sleep = (ms: number): void => void Atomics.wait(sleeper, 0, 0, ms)
  return consoleObjects({ call, modules, methods: rpcMethodNames(), sleep })
}

/** What nodes say may be printed, too. */
function printing(print: (line: string) => void): (...values: readonly unknown[]) => void {
  return (...values) => print(values.map(shown).join(' '))
}

function contextOf(objects: Readonly<Record<string, ConsoleObject>>, print: (line: string) => void): Context {
  const log = printing(print)
  const context = createContext({ ...objects, console: { log, error: log } })
  Object.assign(context, { loadScript: (file: string) => loadScript(file, context) })
  return context
}

/** @throws Error when it can't be read or fails */
function loadScript(file: string, context: Context): true {
  runInContext(readFileSync(file, 'utf8'), context, { filename: file })
  return true
}

/** As the console prints a result: strings quoted inside values, plain at the top level. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value, { depth: 6, maxArrayLength: 200 })
}

interface Talk {
  readonly target: string
  readonly objects: Readonly<Record<string, ConsoleObject>>
  readonly preload: readonly string[]
  readonly dataDir: string
}

/** Read-eval-print until the user leaves. */
async function talk({ world }: CliCall, { target, objects, preload, dataDir }: Talk): Promise<void> {
  const { platform } = world
  platform.standardOutput(`Connected to ${target}. Objects: ${Object.keys(objects).join(', ')}. Type .exit to leave.`)
  // Imported here only: it loads `domain`, whose hooks slow down every event and promise of a process.
  const { start } = await import('node:repl')
  const server = start({
    prompt: '> ',
    ignoreUndefined: true,
    writer: (value) => forTerminal(shown(value)),
    breakEvalOnSigint: true,
  })
  server.setupHistory(dataDirPaths(dataDir).consoleHistory, () => undefined) // without a history it still works
  server.on('line', (line) => forgetSecrets(server, line))
  fill(server, objects)
  const log = printing(platform.standardOutput)
  Object.assign(server.context.console ?? {}, { log, error: log, info: log, warn: log, debug: log })
  for (const file of preload) loadScript(file, server.context)
  await new Promise<void>((leave) => server.once('exit', leave))
}

/** The objects as globals of the console; reading a property calls the node each time. */
function fill(server: REPLServer, objects: Readonly<Record<string, ConsoleObject>>): void {
  for (const [name, value] of Object.entries(objects)) {
    Object.defineProperty(server.context, name, { value, enumerable: true, configurable: true })
  }
  server.context.loadScript = (file: string): true => loadScript(file, server.context)
}

/** Calls that may contain a password, by habit or by need. */
const MAY_HOLD_SECRET = /personal\s*\.\s*(new|unlock|import|send|sign)|PrivateKey|password/i

/** Removes a line that may contain a password from the history before it is written. */
function forgetSecrets(server: REPLServer, line: string): void {
  const held: unknown = Reflect.get(server, 'history')
  if (!MAY_HOLD_SECRET.test(line) || !Array.isArray(held)) return
  const at = held.indexOf(line)
  if (at >= 0) held.splice(at, 1)
}
