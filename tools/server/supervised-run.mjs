// The installed program under a supervisor that speaks systemd's protocol, and what a user does with it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ToolError } from '../lib/project.mjs'

const HANG_MS = 240_000
const POLL_MS = 200
/** Prints each datagram as a line; Node has no sockets of this kind. */
const RECEIVER = `
import socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print("bound", flush=True)
while True:
    print(receiver.recv(4096).decode(), flush=True)
`

/**
 * Runs the program as a service while `work` uses it, from when it says that it is ready; then stops it in order.
 * @param {import('./clean-root.mjs').CleanRoot} root
 * @param {{ user: string, words: readonly string[], readyFile: string, environment?: object, isService?: boolean, hasNamespaces?: boolean }} call
 * `readyFile`: a path within; `isService`: false for a program with a window, which tells a supervisor nothing; `hasNamespaces`: as
 * `CleanRoot` has it
 * @returns what `work` gives
 * @throws ToolError when it does not start, or does not end with 0 and a word to the supervisor
 */
export async function supervised(root, call, work) {
  const program = await start(root, call)
  try {
    const result = await work(program)
    await program.stop()
    if (call.isService !== false && !program.told.includes('STOPPING=1'))
      throw new ToolError('the supervisor was not told of the end')
    return result
  } finally {
    program.kill()
  }
}

async function start(root, { user, words, readyFile, environment: more = {}, isService = true, hasNamespaces = true }) {
  const socket = join(root.folder, 'run/notify')
  rmSync(socket, { force: true })
  rmSync(join(root.folder, readyFile), { force: true })
  const receiver = spawn('python3', ['-c', RECEIVER, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  const told = []
  receiver.stdout.on('data', (part) => told.push(...part.toString('utf8').trim().split('\n')))
  await once(receiver.stdout, 'data')
  chmodSync(socket, 0o666)
  const environment = { NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '1000000', HOME: '/nonexistent', ...more }
  const child = root.start([...words, '--ready-file', readyFile], { user, environment, hasNamespaces })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part.toString('utf8')))
  const until = (what, ask) => waitFor(what, ask, () => (child.exitCode === null ? null : said))
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    const hang = setTimeout(() => child.kill('SIGKILL'), HANG_MS)
    const [code, signal] = await ended.finally(() => clearTimeout(hang))
    if (code !== 0) throw new ToolError(`${words.join(' ')} ended with ${code ?? signal}\n${said}`)
  }
  const kill = () => {
    child.kill('SIGKILL')
    receiver.kill()
  }
  try {
    await until('ready', async () => existsSync(join(root.folder, readyFile)))
    for (const state of isService ? ['READY=1', 'WATCHDOG=1'] : []) await until(state, async () => told.includes(state))
  } catch (error) {
    kill()
    throw error
  }
  const ready = JSON.parse(readFileSync(join(root.folder, readyFile), 'utf8'))
  return { ready, told, until, stop, kill, said: () => said }
}

/** @throws ToolError when it did not come, or `ended` gives what the program said before its end */
async function waitFor(what, ask, ended) {
  for (let waited = 0; waited < HANG_MS; waited += POLL_MS) {
    if (await ask()) return
    const last = ended()
    if (last !== null) throw new ToolError(`ended before ${what}:\n${last}`)
    await sleep(POLL_MS)
  }
  throw new ToolError(`${what} did not come`)
}

/** The result of one JSON-RPC call. @param address `host:port`; @throws ToolError for an error answer */
export async function rpc(address, method, params = []) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(HANG_MS)
  const answer = await fetch(`http://${address}/`, { method: 'POST', headers, body, signal })
  const { result, error } = await answer.json()
  if (error !== undefined) throw new ToolError(`${method}: ${error.message}`)
  return result
}
