// What users come for, done as they would do it: by clicks and typing alone, with the real program. The cost of each
// task is printed; its clicks are limited, its seconds depend on the machine.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { blockNumber, eventually, OPEN_REQUEST } from '../harness'
import { readPracticeAccount } from '../practice-account'
import { readToEnd, signByKeys, tabToPart } from '../read-approval'
import { TrustingPool } from '../trusting-pool'
import type { Journey } from './journey'

const PAYEE = '0x52908400098527886E0F7030069857D2E4169EE7'
/** Some shares per second from a simulated device. */
const DIFFICULTY = 20_000n

/** Registers the tasks; the program has simulated devices, and the first steps aren't finished. */
export function fiveTasks(journey: () => Journey): void {
  describe('five tasks', () => {
    const hand = new Hand(journey)
    const table: string[] = []
    afterEach(({ task }) => void table.push(`${hand.told()}  ${task.name}`))
    afterAll(() => console.log(`${journey().kind}:\n${table.join('\n')}`))

    payment(journey, hand)
    drop(journey, hand)
    byKeyboard(journey, hand)
    pools(journey, hand)
  })
}

/** A user's mouse and keyboard, with a count of the clicks and of the keys since the task began. */
class Hand {
  clicks = 0
  keys = 0
  #begunAt = 0

  constructor(private readonly journey: () => Journey) {}

  async begin(): Promise<void> {
    await this.journey().open()
    this.clicks = 0
    this.keys = 0
    this.#begunAt = Date.now()
  }

  async click(target: string | Locator, page: Page = this.journey().page()): Promise<void> {
    this.clicks += 1
    await (typeof target === 'string' ? page.getByTestId(target) : target).click()
  }

  /** Clicked first, as anyone with a mouse would. */
  async type(target: string, text: string, page: Page = this.journey().page()): Promise<void> {
    await this.click(target, page)
    await page.keyboard.insertText(text)
  }

  /** Keys or chords, each counted once; one after the other, without waiting for a busy page in between. */
  async press(...keys: readonly string[]): Promise<void> {
    this.keys += keys.length
    const { keyboard } = this.journey().page()
    await Promise.all(keys.map((key) => keyboard.press(key)))
  }

  /** Into the field that has the focus; what is pasted counts as one key, what is typed as many as it has letters. */
  async write(text: string, how: 'typed' | 'pasted' = 'typed'): Promise<void> {
    this.keys += how === 'typed' ? text.length : 1
    await this.journey().page().keyboard.insertText(text)
  }

  /** Tab until the part has the focus. */
  async tabTo(testId: string): Promise<void> {
    await tabToPart(this.journey().page(), testId, (key) => this.press(key))
  }

  /** Types into the palette, and runs what comes first. */
  async run(text: string): Promise<void> {
    await this.press('Control+k')
    await this.journey().page().getByTestId('palette-input').waitFor()
    await this.write(text)
    await this.press('Enter')
  }

