// Moving the data folder from the window: typed in a browser, picked in the desktop program. The page finds the program
// again, and nothing is left behind.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { answerBoxes, askedBoxes, startAgain, startDesktop } from './electron-harness'
import { eventually, findChromium, findElectron, openChromium, readReadyFile, temporaryFolder } from './harness'

const chromium = findChromium()
const electron = await findElectron({ display: true })
const whyNot = (found: object): string => ('missing' in found ? ` (skipped: ${String(found.missing)})` : '')

/** What a move must bring along unchanged. */
const keysIn = (folder: string): readonly string[] =>
  readdirSync(join(folder, 'keystore')).map((name) => readFileSync(join(folder, 'keystore', name), 'utf8'))

describe.skipIf('missing' in chromium)(`the data folder in Chromium${whyNot(chromium)}`, () => {
  const datadir = temporaryFolder()
  const target = temporaryFolder()
  afterAll(() => rmSync(target, { recursive: true, force: true }))

  it('moves while the page is open', async () => {
    if ('missing' in chromium) return
    const front = await openChromium(datadir)
    const page = front.dashboard
    try {
      await page.getByTestId('health').waitFor()
      const keys = keysIn(datadir)
      await page.evaluate(`location.hash = '/settings/node'`)
      writeFileSync(join(target, 'letter.txt'), 'dear')
      await page.getByTestId('folder-path').fill(target)
      await page.getByTestId('folder-check').click()
      await page.locator('[data-testid=folder-verdict][data-state=foreign]').waitFor()
      await page.getByTestId('folder-instead').click()
      await page.locator('[data-testid=folder-verdict][data-state=move]').waitFor()
      await page.getByTestId('folder-take').click()
      await page.getByTestId('restart-dialog-confirm').click()

      const moved = join(target, 'headframe')
      await page.getByTestId('data-folder').getByText(moved, { exact: true }).waitFor()
      await page.getByTestId('folder-chooser').waitFor()

      expect(keysIn(moved)).toEqual(keys)
      expect(readdirSync(datadir).filter((name) => !name.startsWith('ready-'))).toEqual(['moved-to.json'])
      expect(existsSync(join(moved, 'headframe.lock'))).toBe(true)
    } finally {
      await front.close()
    }
  })
})

describe.skipIf('missing' in electron)(`the data folder in Electron${whyNot(electron)}`, () => {
  const [datadir, target] = [temporaryFolder(), temporaryFolder()]
  afterAll(() => {
    for (const folder of [datadir, target]) rmSync(folder, { recursive: true, force: true })
  })

  it('is picked in the system’s dialog, confirmed outside of the page, and moved by the next process', async () => {
    if ('missing' in electron) return
    const start = { runtime: electron, datadir }
    const desktop = await startDesktop(start)
    const page = await desktop.page('index.html')
    await page.getByTestId('health').waitFor()
    const moved = join(target, 'headframe')
    mkdirSync(moved)
    await answerBoxes(desktop, 1)
    await desktop.app.evaluate(({ app, dialog }, folder) => {
      Reflect.set(dialog, 'showOpenDialog', async () => ({ canceled: false, filePaths: [folder] }))
      // The test itself starts it again, so that it can inspect it.
      Reflect.set(app, 'relaunch', () => undefined)
    }, moved)
    await page.evaluate(`location.hash = '/settings/node'`)
    await page.getByTestId('folder-pick').click()
    await page.locator('[data-testid=folder-verdict][data-state=move]').waitFor()
    await page.getByTestId('folder-take').click()
    await page.getByTestId('restart-dialog-confirm').waitFor()
    expect(await askedBoxes(desktop)).toEqual([expect.stringContaining(moved)])
    const keys = keysIn(datadir)
    await desktop.endedBy(() => page.getByTestId('restart-dialog-confirm').click())

    const readyFile = join(datadir, 'ready.json')
    rmSync(readyFile, { force: true })
    expect(await startAgain(start, [])).toBe(0) // it moves the folder and restarts the program
    const { pid } = await readReadyFile(readyFile)
    process.kill(pid, 'SIGTERM')
    await eventually('its end', async () => (existsSync(join(moved, 'headframe.lock')) ? null : true))

    expect(keysIn(moved)).toEqual(keys)
    expect(existsSync(join(datadir, 'keystore'))).toBe(false)
    expect(existsSync(join(moved, 'desktop'))).toBe(true)
  })
})
