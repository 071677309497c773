// The first steps by keyboard alone: from the overview through the steps to the first block, in another language, and
// never offered again.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { blockNumber, eventually, type Front, picture } from '../harness'

/** More Tab stops than any screen has. */
const MAX_TABS = 80
/** From the overview to the first share and back. */
const MAX_KEYS = 60

/** Registers the first steps in a program that hasn't been set up yet; its page is in German afterwards. */
export function firstSteps(front: () => Front, datadir: () => string): void {
  describe('first steps', () => {
    const hand = new Keyboard(front)
    shortWay(front, hand, datadir)
    choices(front, hand)
    palette(hand)
  })
}

class Keyboard {
  /** Pressed so far, by `press`. */
  keys = 0

  constructor(private readonly front: () => Front) {}

  get page(): Page {
    return this.front().dashboard
  }

  async press(testId: string): Promise<void> {
    await this.page.getByTestId(testId).waitFor()
    await this.#tabTo(testId)
    this.keys += 1
    await this.page.keyboard.press('Enter')
  }

  async #tabTo(testId: string): Promise<void> {
    for (let count = 0; count < MAX_TABS; count++) {
      const focused = `document.activeElement?.closest('[data-testid]')?.dataset.testid ?? ''`
      if ((await this.page.evaluate(focused)) === testId) return
      this.keys += 1
      await this.page.keyboard.press('Tab')
    }
    throw new Error(`${testId} cannot be reached by Tab`)
  }
}

function shortWay(front: () => Front, hand: Keyboard, datadir: () => string): void {
  it('go from the overview through the short way to the first block', async () => {
    await hand.page.evaluate(`location.hash = '/'`)
    await hand.press('welcome-card')
    await hand.page.getByTestId('welcome').waitFor()
    await picture(hand.page, { kind: front().kind, name: 'welcome-light' })
    expect(await hand.page.getByTestId('welcome-command').textContent()).toBe('headframe')
    await hand.press('welcome-start')
    await hand.page.getByTestId('welcome-done').waitFor()
    await hand.press('welcome-leave')
    await hand.page.getByTestId('health').waitFor()
    console.log(`${front().kind}: ${hand.keys} keys  first share, by keyboard`)
    expect(hand.keys).toBeLessThanOrEqual(MAX_KEYS)

    const height = await eventually('own block', async () => (await blockNumber(front().ready)) || null)
    expect(height).toBeGreaterThan(0)
    expect(readFileSync(join(datadir(), 'config.toml'), 'utf8')).toMatch(/^welcome = false$/m)
    expect(await hand.page.getByTestId('welcome-card').count()).toBe(0)
  })
}

function choices(front: () => Front, hand: Keyboard): void {
  it('keep what was chosen, and switch to German at once', async () => {
    await hand.page.evaluate(`localStorage.removeItem('headframe.preferences')`)
    await hand.page.evaluate(`location.hash = '/welcome'`)
    await hand.page.reload()
    await hand.page.getByLabel('Deutsch').focus()
    await hand.page.keyboard.press('Space')
    await hand.page.getByRole('heading', { name: 'Mining einrichten', level: 1 }).waitFor()
    expect(await hand.page.evaluate('document.documentElement.lang')).toMatch(/^de/)
    for (const name of ['pool', 'home']) {
      const radio = hand.page.getByTestId(`welcome-${name}`).getByRole('radio')
      await hand.page.evaluate(`document.querySelectorAll('details').forEach((fold) => (fold.open = true))`)
      await radio.focus()
      await hand.page.keyboard.press('Space')
      await picture(hand.page, { kind: front().kind, name: `welcome-${name}-de` })
    }
    await hand.page.reload()
    expect(await hand.page.getByTestId('welcome-pool').getByRole('radio').isChecked()).toBe(true)
  })
}

function palette(hand: Keyboard): void {
  it('go anywhere by a few letters', async () => {
    await hand.page.evaluate(`location.hash = '/'`)
    await hand.page.getByTestId('health').waitFor()
    await hand.page.keyboard.press('Control+k')
    await hand.page.getByTestId('palette-input').waitFor()
    await hand.page.keyboard.type('block 0')
    await hand.page.keyboard.press('Escape')
    await hand.page.getByTestId('palette').waitFor({ state: 'detached' })
    await hand.page.keyboard.press('Control+k')
    await hand.page.getByTestId('palette-input').waitFor()
    await hand.page.keyboard.type('0')
    await hand.page.keyboard.press('Enter')
    await hand.page.getByTestId('block-detail').waitFor()
    expect(await hand.page.evaluate('location.hash')).toBe('#/node/block/0')
  })
}