  told(): string {
    const seconds = ((Date.now() - this.#begunAt) / 1000).toFixed(1)
    return `${String(this.clicks).padStart(2)} clicks ${String(this.keys).padStart(2)} keys ${seconds.padStart(5)} s`
  }
}

function payment(journey: () => Journey, hand: Hand): void {
  it('approve and follow a payment', async () => {
    const { datadir, ready, page } = journey()
    const text = readFileSync(join(datadir, 'practice-account.txt'), 'utf8')
    const { address, password } = readPracticeAccount(text)
    await eventually('a block', async () => ((await blockNumber(ready())) > 0 ? true : null))
    await hand.begin()

    await hand.click('nav-accounts')
    await hand.click(`open-${address.toLowerCase()}`)
    await hand.type('send-to', PAYEE)
    await hand.type('send-amount', '1.5')
    await hand.click('send-prepare')
    await hand.click('send-ask')
    const approval = await journey().approval()
    await hand.type('approval-password', password, approval)
    await readToEnd(approval)
    await hand.click('approval-approve', approval)
    const state = page().locator('[data-testid=payment][data-state=mined]')
    await state.waitFor()

    expect(await state.textContent()).toMatch(/block \d+/)
    await state.filter({ hasText: /(?:[2-9]|\d\d+) confirmations/ }).waitFor()
    expect(hand.clicks).toBe(8)
  })
}

function drop(journey: () => Journey, hand: Hand): void {
  it('pause one GPU', async () => {
    await hand.begin()

    await hand.click('tile-pause-1')
    await journey().page().locator('[data-testid=tile-1][data-state=paused]').waitFor()

    expect(await journey().page().getByTestId('tile-0').getAttribute('data-state')).not.toBe('paused')
    expect(hand.clicks).toBe(1)
  })

  it('find out why the hashrate dropped', async () => {
    const page = journey().page()
    await hand.begin()

    await hand.click('open-incidents')

    // In the program's first minutes it is a finding, after that an incident that lasts.
    const finding = page.getByTestId('findings').getByText('paused: ')
    const incident = page.getByTestId('incident-paused').filter({ hasText: 'ongoing' })
    expect(await finding.or(incident).first().textContent()).toMatch(/GPU 1.*Paused.*by you/i)
    await page.keyboard.press('Escape')
    expect(hand.clicks).toBe(1)
  })
}

function byKeyboard(journey: () => Journey, hand: Hand): void {
  it('resume one GPU by keyboard', async () => {
    const page = journey().page()
    await hand.begin()
    await page.locator('[data-testid=tile-1][data-state=paused]').waitFor()

    await hand.run('resume gpu 1')
    await page.locator('[data-testid=tile-1]:not([data-state=paused])').waitFor()

    expect(hand.clicks).toBe(0)
    expect(hand.keys).toBeLessThanOrEqual(14)
  })

  it('pause one GPU by keyboard, and find out why the hashrate dropped', async () => {
    const page = journey().page()
    await hand.begin()

    await hand.run('pause gpu 1')
    await page.locator('[data-testid=tile-1][data-state=paused]').waitFor()
    await hand.press('i')
    const finding = page.getByTestId('findings').getByText('paused: ')
    const incident = page.getByTestId('incident-paused').filter({ hasText: 'ongoing' })
    await finding.or(incident).first().waitFor()

    expect(hand.clicks).toBe(0)
    expect(hand.keys).toBeLessThanOrEqual(14)
    await page.keyboard.press('Escape')
    await page.locator('[data-testid=tile-pause-1]:not([data-state=pending])').waitFor() // the pause is confirmed
    await hand.run('resume gpu 1')
    await page.locator('[data-testid=tile-1]:not([data-state=paused])').waitFor()
  })

  paymentByKeyboard(journey, hand)
}

function paymentByKeyboard(journey: () => Journey, hand: Hand): void {
  it('approve a payment by keyboard', async () => {
    const { datadir, page } = journey()
    const text = readFileSync(join(datadir, 'practice-account.txt'), 'utf8')
    const { address, password } = readPracticeAccount(text)
    await hand.begin()

    await hand.press('g', 'a')
    await page().getByTestId(`open-${address.toLowerCase()}`).waitFor()
    await hand.tabTo(`open-${address.toLowerCase()}`)
    await hand.press('Enter')
    await page().getByTestId('send-to').waitFor()
    await hand.tabTo('send-to')
    await hand.write(PAYEE, 'pasted')
    await hand.tabTo('send-amount')
    await hand.write('2.5')
    await hand.press('Enter')
    await page().getByTestId('send-ask').waitFor()
    await hand.tabTo('send-ask')
    await hand.press('Enter')
    const approval = await journey().approval()
    const press = async (key: string): Promise<void> => {
      hand.keys += 1
      await approval.keyboard.press(key)
    }
    await tabToPart(approval, 'approval-password', press)
    await approval.keyboard.insertText(password)
    await signByKeys(
      approval,
      press,
      async () => approval.isClosed() || (await approval.locator(OPEN_REQUEST).count()) === 0,
    )
    await page().locator('[data-testid=payment][data-state=mined]').waitFor()

    expect(hand.clicks).toBe(0)
    expect(hand.keys).toBeLessThanOrEqual(90)
  })
}

function pools(journey: () => Journey, hand: Hand): void {
  const pools = [new TrustingPool(DIFFICULTY), new TrustingPool(DIFFICULTY), new TrustingPool(DIFFICULTY)] as const
  beforeAll(async () => {
    for (const pool of pools) await pool.start()
  })
  afterAll(() => {
    for (const pool of pools) pool.stop()
  })

  it('set up a pool and see the first accepted share', async () => {
    await hand.begin()
    const page = journey().page()

    await hand.click('welcome-card')
    await hand.click(page.getByTestId('welcome-pool').getByRole('radio'))
    await hand.type('welcome-pool-url', `stratum+tcp://${PAYEE}.rig:x@127.0.0.1:${pools[0].port}`)
    await journey().overRestart(() => hand.click('welcome-start'))
    const line = (name: string) => journey().page().locator(`[data-testid=first-share-${name}][data-state=done]`)
    await line('work').filter({ hasText: '127.0.0.1' }).waitFor()
    await line('proof').waitFor()

    expect(pools[0].logins.at(-1)?.[0]).toBe(`${PAYEE}.rig`)
    expect(hand.clicks).toBe(4)
  })

  it('add a pool and switch to it', async () => {
    await hand.begin()

    await hand.click('nav-pools')
    await hand.type('pool-url', `stratum+tcp://${PAYEE}.rig:x@127.0.0.1:${pools[1].port}`)
    await hand.click('pool-add-submit')
    await hand.click('pool-switch-1')
    await hand.click('pool-switch-confirm')
    await journey().page().locator('[data-testid=pool-row-1][data-state=active]').waitFor()

    expect(pools[1].logins).toHaveLength(1)
    expect(hand.clicks).toBe(5)
  })

  it('add a pool and switch to it by keyboard', async () => {
    const page = journey().page()
    await hand.begin()

    await hand.press('g', 'p')
    await page.getByTestId('pool-url').waitFor()
    await hand.tabTo('pool-url')
    await hand.write(`stratum+tcp://${PAYEE}.keys:x@127.0.0.1:${pools[2].port}`, 'pasted')
    await hand.press('Enter')
    await page.getByTestId('pool-row-2').waitFor()
    await hand.run(`switch ${pools[2].port}`)
    await page.locator('[data-testid=pool-row-2][data-state=active]').waitFor()

    expect(pools[2].logins.at(-1)?.[0]).toBe(`${PAYEE}.keys`)
    expect(hand.clicks).toBe(0)
    expect(hand.keys).toBeLessThanOrEqual(40)
  })
}
