// A compromised key worker, for key-process.test.ts: in the same process and confinement, it follows its orders instead
// of doing its work.
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { keyProcessEnvironment } from '../../../src/host/workers/key-process-environment'

const frame = z.object({ id: z.number(), params: z.object({ place: z.string(), port: z.number() }).partial() })

/** What it tries to get out. */
const SECRET = 'the key is 4646464646464646'

const { transport, log } = keyProcessEnvironment()

transport.onMessage((message) => {
  const { id, params } = frame.parse(message)
  const { place, port } = params
  if (place === 'babble') babble()
  else if (place === 'silence') return
  else if (place === 'again') transport.send({ confined: false, reason: SECRET })
  else if (place === 'words')
    transport.send({ t: 'error', id, code: 'KEYSTORE_KEY_MISMATCH', message: SECRET, data: { expected: SECRET } })
  else if (place === 'code') transport.send({ t: 'error', id, code: SECRET, message: SECRET })
  else if (place === 'last words') dieWith(SECRET)
  else if (place === 'garbage') process.stdout.write('this is no frame of anybody')
  else if (place === undefined || port === undefined) answer(id, { signature: new Uint8Array(65).fill(1) })
  else void attempts(place, port).then((results) => answer(id, results))
})

/** In turns, so that its messages also leave the process. */
function babble(): void {
  log.error('a contract call failed', { error: SECRET })
  setImmediate(babble)
}

function dieWith(words: string): void {
  process.stderr.write(words, () => process.kill(process.pid, 'SIGKILL'))
}

function answer(id: number, result: unknown): void {
  transport.send({ t: 'result', id, result })
}

/** The result of each: the system's refusal, or `done`. */
async function attempts(place: string, port: number): Promise<Record<string, string>> {
  return {
    read: now(() => readFileSync(place)),
    readSystem: now(() => readFileSync('/etc/passwd')),
    list: now(() => readdirSync('/')),
    write: now(() => writeFileSync(place, 'changed')),
    readParent: now(() => readFileSync(`/proc/${process.ppid}/environ`)),
    run: now(() => {
      const { error } = spawnSync('/bin/true')
      if (error !== undefined) throw error
    }),
    endParent: now(() => process.kill(process.ppid, 'SIGTERM')),
    connect: await tcp(port),
    datagram: await udp(port),
    thread: await threadReads(place),
  }
}

function now(attempt: () => unknown): string {
  try {
    attempt()
    return 'done'
  } catch (error) {
    return codeOf(error)
  }
}

function codeOf(error: unknown): string {
  return z.object({ code: z.string() }).safeParse(error).data?.code ?? String(error)
}

function tcp(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve('done'))
    socket.on('error', (error) => resolve(codeOf(error)))
  })
}

function udp(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.on('error', (error) => resolve(codeOf(error)))
    socket.send('x', port, '127.0.0.1', (error) => resolve(error === null ? 'done' : codeOf(error)))
  })
}

/** Threads may be created; they are equally confined. */
function threadReads(place: string): Promise<string> {
  const code = `const { parentPort, workerData } = require('node:worker_threads')
    try { require('node:fs').readFileSync(workerData); parentPort.postMessage('done') }
    catch (error) { parentPort.postMessage(error.code) }`
  return new Promise((resolve) => {
    const thread = new Worker(code, { eval: true, workerData: place })
    thread.on('message', (message) => resolve(z.string().parse(message)))
    thread.on('error', (error) => resolve(codeOf(error)))
  })
}
