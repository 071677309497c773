// Every place in the window that has its own screen, including those whose subject doesn't exist; none of them is ever
// empty.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { eventually } from './harness'

const ADDRESS = '0x52908400098527886e0f7030069857d2e4169ee7'
export const ROUTES: readonly string[] = [
  ...['/', '/gpus', '/gpus/0', '/pools', '/rigs', '/node', '/node/peers', '/node/mempool', '/node/blocks', '/node/rpc'],
  ...['/node/block/0', `/node/tx/0x${'ab'.repeat(32)}`, `/node/address/${ADDRESS}`],
  ...['/accounts', `/accounts/${ADDRESS}`, '/accounts/rules', '/activity', '/activity/audit', '/activity/all'],
  ...['/settings/general', '/settings/miner', '/welcome'],
]

/** One of each kind. */
export const FEW_ROUTES: readonly string[] = [
  ...['/', '/gpus/0', '/pools', '/node', '/accounts', '/activity/all', '/settings/miner', '/welcome'],
]

/** The frame is there, and in it a screen with text or, while it loads, with placeholders. */
export async function isDrawn(page: Page, path: string): Promise<void> {
  await page.getByTestId('nav-overview').waitFor()
  await eventually(`something on ${path}`, async () => {
    const main = page.locator('main')
    const hasWords = (await main.innerText()).trim() !== ''
    return hasWords || (await main.getByRole('status').count()) > 0 ? true : null
  })
  expect(await page.getByTestId(/^broken-(screen|panel|line)$/).allInnerTexts(), `broken on ${path}`).toEqual([])
}

/** Visits all of them. */
export async function drawsEveryRoute(page: Page): Promise<void> {
  for (const path of ROUTES) {
    await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
    await isDrawn(page, path)
  }
}
