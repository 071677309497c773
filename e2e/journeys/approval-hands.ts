// Approving with real input: nothing moves under the pointer when more requests arrive, the keyboard alone is enough,
// and a double click signs once. The program is on the practice network.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { eventually, OPEN_REQUEST, type RpcAnswer, rpc, rpcResult } from '../harness'
import { readPracticeAccount } from '../practice-account'
import { readToEnd, signByKeys, tabToPart } from '../read-approval'
import { breakDrawing } from '../thrown-faults'
import type { Journey } from './journey'

const PAYEE = '0x52908400098527886E0F7030069857D2E4169EE7'
const BUTTONS = ['approval-approve', 'approval-reject', 'approval-reject-caller'] as const
const signedSchema = z.object({ raw: z.string() })

export function approvalHands(journey: () => Journey): void {
  describe('an approval', () => {
    const asker = new Asker(journey)
    beforeAll(() => journey().open())
    // What a failed case leaves open would stand in front of the next one's.
    afterEach(async () => asker.open > 0 && rejectOpen(await journey().approvalView(), asker))
    steady(journey, asker)
    byKeys(journey, asker)
    signsOnce(journey, asker)
    showsAllOrNothing(journey, asker)
  })
}

/** A program that asks for signatures. */
class Asker {
  /** How many calls wait for an answer. */
  open = 0

  constructor(private readonly journey: () => Journey) {}

  get password(): string {
    return this.#account.password
  }

  get #account() {
    return readPracticeAccount(readFileSync(join(this.journey().datadir, 'practice-account.txt'), 'utf8'))
  }

  call(method: string, params: readonly unknown[], program = 'wallet'): Promise<RpcAnswer> {
    const asked = rpc(this.journey().ready().signer.http, method, params, { 'user-agent': program })
    this.open++
    // A fault is checked by the test that awaits it.
    asked.catch(() => undefined).finally(() => this.open--)
    return asked
  }

  /** Wrapped, because a function's return value is awaited. */
  async pay(wei: number, program?: string): Promise<{ readonly asked: Promise<RpcAnswer> }> {
    const { address: from } = this.#account
    const nonce = await rpcResult(this.journey().ready().http, 'eth_getTransactionCount', [from, 'pending'])
    const fees = { gas: '0x5208', gasPrice: '0x77359400', chainId: '0x539' }
    const payment = { from, to: PAYEE, nonce, value: `0x${wei.toString(16)}`, ...fees }
    return { asked: this.call('account_signTransaction', [payment], program) }
  }
}

/** Rejects what is shown until all calls are answered. */
async function rejectOpen(view: Page, asker: Asker): Promise<void> {
  await eventually('all are answered', async () => {
    if (asker.open === 0) return true
    if ((await view.locator(OPEN_REQUEST).count()) > 0)
      await view.getByTestId('approval-reject').click({ timeout: 1_000 })
    return null
  })
}

/** Rejects what is open, which are these. */
async function rejectAll(view: Page, asker: Asker, asked: readonly Promise<RpcAnswer>[]): Promise<void> {
  await rejectOpen(view, asker)
  for (const answer of await Promise.all(asked)) expect(answer.error).toMatchObject({ message: 'request denied' })
}

const isWaiting = (view: Page, count: number): Promise<true> =>
  eventually(`${count} waiting`, async () =>
    ((await view.getByTestId('approval-queue').textContent()) ?? '').includes(String(count)) ? true : null,
  )

function steady(journey: () => Journey, asker: Asker): void {
  it('moves no button when more requests arrive', async () => {
    const { asked: first } = await asker.pay(1)
    const view = await journey().approval()
    await view.getByTestId('approval-password').fill(asker.password)
    await readToEnd(view)
    const places = () => Promise.all(BUTTONS.map((button) => view.getByTestId(button).boundingBox()))
    const before = await places()
    expect(before).not.toContain(null)

    const more = [
      asker.call('account_list', []),
      (await asker.pay(2, 'another')).asked,
      (await asker.pay(3, 'third')).asked,
    ]
    await isWaiting(view, more.length + 1)

    expect(await places()).toEqual(before)
    await rejectAll(view, asker, [first, ...more])
  })
}

function byKeys(journey: () => Journey, asker: Asker): void {
  it('is read, answered and signed by keyboard alone', async () => {
    const { asked } = await asker.pay(4)
    const view = await journey().approval()
    const press = (key: string): Promise<void> => view.keyboard.press(key)
    await view.locator(':is([data-testid=approval-kind], #approval-kind):focus').waitFor()

    // Enter decides nothing while nothing is selected.
    await press('Enter')
    await tabToPart(view, 'approval-password', press)
    await view.keyboard.insertText(asker.password)
    await press('Enter')
    const answers: RpcAnswer[] = []
    void asked.then((answer) => answers.push(answer))
    await signByKeys(view, press, () => answers.length > 0)

    const answer = await asked
    expect(signedSchema.parse(answer.result).raw).toMatch(/^0x/)
  })

  it('is rejected by Escape', async () => {
    const { asked } = await asker.pay(5)
    const view = await journey().approval()

    await view.keyboard.press('Escape')

    expect((await asked).error).toMatchObject({ message: 'request denied' })
  })
}

function signsOnce(journey: () => Journey, asker: Asker): void {
  it('signs once for a double click, and leaves the next request undecided', async () => {
    const approvals = (): number =>
      readFileSync(join(journey().datadir, 'audit.log'), 'utf8').split('"decision":"approve"').length
    const before = approvals()
    const { asked: first } = await asker.pay(6)
    const view = await journey().approval()
    const answers: RpcAnswer[] = []
    const { asked: second } = await asker.pay(7, 'another')
    void second.then((answer) => answers.push(answer))
    await isWaiting(view, 2)
    await view.getByTestId('approval-password').fill(asker.password)
    await readToEnd(view)

    await view.getByTestId('approval-approve').dblclick()

    expect(signedSchema.parse((await first).result).raw).toMatch(/^0x/)
    await view.locator(OPEN_REQUEST).waitFor()
    expect(answers).toEqual([])
    await rejectAll(view, asker, [second])
    expect(approvals()).toBe(before + 1)
  })
}

function showsAllOrNothing(journey: () => Journey, asker: Asker): void {
  it('that can’t be rendered completely says that nothing was signed, and has nothing to press but Retry', async () => {
    const view = await journey().approvalView()
    const { mended } = await breakDrawing(view)
    const { asked } = await asker.pay(8)

    try {
      await view.getByTestId('broken-approval').filter({ hasText: 'Nothing was signed' }).waitFor()
      expect(await view.getByTestId('approval-approve').count()).toBe(0)
      expect(await view.getByRole('button').allTextContents()).toEqual(['Retry'])
    } finally {
      await mended()
    }
    await view.getByRole('button', { name: 'Retry' }).click()

    await rejectAll(view, asker, [asked])
  })
}
