// Every screen in English at four widths and in German at two: nothing scrolls sideways or is cut off, every word makes
// sense, nothing is logged as an error. For the desktop program; the walk does the same and more in a browser.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SCREENS, SIZES, TIGHT_SIZES } from '../every-screen'
import { lastingFaults, strangeWords } from '../page-checks'
import { readPracticeAccount } from '../practice-account'
import type { Journey } from './journey'

const LANGUAGES = [
  ['de', TIGHT_SIZES],
  ['en', [[2560, 1440], ...SIZES]],
] as const
/** Only a browser has to sign in, and this program has no rigs besides itself. */
const ELSEWHERE = ['sign-in', 'rig-detail']

/** Registers a check of all screens; the page is in English afterwards. */
export function everyLayout(journey: () => Journey): void {
  it.each(LANGUAGES)('every screen fits in %s, in plain words', async (language, sizes) => {
    const { page, datadir } = journey()
    const account = readPracticeAccount(readFileSync(join(datadir, 'practice-account.txt'), 'utf8')).address
    const errors: string[] = []
    page().on('console', (message) => (message.type() === 'error' ? errors.push(message.text()) : undefined))
    page().on('pageerror', (error) => errors.push(error.message))
    await page().evaluate(`localStorage.setItem('headframe.preferences', JSON.stringify({ language: '${language}' }))`)
    await journey().open()
    expect(await page().evaluate('document.documentElement.lang')).toMatch(new RegExp(`^${language}`))

    const faults: string[] = []
    for (const [name, path, part] of SCREENS.filter(([screen]) => !ELSEWHERE.includes(screen))) {
      await page().evaluate(`location.hash = ${JSON.stringify(path.replace('ACCOUNT', account.toLowerCase()))}`)
      await page().locator('main h1').waitFor()
      // The vault is unlocked in the approval window, not in this one.
      if (part !== 'vault') await page().getByTestId(part).first().waitFor()
      for (const [width, height] of sizes) {
        await page().setViewportSize({ width, height })
        faults.push(...(await lastingFaults(page())).map((fault) => `${name} at ${width} px: ${fault}`))
      }
      faults.push(...(await strangeWords(page())).map((fault) => `${name}: ${fault}`))
    }

    expect(faults).toEqual([])
    expect(errors).toEqual([])
    await page().setViewportSize({ width: 1440, height: 900 })
  })
}
