// How the desktop program stops when told to at an inconvenient moment.
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { startDesktop } from './electron-harness'
import { findElectron, temporaryFolder } from './harness'

const found = await findElectron({ display: true })
const what = 'missing' in found ? `(skipped: ${found.missing})` : `${found.version ?? 'unknown'} (${found.source})`

describe.skipIf('missing' in found)(`a signal while pages load in Electron ${what}`, () => {
  const datadir = temporaryFolder()
  afterAll(() => rmSync(datadir, { recursive: true, force: true }))

  it('stops the program cleanly', async () => {
    if ('missing' in found) return
    const desktop = await startDesktop({ runtime: found, datadir })
    await desktop.page('index.html')
    const exited = once(desktop.app.process(), 'exit')

    await desktop.app.evaluate(({ BrowserWindow }) => {
      const dashboard = BrowserWindow.getAllWindows().find(({ webContents }) =>
        webContents.getURL().includes('/index.html'),
      )
      // The last event before Electron says that a page was loaded; the first load may come to its end only now.
      dashboard?.webContents.once('did-start-navigation', () =>
        dashboard.webContents.once('did-frame-finish-load', () => void process.emit('SIGTERM')),
      )
      setImmediate(() => dashboard?.webContents.reload())
    })

    expect(await exited, desktop.output()).toEqual([0, null])
    expect(desktop.output()).not.toContain('unexpected failure')
  })
})
