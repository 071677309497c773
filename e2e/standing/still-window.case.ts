// Run by electron-still.test.ts: a window that stands still as after a lock in Chromium, and a case after it.
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, it } from 'vitest'
import { z } from 'zod'
import { type Desktop, startDesktop } from '../electron-harness'
import { eventually, findElectron, NO_MINING, temporaryFolder } from '../harness'

const found = await findElectron({ display: true })
const datadir = temporaryFolder()
let desktop: Desktop

beforeAll(async () => {
  if ('missing' in found) throw new Error(found.missing)
  desktop = await startDesktop({ runtime: found, datadir, more: NO_MINING })
  await (await desktop.page('index.html')).getByTestId('shell').waitFor()
})
afterAll(async () => {
  await desktop?.terminate()
  rmSync(datadir, { recursive: true, force: true })
})

it('asks a page that stands still', async () => {
  const page = await desktop.page('index.html')
  const pids = await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => window.webContents.getOSProcessId()),
  )
  for (const pid of z.array(z.number()).parse(pids)) process.kill(pid, 'SIGSTOP')
  await eventually('rows', async () => ((await page.getByTestId('log-row').allTextContents()).length > 0 ? true : null))
}, 3_000)

it('asks it again', async () => {
  await (await desktop.page('index.html')).getByTestId('shell').waitFor()
})
