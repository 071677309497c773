// The alternative Electron, fetched where the official one isn't available: on a public network it opens no window.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { isOldElectron } from '../src/old-electron/old-electron'
import { type Desktop, desktopArguments, startDesktop } from './electron-harness'
import { eventually, findElectron, ROOT, temporaryFolder } from './harness'

const found = await findElectron({ display: true })
const runtime = 'missing' in found ? null : found
const isOld = runtime !== null && isOldElectron(runtime.version ?? undefined)
const ON_MAIN = ['--network', 'main', '--maxpeers', '0', '--cpu=false', '--http', '--signer.http']

describe.skipIf(!isOld)('on main, an Electron without security fixes', () => {
  const folder = temporaryFolder()
  let desktop: Desktop | null = null
  afterEach(async () => {
    await desktop?.terminate()
    desktop = null
    rmSync(folder, { recursive: true, force: true })
  })

  it('opens no window and serves the dashboard to a browser', async () => {
    if (runtime === null) return
    desktop = await startDesktop({ runtime, datadir: folder, more: ON_MAIN })
    const { app, ready } = desktop
    const link = await eventually('dashboard link', async () => readFileSync(join(folder, 'dashboard-link'), 'utf8'))

    expect(ready.network).toBe('main')
    expect(link).toMatch(new RegExp(`^${ready.dashboard}#token=`))
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0)
  })

  it('explains why', async () => {
    if (runtime === null) return
    const args = [...runtime.args, '--disable-gpu', ROOT, ...desktopArguments(folder), ...ON_MAIN]
    const child = spawn(runtime.executable, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] })
    const ended = once(child, 'exit')
    let output = ''
    child.stderr.on('data', (part: Buffer) => {
      output += part.toString('utf8')
    })
    await eventually('the program is up', async () => (output.includes('dashboard link with') ? true : null))
    child.kill('SIGTERM')

    expect((await ended)[0]).toBe(0)
    expect(output).toContain(`Electron ${runtime.version} gets no security fixes any more`)
  })
})
