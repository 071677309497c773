// The walk: every route in English, both themes and four widths, and in German at two of them (`npm run walk`: all of
// it in every language, and from right to left), in one browser over one program. Nothing is cut off or scrolls
// sideways, every word makes sense, nothing is logged as an error, and axe has no serious finding. Each thing is
// checked wherever it can differ: layout and structure by width and language, colors by theme, on the widest and the
// narrowest page. The same again with every figure opened.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { byDepth } from '../test/depth'
import { PATIENCE_MS } from '../test/patience'
import { SCREENS, SIZES, type Size, TIGHT_SIZES } from './every-screen'
import {
  blockNumber,
  eventually,
  findChromium,
  launchChromium,
  picture,
  type Running,
  rpc,
  rpcResult,
  startHeadless,
  temporaryFolder,
} from './harness'
import { lastingFaults, seriousFindings, strangeWords, structuralFindings } from './page-checks'
import { readPracticeAccount } from './practice-account'
import { speakPseudo } from './pseudo-locale'
import { readAndApprove } from './read-approval'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
/** English with longer words, mirrored. */
const RIGHT_TO_LEFT = 'rtl'
const LANGUAGES = (process.env.HEADFRAME_WALK ?? 'en,de').split(',')
const COLOURED_WIDTHS: readonly number[] = byDepth([1440], [1440, 390])
/** Where axe checks the structure; English has the elements of every language. */
const AXE_WIDTHS: readonly number[] = byDepth(
  [1440, 390],
  SIZES.map(([width]) => width),
)
const THEMES = ['dark', 'light'] as const
/** Routes besides the screens of every-screen. TRANSACTION stands for a payment in a block. */
const MORE = [
  ['transaction', '/node/tx/TRANSACTION', 'transaction-detail'],
  ['no such transaction', `/node/tx/0x${'0'.repeat(64)}`, 'shell'],
  ['a proposed pool', '/pools/add?url=stratum%2Btcp%3A%2F%2Fme%40pool.example%3A1', 'pool-proposed'],
  ['no such page', '/nowhere', 'shell'],
  ['no approvals', '/accounts/approvals', 'approval-empty'],
] as const
/** How each screen is checked. */
interface Look {
  readonly withAxe: boolean
  readonly withColours: boolean
  readonly sizes: readonly Size[]
}

function lookAt(isEnglish: boolean): Look {
  const sizes = byDepth(isEnglish ? SIZES : TIGHT_SIZES, SIZES)
  return { withAxe: byDepth(isEnglish, true), withColours: isEnglish, sizes }
}

const nothing = async (_page: Page): Promise<readonly string[]> => []

/** Shows what each figure on the screen is made of. @returns false: no figure can be opened */
async function openFigures(page: Page): Promise<boolean> {
  const count = countSchema.parse(
    await page.evaluate(`(() => {
      const closed = document.querySelectorAll('main :is(dt, th, td) > button[aria-expanded=false]')
      closed.forEach((button) => button.click())
      return closed.length
    })()`),
  )
  if (count > 0) await page.getByTestId('because').locator('span, p').first().waitFor()
  return count > 0
}

/** Each look at a faulty page waits for the fault to go away: with this many the walk looks at no further pages. */
const ENOUGH = 40
/** Every step ends what hangs in it; all of them together may take long. */
const WALK_MS = 10 * PATIENCE_MS
/** Nobody listens on port 9 of this computer. */
const DEAD = '127.0.0.1:9'
const PAYEE = '0x52908400098527886E0F7030069857D2E4169EE7'
const countSchema = z.number()
const signedSchema = z.object({ raw: z.string() })

