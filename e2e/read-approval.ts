// Reads an approval as a user does. The node's findings may arrive after the first reading, and have to be read too.
import type { Page } from 'playwright-core'
import { eventually } from './harness'

/**
 * Settling takes a second, which a slow machine may need between two steps of a test: only a missing password keeps
 * everything disarmed.
 */
export const UNDECIDED = ['arriving', 'settling', 'armed']

/** Of one press; another reading follows it. */
const PRESS_MS = 2_000

/** More Tab stops than any screen has. */
const MAX_TABS = 80

/** Less than the text's height in the smallest window: nothing is skipped. */
const STEP_PX = 90
/** How far below the text's end still is. */
const LEFT_PX = '(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)'

/** Reads to the end until the approval is armed. */
export async function readToEnd(page: Page): Promise<void> {
  await eventually('the approval is read to its end and armed', async () => {
    await page.locator('#approval-body').hover()
    const left = Number(await page.evaluate(`${LEFT_PX}(document.querySelector('#approval-body'))`))
    for (let at = 0; at < left; at += STEP_PX) await page.mouse.wheel(0, STEP_PX)
    if ((await page.getByTestId('approval-approve').getAttribute('aria-disabled')) === null) return true
    throw new Error(`what is missing: ${await page.locator('#approval-missing').innerText()}`)
  })
}

/** Whether it still waits for a press: on a slow page, a press arrives although its own answer comes too late. */
async function isUndecided(page: Page): Promise<boolean> {
  const phase = await page.locator('[data-testid=approval], [data-testid=approval-table]').getAttribute('data-state')
  return phase !== null && UNDECIDED.includes(phase)
}

/** Reads to the end and presses, again if more was found in between. */
export async function readAndApprove(page: Page): Promise<void> {
  await eventually('the approval is read and pressed', async () => {
    await readToEnd(page)
    const press = page.getByTestId('approval-approve').click({ timeout: PRESS_MS })
    return press.then(
      () => true,
      async () => ((await isUndecided(page)) ? null : true),
    )
  })
}

/** Reads to the end and signs by keyboard alone. @param press one key; @param isSigned asked before each of them */
export async function signByKeys(
  page: Page,
  press: (key: string) => Promise<void>,
  isSigned: () => boolean | Promise<boolean>,
): Promise<void> {
  const button = page.getByTestId('approval-approve')
  // The node's findings may arrive after a reading, and have to be read too.
  await eventually('read to its end and signed', async () => {
    if (await isSigned()) return true
    // The button goes once its request is signed, maybe before the answer is here.
    const isArmed = (await button.getAttribute('aria-disabled', { timeout: 1_000 })) === null
    await tabToPart(page, isArmed ? 'approval-approve' : 'approval-body', press)
    await press(isArmed ? 'Space' : 'End')
    return null
  })
}

/** Presses Tab until the part with this test id, or id, has the focus. */
export async function tabToPart(page: Page, name: string, press: (key: string) => Promise<void>): Promise<void> {
  const focused = `document.activeElement?.dataset.testid ?? document.activeElement?.id ?? ''`
  for (let count = 0; count < MAX_TABS && (await page.evaluate(focused)) !== name; count++) await press('Tab')
  if ((await page.evaluate(focused)) !== name) throw new Error(`${name} can't be reached by Tab`)
}
