// The host side on the Node inside the Electron that is here. A whole practice start in it is the only proof: bundled libraries, workers, the addon and the store all load, and the head grows.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { blockNumber, eventually, findElectron, ROOT, readReadyFile, temporaryFolder } from '../../e2e/harness'

const found = await findElectron({ display: false })
const built = existsSync(join(ROOT, 'out/main/cli.cjs'))
const missing = 'missing' in found ? found.missing : built ? null : 'not built; run: npm run build'
const what = missing === null ? '' : ` (skipped: ${missing})`

describe.skipIf(missing !== null)(`the host side as Electron's Node${what}`, () => {
  const datadir = temporaryFolder()
  const children: ChildProcess[] = []
  afterAll(async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    rmSync(datadir, { recursive: true, force: true })
  })

  it('runs a headless practice start until the head grows, and exits with 0', async () => {
    if ('missing' in found) return
    const readyFile = join(datadir, 'ready.json')
    const args = ['run', '--headless', '--datadir', datadir, '--ready-file', readyFile]
    const ports = ['--api-bind', '127.0.0.1:0', '--http.port', '0', '--signer.http.port', '0']
    const child = spawn(found.executable, [join(ROOT, 'out/main/cli.cjs'), ...args, ...ports], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    children.push(child)
    let log = ''
    child.stderr.on('data', (part: Buffer) => {
      log += part.toString('utf8')
    })
    const exited = once(child, 'exit')

    const early = exited.then(([code]) => Promise.reject(new Error(`ended with ${code}:\n${log}`)))
    const ready = await Promise.race([readReadyFile(readyFile), early])
    const first = await blockNumber(ready)
    await eventually('new block', async () => ((await blockNumber(ready)) > first ? true : null), 240_000)
    child.kill('SIGTERM')

    expect(await exited).toEqual([0, null])
    expect(log).not.toMatch(/failed to stop/)
  })
})
