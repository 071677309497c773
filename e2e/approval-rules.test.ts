// What may never sign: a press too early, a second press, a key meant for something else, a request whose caller is
// gone, text that tries to be more than text. In a real Chromium and a real Electron, with the real signer behind them.
import { readFileSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openElectron } from './electron-harness'
import type { PracticeAccount } from './first-light'
import {
  eventually,
  type Front,
  findChromium,
  findElectron,
  NO_MINING,
  openChromium,
  type RpcAnswer,
  rpc,
  rpcResult,
  temporaryFolder,
} from './harness'
import { readPracticeAccount } from './practice-account'
import { readToEnd, UNDECIDED } from './read-approval'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
const PASSWORD = 'correct horse battery'
const CALLER = { 'user-agent': 'approval-rules-test' }
/** The others are another caller's. */
const OF_FIRST_CALLER = 16
const IN_QUEUE = 20
/** Somewhat more than requested. */
const HOLD_MS = 1_700
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
const auditSchema = z.array(z.string())

describe.skipIf('missing' in found)(`approval rules in Chromium${reason}`, () => {
  let front: Front
  let account: PracticeAccount
  const view = () => front.dashboard
  const by = (id: string) => view().getByTestId(id)
  const phase = (state: string) => view().locator(`[data-testid=approval][data-state=${state}]`).waitFor()

  beforeAll(async () => {
    if ('missing' in found) return
    const datadir = temporaryFolder()
    front = await openChromium(datadir, [...NO_MINING, '--signer.lightkdf'])
    account = readPracticeAccount(readFileSync(join(datadir, 'practice-account.txt'), 'utf8'))
  })
  afterAll(() => front?.close())
  /** What the test itself rejected may still be there for a moment, and gone before the press. */
  const pressIfThere = async (id: string): Promise<void> => {
    if (await by(id).isVisible())
      await by(id)
        .click({ timeout: 2_000 })
        .catch(() => undefined)
  }
  /** A test that failed midway leaves no request to the next one. */
  afterEach(async () => {
    await view().evaluate(`location.hash = '/accounts/approvals'`)
    await pressIfThere('approval-queue')
    for (const id of ['approval-reject-all', 'approval-reject-all', 'approval-reject']) await pressIfThere(id)
    await view().evaluate(`location.hash = '/accounts'`)
    if ((await by('quiet-bar').count()) > 0) await by('quiet-bar').getByRole('button').click()
    await by('quiet-bar').waitFor({ state: 'detached' })
  })

  /** All requests come from this program, so different page addresses make different callers. */
  const ask = (method: string, params: readonly unknown[] = [], caller = 'first'): Promise<RpcAnswer> =>
    rpc(front.ready.signer.http, method, params, { ...CALLER, origin: `https://${caller}.example` })
  /** Counts answers, so that a test can say that there were none. */
  const watched = (asked: Promise<RpcAnswer>) => {
    const answers: RpcAnswer[] = []
    asked.then(
      (answer) => answers.push(answer),
      () => undefined, // the test that sent it checks it
    )
    return answers
  }
  const signText = (text: string): Promise<RpcAnswer> =>
    ask('account_signData', ['text/plain', account.address, `0x${Buffer.from(text, 'utf8').toString('hex')}`])
  const transfer = async (change: Readonly<Record<string, string>>): Promise<RpcAnswer> => {
    const nonce = await rpcResult(front.ready.http, 'eth_getTransactionCount', [account.address, 'pending'])
    const base = { from: account.address, to: RECIPIENT, nonce, gas: '0x5208', gasPrice: '0x1', value: '0x1' }
    return ask('account_signTransaction', [{ ...base, chainId: '0x539', ...change }])
  }
  const settled = async (): Promise<number> => {
    const said = await view().evaluate(
      `[...document.querySelectorAll('[data-testid=audit-row]')].map((row) => row.dataset.state)`,
    )
    return auditSchema.parse(said).length
  }

  it('ignores a press or Enter as it appears, and signs once at a later double click', async () => {
    const asked = signText('twice is once')
    const answers = watched(asked)
    await front.openApproval()
    await by('approval-approve').hover()
    const early = await by('approval').getAttribute('data-state')
    await view().mouse.down()
    await view().mouse.up()
    await view().keyboard.press('Enter')
    expect(UNDECIDED).toContain(early)
    expect(await by('approval-approve').getAttribute('aria-disabled')).toBe('true')

    await by('approval-password').fill(account.password)
    await phase('armed')
    await by('approval-kind').focus()
    await view().keyboard.press('Enter')
    expect(await by('approval').getAttribute('data-state')).toBe('armed')
    expect(answers).toEqual([])
    await by('approval-approve').dblclick()
    await phase('done')

    expect((await asked).result).toMatch(/^0x[0-9a-f]{130}$/)
    await view().evaluate(`location.hash = '/activity/audit'`)
    await by('audit-row').first().waitFor()
    const signings = view().locator('[data-testid=audit-row]').filter({ hasText: 'signData' })
    expect(await settled()).toBeGreaterThan(0)
    expect(await signings.filter({ hasText: /approv|sign/i }).count()).toBeGreaterThan(0)
  })

  it("requires a checked box and holding the button for critical requests; a click isn't enough", async () => {
    const asked = transfer({ to: '0x0000000000000000000000000000000000000000' })
    const answers = watched(asked)
    await front.openApproval()
    expect(await by('approval-severity-0').getAttribute('data-state')).toBe('CRITICAL')
    await by('approval-password').fill(account.password)
    await view().locator('#approval-body').hover()
    await view().mouse.wheel(0, 5_000)
    expect(await by('approval-approve').getAttribute('aria-disabled')).toBe('true')

    await by('approval-understood').locator('input').or(by('approval-understood')).first().click()
    await readToEnd(view())
    await by('approval-approve').click()
    expect(await by('approval').getAttribute('data-state')).toBe('armed')
    expect(answers).toEqual([])
    await by('approval-approve').hover()
    await view().mouse.down()
    await view().waitForTimeout(HOLD_MS) // as long as a user would
    await view().mouse.up()
    await phase('done')

    expect((await asked).result).toBeDefined()
  })

  it('remembers whom it paid, keeps an account unlocked if that is switched on, and locks it at once', async () => {
    await view().evaluate(`location.hash = '/settings/signer'`)
    await by('keep-unlocked').locator('input').click()
    await by('keep-unlocked').locator('input:checked').waitFor()
    const first = transfer({})
    await front.openApproval()
    await by('approval').filter({ hasText: 'first use' }).waitFor()
    await by('approval-password').fill(account.password)
    await by('approval-keep').selectOption('5')
    await readToEnd(view())
    await by('approval-approve').click()
    expect((await first).result).toBeDefined()
    await by('kept-open').waitFor()

    const second = transfer({ value: '0x2' })
    await front.openApproval()
    await by('approval').filter({ hasText: 'used once, last on' }).waitFor()
    await by('approval-password').waitFor({ state: 'detached' })
    await readToEnd(view())
    await by('approval-approve').click()
    expect((await second).result).toBeDefined()

    await by('lock-now').click()
    await by('kept-open').waitFor({ state: 'detached' })
    const third = transfer({ value: '0x3' })
    await front.openApproval()
    await by('approval-password').waitFor()
    await by('approval-reject').click()
    expect((await third).error).toMatchObject({ message: 'request denied' })
  })

  it('says that the caller has left, and signs nothing', async () => {
    const call = callAndLeave(front.ready.signer.http)
    await front.openApproval()

    call.destroy()

    await phase('withdrawn')
    expect(await by('approval-approve').count()).toBe(0)
    await by('approval-next').click()
  })

  it('shows text as text, however long, with invisible characters made visible', async () => {
    const trick = '<img src=x onerror="globalThis.tricked=1"><b>bold</b> pay \u202e001 to'
    const long = 'a long message. '.repeat(6_400)
    const asked = signText(`${trick}\n${long}`)
    await front.openApproval()

    const shown = (await by('approval-text').textContent()) ?? ''
    expect(shown).toContain('<img src=x onerror="globalThis.tricked=1">')
    expect(shown).toContain('U+202E')
    expect(shown).not.toContain('\u202e')
    expect(await by('approval-text').locator('img, b').count()).toBe(0)
    expect(await view().evaluate('globalThis.tricked')).toBeUndefined()
    await by('approval-password').fill(account.password)
    await by('approval-password').press('Enter')
    // Its end wasn't on the screen, and isn't even rendered.
    await by('approval-approve').filter({ hasText: 'Read to the end' }).waitFor()
    expect(await by('approval-approve').getAttribute('aria-disabled')).toBe('true')
    await by('approval-reject').click()

    expect((await asked).error).toMatchObject({ message: 'request denied' })
  })

  it('shows the oldest of many and stays with it; picking another restarts the delay; one click rejects all', async () => {
    const first = ask('account_list')
    await front.openApproval()
    await view().locator('[data-testid=approval-kind][data-state=listing]').waitFor()
    /** Where the buttons are: their row, the start of the first and the end of the last, whatever their labels are. */
    const places = async () => {
      const [reject, approve] = [await by('approval-reject').boundingBox(), await by('approval-approve').boundingBox()]
      if (reject === null || approve === null) throw new Error('a button is not there')
      return [reject.x, reject.y, approve.x + approve.width, approve.y]
    }
    const placesAlone = await places()
    const others = Array.from({ length: IN_QUEUE - 1 }, (_, index) =>
      ask('account_new', [], index < OF_FIRST_CALLER - 1 ? 'first' : 'another'),
    )
    await by('approval-queue')
      .filter({ hasText: String(IN_QUEUE) })
      .waitFor()
    expect(await by('approval-kind').getAttribute('data-state')).toBe('listing')
    // Waiting requests take space from the text: the buttons stay under the pointer.
    expect(await places()).toEqual(placesAlone)

    await view().evaluate(`(() => {
      globalThis.phases = []
      new MutationObserver(() => globalThis.phases.push(document.querySelector('[data-testid=approval]')?.dataset.state))
        .observe(document.body, { attributes: true, attributeFilter: ['data-state'], subtree: true, childList: true })
    })()`)
    await by('approval-queue').click()
    await by('approval-group').filter({ hasText: 'another' }).getByTestId('approval-open').click()
    await view().locator('[data-testid=approval-kind][data-state=newAccount]').waitFor()
    await eventually('settling again', async () =>
      auditSchema
        .parse(await view().evaluate(`globalThis.phases.filter((phase) => phase !== undefined)`))
        .includes('settling')
        ? true
        : null,
    )
    await by('approval-queue').click()
    await by('approval-reject-all').click()
    await by('approval-reject-all').click()

    for (const answer of await Promise.all([first, ...others]))
      expect(answer.error).toMatchObject({ message: 'request denied' })
  })

  it('rejects all requests of one caller and ignores it until that is undone', async () => {
    const oldest = ask('account_new', [], 'loud')
    await front.openApproval()
    const loud = [oldest, ask('account_new', [], 'loud'), ask('account_new', [], 'loud')]
    const calm = ask('account_new', [], 'calm')
    await by('approval-queue').filter({ hasText: '4' }).waitFor()
    await by('approval-reject-caller').click()
    await by('approval-reject-caller').click()
    for (const answer of await Promise.all(loud)) expect(answer.error).toMatchObject({ message: 'request denied' })
    expect((await ask('account_new', [], 'loud')).error).toMatchObject({ message: 'request denied' })

    await view().evaluate(`location.hash = '/accounts'`)
    await by('quiet-bar').getByRole('button').click()
    await by('quiet-bar').waitFor({ state: 'detached' })

    const heard = ask('account_new', [], 'loud')
    await front.openApproval()
    await by('approval-queue').filter({ hasText: '2' }).click()
    await by('approval-reject-all').click()
    await by('approval-reject-all').click()
    expect((await heard).error).toMatchObject({ message: 'request denied' })
    expect((await calm).error).toMatchObject({ message: 'request denied' })
  })

  it('rejects only the shown request on Esc; another page of the program decides nothing without the user', async () => {
    const shown = ask('account_new')
    await front.openApproval()
    const waiting = ask('account_list')
    const answers = watched(waiting)
    await by('approval-queue').filter({ hasText: '2' }).waitFor()

    await view().keyboard.press('Escape')

    expect((await shown).error).toMatchObject({ message: 'request denied' })
    expect(answers).toEqual([])
    await view().reload()
    await front.openApproval()
    expect(answers).toEqual([])
    await by('approval-reject').click()
    expect((await waiting).error).toMatchObject({ message: 'request denied' })
  })
})

