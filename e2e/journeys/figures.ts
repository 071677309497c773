// Each figure says what it consists of: which devices, since when, with which numbers. The program has simulated
// devices that mine.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { eventually } from '../harness'
import type { Journey } from './journey'

/** Readings of different moments may be on the screen at once. */
const TOLERANCE = 0.02
const rowsSchema = z.array(z.array(z.string()))
/** The values of each row, in base units; the last row is the sum. */
const ROWS = `[...document.querySelectorAll('[data-testid=sources] tbody tr, [data-testid=sources] tfoot tr')]
  .map((row) => [...row.querySelectorAll('[data-value]')].map((value) => value.dataset.value))`

export function explainedFigures(journey: () => Journey): void {
  describe('a figure', () => {
    singleFigures(journey)
    it('opens its sources: devices that add up to it, and since when', async () => {
      const { page } = journey()
      await journey().open()
      await page().getByTestId('sources-show').click()
      await page().getByTestId('sources').waitFor()

      await eventually('devices that add up', async () => {
        const rows = rowsSchema.parse(await page().evaluate(ROWS)).map((row) => row.map(Number))
        const [sum, ...devices] = rows.reverse()
        const parts = devices.map(([rate = 0]) => rate)
        const total = parts.reduce((all, rate) => all + rate, 0)
        const isSum = Math.abs(total - (sum?.[0] ?? 0)) <= TOLERANCE * total
        const shares = devices.map(([, share = 0]) => share).reduce((all, share) => all + share, 0)
        return devices.length === 3 && total > 0 && isSum && Math.abs(shares - 100) < 1 ? true : null
      })
      await page()
        .locator('main')
        .filter({ hasText: /since .*\d{1,2}:\d\d/i })
        .first()
        .waitFor()
      await page().getByTestId('sources-show').click()
      await page().getByTestId('sources').waitFor({ state: 'detached' })
    })

    it('of the earnings opens the numbers behind it', async () => {
      const { page } = journey()
      await journey().open()
      const how = page().getByTestId('earnings-how')
      await how.locator('summary').click()

      await how.filter({ hasText: /[kMG]?H\/s/ }).waitFor()
      expect(await how.innerText()).not.toMatch(/NaN|undefined/)
    })

    it('of lost mining time opens its causes', async () => {
      const { page } = journey()
      await journey().open()
      await page().getByTestId('losses-why').click()

      expect(await page().getByTestId('losses-row').count()).toBeGreaterThan(0)
      await page().getByTestId('losses-why').click()
      expect(await page().getByTestId('losses-row').count()).toBe(0)
    })
  })
}

/** Each pressed on its own. */
function singleFigures(journey: () => Journey): void {
  it('opens on its own what each device adds to it', async () => {
    const { page } = journey()
    await journey().open()
    const because = page().getByTestId('because')
    for (const [name, words] of [
      ['15 min', 'Average of the last 15 min'],
      ['Power', 'Sum of the devices'],
    ] as const) {
      await page().getByRole('button', { name, exact: true }).click()
      await because.filter({ hasText: words }).getByTestId('why-parts').locator('li').nth(2).waitFor()
      await page().getByRole('button', { name, exact: true }).click()
      await because.waitFor({ state: 'detached' })
    }
  })

  it('of a device opens when it was read, and what changed it', async () => {
    const { page } = journey()
    await page().evaluate(`location.hash = '/gpus/1'`)
    await page().getByTestId('chart-1-hashrate').waitFor()
    await page().getByRole('button', { name: '60 s', exact: true }).click()
    await page().getByTestId('because').getByTestId('why-changes').locator('li').first().waitFor()
  })
}
