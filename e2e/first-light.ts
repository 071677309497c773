// A user's first minute, in any front door: the chain grows, an account is created, money is sent or rejected, mining
// is paused and resumed, a newer version is found. The tests run in this order and build on each other.
import { expect, it } from 'vitest'
import { z } from 'zod'
import { blockNumber, eventually, type Front, picture, type RpcAnswer, rpc, rpcResult, summary } from './harness'
import { readAndApprove } from './read-approval'
import type { ReleaseHost } from './release-host'

const PASSWORD = 'correct horse battery'
const CALLER = { 'user-agent': 'first-light-test' }

const signedSchema = z.object({ raw: z.string(), tx: z.object({ hash: z.string() }) })
const receiptSchema = z.object({ status: z.string(), blockNumber: z.string(), from: z.string(), to: z.string() })

/** What a newcomer reads in practice-account.txt. */
export interface PracticeAccount {
  readonly address: string
  readonly password: string
}

export interface FirstLight {
  readonly front: () => Front
  readonly account: () => PracticeAccount
  /** Where the program searches for newer versions: NEW_VERSION with NEWS. */
  readonly releases: () => ReleaseHost
}

export const NEW_VERSION = '7.0.0'
export const NEWS = ['One thing is faster.', 'Another is mended.']

/** Registers the flows; each test calls `front()`. */
export function firstLight(flows: FirstLight): void {
  chainGrows(flows)
  moneyMoves(flows)
  miningPauses(flows)
  screensDraw(flows)
  updatesAreFound(flows)
}

function chainGrows({ front }: FirstLight): void {
  it('mines from the first start: the head grows', async () => {
    const { ready, dashboard } = front()
    const before = await blockNumber(ready)

    await eventually('new block', async () => ((await blockNumber(ready)) > before ? true : null))

    await dashboard.getByTestId('shell').waitFor()
    expect(ready.network).toBe('practice')
  })
}

function moneyMoves({ front, account }: FirstLight): void {
  let recipient = ''

  it('creates an account for a caller after approval with a new password', async () => {
    const asked = rpc(front().ready.signer.http, 'account_new', [], CALLER)

    await approve(front(), PASSWORD, { twice: true })

    recipient = z.string().parse((await asked).result)
    expect(recipient).toMatch(/^0x[0-9a-fA-F]{40}$/)
  })

  it('shows who asks for what, signs after the password, and a block includes the transaction', async () => {
    const { ready } = front()
    const asked = askTransaction(front(), account().address, recipient)
    const view = await front().openApproval()

    expect(await view.getByTestId('approval-kind').textContent()).toMatch(/^Send/)
    expect(await view.getByTestId('approval-caller').textContent()).toContain('first-light-test')
    expect(await addressIn(view.getByTestId('approval-to'))).toContain(recipient.slice(2).toLowerCase())
    expect(await addressIn(view.getByTestId('approval-from'))).toContain(account().address.slice(2).toLowerCase())
    expect(await view.getByTestId('approval-value').textContent()).toContain('1.5')
    expect(await view.getByTestId('approval-fee').textContent()).toMatch(/0\.000042/)
    for (const theme of THEMES) {
      await view.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await picture(view, { kind: front().kind, name: `approval-${theme}` })
    }
    await approve(front(), account().password, { twice: false })

    const { raw, tx } = signedSchema.parse((await asked).result)
    expect(await rpcResult(ready.http, 'eth_sendRawTransaction', [raw])).toBe(tx.hash)
    const receipt = receiptSchema.parse(
      await eventually(
        'receipt',
        async () => (await rpcResult(ready.http, 'eth_getTransactionReceipt', [tx.hash])) ?? null,
      ),
    )
    expect(receipt).toMatchObject({ status: '0x1', to: recipient.toLowerCase() })
    expect(await rpcResult(ready.http, 'eth_getBalance', [recipient, 'latest'])).toBe(
      `0x${(15n * 10n ** 17n).toString(16)}`,
    )
  })

  it('tells a denied caller, and signs nothing', async () => {
    const asked = askTransaction(front(), account().address, recipient)
    const view = await front().openApproval()

    await view.getByTestId('approval-reject').click()

    expect((await asked).error).toMatchObject({ message: 'request denied' })
  })
}

