// One run of the program as its users start it: it mines, answers, shows its page and stops. `npm test` runs this file
// of all that start programs.
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  blockNumber,
  eventually,
  findChromium,
  launchChromium,
  type Running,
  startHeadless,
  summary,
  temporaryFolder,
} from './harness'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''

describe('the program, started headless', () => {
  const folder = temporaryFolder()
  let running: Running

  beforeAll(async () => {
    running = await startHeadless(folder)
  })
  afterAll(async () => {
    await running?.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  it('mines a block of the practice chain and answers its APIs', async () => {
    await eventually('the first block', async () => ((await blockNumber(running.ready)) > 0 ? true : null))

    expect((await summary(running.ready)).gpus.length).toBeGreaterThan(0)
  })

  it.skipIf('missing' in found)(`shows its page in a browser, without an error${reason}`, async () => {
    if ('missing' in found) return
    const browser = await launchChromium()
    try {
      const page = await browser.newPage()
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(error.message))
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      await page.goto(running.link)
      await page.getByTestId('shell').waitFor()

      expect(faults).toEqual([])
    } finally {
      await browser.close()
    }
  })

  it('stops cleanly at SIGTERM', async () => {
    expect(await running.terminate()).toBe(0)
  })
})