describe.skipIf('missing' in found)(`the walk in Chromium${reason}`, () => {
  const datadir = temporaryFolder()
  let running: Running
  let browser: Browser
  let account = ''
  let password = ''

  beforeAll(async () => {
    if ('missing' in found) return
    running = await startHeadless(datadir, ['--simulated-gpus', '2', '--rig', `far=${DEAD}`])
    const practice = readPracticeAccount(readFileSync(join(datadir, 'practice-account.txt'), 'utf8'))
    account = practice.address.toLowerCase()
    password = practice.password
    browser = await launchChromium()
    await eventually('a block', async () => ((await blockNumber(running.ready)) > 0 ? true : null))
  })
  afterAll(async () => {
    await browser?.close()
    await running?.kill()
    rmSync(datadir, { recursive: true, force: true })
  })

  /** What is wrong with the open screen, at each width; its colors in each theme, on a wide and on a narrow page. */
  const faultsOf = async (page: Page, { withAxe, withColours, sizes }: Look): Promise<readonly string[]> => {
    const faults: string[] = []
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height })
      const isColoured = withColours && COLOURED_WIDTHS.includes(width)
      const structure = withAxe && AXE_WIDTHS.includes(width) ? structuralFindings : nothing
      const found = isColoured ? await seriousFindings(page, THEMES) : await structure(page)
      faults.push(...[...(await lastingFaults(page)), ...found].map((fault) => `at ${width} px: ${fault}`))
    }
    // Last: every part has been answered by then.
    return [...faults, ...(await strangeWords(page))]
  }

  /** A request that waits for a decision, sent by another program. */
  const askToSign = async () => {
    const nonce = await rpcResult(running.ready.http, 'eth_getTransactionCount', [account, 'pending'])
    const transaction = { from: account, to: PAYEE, nonce, gas: '0x5208', gasPrice: '0x77359400', value: '0x1' }
    const asked = rpc(running.ready.signer.http, 'account_signTransaction', [transaction])
    asked.catch(() => undefined) // checked by the code that awaits it
    return asked
  }
  const open = async (page: Page, path: string, testId: string | RegExp): Promise<void> => {
    await page.evaluate(`location.hash = ${JSON.stringify(path)}`)
    await page.getByTestId(testId).first().waitFor()
  }

  /** The approval of a payment, which is signed, and the hash of the transaction once it is in a block. */
  const signed = async (page: Page, visit: (name: string) => Promise<void>): Promise<string> => {
    const asked = askToSign()
    await open(page, '/accounts/approvals', 'approval-to')
    await visit('approval')
    await page.getByTestId('approval-password').fill(password)
    await readAndApprove(page)
    const { raw } = signedSchema.parse((await asked).result)
    await page.getByTestId('approval-result').waitFor()
    await visit('approval that was signed')
    const hash = z.string().parse(await rpcResult(running.ready.http, 'eth_sendRawTransaction', [raw]))
    await eventually('the payment in a block', async () =>
      rpcResult(running.ready.http, 'eth_getTransactionReceipt', [hash]),
    )
    return hash
  }

  it('finds truncated text, and leaves readable text alone', async () => {
    const context = await browser.newContext({ viewport: { width: 800, height: 600 } })
    const page = await context.newPage()
    const box = (style: string, more = '') =>
      `<div style="width:60px;white-space:nowrap;${style}" ${more}><i>words that do not fit</i></div>`
    await page.setContent(`${box('overflow:auto')}${box('overflow:hidden', 'title="all words"')}${box('width:400px')}`)
    expect(await lastingFaults(page)).toEqual([])

    await page.setContent(box('overflow:hidden'))

    expect(await lastingFaults(page)).toEqual(['cut off i "words that do not fit"'])

    await page.setContent('<dl><dt style="width:40px;overflow-wrap:anywhere">Leistung</dt><dt>Power</dt></dl>')
    expect(await lastingFaults(page)).toEqual(['broken word "Leistung" in dt "Leistung"'])
    await page.setContent(
      '<p>1970-01-01T00:00:00Z, NaN</p><p>1.000000000000000001 LAX</p><code>1970-01-01T00:00</code>',
    )
    expect(await strangeWords(page)).toEqual(['strange "NaN" in "1970-01-01T00:00:00Z, NaN"'])
    await page.setContent('<button></button><p style="color:#777;background:#666">words that are hard to see</p>')
    expect((await structuralFindings(page)).join('\n')).toMatch(/^button-name: <button><\/button>$/m)
    expect((await seriousFindings(page, ['light'])).join('\n')).toMatch(/^light: color-contrast: <p style/m)
    await context.close()
  })

  it.each(LANGUAGES)('finds no fault in %s', { timeout: WALK_MS }, async (language) => {
    const isRightToLeft = language === RIGHT_TO_LEFT
    // The pseudo-locale replaces German.
    const locale = isRightToLeft ? 'de' : language
    // The page's policy is tested elsewhere; here axe has to be injected into the page.
    const context = await browser.newContext({ locale, bypassCSP: true, reducedMotion: 'reduce' })
    context.setDefaultTimeout(PATIENCE_MS)
    if (isRightToLeft) await speakPseudo(context)
    const page = await context.newPage()
    const errors: string[] = []
    page.on('console', (message) => (message.type() === 'error' ? errors.push(message.text()) : undefined))
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(running.link)
    await page.getByTestId('health').waitFor()
    if (isRightToLeft) await page.evaluate('document.documentElement.dir = "rtl"')

    const faults: string[] = []
    const look = lookAt(locale === 'en')
    const visit = async (name: string): Promise<void> => {
      if (faults.length >= ENOUGH) return
      faults.push(...(await faultsOf(page, look)).map((fault) => `${name}: ${fault}`))
      if (!(await openFigures(page))) return
      await picture(page, { kind: 'chromium', name: `walk ${language} ${name}`, fullPage: true })
      faults.push(...(await faultsOf(page, look)).map((fault) => `${name}, figures opened: ${fault}`))
    }
    const hash = await signed(page, visit)
    for (const [name, path, testId] of [...SCREENS, ...MORE]) {
      await open(page, path.replace('ACCOUNT', account).replace('TRANSACTION', hash), testId)
      await visit(name)
    }

    expect(await page.evaluate('document.documentElement.lang')).toMatch(new RegExp(`^${locale}`))
    expect(faults).toEqual([])
    expect(errors).toEqual([])
    await context.close()
  })
})
