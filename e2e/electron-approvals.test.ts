// The approval window in a real Electron: it takes no focus, no key pressed as it appears decides anything, requests
// queue, and after a screen lock everything has to be done again.
import { rmSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { closeApproval, type Desktop, focusApproval, startDesktop } from './electron-harness'
import { eventually, findElectron, NO_MINING, type RpcAnswer, rpc, temporaryFolder } from './harness'
import { UNDECIDED } from './read-approval'

const found = await findElectron({ display: true })
const what = 'missing' in found ? `(skipped: ${found.missing})` : `${found.version ?? 'unknown'} (${found.source})`

const PASSWORD = 'correct horse battery'
/** From now on the page records the phases of its request. */
const RECORD_PHASES = `(() => {
  globalThis.phases = []
  const request = document.querySelector('[data-testid=approval]')
  const record = () => globalThis.phases.push(request.dataset.state)
  new MutationObserver(record).observe(request, { attributes: true, attributeFilter: ['data-state'] })
})()`

/** The signer's limit per caller. */
const MAX_OF_A_CALLER = 16

describe.skipIf('missing' in found)(`approvals in Electron ${what}`, () => {
  const datadir = temporaryFolder()
  let desktop: Desktop
  let view: Page
  const by = (testId: string) => view.getByTestId(testId)
  const ask = (method = 'account_new'): Promise<RpcAnswer> => rpc(desktop.ready.signer.http, method, [])
  const phase = () => by('approval').getAttribute('data-state')

  beforeAll(async () => {
    if ('missing' in found) return
    desktop = await startDesktop({ runtime: found, datadir, more: NO_MINING })
    await (await desktop.page('index.html')).getByTestId('shell').waitFor()
    view = await desktop.page('approval.html')
  })
  afterAll(async () => {
    await desktop?.terminate()
    rmSync(datadir, { recursive: true, force: true })
  })

  it('appears beside the dashboard, and a key pressed at that moment decides nothing', async () => {
    const asked = ask()
    const answers: RpcAnswer[] = []
    asked.then((answer) => answers.push(answer)).catch(() => undefined)
    await eventually('the window', async () => ((await isApprovalVisible(desktop)) ? true : null))
    await by('approval').waitFor()

    for (let press = 0; press < 10; press++) {
      for (const keyCode of ['Enter', 'Space']) await pressKey(desktop, keyCode)
      await clickOn(desktop, view, 'approval-approve')
    }

    expect(UNDECIDED).toContain(await phase())
    expect(answers).toEqual([])
    await closeApproval(desktop)
    expect((await asked).error).toMatchObject({ message: 'request denied' })
  })

  it('arms once it was viewed, and again after the screen was locked', async () => {
    const asked = ask()
    const answers: RpcAnswer[] = []
    asked.then((answer) => answers.push(answer)).catch(() => undefined)
    await view.locator('[data-testid=approval-kind][data-state=newAccount]').waitFor()
    await focusApproval(desktop)
    await by('approval-password').fill(PASSWORD)
    await by('approval-password-repeat').fill(PASSWORD)
    await view.locator('[data-testid=approval][data-state=armed]').waitFor()

    // The test's driver makes every page believe that it has focus, so the phases are the evidence.
    await view.evaluate(RECORD_PHASES)
    for (const change of ['resize', 'move'] as const) {
      await view.evaluate('globalThis.phases.length = 0')
      await changeBounds(desktop, change)
      await eventually(`settling anew after a ${change}`, async () =>
        (await phases(view)).includes('settling') ? true : null,
      )
      await view.locator('[data-testid=approval][data-state=armed]').waitFor()
    }
    await view.evaluate('globalThis.phases.length = 0')
    await tellPower(desktop, 'lock-screen')
    await eventually('the window is gone', async () => ((await isApprovalVisible(desktop)) ? null : true))
    await eventually('settling anew', async () => ((await phases(view)).includes('settling') ? true : null))
    await tellPower(desktop, 'unlock-screen')
    await eventually('the window', async () => ((await isApprovalVisible(desktop)) ? true : null))

    expect(answers).toEqual([])
    expect(await by('approval-password').inputValue(), 'nothing typed is left').toBe('')
    expect(await by('approval-password-repeat').inputValue()).toBe('')
    await focusApproval(desktop)
    await by('approval-password').fill(PASSWORD)
    await by('approval-password-repeat').fill(PASSWORD)
    await view.locator('[data-testid=approval][data-state=armed]').waitFor()
    await by('approval-approve').click()
    expect((await asked).result).toMatch(/^0x[0-9a-fA-F]{40}$/)
  })

  it('shows the first of many, counts the others, and rejects all of them with one click', async () => {
    const first = ask('account_list')
    await view.locator('[data-testid=approval-kind][data-state=listing]').waitFor()
    const others = Array.from({ length: MAX_OF_A_CALLER - 1 }, () => ask())
    await eventually('all of them', async () =>
      ((await by('approval-queue').textContent()) ?? '').includes(String(MAX_OF_A_CALLER)) ? true : null,
    )
    expect(await by('approval-kind').getAttribute('data-state')).toBe('listing')

    await focusApproval(desktop)
    await by('approval-queue').click()
    await by('approval-reject-all').click()
    await by('approval-reject-all').click() // asks for confirmation

    for (const answer of await Promise.all([first, ...others])) {
      expect(answer.error).toMatchObject({ message: 'request denied' })
    }
    await eventually('the window is gone', async () => ((await isApprovalVisible(desktop)) ? null : true))
  })
})

async function phases(view: Page): Promise<readonly string[]> {
  return z.array(z.string()).parse(await view.evaluate('globalThis.phases'))
}

async function tellPower({ app }: Desktop, change: 'lock-screen' | 'unlock-screen'): Promise<void> {
  await app.evaluate(({ powerMonitor }, name) => void powerMonitor.emit(name), change)
}

function isApprovalVisible({ app }: Desktop): Promise<boolean> {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some(
      (window) => window.webContents.getURL().includes('/approval.html') && window.isVisible(),
    ),
  )
}

