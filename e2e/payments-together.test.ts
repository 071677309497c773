// Many payments of one caller, reviewed as a table and signed together: in a real Chromium, with the real signer and
// node.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { PracticeAccount } from './first-light'
import {
  type Front,
  findChromium,
  openChromium,
  picture,
  type RpcAnswer,
  rpc,
  rpcResult,
  temporaryFolder,
} from './harness'
import { seriousFindings } from './page-checks'
import { readPracticeAccount } from './practice-account'
import { readAndApprove } from './read-approval'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
const CALLER = { 'user-agent': 'payroll/2.0' }
const PAID = '0x52908400098527886E0F7030069857D2E4169EE7'
const PAYMENTS = 24
/** With a wrong checksum: one to look at. */
const ODD = '0x8617E340B3D01FA5F11F306F4090FD50E238070d'
const LAX = 10n ** 18n

const signedSchema = z.object({
  raw: z.string(),
  tx: z.object({ nonce: z.string(), value: z.string(), hash: z.string() }),
})

describe.skipIf('missing' in found)(`payments together in Chromium${reason}`, () => {
  let front: Front
  let datadir: string
  let account: PracticeAccount
  let first: number
  const view = () => front.dashboard
  const by = (id: string) => view().getByTestId(id)
  const inState = (state: string) => view().locator(`[data-testid=approval-table][data-state=${state}]`).waitFor()

  beforeAll(async () => {
    if ('missing' in found) return
    datadir = temporaryFolder()
    front = await openChromium(datadir, ['--signer.lightkdf'])
    account = readPracticeAccount(readFileSync(join(datadir, 'practice-account.txt'), 'utf8'))
    first = Number(
      z.string().parse(await rpcResult(front.ready.http, 'eth_getTransactionCount', [account.address, 'pending'])),
    )
  })
  afterAll(() => front?.close())

  /** The n-th payment, from 0: n + 1 thousandths of a LAX. */
  const pay = (n: number, to: string): Promise<RpcAnswer> => {
    const hex = (value: bigint | number): string => `0x${value.toString(16)}`
    const fees = { gas: '0x5208', gasPrice: hex(10n ** 9n), chainId: '0x539' }
    const transfer = {
      from: account.address,
      to,
      nonce: hex(first + n),
      value: hex((BigInt(n + 1) * LAX) / 1000n),
      ...fees,
    }
    return rpc(front.ready.signer.http, 'account_signTransaction', [transfer], CALLER)
  }
  /** All waiting requests; the first may have been there alone, and is shown then. */
  const openList = async (count: number): Promise<void> => {
    await front.openApproval()
    await by('approval-queue')
      .filter({ hasText: String(count) })
      .click()
    await by('approval-list').waitFor()
  }
  const receiver = (n: number): string => (n === 7 ? ODD : PAID)
  const look = async (name: string, width: number): Promise<void> => {
    await view().setViewportSize({ width, height: 900 })
    for (const theme of ['light', 'dark'] as const) {
      await view().emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      expect(await seriousFindings(view()), `${name} ${width} ${theme}`).toEqual([])
      await picture(view(), { kind: 'chromium', name: `${name}-${width}-${theme}` })
    }
    const overflow = await view().evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect(overflow, `${name} at ${width} px`).toBe(0)
  }

  it('shows one line for many, the unusual one first, and signs the ticked ones with one password', async () => {
    const asked = Array.from({ length: PAYMENTS }, (_, n) => pay(n, receiver(n)))
    await openList(PAYMENTS)
    await by('approval-together')
      .filter({ hasText: String(PAYMENTS) })
      .click()
    await by('together-count')
      .and(view().locator(`[data-value="${PAYMENTS}"]`))
      .waitFor()
    const rows = view().locator('[data-testid^=together-row-]')
    await rows.first().filter({ hasText: 'checksum' }).waitFor()
    expect(await by('together-sum').getAttribute('data-value')).toBe(((300n * LAX) / 1000n).toString())

    for (const width of [320, 768, 1440]) await look('payments-together', width)
    await view().setViewportSize({ width: 768, height: 900 })
    await rows.first().getByRole('checkbox').uncheck()
    await by('together-count')
      .and(view().locator(`[data-value="${PAYMENTS - 1}"]`))
      .waitFor()
    await by('approval-password').fill(account.password)
    await readAndApprove(view())
    await inState('done')
    await by('approval-result')
      .filter({ hasText: `${PAYMENTS - 1} payments signed.` })
      .waitFor()
    await look('payments-signed', 768)

    const signed = await Promise.all(asked.filter((_, n) => n !== 7))
    const transactions = signed.map(({ result }) => signedSchema.parse(result).tx)
    const nonces = Array.from({ length: PAYMENTS }, (_, n) => first + n).filter((nonce) => nonce !== first + 7)
    expect(transactions.map(({ nonce }) => Number(nonce))).toEqual(nonces)
    expect(new Set(transactions.map(({ hash }) => hash)).size).toBe(PAYMENTS - 1)

    await by('approval-next').click()
    await view().locator('[data-testid=approval]').waitFor() // the unticked one still waits, alone
    await by('approval-reject').click()
    expect((await asked[7])?.error).toMatchObject({ message: 'request denied' })
    const record = readFileSync(join(datadir, 'audit.log'), 'utf8').trim().split('\n')
    const results = record.filter((line) => line.includes('"type":"result"'))
    expect(results.filter((line) => line.includes('"state":"signed"'))).toHaveLength(PAYMENTS - 1)
    expect(record.filter((line) => line.includes('"decision":"approve"'))).toHaveLength(PAYMENTS - 1)
  })

  it('works in German, and rejects the whole table with one click', async () => {
    await view().evaluate(`localStorage.setItem('headframe.preferences', JSON.stringify({ language: 'de' }))`)
    await view().evaluate(`location.hash = '/accounts'`)
    await view().reload()
    const asked = Array.from({ length: 4 }, (_, n) => pay(n, receiver(n)))
    await openList(4)
    await by('approval-together').filter({ hasText: '4 Zahlungen zusammen' }).click()
    await by('together-count').and(view().locator('[data-value="4"]')).waitFor()
    for (const width of [320, 768, 1440]) await look('payments-together-de', width)

    await by('together-reject').click()
    await by('together-reject').click()

    for (const answer of await Promise.all(asked)) expect(answer.error).toMatchObject({ message: 'request denied' })
    await inState('refused')
  })
})
