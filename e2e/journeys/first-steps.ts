// The first steps by keyboard alone: from the overview through the steps to the first own block, in another language, and never
// asked again.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blockNumber, eventually, type Front, picture } from '../harness'

/** More stops than any screen has. */
const MAX_TABS = 80

/** Registers the steps, with which a program that nobody set up yet is set up; its page speaks German then. */
export function firstSteps(front: () => Front, datadir: () => string): void {
  describe('first steps', () => {
    const page = () => front().dashboard
    const focused = () => page().evaluate(`document.activeElement?.closest('[data-testid]')?.dataset.testid ?? ''`)
    const tabTo = async (testId: string): Promise<void> => {
      for (let count = 0; count < MAX_TABS; count++) {
        if ((await focused()) === testId) return
        await page().keyboard.press('Tab')
      }
      throw new Error(`${testId} cannot be reached by Tab`)
    }
    const press = async (testId: string): Promise<void> => {
      await page().getByTestId(testId).waitFor()
      await tabTo(testId)
      await page().keyboard.press('Enter')
    }
    const step = (name: string) => page().locator(`[data-testid=welcome-step][data-state=${name}]`).waitFor()

    it('goes from the overview through the short way to the first own block', async () => {
      await page().evaluate(`location.hash = '/'`)
      await press('welcome-open')
      await step('look')
      await picture(page(), { kind: front().kind, name: 'welcome-look-light' })
      await press('welcome-next')
      await step('network')
      await press('welcome-short')
      await step('summary')
      expect(await page().getByTestId('welcome-command').textContent()).toBe('headframe')
      await press('welcome-start')
      await page().getByTestId('welcome-done').waitFor()
      await press('welcome-leave')
      await page().getByTestId('health').waitFor()

      const height = await eventually('own block', async () => (await blockNumber(front().ready)) || null)
      expect(height).toBeGreaterThan(0)
      expect(readFileSync(join(datadir(), 'config.toml'), 'utf8')).toMatch(/^welcome = false$/m)
      expect(await page().getByTestId('welcome-card').count()).toBe(0)
    })

    it('walks all steps there and back, and speaks German at once', async () => {
      await page().evaluate(`localStorage.removeItem('headframe.preferences')`)
      await page().evaluate(`location.hash = '/welcome'`)
      await page().reload()
      await step('look')
      await page().getByLabel('Deutsch').focus()
      await page().keyboard.press('Space')
      await page().getByRole('heading', { name: 'Mining einrichten', level: 1 }).waitFor()
      expect(await page().evaluate('document.documentElement.lang')).toMatch(/^de/)
      for (const name of ['network', 'folder', 'account', 'devices', 'work', 'sharing', 'summary']) {
        await press('welcome-next')
        await step(name)
        await picture(page(), { kind: front().kind, name: `welcome-${name}-de` })
      }
      await press('welcome-back')
      await step('sharing')
      await page().reload()
      await step('sharing')
    })

    it('goes anywhere by a few letters', async () => {
      await page().evaluate(`location.hash = '/'`)
      await page().getByTestId('health').waitFor()
      await page().keyboard.press('Control+k')
      await page().getByTestId('palette-input').waitFor()
      await page().keyboard.type('block 0')
      await page().keyboard.press('Escape')
      await page().getByTestId('palette').waitFor({ state: 'detached' })
      await page().keyboard.press('Control+k')
      await page().getByTestId('palette-input').waitFor()
      await page().keyboard.type('0')
      await page().keyboard.press('Enter')
      await page().getByTestId('block-detail').waitFor()
      expect(await page().evaluate('location.hash')).toBe('#/node/block/0')
    })
  })
}