async function changeBounds({ app }: Desktop, change: 'resize' | 'move'): Promise<void> {
  await app.evaluate(({ BrowserWindow }, what) => {
    const window = BrowserWindow.getAllWindows().find((each) => each.webContents.getURL().includes('/approval.html'))
    const { x = 0, y = 0, width = 0, height = 0 } = window?.getBounds() ?? {}
    window?.setBounds(what === 'resize' ? { x, y, width: width + 20, height } : { x: x + 20, y: y + 10, width, height })
  }, change)
}

/** As the system gives it to the page: trusted. */
async function pressKey({ app }: Desktop, keyCode: string): Promise<void> {
  await app.evaluate(({ BrowserWindow }, key) => {
    const contents = BrowserWindow.getAllWindows().find((window) =>
      window.webContents.getURL().includes('/approval.html'),
    )?.webContents
    contents?.sendInputEvent({ type: 'keyDown', keyCode: key })
    contents?.sendInputEvent({ type: 'keyUp', keyCode: key })
  }, keyCode)
}

async function clickOn({ app }: Desktop, view: Page, testId: string): Promise<void> {
  const box = await view.getByTestId(testId).boundingBox()
  const at = { x: Math.round((box?.x ?? 0) + 8), y: Math.round((box?.y ?? 0) + 8) }
  await app.evaluate(({ BrowserWindow }, { x, y }) => {
    const contents = BrowserWindow.getAllWindows().find((window) =>
      window.webContents.getURL().includes('/approval.html'),
    )?.webContents
    contents?.sendInputEvent({ type: 'mouseDown', x, y, button: 'left', clickCount: 1 })
    contents?.sendInputEvent({ type: 'mouseUp', x, y, button: 'left', clickCount: 1 })
  }, at)
}
