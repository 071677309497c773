// A figure of a device says what it consists of: since when, with which numbers. The program has simulated devices that mine.
import { describe, it } from 'vitest'
import type { Journey } from './journey'

export function explainedFigures(journey: () => Journey): void {
  describe('a figure', () => {
    it('of a device opens when it was read, and what changed it', async () => {
      const { page } = journey()
      await journey().open()
      await page().evaluate(`location.hash = '/gpus/1/about'`)
      await page().getByTestId('gpu-facts-1').waitFor()
      await page().getByRole('button', { name: '60 s', exact: true }).click()
      await page().getByTestId('because').getByTestId('why-changes').locator('li').first().waitFor()
    })
  })
}
