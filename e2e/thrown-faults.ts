// A fault while a screen renders, on every screen: it stays in that screen, names its reason, and the screen opens
// again on Retry. Registered once for each shell.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { eventually } from './harness'
import { type StatesShell, WAITING } from './screen-states'

const FAULT = 'a part of this screen is broken'
const BROKEN = '[data-testid^=broken-]'
/**
 * From now on, no new element with a test id can be rendered, except for what replaces a broken part. Each screen has
 * such elements, and each of its cards.
 */
const BREAK = `(() => {
  const { setAttribute } = Element.prototype
  globalThis.mend = () => { Element.prototype.setAttribute = setAttribute }
  Element.prototype.setAttribute = function (name, value) {
    if (name === 'data-testid' && !/^(broken|error)-/.test(value)) throw new Error('${FAULT}')
    return setAttribute.call(this, name, value)
  }
})()`

/** Breaks what `open` renders, until `mended` is called. */
export async function breakDrawing(page: Page): Promise<{ mended(): Promise<void> }> {
  await page.evaluate(BREAK)
  return { mended: async () => void (await page.evaluate('globalThis.mend()')) }
}

export function throwingScreens(shell: () => StatesShell): void {
  it('keeps the frame when any screen fails while rendering, and opens that screen on Retry', async () => {
    const { page, leave } = await shell().open()
    await page.getByTestId('network-badge').waitFor()
    const broken = page.locator(BROKEN)
    for (const [path, part] of [...WAITING, ['/welcome', 'welcome'], ['/', 'health']] as const) {
      const { mended } = await breakDrawing(page)
      await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
      await page.locator('main').locator(BROKEN).filter({ hasText: FAULT }).first().waitFor()
      expect(await page.getByTestId('nav-overview').count(), path).toBe(1)
      expect(await page.getByTestId('broken-page').count(), path).toBe(0)

      await mended()
      await eventually(`${path} is whole`, async () => {
        const retry = broken.getByRole('button', { name: 'Retry' })
        if ((await retry.count()) > 0) await retry.first().click()
        return (await broken.count()) === 0 ? true : null
      })
      await page.getByTestId(part).first().waitFor()
      await page.getByTestId('network-badge').waitFor()
    }
    await leave()
  })
}
