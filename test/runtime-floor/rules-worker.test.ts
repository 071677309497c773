// The script interpreter and the key worker's curve in the oldest runtime: the built workers, each asked one question.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findElectron, ROOT } from '../../e2e/harness'

const found = await findElectron({ display: false })
const entries = join(ROOT, 'out', 'main')
const built = ['rules-worker.cjs', 'key-worker.cjs'].every((name) => existsSync(join(entries, name)))
const missing = 'missing' in found ? found.missing : built ? null : 'not built; run: npm run build'
const what = missing === null ? '' : ` (skipped: ${missing})`

/** Opens a worker as the host does, calls it once and prints its answer. */
const PROGRAM = `
const { MessageChannel, Worker } = require('node:worker_threads')
const [entry, name, params] = process.argv.slice(1)
const logs = new MessageChannel()
const workerData = { searchFrom: process.cwd(), minLevel: 'error', logPort: logs.port2 }
const worker = new Worker(entry, { workerData, transferList: [logs.port2] })
const bytes = (key, value) => (key === 'password' || key === 'secret' ? new Uint8Array(Buffer.from(value)) : value)
worker.on('message', (message) => { console.log(process.versions.node); console.log(JSON.stringify(message)); process.exit(0) })
worker.postMessage({ t: 'call', id: 1, name, params: JSON.parse(params, bytes) })
`

async function ask(entry: string, name: string, params: object): Promise<{ node: string; result: unknown }> {
  if ('missing' in found) throw new Error(found.missing)
  const args = ['-e', PROGRAM, '--', join(entries, entry), name, JSON.stringify(params)]
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  const { stdout } = await promisify(execFile)(found.executable, args, { env, cwd: ROOT, timeout: 30_000 })
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

  it('encrypt a private key', async () => {
    const params = { secret: 'F'.repeat(32), password: 'a fine password', strength: 'light' }

    const { result } = await ask('key-worker.cjs', 'import', params)

    expect(result).toMatchObject({ address: '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f' })
  })
})
