// The computer's clock advances to the next morning while the page is open: the night's report is there, the desktop
// program announces it once, and no screen shows an absurd time.
import { expect, it } from 'vitest'
import { eventually } from '../harness'
import { strangeWords } from '../page-checks'
import type { Journey } from './journey'

const MORNING_HOUR = 7
const LOOKED_AT = ['/', '/gpus', '/gpus/1', '/pools', '/node', '/node/blocks', '/accounts', '/activity'] as const

/** Until shortly after the next local morning. */
function untilMorning(): number {
  const now = Date.now()
  const morning = new Date(now)
  morning.setHours(MORNING_HOUR, 0, 0, 0)
  if (morning.getTime() <= now) morning.setDate(morning.getDate() + 1)
  return morning.getTime() - now + 1_000
}

/** Registers the night. The program's clock is ahead afterwards. */
export function overNight(journey: () => Journey): void {
  it("has the night's report in the morning, and announces it once", async () => {
    const { page } = journey()
    await journey().open()
    await page().evaluate(`location.hash = '/activity'`)
    const older = page().getByTestId('report-older')
    await older.and(page().locator('[aria-disabled=true]')).waitFor()
    const told = await journey().watchNotices()

    await journey().advanceClock(untilMorning())

    await older.and(page().locator(':not([aria-disabled])')).waitFor()
    if (told !== null) {
      const reports = async () => (await told()).filter((body) => body === 'Your morning report is ready.')
      await eventually('the notification', async () => ((await reports()).length > 0 ? true : null))
      expect(await reports()).toHaveLength(1)
    }
    for (const path of LOOKED_AT) {
      await page().evaluate(`location.hash = ${JSON.stringify(path)}`)
      await page().locator('main h1').waitFor()
      expect(await strangeWords(page()), path).toEqual([])
      expect(await page().locator('main').innerText(), path).not.toMatch(/(?:^|\s)[-−]\d+ (?:s|min|h|d)\b/)
    }
  })
}