const electron = await findElectron({ display: true })
const which =
  'missing' in electron ? `(skipped: ${electron.missing})` : `${electron.version ?? 'unknown'} (${electron.source})`

describe.skipIf('missing' in electron)(`approval rules in Electron ${which}`, () => {
  let front: Front

  beforeAll(async () => {
    if (!('missing' in electron)) front = await openElectron(electron, temporaryFolder(), NO_MINING)
  })
  afterAll(() => front?.close())

  it('ignores a press as it appears, creates one account at a double click, and none for a caller that left', async () => {
    const made = rpc(front.ready.signer.http, 'account_new', [])
    const view = await front.openApproval()
    const by = (id: string) => view.getByTestId(id)
    const phase = (state: string) => view.locator(`[data-testid=approval][data-state=${state}]`).waitFor()
    expect(UNDECIDED).toContain(await by('approval').getAttribute('data-state'))
    await by('approval-approve').click({ force: true })
    for (const field of ['approval-password', 'approval-password-repeat']) await by(field).fill(PASSWORD)
    await phase('armed')
    await by('approval-approve').dblclick()
    const address = z.string().parse((await made).result)

    const left = callAndLeave(front.ready.signer.http)
    await front.openApproval()
    left.destroy()
    await phase('withdrawn')

    const listed = rpc(front.ready.signer.http, 'account_list', [])
    await by('approval-next').click()
    await front.openApproval()
    const accounts = by('approval').locator('[data-testid^=approval-account-]')
    await accounts.nth(1).waitFor() // the practice network's, and the new one
    expect(await accounts.count()).toBe(2)
    expect(await by(`approval-account-${address.toLowerCase()}`).count()).toBe(1)
    await by('approval-reject').click()
    expect((await listed).error).toMatchObject({ message: 'request denied' })
  })
})

/** A request for an account whose caller can disconnect. */
function callAndLeave(address: string): ClientRequest {
  const [host = '', port = ''] = address.split(':')
  const headers = { 'content-type': 'application/json', 'user-agent': 'leaves' }
  const call = request({ host, port, method: 'POST', headers, agent: false })
  call.on('error', () => undefined) // our side disconnects
  call.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'account_new', params: [] }))
  return call
}
