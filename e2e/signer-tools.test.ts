// What a user does with the signer in a real Chromium: reads documents, changes fees, unlocks the vault, lets a policy
// pay small amounts, sends with the built-in form; and undecided requests expire.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Transaction, verifyMessage } from 'ethers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { PracticeAccount } from './first-light'
import {
  eventually,
  type Front,
  findChromium,
  NO_MINING,
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

const CALLER = { 'user-agent': 'signer-tools-test' }
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
const MASTER = 'a master password'
const LAX = 10n ** 18n
/** Requests that a failed test leaves behind; none sends more. */
const MOST_LEFT = 4

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
const signed = z.object({ raw: z.string(), tx: z.object({ hash: z.string(), gas: z.string() }) })

describe.skipIf('missing' in found)(`the signer's tools in Chromium${reason}`, () => {
  let front: Front
  let account: PracticeAccount
  const view = () => front.dashboard
  const by = (id: string) => view().getByTestId(id)

  beforeAll(async () => {
    if ('missing' in found) return
    const datadir = temporaryFolder()
    front = await openChromium(datadir, ['--signer.configdir', join(datadir, 'clef'), '--signer.lightkdf'])
    account = readPracticeAccount(readFileSync(join(datadir, 'practice-account.txt'), 'utf8'))
  })
  afterAll(() => front?.close())
  /** A test that failed midway leaves no request to the next one. */
  afterEach(async () => {
    await view().evaluate(`location.hash = '/accounts/approvals'`)
    for (let left = MOST_LEFT; left > 0 && (await by('approval-reject').isVisible()); left -= 1) {
      await by('approval-reject').click()
      await by('approval-next').click()
    }
  })

  const goTo = (route: string) => view().evaluate(`location.hash = ${JSON.stringify(route)}`)
  const ask = (method: string, params: readonly unknown[]): Promise<RpcAnswer> =>
    rpc(front.ready.signer.http, method, params, CALLER)
  const askTransfer = async (value: bigint): Promise<RpcAnswer> => {
    const nonce = await rpcResult(front.ready.http, 'eth_getTransactionCount', [account.address, 'pending'])
    const price = `0x${(2n * 10n ** 9n).toString(16)}`
    const transfer = { from: account.address, to: RECIPIENT, nonce, gas: '0x5208', gasPrice: price }
    return ask('account_signTransaction', [{ ...transfer, value: `0x${value.toString(16)}`, chainId: '0x539' }])
  }
  const approve = async (): Promise<void> => {
    await readAndApprove(view())
    await view().locator('[data-testid=approval][data-state=done]').waitFor()
  }
  const checkLook = async (name: string): Promise<void> => {
    for (const theme of ['light', 'dark'] as const) {
      await view().emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      expect(await seriousFindings(front.dashboard), `${name} ${theme}`).toEqual([])
      await picture(view(), { kind: 'chromium', name: `${name}-${theme}` })
    }
    await view().setViewportSize({ width: 390, height: 844 })
    const overflow = await view().evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    await picture(view(), { kind: 'chromium', name: `${name}-390-dark` })
    await view().setViewportSize({ width: 1280, height: 820 })
    expect(overflow, `${name} at 390 px`).toBe(0)
  }

  it('shows a document as a tree, names the other chain, and reports the refusal to the caller', async () => {
    const asked = ask('account_signTypedData', [account.address, typedDocument(5)])
    await front.openApproval()

    const tree = by('approval-typed')
    expect(await tree.textContent()).toContain('Cow')
    expect(await tree.locator('details').count()).toBe(0)
    expect(await tree.locator('[data-field]').count()).toBeGreaterThan(5)
    expect(await by('approval-domain-mismatch').textContent()).toContain('1337')
    expect(await by('approval-severity-0').getAttribute('data-state')).toBe('CRITICAL')
    await checkLook('approval-typed')
    await by('approval-reject').click()

    expect((await asked).error).toMatchObject({ message: 'request denied' })
  })

  it('signs a message after approval so that anyone can verify it', async () => {
    const text = 'Headframe signs\nthis text: ü'
    const data = `0x${Buffer.from(text, 'utf8').toString('hex')}`
    const asked = ask('account_signData', ['text/plain', account.address, data])
    await front.openApproval()

    expect(await by('approval-text').textContent()).toContain('this text: ü')
    await by('approval-password').fill(account.password)
    await approve()

    const signature = z.string().parse((await asked).result)
    expect(verifyMessage(text, signature)).toBe(account.address)
  })

  it('simulates a transfer on its own node, checks an edit again, and signs the edited transaction', async () => {
    const asked = askTransfer(2n * LAX)
    await front.openApproval()

    await view().locator('[data-testid=approval-changes][data-state=succeeded]').waitFor()
    const change = by(`approval-change-${account.address.toLowerCase()}`)
    expect(await change.getAttribute('data-value')).toBe(String(-2n * LAX - 21_000n * 2n * 10n ** 9n))
    await by('approval-edit').click()
    await by('approval-edit-gas').fill('99999999999999999999')
    await by('approval-password').fill(account.password)
    expect(await by('approval-approve').getAttribute('aria-disabled')).toBe('true')
    await by('approval-edit-gas').fill('30000')
    await by('approval-edit-gasPrice').fill('2.5')
    await by('approval-edited').waitFor()
    expect(await by('approval-fee').getAttribute('data-value')).toBe(String(30_000n * 2_500_000_000n))
    await checkLook('approval-edited')
    await by('approval-password').fill(account.password)
    await approve()

    const { raw } = signed.parse((await asked).result)
    const transaction = Transaction.from(raw)
    expect([transaction.gasLimit, transaction.gasPrice]).toEqual([30_000n, 2_500_000_000n])
    expect(transaction.from).toBe(account.address)
  })

  it('sends from its own form: requested like any caller, then in a block', async () => {
    await goTo(`/accounts/${account.address.toLowerCase()}`)
    await by('send-to').fill(RECIPIENT)
    await by('send-amount').fill('1.25')
    await by('send-prepare').click()
    await by('send-ask').click()
    await front.openApproval()

    expect(await by('approval-caller').textContent()).toContain('Headframe')
    await by('approval-password').fill(account.password)
    await approve()

    await goTo(`/accounts/${account.address.toLowerCase()}`)
    await view().locator('[data-testid=send-row][data-state=sent]').waitFor()
    const mined = async () => {
      const balance = await rpcResult(front.ready.http, 'eth_getBalance', [RECIPIENT, 'latest'])
      return BigInt(String(balance)) === (5n * LAX) / 4n ? true : null
    }
    expect(await eventually('the transfer in a block', mined)).toBe(true)
    expect(await by('audit-row').count()).toBeGreaterThan(0)
    await checkLook('account')
  })

  it('creates and unlocks the vault, and a policy pays small amounts while larger ones are asked', async () => {
    await goTo('/accounts/rules')
    await by('vault-init-master').fill(MASTER)
    await by('vault-init-master-again').fill(MASTER)
    await by('vault-init-submit').click()
    await view().locator('[data-testid=vault-state][data-state=open]').waitFor()
    await by('vault-lock').click()
    await by('vault-unlock-master').fill('not the password')
    await by('vault-unlock-submit').click()
    await view().locator('[data-testid=vault-unlock-outcome][data-state=failed]').waitFor()
    await by('vault-unlock-master').fill(MASTER)
    await by('vault-unlock-submit').click()
    const key = account.address.toLowerCase()
    await by(`stored-${key}`).locator('summary').click()
    await by(`store-${key}-password`).fill(account.password)
    await by(`store-${key}-master`).fill(MASTER)
    await by(`store-${key}-submit`).click()
    await view().locator(`[data-testid=stored-${key}][data-state=stored]`).waitFor()

    await by('policy-form').locator('summary').click()
    await by('policy-name').fill('small sums')
    await by('policy-recipients').fill(RECIPIENT)
    await by('policy-most').fill('1')
    await by('policy-perPeriod').fill('1.5')
    await by('policy-try').click()
    expect(await by('policy-trial').textContent()).toMatch(/of the last [1-9]/i)
    await by('policy-save-master').fill(MASTER)
    await by('policy-save-submit').click()
    await by('policy-row').waitFor()
    await checkLook('rules')

    const small = signed.parse((await askTransfer(LAX)).result)
    expect(Transaction.from(small.raw).value).toBe(LAX)
    const second = askTransfer(LAX)
    await front.openApproval()
    await by('approval-password').waitFor()
    await by('approval-reject').click()
    expect((await second).error).toMatchObject({ message: 'request denied' })
  })

  it('verifies the audit log and shows what the rule decided', async () => {
    await goTo('/activity/audit')
    await by('audit-verify').click()

    await view().locator('[data-testid=audit-verdict][data-state=whole]').waitFor()
    await view().locator('[data-testid=audit-row][data-state=ruling]').first().waitFor()
    await checkLook('activity-record')
  })

  it('imports a key and changes its password, and both are on record', async () => {
    await goTo('/accounts')
    await view().getByText('Import a key file or private key').click()
    await by('import-text').fill('4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318')
    await by('import-new').fill('first password')
    await by('import-new-again').fill('first password')
    await by('import-submit').click()
    await by('account-0x2c7536e3605d9c16a7a3d7b1898e529396a65c23').waitFor()
    // The list of accounts may be told before the answer that empties the form.
    await expect.poll(() => by('import-text').inputValue()).toBe('')

    await goTo('/accounts/0x2c7536e3605d9c16a7a3d7b1898e529396a65c23')
    await view().getByRole('radio', { name: 'Security' }).check()
    await by('change-password-old').fill('first password')
    await by('change-password-new').fill('second password')
    await by('change-password-new-again').fill('second password')
    await by('change-password-submit').click()
    await view().locator('[data-testid=change-password-outcome][data-state=done]').waitFor()
  })

  it('saves a key file elsewhere, verifies the copy, and removes the account without destroying it', async () => {
    await goTo('/accounts/0x2c7536e3605d9c16a7a3d7b1898e529396a65c23')
    const mark = (state: string) => view().locator(`[data-testid=backup] [data-state=${state}]`)
    await mark('none').waitFor()
    await by('export-password').fill('second password')
    const downloading = view().waitForEvent('download')
    await by('export-submit').click()
    const copy = join(temporaryFolder(), 'copy.json')
    await (await downloading).saveAs(copy)
    await mark('saved').waitFor()

    await by('prove-file').setInputFiles(copy)
    await by('prove-password').fill('first password')
    await by('prove-submit').click()
    await view().locator('[data-testid=prove-outcome][data-state=failed]').waitFor()
    await by('prove-password').fill('second password')
    await by('prove-submit').click()
    await mark('done').waitFor()
    await checkLook('account-backup')

    await by('forget-digits').fill('65c23')
    expect(await by('forget-submit').getAttribute('aria-disabled')).toBe('true')
    await by('forget-digits').fill('a65c23')
    await by('forget-submit').click()
    await by('account-0x2c7536e3605d9c16a7a3d7b1898e529396a65c23').waitFor({ state: 'detached' })
  })

  it('names an account, watches an address, and blocks a caller at once until that is undone', async () => {
    await goTo(`/accounts/${account.address.toLowerCase()}`)
    await by('label-edit').click()
    await by('label-text').fill('Payouts')
    await by('label-save').click()
    await goTo('/accounts')
    await by('watch-form').locator('summary').click()
    await by('watch-address').fill(RECIPIENT)
    await by('watch-add').click()
    const watched = by(`watched-${RECIPIENT.toLowerCase()}`)
    await watched.locator('[data-testid^=balance-available][data-value]:not([data-value=""])').waitFor()
    expect(await by(`label-${account.address.toLowerCase()}`).textContent()).toContain('Payouts')

    const caller = view().locator('[data-testid=callers] li', { hasText: CALLER['user-agent'] })
    await caller.locator('[data-testid^=block-]').click()
    await view().locator('[data-testid=callers] li[data-state=blocked]').waitFor()
    await checkLook('accounts')
    expect((await ask('account_list', [])).error).toMatchObject({ message: 'request denied' })
    await caller.locator('[data-testid^=unblock-]').click()
    await view().locator('[data-testid=callers] li[data-state=blocked]').waitFor({ state: 'detached' })
    const asked = ask('account_list', [])
    await front.openApproval()
    await by('approval-reject').click()
    expect((await asked).error).toMatchObject({ message: 'request denied' })
  })
})

describe.skipIf('missing' in found)(`an undecided request${reason}`, () => {
  it('expires on the screen and for its caller', async () => {
    if ('missing' in found) return
    const front = await openChromium(temporaryFolder(), [...NO_MINING, '--signer.approval-timeout', '8'])
    try {
      const asked = rpc(front.ready.signer.http, 'account_new', [], CALLER)
      const view = await front.openApproval()
      await view.getByTestId('approval-countdown').waitFor()

      await view.locator('[data-testid=approval][data-state=expired]').waitFor()

      expect((await asked).error).toMatchObject({ message: 'request denied' })
    } finally {
      await front.close()
    }
  })
})

/** The example of EIP-712, for another chain. */
function typedDocument(chainId: number): unknown {
  const named = (name: string, type: string) => ({ name, type })
  return {
    types: {
      EIP712Domain: [named('name', 'string'), named('version', 'string'), named('chainId', 'uint256')],
      Person: [named('name', 'string'), named('wallet', 'address')],
      Mail: [named('from', 'Person'), named('to', 'Person[]'), named('contents', 'string')],
    },
    primaryType: 'Mail',
    domain: { name: 'Ether Mail', version: '1', chainId: `0x${chainId.toString(16)}` },
    message: {
      from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
      to: [{ name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' }],
      contents: 'Hello, Bob!',
    },
  }
}
