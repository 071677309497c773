// What pages of other origins can do with JSON-RPC in a real Chromium: nothing with default options, and otherwise only
// what is allowed.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATIENCE_MS } from '../test/patience'
import { serveForeignPage } from './foreign-page'
import { findChromium, launchChromium, NO_MINING, type Running, rpc, startHeadless, temporaryFolder } from './harness'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''
/** Resolves to this computer, as an attacker's name may. */
const EVIL = 'evil.example'
const ORIGIN_OPTIONS = [...NO_MINING, '--ws', '--ws.port', '0', '--ipcdisable']
/** A hashrate that no computer has, H/s. */
const RATE = `0x${(2n ** 80n).toString(16)}`

interface Target {
  readonly http: string
  readonly ws: string
  readonly change: string
}

/** Requests that need no answer: a beacon, and a form whose fields make up the request. As page code. */
const unasked = ({ http, change }: Target): string => `{
  const change = ${JSON.stringify(change)}
  navigator.sendBeacon('http://${http}/', new Blob([change], { type: 'application/json' }))
  const frame = Object.assign(document.createElement('iframe'), { name: 'sink' })
  const form = document.createElement('form')
  Object.assign(form, { method: 'POST', action: 'http://${http}/', enctype: 'text/plain', target: 'sink' })
  const field = document.createElement('input')
  Object.assign(field, { name: change.slice(0, -1) + ',"x":"', value: '"}' })
  form.append(field)
  document.body.append(frame, form)
  form.submit()
}`

/** Attempts from inside a page; each reports what it could read, or why not. */
async function attack(page: Page, target: Target) {
  await page.evaluate(unasked(target))
  return page.evaluate(async ({ http, ws, change }) => {
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: change }
    const attempt = (options: RequestInit) =>
      fetch(`http://${http}/`, options).then(
        async (response) => (response.type === 'opaque' ? 'opaque' : `${response.status} ${await response.text()}`),
        () => 'refused',
      )
    const read = await attempt(json)
    const plain = await attempt({
      method: 'POST',
      mode: 'no-cors',
      headers: { 'content-type': 'text/plain' },
      body: change,
    })
    const blind = await attempt({ ...json, mode: 'no-cors' })
    const socket = await new Promise<string>((done) => {
      const channel = new WebSocket(`ws://${ws}/`)
      channel.onopen = () => channel.send(change)
      channel.onmessage = ({ data }) => done(String(data))
      channel.onerror = () => done('refused')
    })
    await new Promise((done) => setTimeout(done, 300))
    return { read, plain, blind, socket }
  }, target)
}

describe.skipIf('missing' in found)(`JSON-RPC and pages of other origins${reason}`, () => {
  let browser: Browser
  let foreign: Awaited<ReturnType<typeof serveForeignPage>>
  beforeAll(async () => {
    if ('missing' in found) return
    browser = await launchChromium([`--host-resolver-rules=MAP ${EVIL} 127.0.0.1`])
    foreign = await serveForeignPage()
  })
  afterAll(async () => {
    await foreign?.close()
    await browser?.close()
  })

  const started = async (more: readonly string[] = []) => {
    const running = await startHeadless(temporaryFolder(), [...ORIGIN_OPTIONS, ...more])
    const { http, ws } = running.ready
    if (ws === null) throw new Error('no WebSocket')
    const params = [RATE, `0x${'11'.repeat(32)}`]
    const change = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_submitHashrate', params })
    return { running, target: { http, ws, change } }
  }
  const isChanged = async ({ ready }: Running) =>
    BigInt(String((await rpc(ready.http, 'eth_hashrate')).result)) >= BigInt(RATE)
  const foreignPage = async () => {
    const page = await browser.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(foreign.url.replace('localhost', EVIL))
    return page
  }

  it('a page of another origin can neither read nor change anything', async () => {
    const { running, target } = await started()
    const page = await foreignPage()

    const outcome = await attack(page, target)

    expect(outcome).toEqual({ read: 'refused', plain: 'opaque', blind: 'opaque', socket: 'refused' })
    expect(await isChanged(running)).toBe(false)
    await page.close()
    await running.terminate()
  })

  it("a page whose hostname was pointed at this computer can't either", async () => {
    const { running, target } = await started()
    const port = target.http.split(':')[1]
    const page = await browser.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    const loaded = await page.goto(`http://${EVIL}:${port}/`)
    expect([loaded?.status(), await page.textContent('body')]).toEqual([403, 'invalid host specified\n'])

    const outcome = await attack(page, { ...target, http: `${EVIL}:${port}` })

    expect(outcome).toMatchObject({ read: '403 invalid host specified\n', socket: 'refused' })
    expect(await isChanged(running)).toBe(false)
    await page.close()
    await running.terminate()
  })

  it('a page of an allowed origin can', async () => {
    const origin = new URL(foreign.url.replace('localhost', EVIL)).origin
    const { running, target } = await started(['--http.corsdomain', origin, '--ws.origins', origin])
    const page = await foreignPage()

    const outcome = await attack(page, target)

    const answer = '{"jsonrpc":"2.0","id":1,"result":true}'
    expect(outcome).toMatchObject({ read: `200 ${answer}\n`, socket: answer })
    expect(await isChanged(running)).toBe(true)
    await page.close()
    await running.terminate()
  })
})
