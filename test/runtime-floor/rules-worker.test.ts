// The script interpreter and the key worker on the Node inside Electron: as built, one request each.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findElectron, ROOT } from '../../e2e/harness'
import { createLogger, type LogRecord } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { type StartProcess, startOwnProcess } from '../../src/host/system/own-process'
import { openKeyProcess } from '../../src/host/workers/key-process'
import { KeyClient } from '../../src/signer/keystore/key-client'
import { recoverAddress } from '../../src/signer/keystore/secret-key'
import { textToSign } from '../../src/signer/keystore/testing/contents'

const found = await findElectron({ display: false })
const entries = join(ROOT, 'out', 'main')
const built = ['rules-worker.cjs', 'key-worker.cjs'].every((name) => existsSync(join(entries, name)))
const missing = 'missing' in found ? found.missing : built ? null : 'not built; run: npm run build'
const executable = 'missing' in found ? '' : found.executable
const what = missing === null ? '' : ` (skipped: ${missing})`

/** Opens a worker as the host does, calls it once and prints its answer. */
const PROGRAM = `
const { MessageChannel, Worker } = require('node:worker_threads')
const [entry, name, params] = process.argv.slice(1)
const logs = new MessageChannel()
const workerData = { searchFrom: process.cwd(), minLevel: 'error', logPort: logs.port2 }
const worker = new Worker(entry, { workerData, transferList: [logs.port2] })
worker.on('message', (message) => { console.log(process.versions.node); console.log(JSON.stringify(message)); process.exit(0) })
worker.postMessage({ t: 'call', id: 1, name, params: JSON.parse(params) })
`

async function ask(entry: string, name: string, params: object): Promise<{ node: string; result: unknown }> {
  if ('missing' in found) throw new Error(found.missing)
  const args = ['-e', PROGRAM, '--', join(entries, entry), name, JSON.stringify(params)]
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  const { stdout } = await promisify(execFile)(found.executable, args, { env, cwd: ROOT, timeout: 240_000 })
  const [node = '', line = ''] = stdout.trim().split('\n')
  return { node, result: z.object({ result: z.unknown() }).parse(JSON.parse(line)).result }
}

describe.skipIf(missing !== null)(`the signer's workers as Electron's Node${what}`, () => {
  it('run a rule script with BigNumber and storage', async () => {
    const source = `function ApproveTx(r) { storage.put("n", "1")
      return new BigNumber(r.value.slice(2), 16).lt(1000) ? "Approve" : "Reject" }`
    const task = { source, run: 'ApproveTx', argument: '{"value":"0x3e7"}', storage: [], now: 0 }

    const { node, result } = await ask('rules-worker.cjs', 'evaluate', task)

    expect(node).toMatch(/^\d+\./)
    expect(result).toEqual({ answer: 'Approve', failure: '', writes: [['n', '1']], lines: [] })
  })

  it('encrypt a private key and sign with it, without files and network if the system supports that', async () => {
    const said: LogRecord[] = []
    const sink = { write: (record: LogRecord) => void said.push(record) }
    const log = createLogger('', { minLevel: 'info', now: () => 0, sink })
    const start: StartProcess = (entry, args) => startOwnProcess(entry, args, executable)
    const worker = {
      entry: join(entries, 'key-worker.cjs'),
      searchFrom: ROOT,
      start,
      log,
      clock: systemClock(),
    } as const
    const keys = new KeyClient(() => openKeyProcess(worker))
    const password = new TextEncoder().encode('a fine password')
    const what = textToSign()

    const made = await keys.import(new Uint8Array(32).fill(0x46), password, 'light')
    const signature = await keys.sign({ ...made, password }, what)

    expect(made.address).toBe('0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f')
    expect(recoverAddress(what.digest, signature)).toBe(made.address)
    if (process.platform === 'linux') expect(said[0]?.message).toBe('the key worker is confined: no files, no network')
    keys.close()
  })
})