function miningPauses({ front }: FirstLight): void {
  it('pauses the device from its button: the hashrate falls to 0 and the API says paused', async () => {
    const { dashboard, ready } = front()
    await goTo(front(), '/gpus')

    await dashboard.getByTestId('gpu-pause-0').click()

    await eventually('paused', async () => ((await summary(ready)).gpus[0]?.paused === true ? true : null))
    await eventually('no hashrate', async () => ((await summary(ready)).hashrate.now === 0 ? true : null))
    expect((await summary(ready)).gpus[0]?.pause_reason).toBe('Api request')
    await dashboard.locator('[data-testid=gpu-state-0][data-state=paused]').waitFor()
  })

  it('resumes the device from the same button', async () => {
    const { dashboard, ready } = front()
    await dashboard.locator('[data-testid=gpu-pause-0]:not([data-state=pending])').waitFor() // the pause is confirmed

    await dashboard.getByTestId('gpu-pause-0').click()

    await eventually('hashrate', async () => ((await summary(ready)).hashrate.now > 0 ? true : null))
    expect((await summary(ready)).gpus[0]).toMatchObject({ paused: false, pause_reason: '' })
  })
}

function screensDraw({ front }: FirstLight): void {
  it('renders every screen in light and dark without an error', async () => {
    const { dashboard, kind } = front()
    const problems: string[] = []
    dashboard.on('pageerror', (error) => problems.push(error.message))
    for (const theme of THEMES) {
      await dashboard.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      for (const [name, route, part] of SCREENS) {
        await goTo(front(), route)
        await dashboard.getByTestId(part).first().waitFor()
        await dashboard.evaluate(NEXT_PICTURE)
        await picture(dashboard, { kind, name: `${name}-${theme}` })
      }
    }

    expect(problems).toEqual([])
  })
}

function updatesAreFound({ front, releases }: FirstLight): void {
  it('finds a newer version with its news, explains why sources download none, and rejects a tampered notice', async () => {
    const { dashboard } = front()
    await goTo(front(), '/settings/updates')
    await dashboard.getByTestId('update-look').click()

    const newer = dashboard.getByTestId('update-found')
    await newer.getByText(NEW_VERSION).first().waitFor()
    expect(await newer.getByRole('listitem').allTextContents()).toEqual(NEWS)
    await dashboard.getByTestId('update-fetch').click()
    const fault = dashboard.getByTestId('update-failed')
    await fault.getByText('package').waitFor()

    releases().tamper()
    await dashboard.getByTestId('update-look').click()
    await fault.getByText('changed after').waitFor()
  })
}

const THEMES = ['light', 'dark'] as const

/** Name of the picture, route, and what is there once the screen has its data. */
const SCREENS = [
  ['overview', '/', 'health'],
  ['gpus', '/gpus', 'gpu-row-0'],
  ['node', '/node', 'sync-steps'],
  ['accounts', '/accounts', 'new-account'],
  ['activity', '/activity', 'log-view'],
  ['settings', '/settings/miner', 'option-miner.cpuThreads'],
] as const

/** Two frames later, everything known by now has been rendered, charts too. */
const NEXT_PICTURE = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))'

async function goTo({ dashboard }: Front, route: string): Promise<void> {
  await dashboard.evaluate(`location.hash = ${JSON.stringify(route)}`)
}

async function askTransaction(front: Front, from: string, to: string): Promise<RpcAnswer> {
  const nonce = await rpcResult(front.ready.http, 'eth_getTransactionCount', [from, 'latest'])
  const transaction = {
    from,
    to,
    nonce,
    value: `0x${(15n * 10n ** 17n).toString(16)}`,
    gas: '0x5208',
    gasPrice: `0x${(2n * 10n ** 9n).toString(16)}`, // near the network's usual price: at ten times that, a press isn't enough
    data: '0x',
    chainId: '0x539',
  }
  return rpc(front.ready.signer.http, 'account_signTransaction', [transaction], CALLER)
}

/** The text without spaces and case: addresses are shown in groups. */
async function addressIn(locator: ReturnType<Front['dashboard']['getByTestId']>): Promise<string> {
  return ((await locator.textContent()) ?? '').replace(/\s/g, '').toLowerCase()
}

/** Reads to the end, types the password, waits until the view is armed, and presses. */
async function approve(front: Front, password: string, { twice }: { readonly twice: boolean }): Promise<void> {
  const view = await front.openApproval()
  await view.getByTestId('approval-password').fill(password)
  if (twice) await view.getByTestId('approval-password-repeat').fill(password)
  await readAndApprove(view)
  await view.locator('[data-testid=approval][data-state=done]').waitFor()
}
