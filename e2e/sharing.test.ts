// Sharing and restarting the program, in a real Chromium: a view-only link, a changed setting that is applied, and the
// end of the link.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  findChromium,
  http,
  launchChromium,
  NO_MINING,
  openPage,
  type Running,
  startHeadless,
  temporaryFolder,
} from './harness'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
const TOKEN = 'abcdefghijklmnopqrstuvwxyz'

describe.skipIf('missing' in found)(`sharing and resetting in Chromium${reason}`, () => {
  const datadir = temporaryFolder()
  let running: Running
  let browser: Browser
  let owner: Page
  let viewer: Page
  let link = ''

  const openShell = async (address: string): Promise<Page> => {
    const page = await openPage(browser, address)
    await page.getByTestId('shell').waitFor()
    return page
  }
  const goTo = (page: Page, path: string) => page.evaluate(`location.hash = ${JSON.stringify(path)}`)

  beforeAll(async () => {
    if ('missing' in found) return
    const config = join(datadir, 'config.toml')
    writeFileSync(config, '[miner]\ncpu = false\n')
    running = await startHeadless(datadir, [...NO_MINING, '--api-token', TOKEN, '--simulated-gpus', '1'])
    browser = await launchChromium()
    owner = await openShell(`${running.ready.dashboard}#token=${TOKEN}`)
  })
  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

  it('creates a view-only link, for the page and for HTTP', async () => {
    await goTo(owner, '/settings/api')
    await owner.getByTestId('link-new').click()
    await owner.getByTestId('link-label').fill('Anna')
    await owner.getByTestId('link-make').click()
    link = await owner.getByTestId('link-text').inputValue()
    await owner.getByRole('button', { name: 'Close' }).last().click()

    viewer = await openShell(link)
    expect(await viewer.evaluate('location.href')).toBe(`${running.ready.dashboard}#/`)
    await viewer.getByTestId('link-bar').waitFor()
    await viewer.getByTestId('read-only-mark').waitFor()
    await goTo(viewer, '/gpus')
    await viewer.getByTestId('gpu-row-0').waitFor()
    expect(await viewer.getByTestId('gpu-pause-0').count()).toBe(0)

    const shown = decodeURIComponent(link.split('#token=')[1] ?? '')
    const headers = { authorization: `Bearer ${shown}` }
    const api = `${running.ready.dashboard}api/v1`
    expect((await http(`${api}/summary`, { headers })).status).toBe(200)
    expect((await http(`${api}/control`, { headers, body: { command: 'pause' } })).status).toBe(403)
    expect((await http(`${api}/summary`)).status).toBe(401)
  })

  it('applies a changed setting by a restart, after which both pages are back without signing in', async () => {
    await goTo(owner, '/settings/pools')
    const option = owner.getByTestId('option-pool.failoverMinutes')
    await option.getByRole('textbox').fill('20')
    await owner.getByTestId('options-apply').click()
    await owner.getByTestId('restart-dialog-confirm').click()

    await option.getByText(/Takes effect after a restart/).waitFor()
    await owner.getByTestId('save-bar').waitFor({ state: 'detached' })
    await option.getByText(/From the config file/).waitFor()
    expect(await option.getByRole('textbox').inputValue()).toBe('20')
    await viewer.getByTestId('link-bar').waitFor()
    await viewer.getByTestId('gpu-row-0').waitFor()
    expect(running.child.exitCode).toBeNull()
  })

  it("ends the link, and the visitor's page asks for a token where it was", async () => {
    await goTo(owner, '/settings/api')
    await owner.getByRole('button', { name: 'Revoke Anna' }).click()
    await owner.getByTestId('link-end-dialog-confirm').click()

    await viewer.getByTestId('login-token').waitFor()
    expect(await viewer.evaluate('location.hash')).toBe('#/gpus')
    expect(await viewer.evaluate('sessionStorage.length')).toBe(0)
  })

  it('still stops cleanly', async () => {
    expect(await running.terminate()).toBe(0)
  })
})
