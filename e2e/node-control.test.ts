// The node's own screens in a real Chromium over the real program: queried in its console, exported to a file, stopped
// and started again while the miner waits.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  blockNumber,
  eventually,
  findChromium,
  launchChromium,
  openPage,
  picture,
  type Running,
  startHeadless,
  temporaryFolder,
} from './harness'
import { seriousFindings } from './page-checks'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''

async function goTo(page: Page, path: string, testId: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
  await page.getByTestId(testId).first().waitFor()
}

async function pictures(page: Page, name: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await picture(page, { kind: 'chromium', name: `${name}-${theme}`, fullPage: true })
  }
  expect(await seriousFindings(page), name).toEqual([])
}

describe.skipIf('missing' in found)(`the node in Chromium${reason}`, () => {
  const datadir = temporaryFolder()
  let running: Running
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    if ('missing' in found) return
    running = await startHeadless(datadir)
    browser = await launchChromium()
    // Only so that axe can be injected into the page: the policy itself is tested elsewhere.
    page = await openPage(browser, running.link, { bypassCSP: true })
    await eventually('a first block', async () => ((await blockNumber(running.ready)) > 2 ? true : null))
  })

  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

  it('answers read-only methods in its console, and counts callers', async () => {
    await goTo(page, '/node/rpc', 'console-ask')
    await page.getByTestId('console-method').fill('eth_chainId')
    await page.getByTestId('console-ask').click()
    await page
      .getByTestId('console-answer')
      .filter({ hasText: `0x${running.ready.chainId.toString(16)}` })
      .waitFor()

    await page.getByTestId('console-method').fill('eth_sendRawTransaction')
    await page.getByTestId('console-params').fill('["0x00"]')
    await page.getByTestId('console-ask').click()

    await page.getByTestId('console-error').filter({ hasText: 'is not allowed here' }).waitFor()
    await page.getByTestId('rpc-method').filter({ hasText: 'eth_blockNumber' }).waitFor()
    await page.getByTestId('log-row').first().waitFor()
    await pictures(page, 'node-rpc')
  })

  it('shows a block with its reward, and what the next one would contain', async () => {
    await goTo(page, '/node/block/1', 'block-reward')
    expect(await page.getByTestId('block-reward').textContent()).toMatch(/^50\s/)
    await pictures(page, 'node-block')
    await goTo(page, '/node/mempool', 'template-fees')
    expect(await page.getByTestId('template-transactions').textContent()).toBe('0')
    await pictures(page, 'node-mempool')
  })

  it("exports its blocks to a file on this computer, and reports why it can't", async () => {
    const file = join(datadir, 'out.rlp')
    await goTo(page, '/node/blocks', 'export-blocks')
    await page.getByTestId('block-file').fill('out.txt')
    await page.getByTestId('export-blocks').click()
    await page.getByTestId('block-files').getByRole('alert').filter({ hasText: 'absolute path' }).waitFor()
    await page.getByTestId('block-file').fill(file)
    await page.getByTestId('export-last').fill('2')
    await page.getByTestId('export-blocks').click()

    await page.locator('[data-testid=block-job][data-state=done]').waitFor()
    expect(readFileSync(file).length).toBeGreaterThan(1_000)
    await page.getByTestId('import-blocks').click()
    await page.locator('[data-testid=block-job][data-state=done]').filter({ hasText: 'Import' }).waitFor()
    await pictures(page, 'node-files')
  })

  it('stops while the miner waits, and continues from its block', async () => {
    await goTo(page, '/node', 'node-stop')
    const before = await blockNumber(running.ready)
    await page.getByTestId('node-stop').click()
    await page.getByTestId('node-stop-dialog-confirm').click()
    await page.getByTestId('node-start').waitFor()
    await page.locator('[data-testid=sync-state][data-state=stopped]').waitFor({ state: 'attached' })
    await page.getByTestId('health').click()
    await page.getByTestId('status-list').getByRole('link', { name: 'Node stopped' }).waitFor()
    await page.keyboard.press('Escape')

    await goTo(page, '/node', 'node-start')
    await page.getByTestId('node-start').click()

    await page.getByTestId('node-stop').waitFor()
    const head = page.getByTestId('head-number')
    await eventually('a block after the start', async () =>
      Number(await head.getAttribute('data-value')) > before ? true : null,
    )
    await pictures(page, 'node-sync')
    await page.setViewportSize({ width: 390, height: 844 })
    await goTo(page, '/node/rpc', 'console-ask')
    await pictures(page, 'node-rpc-390')
  })

  it('checks its database, and continues', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await goTo(page, '/node', 'database-ask')
    const head = page.getByTestId('head-number')
    const before = Number(await head.getAttribute('data-value'))
    await page.getByTestId('database-ask').click()
    await page.getByTestId('database-dialog-confirm').click()

    await page.locator('[data-testid=database-job][data-state=whole]').waitFor()
    await page.getByTestId('node-stop').waitFor()
    await eventually('a block after the check', async () =>
      Number(await head.getAttribute('data-value')) > before ? true : null,
    )
    await pictures(page, 'node-database')
  })
})
